import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'

/**
 * A time range that excludes its start and includes its end. The latest range has no end, because a clock that is ahead
 * may have stored times in the future.
 */
export interface Slice {
  readonly after: Timestamp
  readonly until: Timestamp | null
}

const dayMs = 86_400_000

/**
 * Splits a number of past days into ranges of one day, so that the cost of each statement does not grow with the number
 * of days.
 */
export function daySlices(now: Timestamp, days: number): readonly Slice[] {
  const daysAgo = (count: number) => toTimestamp(toMs(now) - count * dayMs)
  return Array.from({ length: days }, (_, index) => {
    const left = days - index - 1
    return { after: daysAgo(left + 1), until: left === 0 ? null : daysAgo(left) }
  })
}
