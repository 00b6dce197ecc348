import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { releaseUses } from '../../store/discounts/discount-uses.ts'

/**
 * Gives back the discounts of an order that ended before anything was paid for it: they can be used again, by this
 * customer too. The order and its stock must be locked first, as everywhere. It waits for nothing, and giving back twice
 * is the same as once.
 */
export function releaseDiscounts(
  { trx, merchantId, now }: Pick<Work, 'trx' | 'merchantId' | 'now'>,
  orderId: OrderId,
): void {
  releaseUses(trx, { merchantId, orderId, now })
}
