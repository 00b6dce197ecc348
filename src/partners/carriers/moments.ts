import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'

/** Parses carriers' timestamps. A timestamp without a zone is in Lagos time, which is UTC+1 all year. */

const naive = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)$/
const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/**
 * Parses a carrier's timestamp. Returns undefined for other text. Also returns undefined for a date without a time,
 * because parsing it would give midnight.
 */
export function lagosMoment(text: string | null | undefined): Timestamp | undefined {
  const given = text?.trim() ?? ''
  const local = naive.exec(given)
  if (local === null && !zoned.test(given)) return undefined
  const ms = Date.parse(local === null ? given : `${local[1]}T${local[2]}+01:00`)
  const year = new Date(ms).getUTCFullYear()
  return year >= 1 && year <= 9999 ? toTimestamp(ms) : undefined
}

const lagosAheadMs = 3_600_000

/** Returns the calendar date in Lagos, such as `2026-11-21`. */
export function lagosDay(ms: number): string {
  return toTimestamp(ms + lagosAheadMs).slice(0, 10)
}
