import { toTimestamp } from '../../base/clock.ts'

/**
 * Converts the dates in date filters to times. A day begins at midnight in Lagos. Text that is not a date is returned
 * unchanged, so that the API operation rejects it with its own message.
 */

export function dayStart(day: string | undefined): string | undefined {
  return startAfter(day, 0)
}

/** Returns the end of a day in Lagos, which is the start of the next day. */
export function dayEnd(day: string | undefined): string | undefined {
  return startAfter(day, dayMs)
}

const dayMs = 24 * 60 * 60 * 1000

function startAfter(day: string | undefined, ms: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return day
  const startMs = Date.parse(`${day}T00:00:00+01:00`)
  return Number.isNaN(startMs) ? day : toTimestamp(startMs + ms)
}
