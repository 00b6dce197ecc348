import { z } from 'zod'
import { OfferId, QuoteId } from '../../../registry/values/vocabulary.ts'
import { nairaText } from '../../base/naira.ts'
import { uncollectedKobo } from '../../commerce/orders/uncollected-cash.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import { chosenIds, nairaAmount } from '../kit/fields.ts'
import { koboText } from '../kit/parts.ts'
import type { Question } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { isUnpaidBeforeDispatch, unpaidText } from '../orders/unpaid.ts'
import { chosenOrders } from './chosen-orders.ts'

/** Maximum number of orders that are dispatched at once: a rider's morning, and few enough for one response. */
export const dispatchMax = 25

/**
 * The fields of the dispatch form. Each order has fields of its own, which are named after the order: `cash` in naira,
 * `due` if the order is paid on delivery, and after the offers `quote`, `quoted` (the cash of the quote) and `offer`.
 */
export const dispatchFields = z
  .object({ id: chosenIds, intent: z.enum(['offers', 'dispatch']).optional() })
  .catchall(z.string())

export type DispatchFields = z.output<typeof dispatchFields>

type OrderField = 'cash' | 'due' | 'quote' | 'quoted' | 'offer'

export const fieldOf = (name: OrderField, orderId: string) => `${name}-${orderId}`

function textOf(fields: DispatchFields, name: OrderField, orderId: string): string | undefined {
  const value: unknown = fields[fieldOf(name, orderId)]
  return typeof value === 'string' ? value : undefined
}

/** The values of the form for one order. */
export interface OrderChoice {
  readonly order: ListedOrderToShip
  /** Cash that the rider must collect, in kobo. Undefined without cash. */
  readonly cashKobo: number | undefined
  readonly quoteId: QuoteId | undefined
  readonly offerId: OfferId | undefined
  /** Whether the cash differs from the cash of the offers. */
  readonly isCashChanged: boolean
}

export interface CashProblem {
  readonly field: string
  readonly message: string
}

/** Returns the values of the form for an order, or the problem of its cash. */
export function choiceOf(fields: DispatchFields, order: ListedOrderToShip): OrderChoice | CashProblem {
  const { id } = order
  const text = textOf(fields, 'cash', id)
  const cash = text === undefined ? undefined : nairaAmount.safeParse(text)
  if (cash?.success === false)
    return { field: fieldOf('cash', id), message: cash.error.issues[0]?.message ?? 'Enter an amount in naira.' }
  const isShown = textOf(fields, 'due', id) !== undefined
  const cashKobo = cash?.data ?? (isShown ? undefined : usualCashOf(order))
  const quoted = textOf(fields, 'quoted', id)
  return {
    ...{ order, cashKobo },
    quoteId: QuoteId.safeParse(textOf(fields, 'quote', id)).data,
    offerId: OfferId.safeParse(textOf(fields, 'offer', id)).data,
    isCashChanged: quoted !== (cashKobo === undefined ? undefined : koboText(cashKobo)),
  }
}

/** Returns the amount due of an order that no other shipment collects, in kobo. */
export function dueOf(order: ListedOrderToShip): number {
  return uncollectedKobo(order, order)
}

/** Returns the cash that a rider usually collects: all that is due, if the order is paid on delivery. */
export function usualCashOf(order: ListedOrderToShip): number | undefined {
  const dueKobo = dueOf(order)
  return order.paymentMethod === 'pay_on_delivery' && dueKobo > 0 ? dueKobo : undefined
}

/**
 * Asks before orders are dispatched that should be paid before, and before orders that are paid on delivery are
 * dispatched without cash.
 */
export async function questionAboutDispatch(fields: DispatchFields, visit: Visit): Promise<Question | undefined> {
  const ids = [...new Set(fields.id)].filter((id) => textOf(fields, 'offer', id) !== undefined)
  if (fields.intent === 'offers' || ids.length === 0 || ids.length > dispatchMax) return undefined
  const unpaid = (await chosenOrders(visit, ids)).flatMap((order) => unpaidOf(fields, order) ?? [])
  const cash = cashText(fields, ids)
  if (unpaid.length === 0 && cash === undefined) return undefined
  if (unpaid.length === 0) return { text: cash ?? '', submit: 'Dispatch without cash' }
  const dueKobo = unpaid.reduce((sum, order) => sum + order.dueKobo, 0)
  const warnings = unpaid.map(({ number, ...order }) => `${number}: ${unpaidText(order)}`)
  return {
    text: [...warnings, ...(cash === undefined ? [] : [cash])].join(' '),
    submit: `Dispatch although ${nairaText(dueKobo)} is unpaid`,
  }
}

/** Returns the amount of an order that should be paid before the dispatch and that the rider does not collect. */
function unpaidOf(fields: DispatchFields, order: ListedOrderToShip) {
  const choice = choiceOf(fields, order)
  if ('message' in choice || choice.isCashChanged) return undefined
  const { number, paymentMethod } = order
  const due = { paymentMethod, dueKobo: dueOf(order) - (choice.cashKobo ?? 0) }
  return isUnpaidBeforeDispatch(due) ? { number, ...due } : undefined
}

/** Returns the text about orders that are paid on delivery, but whose riders collect no cash. */
function cashText(fields: DispatchFields, ids: readonly string[]): string | undefined {
  const has = (name: OrderField, id: string) => textOf(fields, name, id) !== undefined
  const without = ids.filter((id) => has('due', id) && !has('cash', id) && !has('quoted', id))
  if (without.length === 0) return undefined
  return without.length === 1
    ? 'An order is paid on delivery, but its rider collects no cash.'
    : `${without.length} orders are paid on delivery, but their riders collect no cash.`
}
