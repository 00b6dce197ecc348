import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { Context } from '../store/core/mutation.ts'

/** Number of days in which a payment can be disputed: card schemes give cardholders 120 days. */
const disputableDays = 120

const dayMs = 24 * 60 * 60_000

/** `days` can lengthen the dispute period of `disputableDays`, but not shorten it. */
export function disputableSince({ clock }: Pick<Context, 'clock'>, days = disputableDays): Timestamp {
  return toTimestamp(clock.nowMs() - Math.max(days, disputableDays) * dayMs)
}
