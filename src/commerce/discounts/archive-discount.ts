import type { Discount } from '../../../registry/discounts/discount.ts'
import type { DiscountId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockDiscount, updateDiscount } from '../../store/discounts/discount-writes.ts'
import { discountAt } from './discount-record.ts'

export type ArchiveDiscountOutcome =
  | { readonly is: 'archived'; readonly discount: Discount }
  | { readonly is: 'discount_unknown' }

/**
 * Archives a discount permanently. The record stays for the orders that used it. Another discount can then use its
 * code.
 */
export async function archiveDiscount(work: Work, id: DiscountId): Promise<ArchiveDiscountOutcome> {
  const { trx, merchantId, now } = work
  const before = await lockDiscount(trx, merchantId, id)
  if (before === undefined) return { is: 'discount_unknown' }
  work.requireVersion(before.version)
  if (before.status === 'archived') {
    return work.abort({ is: 'archived', discount: discountAt(now, before) })
  }
  const after = { ...before, status: 'archived', version: before.version + 1, updatedAt: now } as const
  updateDiscount(trx, merchantId, after)
  work.note({ status: [before.status, after.status] })
  return { is: 'archived', discount: discountAt(now, after) }
}
