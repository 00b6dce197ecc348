import { lagosOffsetMs } from '../../registry/values/lagos.ts'
import type { CalendarDay, Timestamp } from '../../registry/values/vocabulary.ts'

const dayMs = 24 * 60 * 60 * 1000

export function dayInLagos(at: Timestamp): CalendarDay {
  return dayAt(Date.parse(at) + lagosOffsetMs)
}

/** A negative number of days gives an earlier day. */
export function daysAfter(day: CalendarDay, days: number): CalendarDay {
  return dayAt(Date.parse(day) + days * dayMs)
}

/** Negative if the second day is earlier. */
export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

export const daysOfWeek = 7

/** Days are counted from 1 January 1970, which was a Thursday, three days after a Monday. */
const daysFromMondayToEpoch = 3

/** Returns 0 for a Monday. */
export function daysSinceMonday(day: CalendarDay): number {
  return (Date.parse(day) / dayMs + daysFromMondayToEpoch) % daysOfWeek
}

/**
 * Returns the day (UTC) of a time in milliseconds. Only this function creates values of the type CalendarDay: it casts
 * a text to this type.
 */
function dayAt(ms: number): CalendarDay {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length) as CalendarDay
}
