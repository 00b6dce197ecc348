import { serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, count, empty, facts, heading, money, section, table, time } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { newDraft } from '../kit/draft.ts'
import { form, hiddenField, select, textField } from '../kit/form.ts'
import { koboText, link } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'

type Order = ReplyOf<'getOrder'>
type Quote = ReplyOf<'createQuote'>
type Offer = Quote['offers'][number]

/** The order or the return whose units a dispatch transports. */
export interface Dispatched {
  /** The page of the record, which has the dispatch form below it, such as `/orders/ord_…`. */
  readonly page: string
  readonly title: string
  readonly back: string
}

export function dispatchedOrder({ id, number }: Pick<Order, 'id' | 'number'>): Dispatched {
  return { page: `/orders/${id}`, title: `Dispatch ${number}`, back: 'Back to the order' }
}

/** Shows the form of the first step of a dispatch, which requests offers from carriers. */
export function dispatchForm(visit: Visit, order: Order, draft = newDraft()): Content {
  const intro = html`<p>The next step requests offers from the carriers for all units of ${order.number} that are in no active or delivered shipment. Pickup is at the default address of the merchant.</p>`
  const hint = 'The rider collects this amount at the delivery. Leave the field empty to collect no cash.'
  const field = textField(draft, { name: 'cash', label: 'Cash on delivery in naira', hint, inputMode: 'decimal' })
  const due = html`<p>${money(order.balanceKobo)} is due for the order.</p>`
  return stepOf(visit, dispatchedOrder(order), { intro: html`${intro}${due}`, fields: field })
}

/** Shows the first step of a dispatch with the given explanation and fields. */
export function stepOf(
  visit: Visit,
  dispatched: Dispatched,
  { intro, fields }: { readonly intro: Markup; readonly fields: Markup },
): Content {
  return contentOf(dispatched, html`${intro}${form(visit, pathOf(dispatched), fields, { submit: 'Get offers' })}`)
}

/** Shows the carriers' offers, and the form that requests the chosen carrier. */
export function offersForm(visit: Visit, dispatched: Dispatched, quote: Quote): Content {
  const { offers, carriers, pickup, dropoff, codAmountKobo, distanceMeters, expiresAt, warnings } = quote
  const route = facts([
    ['Pickup', placeOf(pickup)],
    ['Dropoff', placeOf(dropoff)],
    ['Distance', `${(distanceMeters / metersPerKilometer).toFixed(1)} km`],
    ...(codAmountKobo === null ? [] : [['Cash on delivery', money(codAmountKobo)] as const]),
    ['Offers expire', time(expiresAt)],
    ...(warnings.length === 0 ? [] : [['Warnings', warningBadges(warnings)] as const]),
  ])
  const without = carriers.filter(({ status }) => status !== 'ok')
  const reasons = table('Carriers without an offer', without, [
    { title: 'Carrier', cell: ({ carrier }) => carrier },
    { title: 'Reason', cell: ({ status, message }) => message ?? status.replaceAll('_', ' ') },
  ])
  const again = form(visit, pathOf(dispatched), cashField(quote), { submit: 'Get new offers' })
  const shown =
    offers.length === 0
      ? html`${empty('No carrier made an offer.')}${again}`
      : html`${offerTable(offers)}${chooseForm(visit, dispatched, quote)}`
  const main = html`${section('Route', route)}${section('Offers', shown)}${without.length === 0 ? '' : section('Carriers without an offer', reasons)}`
  return contentOf(dispatched, main)
}

/** Repeats the cash of the offers, so that the form still has it when the offers have expired. */
function cashField({ codAmountKobo }: Quote): Markup {
  return codAmountKobo === null ? nothing : hiddenField('cash', koboText(codAmountKobo))
}

function priceOf({ priceKobo, priceLock }: Offer): Markup {
  return html`${money(priceKobo)}${priceLock === 'none' ? html`<small>may rise</small>` : nothing}`
}

function warningBadges(warnings: readonly string[]): Markup {
  return html`${warnings.map((warning) => badge(warning, 'waiting'))}`
}

const metersPerKilometer = 1_000

function offerTable(offers: readonly Offer[]): Markup {
  return table('Offers', offers, [
    { title: 'Carrier', cell: ({ carrierName, service }) => html`${carrierName}<small>${service}</small>` },
    { title: 'Price', cell: priceOf, isNumber: true },
    { title: 'Pickup', cell: ({ pickupEta }) => (pickupEta === null ? 'unknown' : time(pickupEta.p50)) },
    { title: 'Delivery', cell: ({ dropoffEta }) => (dropoffEta === null ? 'unknown' : time(dropoffEta.p50)) },
    { title: 'Reliability', cell: ({ reliability }) => `${count(Math.round(reliability * 100))} %`, isNumber: true },
  ])
}

/**
 * The field for the maximum price is empty, so that the price of the chosen offer applies. The script only shows this
 * price as a placeholder.
 */
function chooseForm(visit: Visit, dispatched: Dispatched, quote: Quote): Markup {
  const { id, offers } = quote
  const choices = fastestFirst(offers).map((offer) => {
    const price = koboText(offer.priceKobo)
    return [offer.id, `${offer.carrierName}, ${offer.service}, ₦${price}`, price] as const
  })
  const draft = newDraft()
  const fields = html`${hiddenField('quoteId', id)}${cashField(quote)}
${select(draft, { name: 'offerId', label: 'First carrier', hint: 'If this carrier does not accept the shipment, up to two other carriers within the maximum price are requested, faster services first.', choices })}
${textField(draft, { name: 'maxPrice', label: 'Maximum price in naira', hint: 'If the field is empty, the maximum is the price of the first carrier. The maximum applies to the carrier that accepts, including surge. An offer without a guaranteed price may rise up to the maximum.', inputMode: 'decimal', follows: 'offerId', placeholder: choices[0]?.[2] ?? '' })}`
  return form(visit, pathOf(dispatched), fields, { submit: 'Dispatch' })
}

/**
 * Returns the offers sorted by service level, fastest first. Within a level, they keep the order of the quote, best
 * value first. A dispatch without a chosen offer requests the first of them.
 */
function fastestFirst(offers: readonly Offer[]): readonly Offer[] {
  return serviceLevels.flatMap((level) => offers.filter(({ serviceLevel }) => serviceLevel === level))
}

function contentOf({ page, title, back }: Dispatched, content: Markup): Content {
  return { title, main: html`${heading(title)}${content}<p>${link(page, back)}</p>` }
}

function pathOf({ page }: Dispatched): string {
  return `${page}/dispatch`
}

function placeOf({ line1, area, state }: Quote['pickup']): string {
  return [line1, area, state].filter(Boolean).join(', ')
}
