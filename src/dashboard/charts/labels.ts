const dayLabel = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const monthName = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short' })

export function labelOfDay(day: string): string {
  return dayLabel.format(new Date(`${day}T00:00:00Z`))
}

/** Returns the label of a month such as `2026-11`: `Nov ’26`. The apostrophe distinguishes the year from a day. */
export function labelOfMonth(month: string): string {
  return `${monthName.format(new Date(`${month}-01T00:00:00Z`))} ’${month.slice(2, 4)}`
}
