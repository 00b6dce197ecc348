import { sql } from 'kysely'
import { reading } from '../core/statement.ts'
import { correctionsOf, figureSums, figures, hasSales } from './sales-corrections.ts'
import { changedDays, type ProductRange, type SalesGroup, salesOf } from './sales-range.ts'

/**
 * The report by product: the products with the highest gross sales.
 *
 * A merchant may have sold a hundred thousand products, so the statement reads only the products with the highest sales
 * in each period, the leaders. A period is a whole month of the range, or a single day outside the whole months. The
 * sales of a product that leads in no period are at most the sum of the sales of the last leader of each period. If
 * enough products exceed this sum, they are the products with the highest sales. Otherwise, no product sells much more
 * than the others, and the statement adds up the sales of all products.
 */

/**
 * Number of leaders that are read for each period, as a multiple of the number of products in the report. With the
 * factor 2, the leaders suffice for the report of most shops, so the sales of all products need not be added up.
 */
const leadersPerProduct = 2

/**
 * Selects the periods whose summaries make up the report: the months that lie completely within its range, and the
 * other days of the range.
 */
const periods = (p: ProductRange) => sql`
  select distinct
    case when is_whole then 'product_month' else 'product' end as dimension,
    case when is_whole then month::date else day::date end as day
  from generate_series(${p.from}::date::timestamp, ${p.to}::date::timestamp, interval '1 day') day
  cross join lateral (select date_trunc('month', day) as month) of_day
  cross join lateral (
    select
      month >= ${p.from}::date::timestamp
      and month + interval '1 month' <= ${p.to}::date::timestamp + interval '1 day' as is_whole
  ) of_month`

/**
 * SQL that adds up all sales figures of one product over the periods of the report. The id of the product is in
 * `wanted.key`. With `offset 0`, PostgreSQL finds the row of each period by the primary key, regardless of how many
 * periods the planner expects.
 */
const sumsOf = (p: ProductRange) => sql`
  select ${figureSums}
  from (
    select ${figures}
    from period
    cross join lateral (
      select ${figures}
      from sales_summaries
      where merchant_id = ${p.merchantId} and dimension = period.dimension and day = period.day and key = wanted.key
      offset 0
    ) summary
    union all
    select ${figures} from correction where correction.key = wanted.key
  ) sale`

export const salesByProduct = reading<ProductRange>()(
  'report_sales_by_product',
  (p) => sql<SalesGroup>`
    with changed as materialized (${changedDays(p)}),
    correction as materialized (${correctionsOf(p, 'product')}),
    -- A product without sales has differences that remove them. It may take the place of another product until the end.
    wanted_count as materialized (select ${p.limit}::int + count(*) as products from correction),
    period as materialized (${periods(p)}),
    leader as materialized (
      select best.key, period.dimension, period.day, best.gross_kobo
      from period
      cross join lateral (
        select key, gross_kobo
        from sales_summaries
        where merchant_id = ${p.merchantId} and dimension = period.dimension and day = period.day
        order by gross_kobo desc
        limit ${p.limit}::int * ${sql.lit(leadersPerProduct)}
      ) best
    ), other as materialized (
      select coalesce(sum(last_kobo), 0) as most_kobo
      from (
        select min(gross_kobo) as last_kobo
        from leader
        group by dimension, day
        having count(*) = ${p.limit}::int * ${sql.lit(leadersPerProduct)}
      ) period_end
    ), leading_total as materialized (
      select wanted.key, total.gross_kobo
      from (select key from leader union select key from correction) wanted
      cross join lateral (${sumsOf(p)}) total
    ), decision as materialized (
      select
        (select most_kobo from other) = 0
        or count(*) filter (where gross_kobo > (select most_kobo from other)) >= (select products from wanted_count)
        as is_final
      from leading_total
    ), wanted as materialized (
      select key
      from (
        select key, gross_kobo from leading_total where (select is_final from decision)
        union all
        select key, sum(gross_kobo)
        from (
          select summary.key, summary.gross_kobo
          from period
          cross join lateral (
            select key, gross_kobo
            from sales_summaries
            where merchant_id = ${p.merchantId} and dimension = period.dimension and day = period.day
            offset 0
          ) summary
          where not (select is_final from decision)
          union all
          select key, gross_kobo from correction where not (select is_final from decision)
        ) sale
        group by key
      ) total
      order by gross_kobo desc, key
      limit (select products from wanted_count)
    )
    (
      select false as is_total, wanted.key, products.title, ${figures}
      from wanted
      cross join lateral (${sumsOf(p)}) total
      left join products on products.merchant_id = ${p.merchantId} and products.id = wanted.key
      where ${hasSales}
      order by gross_kobo desc, wanted.key
      limit ${p.limit}::int
    )
    union all
    select true, null, null, ${figureSums}
    from (${salesOf(p, 'source')}) sale
    order by gross_kobo desc, key`,
)
