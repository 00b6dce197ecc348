import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { salesGroupings } from '../../registry/reports/sales.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { crowd } from '../../scripts/bench/crowd.ts'
import { buffersOf } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { dayInLagos, daysAfter } from '../../src/base/calendar.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { summariseSales } from '../../src/commerce/reports/summarise-sales.ts'
import { salesQuery } from '../../src/store/reports/sales-report.ts'
import { useApi } from '../support/api.ts'
import { asOwner } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { openShop, operator, placeOrder } from '../support/shop.ts'

const started = useApi()

const today = () => dayInLagos(toTimestamp(started().clock.nowMs()))

test('an order that is committed while the sales of its day are summarised is in the next report and in the next summary', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id } = await placeOrder(api, shop)
  const count = async () =>
    (await api.send('GET', '/api/v1/reports/sales', { token: shop.token })).body.totals.orderCount
  const late = new pg.Client({ connectionString: api.ownerConnectionString })
  await late.connect()
  try {
    await late.query('begin')
    await late.query(copyText, [id])
    // The second order is not committed yet, so neither the order nor its row in the queue is visible.
    await summariseSales(api)
    expect(await count()).toBe(1)
    await late.query('commit')
    expect(await count()).toBe(2)
    await summariseSales(api)
    expect(await count()).toBe(2)
    const [{ orders }] = await select(
      api,
      `select sum(order_count)::int as orders from sales_summaries where merchant_id = $1 and dimension = 'source'`,
      [shop.merchantId],
    )
    expect(orders).toBe(2)
  } finally {
    await late.end()
  }
})

/** Inserts a copy of an order, as if another process placed a second order. */
const copyText = `
  insert into orders (
    merchant_id, id, number, status, customer_name, customer_email, payment_method, subtotal_kobo, total_kobo, tax_inclusive,
    tax_rate_bps, item_quantity, created_at, updated_at
  )
  select merchant_id, 'ord_' || reverse(substr(id, 5)), reverse(number), 'pending', customer_name, customer_email,
    payment_method, subtotal_kobo, total_kobo, tax_inclusive, tax_rate_bps, 1, created_at, updated_at
  from orders
  where id = $1`

test('the migration 0241 queues the days of all existing orders and refunds to be summarised, so that sales reports include these records', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id: orderId } = await placeOrder(api, shop, { priceKobo: 1_000_000 })
  api.clock.advance(2 * 24 * 3_600_000)
  const body = { orderId, amountKobo: 400_000, reason: 'damaged' }
  await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  // Simulates an order and a refund that an earlier release stored without the triggers.
  await select(api, 'delete from sales_changes where merchant_id = $1', [shop.merchantId])
  const totals = async () => (await api.send('GET', '/api/v1/reports/sales', { token: shop.token })).body.totals
  expect(await totals()).toMatchObject({ orderCount: 0 })
  await asOwner(api, await readFile('src/store/migrations/0241_queued_sales.sql', 'utf8'))
  const expected = { orderCount: 1, refundsKobo: 400_000, netKobo: 600_000 }
  expect(await totals()).toMatchObject(expected)
  await summariseSales(api)
  expect(await totals()).toMatchObject(expected)
})

test('concurrent updates of the sales summaries count each order once', async () => {
  const api = started()
  const shop = await openShop(api.context)
  for (let round = 1; round <= 3; round++) {
    await placeOrder(api, shop)
    await Promise.all(Array.from({ length: 4 }, () => summariseSales(api)))
  }
  const [{ orders, queued }] = await select(
    api,
    `select
       (select sum(order_count)::int from sales_summaries where merchant_id = $1 and dimension = 'source') as orders,
       (select count(*)::int from sales_changes where merchant_id = $1) as queued`,
    [shop.merchantId],
  )
  expect({ orders, queued }).toEqual({ orders: 3, queued: 0 })
})

test('sales reports use indexes and no table scan, both to read the sales summaries and to read the orders of the days that changed after their summary', async () => {
  const api = started()
  const merchants: MerchantId[] = []
  for (let index = 0; index < 8; index++)
    merchants.push((await createMerchant(api.context, operator, 'Adire Lagos')).id)
  const [merchantId = expect.fail('No merchant.')] = merchants
  await crowd(api.ownerConnectionString, merchants, { orders: 20_000, products: 100 })
  await summariseSales(api)
  await select(api, `insert into sales_changes (merchant_id, day) values ($1, $2)`, [merchantId, today()])
  await asOwner(api, 'vacuum analyze orders, order_items, refunds, sales_summaries, sales_changes')
  const client = new pg.Client({ connectionString: api.connectionString })
  await client.connect()
  try {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      for (const groupBy of salesGroupings) {
        const range = { merchantId, from: daysAfter(today(), -365), to: today(), limit: 25 }
        const { indexes, scanned } = await buffersOf(client, salesQuery(groupBy, range))
        expect(scanned.filter((table) => ['orders', 'sales_summaries'].includes(String(table)))).toEqual([])
        expect(indexes.filter((index) => index?.startsWith('sales_')).length).toBeGreaterThan(1)
      }
    }
  } finally {
    await client.end()
  }
})
