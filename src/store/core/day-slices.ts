import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'

/** A stretch of time, without its beginning and with its end; the latest is open, for clocks that are ahead. */
export interface Slice {
  readonly after: Timestamp
  readonly until: Timestamp | null
}

const dayMs = 86_400_000

/** Day by day, so that what is read of all merchants is read in statements that do not grow with how far back they go. */
export function daySlices(now: Timestamp, days: number): readonly Slice[] {
  const daysAgo = (count: number) => toTimestamp(toMs(now) - count * dayMs)
  return Array.from({ length: days }, (_, index) => {
    const left = days - index - 1
    return { after: daysAgo(left + 1), until: left === 0 ? null : daysAgo(left) }
  })
}
