import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { hourBucketStarts } from '../../store/core/hour-buckets.ts'

/** Parts of the day in Lagos, which keeps its hour all year: night, morning, noon, afternoon, rush hour, evening. */

const lagosAheadHours = 1
const hourMs = 3_600_000

/** When the roads are full. */
export const rushHour = 4

/** Stands for all of them where things are rolled up. */
export const wholeDay = -1

export function hourBucketOf(at: Timestamp): number {
  const hour = Math.floor(toMs(at) / hourMs + lagosAheadHours) % 24
  return hourBucketStarts.filter((start) => hour >= start).length
}
