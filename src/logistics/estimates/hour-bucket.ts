import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { hourBucketStarts } from '../../store/core/hour-buckets.ts'

/**
 * Hour buckets of the day in Lagos: 0 night, 1 morning, 2 noon, 3 afternoon, 4 rush hour, 5 evening. Lagos is at UTC+1
 * all year.
 */

const lagosAheadHours = 1
const hourMs = 3_600_000

/** Number of the hour bucket of the evening rush hour. */
export const rushHour = 4

/** The hour bucket number for duration quantiles that cover the whole day. */
export const wholeDay = -1

export function hourBucketOf(at: Timestamp): number {
  const hour = Math.floor(toMs(at) / hourMs + lagosAheadHours) % 24
  return hourBucketStarts.filter((start) => hour >= start).length
}
