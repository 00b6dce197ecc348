import pg from 'pg'
import { salesGroupings } from '../../registry/reports/sales.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { dayInLagos, daysAfter } from '../../src/base/calendar.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { summariseSales } from '../../src/commerce/reports/summarise-sales.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { createBenchToken } from './create-bench-token.ts'
import { percentile } from './percentile.ts'
import { startService, stopService } from './start-service.ts'
import { requireMsAtMost } from './verdict.ts'

/** Maximum time of a sales report of one year, for a merchant with a million orders in that year. */
const yearMaxMs = 300

/** Number of requests for each report. Only the first requests read from the disk. */
const requests = 20

/**
 * Measures the sales reports of a year. The orders have 1.5 items on average, and products are sold by Zipf's law. One
 * of twenty orders has a refund. The reports are measured twice: when all days are summarised, and after changes of
 * today and of five earlier days. For changed days, a report also reads the stored orders and refunds, to correct the
 * summaries.
 */
export async function benchSales(postgres: TemporaryPostgres, orders = 1_000_000): Promise<void> {
  const database = openDatabase({ connectionString: postgres.connectionString })
  const context = { database, clock: systemClock, nudge: () => undefined }
  const actor = systemActor('bench')
  const { id: merchantId } = await createMerchant(context, actor, 'Adire Lagos')
  const token = await createBenchToken(context, { merchantId, mode: 'live' }, ['orders:read'])
  const owner = new pg.Client({ connectionString: postgres.ownerConnectionString })
  await owner.connect()
  // The service starts without a worker, because a worker would update the sales summaries during the measurement.
  const { child, url } = await startService(postgres, { RUN: 'api' })
  try {
    // One statement queues all changed days. The triggers are disabled, because they would queue a day for each change.
    await owner.query(disableText)
    for (const text of [ordersText, itemsText, refundsText, refundItemsText]) {
      await owner.query(text(merchantId, orders))
    }
    await owner.query(enableText)
    await owner.query(daysText)
    await owner.query('vacuum analyze orders, order_items, refunds, refund_items, sales_changes')
    const summariseMs = await msOf(() => summariseSales({ database }))
    await owner.query('vacuum analyze sales_summaries, sales_changes')
    const { rows } = await owner.query(sizeText)
    console.log(`Summarised ${orders} orders in ${Math.round(summariseMs / 1000)} s: ${rows[0].size}`)
    await measure(`${url}/api/v1/reports/sales`, token, 'all days are summarised')
    await owner.query(changesText, [merchantId])
    await measure(`${url}/api/v1/reports/sales`, token, 'six days have changed')
  } finally {
    await stopService(child)
    await owner.end()
    await database.close()
  }
}

async function measure(url: string, token: string, state: string): Promise<void> {
  const to = dayInLagos(toTimestamp(systemClock.nowMs()))
  for (const groupBy of salesGroupings) {
    const times: number[] = []
    for (let time = 1; time <= requests; time++) {
      times.push(
        await msOf(async () => {
          const response = await fetch(`${url}?groupBy=${groupBy}&from=${daysAfter(to, -364)}&to=${to}`, {
            headers: { Authorization: `Bearer ${token}` },
          })
          const { totals } = JSON.parse(await response.text())
          if (!response.ok || totals.orderCount === 0) throw new Error(`The report by ${groupBy} failed.`)
        }),
      )
    }
    times.sort((a, b) => a - b)
    const p95 = percentile(times, 0.95)
    const figures = `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`
    requireMsAtMost(`Sales of a year by ${groupBy}, ${state}: ${figures}`, p95, yearMaxMs)
  }
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

/** Generates ids with a hexadecimal random part. The id alphabet contains all hexadecimal digits. */
const idOf = (prefix: string) => `'${prefix}_01' || lpad(to_hex(i), 10, '0') || substr(md5('${prefix}' || i), 1, 14)`

/** SQL of a product id. A merchant has one product for every ten orders; sales follow Zipf's law. */
const productOf = (seed: string, orders: number) => {
  const share = `(('x' || substr(md5('${seed}' || id), 1, 8))::bit(32)::bigint / 4294967296.0)`
  return `'prd_01' || lpad(to_hex(floor(exp(${share} * ln(${Math.max(2, orders / 10)})))::int), 24, '0')`
}

const ordersText = (merchantId: string, orders: number) => `
  insert into orders (
    merchant_id, id, number, status, customer_name, customer_email, payment_method, subtotal_kobo, shipping_kobo, total_kobo,
    tax_inclusive, tax_rate_bps, paid_kobo, refunded_kobo, item_quantity, source, shipping_address, created_at, updated_at
  )
  select '${merchantId}', ${idOf('ord')}, 'ORD-' || upper(lpad(to_hex(i), 8, '0')), 'processing', 'Adaeze Okafor',
    'customer' || i || '@example.com', 'bank_transfer', 1000000, 250000, 1250000, true, 0, 1250000, 0, 1 + i % 2,
    (array['api', 'storefront', 'pos', 'whatsapp', 'instagram'])[1 + i % 5],
    jsonb_build_object('state', 'State ' || i % 37, 'city', 'Ikeja', 'line1', '12 Allen Avenue'), created_at, created_at
  from generate_series(1, ${orders}) i
  cross join lateral (select date_trunc('milliseconds', now()) - interval '364 days' * (i::float8 / ${orders}) as created_at) moment`

const itemsText = (merchantId: string, orders: number) => `
  insert into order_items (
    merchant_id, order_id, id, position, product_id, sku, title, variant_title, quantity, unit_price_kobo, subtotal_kobo,
    total_kobo
  )
  select merchant_id, id, 'itm_' || substr(id, 5, 25) || position, position,
    case position when 0 then ${productOf('a', orders)} else ${productOf('b', orders)} end,
    'ANK-MAX-M-IND', 'Ankara maxi dress', 'M / Indigo', 1, 1000000 / item_quantity, 1000000 / item_quantity,
    1000000 / item_quantity
  from orders
  cross join lateral generate_series(0, item_quantity - 1) position
  where merchant_id = '${merchantId}'`

const refundsText = (merchantId: string) => `
  insert into refunds (
    merchant_id, id, order_id, amount_kobo, reason, status, destination, provider, order_refunded_kobo,
    order_refundable_kobo, order_payment_status, created_by_type, created_at, updated_at, succeeded_at
  )
  select merchant_id, 'rfd_' || substr(id, 5), id, 500000, 'damaged', 'succeeded', 'manual', 'manual', 500000, 750000,
    'partially_refunded', 'system', refunded_at, refunded_at, refunded_at
  from orders
  cross join lateral (select least(now(), created_at + interval '3 days')::timestamptz(3) as refunded_at) moment
  where merchant_id = '${merchantId}' and substr(number, 12) = '0'`

const refundItemsText = (merchantId: string) => `
  insert into refund_items (merchant_id, refund_id, order_id, item_id, quantity, amount_kobo)
  select merchant_id, id, order_id, 'itm_' || substr(order_id, 5, 25) || '0', 1, 500000
  from refunds
  where merchant_id = '${merchantId}'`

const changesText = `
  update orders
  set item_quantity = item_quantity + 1
  where merchant_id = $1 and id in (
    select distinct on ((created_at at time zone 'Africa/Lagos')::date) id
    from orders
    where merchant_id = $1 and created_at > now() - interval '5 days'
  )`

const disableText = 'alter table orders disable trigger user; alter table refunds disable trigger user'

const enableText = 'alter table orders enable trigger user; alter table refunds enable trigger user'

const daysText = `
  insert into sales_changes (merchant_id, day)
  select distinct merchant_id, (created_at at time zone 'Africa/Lagos')::date
  from orders`

const sizeText = `
  select string_agg(summary, ', ' order by dimension) as size
  from (
    select dimension, dimension || ' ' || count(*) || ' rows' as summary from sales_summaries group by dimension
    union all
    select 'total', pg_size_pretty(pg_total_relation_size('sales_summaries'))
  ) counted`
