import { toTimestamp } from '../base/clock.ts'
import type { Context } from '../store/core/mutation.ts'
import { redactCallbacks } from '../store/payments/callbacks.ts'

/**
 * Retention in days of a callback's body, which contains personal data of the payer. A month is enough to investigate
 * an unrecorded payment, and longer than the provider retries.
 */
const retentionDays = 30

const dayMs = 24 * 60 * 60_000

/**
 * Clears the bodies of processed callbacks whose retention has ended. The row and its hash stay permanently: the
 * signature has no timestamp, so only they detect a replay of an old callback.
 */
export function redactProcessedCallbacks({ database, clock }: Context): Promise<number> {
  return redactCallbacks(database, toTimestamp(clock.nowMs() - retentionDays * dayMs))
}
