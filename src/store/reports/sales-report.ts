import { type RawBuilder, sql } from 'kysely'
import type { SalesGrouping } from '../../../registry/reports/sales.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { salesByProduct } from './product-sales.ts'
import { figureSums, hasSales } from './sales-corrections.ts'
import { changedDays, type ProductRange, type SalesGroup, type SalesRange, salesOf } from './sales-range.ts'

function report(label: string, dimension: 'source' | 'state', group: RawBuilder<string>) {
  return reading<SalesRange>()(
    label,
    (p) => sql<SalesGroup>`
      with changed as materialized (${changedDays(p)})
      select *
      from (
        select grouping(${group}) = 1 as is_total, ${group} as key, null as title, ${figureSums}
        from (${salesOf(p, dimension)}) sale
        group by grouping sets ((${group}), ())
      ) found
      where is_total or ${hasSales}
      order by gross_kobo desc, key`,
  )
}

const reports = {
  day: report('report_sales_by_day', 'source', sql`day::text`),
  source: report('report_sales_by_source', 'source', sql`key`),
  state: report('report_sales_by_state', 'state', sql`key`),
}

/**
 * Returns the groups of the report, those with the highest gross sales first, and one row with the totals. `limit` is
 * the maximum number of products.
 */
export function listSales(db: ReadDb, groupBy: SalesGrouping, range: ProductRange): Promise<readonly SalesGroup[]> {
  return groupBy === 'product' ? db.read(salesByProduct, range) : db.read(reports[groupBy], range)
}

/**
 * Returns the statement of a grouping and its arguments. The benchmark, and the tests of the query plan, use this
 * function.
 */
export function salesQuery(groupBy: SalesGrouping, args: ProductRange) {
  return { statement: groupBy === 'product' ? salesByProduct : reports[groupBy], args }
}
