import type { CalendarDay } from '../../../registry/values/vocabulary.ts'
import { dayInLagos, daysAfter, daysOfWeek, daysSinceMonday } from '../../base/calendar.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { count, money } from '../../markup/parts.ts'
import { read, type Visit } from '../kit/visit.ts'

/**
 * Shows the sales of today beside those of the same weekday of last week. Shows the sales of this week, which begins on
 * Monday, beside those of last week up to the same weekday.
 */
export async function salesFigures(visit: Visit): Promise<Markup> {
  const today = dayInLagos(visit.now)
  const monday = daysAfter(today, -daysSinceMonday(today))
  const [lastMonday, lastToday] = [daysAfter(monday, -daysOfWeek), daysAfter(today, -daysOfWeek)]
  const { data } = await read(visit, 'getSalesReport', { query: { groupBy: 'day', from: lastMonday, to: today } })
  const sum = (from: CalendarDay, to: CalendarDay): Sales => {
    const days = data.filter(({ group }) => group !== null && group >= from && group <= to)
    return {
      netKobo: days.reduce((total, { netKobo }) => total + netKobo, 0),
      orders: days.reduce((total, { orderCount }) => total + orderCount, 0),
    }
  }
  return html`<dl class="figures">
${figure('Sales today', sum(today, today), 'The same day last week', sum(lastToday, lastToday))}
${figure('Sales this week', sum(monday, today), 'Last week until the same day', sum(lastMonday, lastToday))}
</dl>`
}

interface Sales {
  readonly netKobo: number
  readonly orders: number
}

function figure(title: string, now: Sales, before: string, then: Sales): Markup {
  return html`<div><dt>${title}</dt><dd><strong>${money(now.netKobo)}</strong><small>${count(now.orders)} ${now.orders === 1 ? 'order' : 'orders'}</small><small>${before}: ${money(then.netKobo)}</small></dd></div>`
}
