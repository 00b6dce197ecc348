import type { SalesRow } from '../../registry/reports/sales.ts'
import { reportDaysDefault, reportDaysMax } from '../../registry/values/limits.ts'
import type { CalendarDay, Timestamp } from '../../registry/values/vocabulary.ts'
import { dayInLagos, daysAfter, daysBetween } from '../base/calendar.ts'
import type { SalesGroup } from '../store/reports/sales-range.ts'
import { listSales } from '../store/reports/sales-report.ts'
import { implement } from './execute/implement.ts'
import { Refusal } from './execute/refusal.ts'

export const getSalesReport = implement('getSalesReport', async ({ db, caller, query, now }) => {
  const { groupBy, limit } = query
  const { from, to } = rangeOf(query, now)
  const groups = await listSales(db, groupBy, { merchantId: caller.merchantId, from, to, limit })
  const total = groups.find(({ isTotal }) => isTotal)
  if (total === undefined) throw new Error('The sales have no totals.')
  const rows = groups.filter(({ isTotal }) => !isTotal).map(rowOf)
  const data = groupBy === 'day' ? withEmptyDays(rows, from, to) : rows
  return { groupBy, from, to, data, totals: total }
})

interface Sent {
  readonly from?: CalendarDay | undefined
  readonly to?: CalendarDay | undefined
}

/** Throws a refusal if the range is reversed or too long. */
function rangeOf(sent: Sent, now: Timestamp): { readonly from: CalendarDay; readonly to: CalendarDay } {
  const to = sent.to ?? dayInLagos(now)
  const from = sent.from ?? daysAfter(to, 1 - reportDaysDefault)
  const days = daysBetween(from, to) + 1
  if (days >= 1 && days <= reportDaysMax) return { from, to }
  const message =
    days < 1
      ? `from ${from} must not be after to ${to}.`
      : `The days from ${from} to ${to} are ${days}, but a report has at most ${reportDaysMax}.`
  const fix = days < 1 ? 'Send a later `to`, or an earlier `from`.' : 'Send several requests for shorter ranges.'
  throw new Refusal('invalid_time_range', message, {
    problems: [{ path: 'query.from', code: 'invalid_value', message, fix }],
  })
}

function rowOf({ key, ...row }: SalesGroup): SalesRow {
  return { ...row, group: key === '' ? null : key }
}

const noSales = {
  orderCount: 0,
  unitCount: 0,
  grossKobo: 0,
  discountsKobo: 0,
  shippingKobo: 0,
  taxKobo: 0,
  refundsKobo: 0,
  netKobo: 0,
}

function withEmptyDays(rows: readonly SalesRow[], from: CalendarDay, to: CalendarDay): SalesRow[] {
  const byDay = new Map(rows.map((row) => [row.group, row]))
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const group = daysAfter(from, index)
    return byDay.get(group) ?? { group, title: null, ...noSales }
  })
}
