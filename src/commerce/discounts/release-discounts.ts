import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { releaseUses } from '../../store/discounts/discount-uses.ts'

/**
 * Releases the discount redemptions of an order that ended unpaid, so that the discounts can be redeemed again, even by
 * the same customer. The caller must have locked the order, and its stock if the transaction locks stock. Idempotent. The database statements are
 * queued in the transaction; this function does not wait for their results.
 */
export function releaseDiscounts(
  { trx, merchantId, now }: Pick<Work, 'trx' | 'merchantId' | 'now'>,
  orderId: OrderId,
): void {
  releaseUses(trx, { merchantId, orderId, now })
}
