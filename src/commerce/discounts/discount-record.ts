import type { Discount } from '../../../registry/discounts/discount.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { StoredDiscount } from '../../store/discounts/discounts.ts'
import { discountStateOf } from './discount-rules.ts'

/** The state of a discount depends on the current time. */
export function discountAt(now: Timestamp, stored: StoredDiscount): Discount {
  return {
    id: stored.id,
    title: stored.title,
    code: stored.code,
    type: stored.type,
    percentageBps: stored.percentageBps,
    amountKobo: stored.amountKobo,
    maxDiscountKobo: stored.maxDiscountKobo,
    appliesTo: { scope: stored.scope, ids: [...stored.appliesToIds] },
    minimumSubtotalKobo: stored.minimumSubtotalKobo,
    minimumQuantity: stored.minimumQuantity,
    startsAt: stored.startsAt,
    endsAt: stored.endsAt,
    usageLimit: stored.usageLimit,
    usageLimitPerCustomer: stored.usageLimitPerCustomer,
    firstOrderOnly: stored.firstOrderOnly,
    customerIds: stored.customerIds === null ? null : [...stored.customerIds],
    combinesWith: [...stored.combinesWith],
    status: stored.status,
    state: discountStateOf(stored, now),
    redemptionCount: stored.redemptionCount,
    metadata: stored.metadata,
    version: stored.version,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  }
}
