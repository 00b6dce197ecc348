import { type RawBuilder, sql } from 'kysely'
import type { SalesTotals } from '../../../registry/reports/sales.ts'
import type { CalendarDay, MerchantId } from '../../../registry/values/vocabulary.ts'
import { correctionsOf, figures, type SalesDimension } from './sales-corrections.ts'

/**
 * The sales of a range of days: the stored summaries of the days, plus corrections for the days that have changed since
 * their summary. A report reads summaries and corrections in one statement, so that it includes each change exactly
 * once.
 */

export interface SalesRange {
  readonly merchantId: MerchantId
  readonly from: CalendarDay
  readonly to: CalendarDay
}

export interface ProductRange extends SalesRange {
  readonly limit: number
}

export interface SalesGroup extends SalesTotals {
  /** Whether the row contains the totals of the report. The report has one such row, also without sales. */
  readonly isTotal: boolean
  /** The day, product, source or state of the row. Empty for sales without such a value. Null for the totals. */
  readonly key: string | null
  readonly title: string | null
}

export function changedDays(p: SalesRange): RawBuilder<unknown> {
  return sql`
    select distinct day
    from sales_changes
    where merchant_id = ${p.merchantId} and day between ${p.from}::date and ${p.to}::date`
}

/**
 * Selects the sales of a dimension from the stored summaries of the days. For a day that has changed since its summary,
 * also selects the difference from the summary.
 */
export function salesOf(p: SalesRange, dimension: SalesDimension): RawBuilder<unknown> {
  return sql`
    select day, key, ${figures}
    from sales_summaries
    where merchant_id = ${p.merchantId}
      and dimension = ${sql.lit(dimension)}
      and day between ${p.from}::date and ${p.to}::date
    union all
    (${correctionsOf(p, dimension)})`
}
