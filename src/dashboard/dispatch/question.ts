import { nairaText } from '../../base/naira.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import type { Question } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { dispatchMax } from '../orders/choose-form.ts'
import { isUnpaidBeforeDispatch, unpaidText } from '../orders/unpaid.ts'
import { chosenOrders } from './chosen-orders.ts'
import { choiceOf, type DispatchFields, dueOf, fieldText, type OrderField } from './form-fields.ts'
import { offersTotalText } from './offer-parts.ts'
import { readQuotes } from './offers.ts'

/**
 * Returns the question that the member must confirm before the dispatch. Undefined unless an order should be paid
 * before it leaves the shop, or a rider would collect no cash for an order that is paid on delivery.
 */
export async function questionAboutDispatch(fields: DispatchFields, visit: Visit): Promise<Question | undefined> {
  const ids = [...new Set(fields.id)].filter((id) => fieldText(fields, 'offer', id) !== undefined)
  if (fields.intent === 'offers' || ids.length === 0 || ids.length > dispatchMax) return undefined
  const orders = await chosenOrders(visit, ids)
  const unpaid = orders.flatMap((order) => unpaidOf(fields, order) ?? [])
  const cash = cashText(fields, ids)
  if (unpaid.length === 0 && cash === undefined) return undefined
  const total = await totalText(visit, fields, orders)
  if (unpaid.length === 0) return { text: [cash ?? '', ...total].join(' '), submit: 'Dispatch without cash' }
  const dueKobo = unpaid.reduce((sum, order) => sum + order.dueKobo, 0)
  const warnings = unpaid.map(({ number, ...order }) => `${number}: ${unpaidText(order)}`)
  return {
    text: [...warnings, ...(cash === undefined ? [] : [cash]), ...total].join(' '),
    submit: `Dispatch although ${nairaText(dueKobo)} is unpaid`,
  }
}

/**
 * Returns the unpaid amount of an order that should have been paid before the dispatch, minus the cash that the rider
 * will collect. Undefined if there is no such amount.
 */
function unpaidOf(fields: DispatchFields, order: ListedOrderToShip) {
  const choice = choiceOf(fields, order)
  if ('message' in choice || choice.isCashChanged) return undefined
  const { number, paymentMethod } = order
  const due = { paymentMethod, dueKobo: dueOf(order) - (choice.cashKobo ?? 0) }
  return isUnpaidBeforeDispatch(due) ? { number, ...due } : undefined
}

function cashText(fields: DispatchFields, ids: readonly string[]): string | undefined {
  const has = (name: OrderField, id: string) => fieldText(fields, name, id) !== undefined
  const without = ids.filter((id) => has('due', id) && !has('cash', id) && !has('quoted', id))
  if (without.length === 0) return undefined
  return without.length === 1
    ? 'An order is paid on delivery, but its rider collects no cash.'
    : `${without.length} orders are paid on delivery, but their riders collect no cash.`
}

/** Offers of a used or expired quote are left out of the total. */
async function totalText(
  visit: Visit,
  fields: DispatchFields,
  orders: readonly ListedOrderToShip[],
): Promise<readonly string[]> {
  const choices = orders.map((order) => choiceOf(fields, order)).filter((choice) => 'order' in choice)
  const quotes = await readQuotes(visit, choices)
  const prices = choices.flatMap(({ quoteId, offerId }) => {
    const quote = quoteId === undefined ? undefined : quotes.get(quoteId)
    return quote?.offers.find(({ id }) => id === offerId)?.priceKobo ?? []
  })
  return prices.length === 0 ? [] : [offersTotalText(prices)]
}
