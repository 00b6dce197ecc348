import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/**
 * Counts rows for charts. For each bar of a chart, the rows in a range of an index are counted, up to a maximum. A
 * chart for a merchant with a million rows is therefore as cheap as any other.
 */

/**
 * Maximum number of orders or refunds counted per month. Twelve months of both are at most 240,000 index entries, about
 * 50 ms.
 */
export const countedPerMonth = 10_000

/**
 * Maximum number of deliveries counted per day. The index does not contain the status of a delivery, so the count reads
 * the rows: at most 28,000 for 14 days, in about 50 ms.
 */
export const countedPerDay = 2_000

export interface MonthActivity {
  /** The calendar month in Lagos time, such as `2026-11`. */
  readonly month: string
  /** Number of orders in the month. The value `countedPerMonth` means that there may be more. */
  readonly orders: number
  readonly refunds: number
}

export const activityByMonth = reading<{ merchantId: MerchantId; now: Timestamp }>()(
  'count_activity_by_month',
  (p) => sql<MonthActivity>`
    select to_char(month, 'YYYY-MM') as month, ${ofMonth(p.merchantId, 'orders')} as orders, ${ofMonth(p.merchantId, 'refunds')} as refunds
    from generate_series(
      date_trunc('month', ${p.now}::timestamptz at time zone 'Africa/Lagos') - interval '11 months',
      date_trunc('month', ${p.now}::timestamptz at time zone 'Africa/Lagos'),
      interval '1 month'
    ) as month
    order by month`,
)

function ofMonth(merchantId: MerchantId, table: 'orders' | 'refunds') {
  return sql<number>`(
    select count(*)
    from (
      select
      from ${sql.table(table)} counted
      where counted.merchant_id = ${merchantId}
        and counted.created_at >= month at time zone 'Africa/Lagos'
        and counted.created_at < (month + interval '1 month') at time zone 'Africa/Lagos'
      limit ${sql.lit(countedPerMonth)}
    ) counted
  )`
}

/** Returns the numbers of orders and refunds in each of the last twelve months, oldest month first. */
export function countActivityByMonth(
  db: ReadDb,
  of: { readonly merchantId: MerchantId; readonly now: Timestamp },
): Promise<readonly MonthActivity[]> {
  return db.read(activityByMonth, of)
}

export interface DeliveriesOfDay {
  /** The date in Lagos, such as `2026-11-21`. */
  readonly day: string
  readonly succeeded: number
  /** Number of deliveries that failed for good or wait for a retry. */
  readonly failed: number
  /** Number of deliveries that are pending, skipped, or waiting for a disabled endpoint. */
  readonly other: number
}

interface DeliveryDays {
  readonly merchantId: MerchantId
  /**
   * JSON list of days. Each entry has a day and the range of the ids of the deliveries that were created on this day.
   */
  readonly days: string
}

export const deliveriesByDay = reading<DeliveryDays>()(
  'count_deliveries_by_day',
  (p) => sql<DeliveriesOfDay>`
    select
      day,
      count(*) filter (where status = 'succeeded') as succeeded,
      count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status not in ('succeeded', 'failed')) as other
    from jsonb_to_recordset(${p.days}::jsonb) as day (day text, "fromId" text, "beforeId" text)
    left join lateral (
      select status
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and id >= day."fromId" and id < day."beforeId"
      order by id desc
      limit ${sql.lit(countedPerDay)}
    ) delivery on true
    group by day
    order by day`,
)

const dayMs = 24 * 60 * 60 * 1000

/** The time in Lagos is UTC plus one hour all year. */
const lagosOffsetMs = 60 * 60 * 1000

/**
 * Number of days in the chart of deliveries: the retries of a delivery span almost two days, and a bulk replay reaches
 * back 14 days.
 */
const deliveryDays = 14

/**
 * Returns the outcomes of the deliveries of the last 14 days, oldest day first. On a busy day, only the newest
 * deliveries are counted.
 */
export function countDeliveriesByDay(
  db: ReadDb,
  { merchantId, now }: { readonly merchantId: MerchantId; readonly now: Timestamp },
): Promise<readonly DeliveriesOfDay[]> {
  // The days are selected as ranges of ids, because the id of a delivery starts with its creation time.
  const today = Math.floor((toMs(now) + lagosOffsetMs) / dayMs)
  const days = Array.from({ length: deliveryDays }, (_, index) => {
    const startMs = (today - deliveryDays + 1 + index) * dayMs
    return {
      day: toTimestamp(startMs).slice(0, 10),
      fromId: lowestIdAt('dlv', startMs - lagosOffsetMs),
      beforeId: lowestIdAt('dlv', startMs + dayMs - lagosOffsetMs),
    }
  })
  return db.read(deliveriesByDay, { merchantId, days: JSON.stringify(days) })
}
