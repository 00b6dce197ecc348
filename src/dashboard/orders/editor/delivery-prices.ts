import { states } from '../../../../registry/values/states.ts'
import { html, type Markup, nothing } from '../../../markup/markup.ts'
import { money } from '../../../markup/parts.ts'
import type { Refusal } from '../../../operations/execute/refusal.ts'
import type { ReplyOf } from '../../kit/call.ts'
import type { Draft, FormValues } from '../../kit/draft.ts'
import { koboText } from '../../kit/parts.ts'
import { may, type Visit } from '../../kit/visit.ts'
import { hasAddress } from './address.ts'
import { requestedItemsOf, typed, typedFields, typedItemsOf } from './values.ts'

/** Shows the delivery prices that carriers offer for the address of a new order, before the order is created. */

const permission = 'logistics:quote'

/** Weight of a unit in the estimate, in grams: about a folded dress with its packaging. */
const unitGrams = 500

const shownMax = 5

/** The value of the submit button that requests the delivery prices of the carriers. */
export const pricesIntent = 'prices'

type Offers = ReplyOf<'createQuote'>['offers']

/**
 * Requests delivery prices from the carriers. Shows each price with a button that fills it in as the shipping price.
 */
export async function deliveryPrices(visit: Visit, draft: Draft): Promise<Markup> {
  if (!may(visit, permission)) return nothing
  const units = requestedItemsOf(typedItemsOf(draft)).reduce((sum, { quantity }) => sum + quantity, 0)
  if (units === 0 || !hasAddress(draft))
    return html`<p role="status">Enter the items and the address first. Then get the delivery prices.</p>`
  const parcel = { description: 'Order', weightGrams: units * unitGrams, valueKobo: 0 }
  const called = await visit.call('createQuote', { body: { dropoff: dropoffIn(draft), parcels: [parcel] } })
  if (called.is === 'refused') return html`<p class="problem" role="status">${messageOf(called.refusal)}</p>`
  const { offers } = called.reply
  if (offers.length === 0) return html`<p role="status">No carrier made an offer for this address.</p>`
  return html`<p role="status">Prices of the carriers for a weight of ${units * unitGrams} g. The dispatch requests new offers with the weights of the variants.</p><ul>${offers.slice(0, shownMax).map(offerOf)}</ul>`
}

function messageOf({ code, problems, message }: Refusal): string {
  if (code === 'pickup_missing') return 'The shop has no pickup address. Add one on the page “Settings”.'
  return problems?.[0]?.message ?? message
}

function offerOf({ carrierName, service, priceKobo }: Offers[number]): Markup {
  return html`<li>${money(priceKobo)} ${carrierName}, ${service} <button name="useShipping" value="${koboText(priceKobo)}">Use this price</button></li>`
}

function dropoffIn(draft: Draft) {
  const { line1 = '', city, ...lines } = typedFields(draft, ['line1', 'line2', 'landmark', 'area', 'city'])
  const area = lines.area ?? city
  const state = states.find((each) => each === typed(draft, 'state'))
  return { line1, ...lines, ...(area === undefined ? {} : { area }), ...(state === undefined ? {} : { state }) }
}

export function pricesButton(visit: Visit): Markup {
  return may(visit, permission)
    ? html`<div class="buttons"><button name="intent" value="${pricesIntent}">Get delivery prices</button></div>`
    : nothing
}

/**
 * If the member pressed the button of a delivery price in the form, returns the form values with this price as the
 * shipping price of the order.
 */
export function withUsedShipping({ useShipping, ...values }: FormValues): FormValues {
  return useShipping === undefined ? values : { ...values, shipping: useShipping }
}
