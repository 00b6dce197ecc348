import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'

const minuteMs = 60_000

/**
 * Returns the median and 90th percentile times of an estimate in minutes, counted from `from`. Null without an
 * estimate.
 */
export function momentsOf(
  from: Timestamp,
  minutes: { readonly p50: number; readonly p90: number } | null,
): { readonly p50: Timestamp; readonly p90: Timestamp } | null {
  if (minutes === null) return null
  const at = (after: number) => toTimestamp(Math.round(toMs(from) + after * minuteMs))
  return { p50: at(minutes.p50), p90: at(minutes.p90) }
}
