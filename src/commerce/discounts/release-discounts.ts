import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { releaseUses } from '../../store/discounts/discount-uses.ts'

/**
 * Releases the discounts of an order that ended unpaid, so that they can be redeemed again, also by the same customer.
 * The order and its stock must be locked first. Idempotent. Does not wait for the results of the statements.
 */
export function releaseDiscounts(
  { trx, merchantId, now }: Pick<Work, 'trx' | 'merchantId' | 'now'>,
  orderId: OrderId,
): void {
  releaseUses(trx, { merchantId, orderId, now })
}
