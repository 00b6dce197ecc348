import { z } from 'zod'
import { OfferId, QuoteId } from '../../../registry/values/vocabulary.ts'
import { uncollectedKobo } from '../../commerce/orders/uncollected-cash.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import { chosenIds, nairaAmount } from '../kit/fields.ts'
import { koboText } from '../kit/parts.ts'

/**
 * The fields of the dispatch form. Each order has its own fields, whose names end with the order id. `cash` is the cash
 * in naira. `due` exists if the order is paid on delivery. When the form shows offers, each order also has the fields
 * `offer`, `quote` and `quoted`. `quoted` is the cash for which the quote was requested.
 */
export const dispatchFields = z
  .object({ id: chosenIds, intent: z.enum(['offers', 'dispatch']).optional() })
  .catchall(z.string())

export type DispatchFields = z.output<typeof dispatchFields>

export type OrderField = 'cash' | 'due' | 'quote' | 'quoted' | 'offer'

export const fieldOf = (name: OrderField, orderId: string) => `${name}-${orderId}`

/** Undefined if the form lacks the field. */
export function fieldText(fields: DispatchFields, name: OrderField, orderId: string): string | undefined {
  const value: unknown = fields[fieldOf(name, orderId)]
  return typeof value === 'string' ? value : undefined
}

export interface OrderChoice {
  readonly order: ListedOrderToShip
  /** Cash that the rider must collect, in kobo. Undefined without cash. */
  readonly cashKobo: number | undefined
  readonly quoteId: QuoteId | undefined
  readonly offerId: OfferId | undefined
  /** Whether the member has changed the cash to collect since the offers were requested. */
  readonly isCashChanged: boolean
}

export interface CashProblem {
  readonly field: string
  readonly message: string
}

/**
 * Returns the values that the dispatch form contains for an order. Returns a problem instead if the cash to collect is
 * invalid.
 */
export function choiceOf(fields: DispatchFields, order: ListedOrderToShip): OrderChoice | CashProblem {
  const { id } = order
  const text = fieldText(fields, 'cash', id)
  const cash = text === undefined ? undefined : nairaAmount.safeParse(text)
  if (cash?.success === false)
    return { field: fieldOf('cash', id), message: cash.error.issues[0]?.message ?? 'Enter an amount in naira.' }
  const isShown = fieldText(fields, 'due', id) !== undefined
  const cashKobo = cash?.data ?? (isShown ? undefined : usualCashOf(order))
  const quoted = fieldText(fields, 'quoted', id)
  return {
    ...{ order, cashKobo },
    quoteId: QuoteId.safeParse(fieldText(fields, 'quote', id)).data,
    offerId: OfferId.safeParse(fieldText(fields, 'offer', id)).data,
    isCashChanged: quoted !== (cashKobo === undefined ? undefined : koboText(cashKobo)),
  }
}

/**
 * Returns the amount due of an order in kobo, minus the cash that the riders of its existing shipments will collect.
 */
export function dueOf(order: ListedOrderToShip): number {
  return uncollectedKobo(order, order)
}

/**
 * Returns the cash that the dispatch form proposes for the rider to collect: the whole amount due if the order is paid
 * on delivery. Undefined for any other order, and if nothing is due.
 */
export function usualCashOf(order: ListedOrderToShip): number | undefined {
  const dueKobo = dueOf(order)
  return order.paymentMethod === 'pay_on_delivery' && dueKobo > 0 ? dueKobo : undefined
}
