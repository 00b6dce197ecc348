import type { Order } from '../../../registry/orders/order.ts'
import { newRedemptionId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { insertUses } from '../../store/discounts/discount-uses.ts'
import { noKobo } from '../money.ts'
import { mailboxOf } from './person.ts'
import type { AppliedDiscount } from './price-order.ts'

/** Returns the amount by which each discount reduced each order item and shipping. Zero amounts are omitted. */
export function orderDiscountsOf(discounts: readonly AppliedDiscount[], items: Order['items']): Order['discounts'] {
  return discounts.map(({ id, code, terms, cut }) => {
    const ofLines = items.map((item, index) => ({
      itemId: String(item.id),
      amountKobo: cut.lines[index] ?? noKobo,
    }))
    const allocations = [...ofLines, { itemId: 'shipping', amountKobo: cut.shippingKobo }]
    return {
      discountId: id,
      code,
      type: terms.type,
      amountKobo: cut.amountKobo,
      allocations: allocations.filter((part) => part.amountKobo > 0),
    }
  })
}

/**
 * Stores the discounts of an order and the redemptions of these discounts by the customer. These statements must be
 * queued after the statement that inserts the order.
 */
export function redeemDiscounts(
  { trx, merchantId, nowMs }: Pick<Work, 'trx' | 'merchantId' | 'nowMs'>,
  order: Order,
  applied: readonly AppliedDiscount[],
): void {
  if (applied.length === 0) return
  const given = applied.map(({ id, code, terms, cut }, position) => ({
    merchantId,
    orderId: order.id,
    discountId: id,
    position,
    code,
    type: terms.type,
    amountKobo: cut.amountKobo,
    allocations: order.discounts[position]?.allocations ?? [],
  }))
  const uses = applied.map(({ id, cut }) => ({
    merchantId,
    id: newRedemptionId(nowMs),
    discountId: id,
    orderId: order.id,
    amountKobo: cut.amountKobo,
    customerId: order.customer.id,
    customerEmail: mailboxOf(order.customer.email),
    customerPhone: order.customer.phone,
    createdAt: order.createdAt,
  }))
  insertUses(trx, merchantId, given, uses)
}
