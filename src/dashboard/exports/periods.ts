import type { CalendarDay } from '../../../registry/values/vocabulary.ts'
import { daysAfter, daysOfWeek } from '../../base/calendar.ts'

/** The ranges of days for which members export records. */

export interface Period {
  /** The value of the query parameter `period`. */
  readonly name: string
  readonly title: string
  readonly from: CalendarDay
  readonly to: CalendarDay
}

/** Returns the periods to choose from on a day in Lagos. The first one is the default. */
export function periodsOn(today: CalendarDay): readonly [Period, ...Period[]] {
  const month = firstOfMonth(today)
  const lastOfMonthBefore = daysAfter(month, -1)
  return [
    { name: 'this_month', title: 'This month', from: month, to: today },
    {
      ...{ name: 'last_month', title: 'Last month' },
      ...{ from: firstOfMonth(lastOfMonthBefore), to: lastOfMonthBefore },
    },
    { name: 'last_7_days', title: 'Last 7 days', from: daysAfter(today, 1 - daysOfWeek), to: today },
  ]
}

function firstOfMonth(day: CalendarDay): CalendarDay {
  return daysAfter(day, 1 - Number(day.slice('YYYY-MM-'.length)))
}
