import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { countUsesBy, hasOrdered, lockPerson } from '../../store/discounts/discount-uses.ts'
import { personOf } from './person.ts'
import type { Buyer, OrderSources } from './price-order.ts'

/**
 * Returns a function that reads a customer's earlier orders and discount redemptions. It takes locks, so that only one
 * order of the customer at a time can redeem a discount. If an order is edited, `orderId` is the id of this order, so
 * that it is not counted as an earlier order.
 */
export function lockedHistory(
  { trx, merchantId }: Pick<Work, 'trx' | 'merchantId'>,
  orderId: OrderId | null,
): OrderSources<Buyer>['history'] {
  return async (buyer, discounts) => {
    const person = personOf(merchantId, buyer)
    const limited = discounts.filter((terms) => terms.usageLimitPerCustomer !== null).map(({ id }) => id)
    const isForFirst = discounts.some((terms) => terms.firstOrderOnly)
    const [, usesByCustomer, hasOrderedBefore] = await Promise.all([
      lockPerson(trx, person, [...limited, ...(isForFirst ? ['first-order'] : [])]),
      countUsesBy(trx, person, limited),
      isForFirst ? hasOrdered(trx, { ...person, exceptOrderId: orderId }) : false,
    ])
    return { usesByCustomer, hasOrderedBefore }
  }
}
