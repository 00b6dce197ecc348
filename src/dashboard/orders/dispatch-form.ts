import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, hiddenField, select } from '../kit/form.ts'
import { html, type Markup } from '../kit/markup.ts'
import { count, empty, facts, heading, koboText, link, money, section, table, time } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'

type Order = ReplyOf<'getOrder'>
type Quote = ReplyOf<'createQuote'>
type Offer = Quote['offers'][number]

/** Shows the first step of a dispatch, which requests offers. */
export function dispatchForm(visit: Visit, order: Order, draft: Draft): Content {
  const intro = html`<p>The carriers are asked for offers to ship all units of ${order.number} that are in no shipment yet, from the pickup address of the merchant to the shipping address of the order.</p>`
  const ask = form(visit, pathOf(order), html``, { draft, submit: 'Get offers' })
  return contentOf(order, html`${intro}${ask}`)
}

/** Shows the offers, and the form that requests a carrier. */
export function offersForm(visit: Visit, order: Order, quote: Quote): Content {
  const { offers, carriers, pickup, dropoff, distanceMeters, expiresAt } = quote
  const route = facts([
    ['Pickup', placeOf(pickup)],
    ['Dropoff', placeOf(dropoff)],
    ['Distance', `${(distanceMeters / metersPerKilometer).toFixed(1)} km`],
    ['Offers expire', time(expiresAt)],
  ])
  const without = carriers.filter(({ status }) => status !== 'ok')
  const reasons = table('Carriers without an offer', without, [
    { title: 'Carrier', cell: ({ carrier }) => carrier },
    { title: 'Reason', cell: ({ message }) => message ?? '' },
  ])
  const again = form(visit, pathOf(order), html``, { draft: newDraft(), submit: 'Get new offers' })
  const shown =
    offers.length === 0
      ? html`${empty('No carrier made an offer.')}${again}`
      : html`${offerTable(offers)}${chooseForm(visit, order, quote)}`
  const main = html`${section('Route', route)}${section('Offers', shown)}${without.length === 0 ? '' : section('Carriers without an offer', reasons)}`
  return contentOf(order, main)
}

const metersPerKilometer = 1_000

function offerTable(offers: readonly Offer[]): Markup {
  return table('Offers', offers, [
    { title: 'Carrier', cell: ({ carrierName, service }) => html`${carrierName}<small>${service}</small>` },
    { title: 'Price', cell: ({ priceKobo }) => money(priceKobo), isNumber: true },
    { title: 'Pickup', cell: ({ pickupEta }) => (pickupEta === null ? 'unknown' : time(pickupEta.p50)) },
    { title: 'Delivery', cell: ({ dropoffEta }) => (dropoffEta === null ? 'unknown' : time(dropoffEta.p50)) },
    { title: 'Reliability', cell: ({ reliability }) => `${count(Math.round(reliability * 100))} %`, isNumber: true },
  ])
}

function chooseForm(visit: Visit, order: Order, { id, offers }: Quote): Markup {
  const best: readonly [string, string] = ['', 'Best value of the fastest service level']
  const choices = offers.map((offer): readonly [string, string] => [
    offer.id,
    `${offer.carrierName}, ${offer.service}, ₦${koboText(offer.priceKobo)}`,
  ])
  const draft = newDraft()
  const fields = html`${hiddenField('quoteId', id)}
${select(draft, { name: 'offerId', label: 'First carrier', hint: 'If it does not accept, the carriers of the other offers are requested.', choices: [best, ...choices] })}`
  return form(visit, pathOf(order), fields, { draft, submit: 'Dispatch' })
}

function contentOf({ id, number }: Order, content: Markup): Content {
  const title = `Dispatch ${number}`
  return { title, main: html`${heading(title)}${content}<p>${link(`/orders/${id}`, 'Back to the order')}</p>` }
}

function pathOf({ id }: Order): string {
  return `/orders/${id}/dispatch`
}

function placeOf({ line1, area, state }: Quote['pickup']): string {
  return [line1, area, state].filter(Boolean).join(', ')
}
