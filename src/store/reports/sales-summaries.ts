import { sql } from 'kysely'
import type { CalendarDay, MerchantId } from '../../../registry/values/vocabulary.ts'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { lockingAll, queueing, searchingAll, writingAll } from '../core/calls.ts'
import { build } from '../core/statement.ts'
import {
  correctionsOf,
  figureAdditions,
  figureSums,
  figures,
  hasSales,
  type SalesDimension,
} from './sales-corrections.ts'

/**
 * The summaries of sales. Triggers add the day of each change to `sales_changes` in the transaction of the change. The
 * transaction that updates the summaries of a day first removes the rows of this day from `sales_changes`. A later
 * statement of the transaction reads the sales, so the summaries contain all changes whose rows were removed. If
 * another change is committed between the two statements, the summaries contain it as well. Its row in `sales_changes`
 * remains, so the day is only updated once more.
 */

const changed = searchingAll<object>()('list_merchants_with_changed_sales', (_, isReachable) =>
  build.selectFrom('sales_changes').where(isReachable('merchantId')).select('merchantId').distinct(),
)

export { changed as listMerchantsWithChangedSales }

interface OfMerchant {
  readonly merchantId: MerchantId
}

/**
 * Waits until no other transaction updates the summaries of the merchant. Otherwise, two concurrent transactions could
 * both add the same difference to the summaries. Each later statement takes a new snapshot. It therefore sees the
 * commits of the transactions for which the lock statement has waited.
 */
export const lockSummaries = lockingAll<OfMerchant>()(
  'lock_sales_summaries',
  (p) => sql<object>`select pg_advisory_xact_lock(${sql.lit(advisoryLocks.sales)}, hashtext(${p.merchantId})) is null`,
)

interface Taking extends OfMerchant {
  readonly days: number
}

/**
 * Removes the rows of the newest changed days, at most `days` of them, from the queue. Returns the day of each removed
 * row.
 */
export const takeChangedDays = writingAll<Taking>()(
  'take_changed_sales',
  (p) => sql<{ day: CalendarDay }>`
    delete from sales_changes
    where merchant_id = ${p.merchantId} and day = any(array(
      select distinct day from sales_changes where merchant_id = ${p.merchantId} order by day desc limit ${p.days}
    ))
    returning day`,
)

interface Days extends OfMerchant {
  /** The days whose summaries the statement changes. Each day occurs once. */
  readonly days: readonly CalendarDay[]
}

const dimensions: readonly SalesDimension[] = ['source', 'state', 'product']

/**
 * Adds the differences between the current sales of the given days and their stored summaries to these summaries. The
 * caller must hold the lock of the summaries.
 */
export const updateSummaries = queueing<Days>()(
  'update_sales_summaries',
  (p) => sql`
    with changed as (
      select day::date from unnest(${p.days}::text[]) wanted (day)
    ), correction as materialized (
      ${sql.join(
        dimensions.map(
          (dimension) => sql`(select ${sql.lit(dimension)} as dimension, * from (${correctionsOf(p, dimension)}) own)`,
        ),
        sql` union all `,
      )}
    )
    insert into sales_summaries (merchant_id, dimension, day, key, ${figures})
    select ${p.merchantId}, dimension, day, key, ${figures}
    from (
      select * from correction
      union all
      select 'product_month', date_trunc('month', day)::date as month, key, ${figureSums}
      from correction
      where dimension = 'product'
      group by month, key
    ) addition
    on conflict (merchant_id, dimension, day, key) do update set ${figureAdditions}`,
)

/** Removes the summaries of groups without sales. Requires the lock of the summaries. */
export const removeEmptySummaries = queueing<Days>()(
  'remove_empty_sales_summaries',
  (p) => sql`
    delete from sales_summaries
    where merchant_id = ${p.merchantId}
      and not ${hasSales}
      and day = any(array(
        select day::date from unnest(${p.days}::text[]) wanted (day)
        union
        select date_trunc('month', day::date)::date from unnest(${p.days}::text[]) wanted (day)
      ))
      and dimension in ('source', 'state', 'product', 'product_month')`,
)
