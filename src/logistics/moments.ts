import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'

const minuteMs = 60_000

/** The median and the 90th percentile are given in minutes after `from`. Null without an estimate. */
export function momentsOf(
  from: Timestamp,
  minutes: { readonly p50: number; readonly p90: number } | null,
): { readonly p50: Timestamp; readonly p90: Timestamp } | null {
  if (minutes === null) return null
  const at = (after: number) => toTimestamp(Math.round(toMs(from) + after * minuteMs))
  return { p50: at(minutes.p50), p90: at(minutes.p90) }
}

/** The median and the 90th percentile of a time: both as points in time, or both as minutes after the same start. */
interface Span<Moment> {
  readonly p50: Moment
  readonly p90: Moment
}

/**
 * Returns an estimate that is not earlier than the estimates of the events that must come first. Both percentiles are
 * corrected. Without the correction, the estimated delivery could be before the estimated pickup, because the two
 * estimates often have different sources, such as the carrier and past riders.
 */
export function notBefore<Moment extends number | Timestamp>(
  estimate: Span<Moment>,
  ...earlier: readonly (Span<Moment> | null)[]
): Span<Moment> {
  // Timestamps have a fixed format, so that sorting them as text sorts them by time.
  const latest = (one: Moment, other: Moment) => (other > one ? other : one)
  const given = earlier.filter((each) => each !== null)
  const p50 = given.map((each) => each.p50).reduce(latest, estimate.p50)
  return { p50, p90: given.map((each) => each.p90).reduce(latest, latest(p50, estimate.p90)) }
}
