/** A time in the log of PostgreSQL, such as `2027-01-31 09:15:00.123456+00`. */
const form = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?([+-]\d\d)(:\d\d)?$/

/**
 * Converts the time of a change in PostgreSQL's log to the last whole millisecond before it, in the format of the
 * option `--to`. PostgreSQL restores to a time only if the log has a later change, so the time of the last change
 * itself cannot be used. Undefined for a text that is not a time in the format of this log.
 */
export function timeBefore(text: string): string | undefined {
  const [matched, date, time, fraction = '', hours, minutes = ':00'] = form.exec(text) ?? []
  if (matched === undefined) return undefined
  const secondsMs = Date.parse(`${date}T${time}${hours}${minutes}`)
  const micros = Number(fraction.padEnd(6, '0'))
  return new Date(secondsMs + Math.ceil(micros / 1000) - 1).toISOString()
}
