import type { CalendarDay } from '../../../registry/values/vocabulary.ts'
import { daysAfter, daysOfWeek } from '../../base/calendar.ts'

export interface Period {
  /** The value of the query parameter `period`. */
  readonly name: string
  readonly title: string
  readonly from: CalendarDay
  readonly to: CalendarDay
}

/**
 * Returns the periods to choose from on a day in Lagos. The first one is the default: last month, or this month if the
 * shop was opened this month.
 */
export function periodsOn(today: CalendarDay, openedOn: CalendarDay): readonly [Period, ...Period[]] {
  const month = firstOfMonth(today)
  const lastOfMonthBefore = daysAfter(month, -1)
  const thisMonth = { name: 'this_month', title: 'This month', from: month, to: today }
  const week = { name: 'last_7_days', title: 'Last 7 days', from: daysAfter(today, 1 - daysOfWeek), to: today }
  if (openedOn > lastOfMonthBefore) return [thisMonth, week]
  const lastMonth = {
    ...{ name: 'last_month', title: 'Last month' },
    ...{ from: firstOfMonth(lastOfMonthBefore), to: lastOfMonthBefore },
  }
  return [lastMonth, thisMonth, week]
}

function firstOfMonth(day: CalendarDay): CalendarDay {
  return daysAfter(day, 1 - Number(day.slice('YYYY-MM-'.length)))
}
