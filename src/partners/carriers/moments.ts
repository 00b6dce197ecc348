import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'

/** Carriers write moments without a zone and mean Lagos, which is an hour ahead of UTC all year. */

const naive = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)$/
const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** Undefined for what is no moment, and for a day alone: it would be taken for the midnight before. */
export function lagosMoment(text: string | null | undefined): Timestamp | undefined {
  const given = text?.trim() ?? ''
  const local = naive.exec(given)
  if (local === null && !zoned.test(given)) return undefined
  const ms = Date.parse(local === null ? given : `${local[1]}T${local[2]}+01:00`)
  const year = new Date(ms).getUTCFullYear()
  return year >= 1 && year <= 9999 ? toTimestamp(ms) : undefined
}

const lagosAheadMs = 3_600_000

/** The day it is in Lagos, as `2026-11-21`. */
export function lagosDay(ms: number): string {
  return toTimestamp(ms + lagosAheadMs).slice(0, 10)
}
