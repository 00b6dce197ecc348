import { toTimestamp } from '../base/clock.ts'
import type { Context } from '../store/core/mutation.ts'
import { redactCallbacks } from '../store/payments/callbacks.ts'

/**
 * What a provider told names who paid. A month is enough to look into a payment that was not recorded, and outlasts the
 * days for which the provider repeats itself.
 */
const retentionDays = 30

const dayMs = 24 * 60 * 60_000

/**
 * Empties what was settled long ago. The row and its hash stay for good: a signature holds no moment, so an old callback
 * could be sent again, and is known only by them.
 */
export function redactProcessedCallbacks({ database, clock }: Context): Promise<number> {
  return redactCallbacks(database, toTimestamp(clock.nowMs() - retentionDays * dayMs))
}
