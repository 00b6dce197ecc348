/** Labels of days and months, for charts. */

const dayLabel = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const monthLabel = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: '2-digit' })

/** Returns the label of a date such as `2026-11-21`. */
export function labelOfDay(day: string): string {
  return dayLabel.format(new Date(`${day}T00:00:00Z`))
}

/** Returns the label of a month such as `2026-11`. */
export function labelOfMonth(month: string): string {
  return monthLabel.format(new Date(`${month}-01T00:00:00Z`))
}
