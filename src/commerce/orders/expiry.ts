import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { MerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'

const minuteMs = 60_000

/** Null if the merchant's orders do not expire. */
export function expiryOf(work: Pick<Work, 'nowMs'>, settings: MerchantSettings): Timestamp | null {
  const { pendingOrderTtlMinutes } = settings
  return pendingOrderTtlMinutes === null ? null : toTimestamp(work.nowMs + pendingOrderTtlMinutes * minuteMs)
}
