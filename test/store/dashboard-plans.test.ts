import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import {
  CustomerId,
  DiscountId,
  EndpointId,
  MemberId,
  MerchantId,
  OrderId,
  QuoteId,
  RefundId,
  ReturnId,
  ShipmentId,
} from '../../registry/values/vocabulary.ts'
import { indexesOf, planOf, type Query, scannedTables } from '../../scripts/bench/plan.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { lowestIdAt } from '../../src/base/ids.ts'
import { carrierCodes } from '../../src/logistics/carriers/carrier-names.ts'
import { activityByMonth, deliveriesByDay } from '../../src/store/attention/activity.ts'
import { attention } from '../../src/store/attention/attention.ts'
import { shopDay } from '../../src/store/attention/shop-day.ts'
import { recordNames } from '../../src/store/audit/record-names.ts'
import { customerAfterSales } from '../../src/store/customers/customer-after-sales.ts'
import { redemptionTotals } from '../../src/store/discounts/redemption-totals.ts'
import { targetNames } from '../../src/store/discounts/target-names.ts'
import { offersToShow, quotesToShow } from '../../src/store/logistics/quotes/quotes.ts'
import { dispatchedShipments, shipmentCustomers } from '../../src/store/logistics/shipments/listed-shipments.ts'
import { type ShipmentFilters, shipmentQuery } from '../../src/store/logistics/shipments/shipment-list.ts'
import {
  memberNotifications,
  openNotifications,
  unreadNotifications,
} from '../../src/store/notifications/member-notifications.ts'
import { unreadCount } from '../../src/store/notifications/unread.ts'
import { chosenOrders } from '../../src/store/orders/exported-orders.ts'
import { referencedRecords } from '../../src/store/orders/external-references.ts'
import { orderHistory } from '../../src/store/orders/order-history.ts'
import { orderSum } from '../../src/store/orders/order-list.ts'
import { listedOrdersToShip } from '../../src/store/orders/order-parcels.ts'
import { ordersToPack, orderViewCounts, problemOrders } from '../../src/store/orders/order-views.ts'
import { listedRefunds } from '../../src/store/refunds/listed-refunds.ts'
import { listedReturns } from '../../src/store/returns/listed-returns.ts'
import { unfollowedReturns } from '../../src/store/returns/unfollowed-returns.ts'
import { endpointStatistics } from '../../src/store/webhooks/endpoint-statistics.ts'
import { useDatabase } from '../support/database.ts'

/**
 * The query plans of the SQL statements that only the dashboard executes, for a merchant that has half of all rows. No
 * statement may scan a whole table.
 */

const opened = useDatabase()

const merchants = ['mer_01jd3f8q6hf5n8v1zr4c7e2m9k', 'mer_01jd3f8q6hf5n8v1zr4c7e2m9m'].map((id) => MerchantId.parse(id))
const [merchantId = MerchantId.parse('')] = merchants
const memberId = MemberId.parse('mbr_01jd3f8q6hf5n8v1zr4c7e2m9k')
const nowMs = Date.UTC(2026, 10, 21, 8, 30)
const now = toTimestamp(nowMs)

/**
 * Number of rows of each table: a sequential scan of so many rows costs more than the index ranges that the statements
 * read.
 */
const rowsPerTable = 20_000

/** Ids contain a time and sort by it. The number `i` distributes the rows over the last months. */
const id = (prefix: string) => `'${prefix}_01' || lpad(to_hex(i), 10, '0') || '00000000000000'`
const at = `'2026-11-21T08:30:00Z'::timestamptz - (${rowsPerTable} - i) * interval '10 minutes'`
const merchant = `($1::text[])[1 + i % 2]`

const tables: Readonly<Record<string, string>> = {
  orders: `(merchant_id, id, number, status, customer_name, customer_email, payment_method, subtotal_kobo, total_kobo,
      tax_inclusive, tax_rate_bps, item_quantity, customer_id, created_at, updated_at)
    select ${merchant}, ${id('ord')}, 'N' || i, (array['processing', 'shipped'])[1 + i / 2 % 2], 'Ada', 'a@example.com', 'cash', 1, 1, true, 0, 1,
      'cus_' || i / 2 % 100, ${at}, ${at}`,
  order_items: `(merchant_id, order_id, id, position, sku, title, variant_title, quantity, unit_price_kobo, subtotal_kobo,
      total_kobo)
    select ${merchant}, ${id('ord')}, ${id('itm')}, 0, 'SKU-' || i, 'Dress', 'M', 1, 1, 1, 1`,
  refunds: `(merchant_id, id, order_id, amount_kobo, reason, status, destination, provider, order_refunded_kobo,
      order_refundable_kobo, order_payment_status, created_by_type, succeeded_at, created_at, updated_at)
    select ${merchant}, ${id('rfd')}, ${id('ord')}, 1, 'other', 'succeeded', 'manual', 'manual', 1, 0, 'refunded', 'token',
      ${at}, ${at}, ${at}`,
  payments: `(merchant_id, id, order_id, amount_kobo, method, reference, paid_at, created_at)
    select ${merchant}, ${id('pay')}, ${id('ord')}, 1, 'cash', 'R' || i, ${at}, ${at}`,
  shipments: `(merchant_id, id, reference, request_hash, order_id, return_id, status, pickup, dropoff, parcels, distance_meters, vehicle,
      proof, undeliverable_action, failover, plan, price_ceiling_kobo, quoted_price_kobo, created_at, updated_at, items)
    select ${merchant}, ${id('shp')}, 'S' || i, repeat('0', 64), case when i % 10 > 0 then ${id('ord')} end,
      case when i % 10 = 0 then ${id('ret')} end,
      (array['dispatching', 'awaiting_courier', 'courier_assigned', 'in_transit'])[1 + i / 2 % 4], '{}', '{}', '[]', 1, 'bike',
      '{}', 'return', '{}', '[]', 1, 1, ${at}, ${at}, '[]'`,
  returns: `(merchant_id, id, order_id, status, reason, created_at, updated_at, received_at)
    select ${merchant}, ${id('ret')}, ${id('ord')}, (array['approved', 'requested', 'received', 'received'])[1 + i / 2 % 4], 'other', ${at}, ${at}, ${at}`,
  refund_items: `(merchant_id, refund_id, order_id, item_id, quantity, amount_kobo)
    select ${merchant}, ${id('rfd')}, ${id('ord')}, ${id('itm')}, 1, 1`,
  return_items: `(merchant_id, return_id, order_id, item_id, quantity)
    select ${merchant}, ${id('ret')}, ${id('ord')}, ${id('itm')}, 1`,
  shipment_events: `(merchant_id, shipment_id, number, source, description, is_applied, occurred_at, received_at)
    select ${merchant}, ${id('shp')}, 1, 'poll', 'x', true, ${at}, ${at}`,
  order_status_changes: `(merchant_id, order_id, version, from_status, to_status, actor_type, occurred_at)
    select ${merchant}, ${id('ord')}, 2, 'pending', 'processing', 'token', ${at}`,
  order_comments: `(merchant_id, id, order_id, text, author_type, author_name, created_at)
    select ${merchant}, ${id('cmt')}, ${id('ord')}, 'x', 'token', 'Website', ${at}`,
  webhook_events: `(merchant_id, id, kind, resource_id, body, created_at)
    select ${merchant}, ${id('evt')}, 'order.created', ${id('ord')}, '{}', ${at}`,
  webhook_deliveries: `(merchant_id, id, event_id, endpoint_id, status, completed_at, created_at)
    select ${merchant}, ${id('dlv')}, ${id('evt')}, 'whe_1', 'succeeded', ${at}, ${at}`,
  webhook_attempts: `(merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, duration_ms, url, endpoint_epoch)
    select ${merchant}, ${id('dlv')}, 1, ${at}, ${at}, 'succeeded', 200, 5, 'https://shop.example.com', 1`,
  audit_log: `(merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id)
    select ${merchant}, ${id('aud')}, ${at}, 'system', 'test', 'order.update', 'order', ${id('ord')}`,
  products: `(merchant_id, id, title, slug, status, created_at, updated_at)
    select ${merchant}, ${id('prd')}, 'Dress', 'dress-' || i, 'active', ${at}, ${at}`,
  product_variants: `(merchant_id, id, product_id, sku, title, price_kobo, position, created_at, updated_at)
    select ${merchant}, ${id('var')}, ${id('prd')}, 'SKU-' || i, 'M', 1, 0, ${at}, ${at}`,
  customers: `(merchant_id, id, name, email, created_at, updated_at)
    select ${merchant}, ${id('cus')}, 'Ada', 'a' || i || '@example.com', ${at}, ${at}`,
  discount_redemptions: `(merchant_id, id, discount_id, order_id, amount_kobo, customer_id, customer_email, created_at)
    select ${merchant}, ${id('rdm')}, 'dsc_' || i / 2 % 10, ${id('ord')}, 1, ${id('cus')}, 'a@example.com', ${at}`,
  quotes: `(merchant_id, id, order_id, status, pickup, dropoff, parcels, vehicle, service_levels, distance_meters, carriers,
      created_at, expires_at)
    select ${merchant}, ${id('qte')}, ${id('ord')}, 'complete', '{}', '{}', '[]', 'bike', '{}', 1, '[]', ${at},
      ${at} + interval '1 hour'`,
  quote_offers: `(merchant_id, quote_id, id, rank, carrier, service, service_level, vehicle, price_kobo, carrier_price_kobo,
      breakdown, reliability, price_lock, token, tags, expires_at)
    select ${merchant}, ${id('qte')}, ${id('off')}, 1, 'x', 'x', 'on_demand', 'bike', 1, 1, '{}', 1, 'none', '{}', '{}', ${at}`,
  dispatch_attempts: `(merchant_id, shipment_id, number, carrier, reference, state, offer, price_kobo, carrier_reference, started_at)
    select ${merchant}, ${id('shp')}, 1, 'fez', 'R' || i, 'accepted', '{}', 1, 'F' || i, ${at}`,
  notifications: `(merchant_id, id, kind, created_at)
    select ${merchant}, ${id('ntf')}, 'payment.differences', ${at}`,
}

beforeAll(async () => {
  const client = new pg.Client({ connectionString: opened().superuserConnectionString })
  await client.connect()
  try {
    // Disables foreign keys and triggers, which have no effect on the query plans.
    await client.query("set session_replication_role = 'replica'")
    for (const [table, columnsAndRows] of Object.entries(tables)) {
      await client.query(`insert into ${table} ${columnsAndRows} from generate_series(1, ${rowsPerTable}) i`, [
        merchants,
      ])
    }
    await client.query(`vacuum analyze ${Object.keys(tables).join(', ')}`)
  } finally {
    await client.end()
  }
})

async function planned<Args>(query: Query<Args>) {
  const client = new pg.Client({ connectionString: opened().connectionString })
  await client.connect()
  try {
    const plan = await planOf(client, query)
    const large = Object.keys(tables)
    const scanned = scannedTables(plan).filter((name) => large.some((table) => name?.startsWith(table)))
    return { scanned, indexes: new Set(indexesOf(plan)) }
  } finally {
    await client.end()
  }
}

test('the query for the history of an order uses its indexes', async () => {
  const orderId = OrderId.parse('ord_01000000100000000000000000')
  const { scanned, indexes } = await planned({ statement: orderHistory, args: { merchantId, orderId } })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(
    expect.arrayContaining([
      ...['audit_log_by_record', 'order_comments_newest_first', 'payments_by_order', 'refunds_by_order'],
      'shipments_by_order',
    ]),
  )
})

test('the queries for the names of listed refunds and returns use the primary keys', async () => {
  const names = '01000000100000000000000000'
  const refunds = { merchantId, ids: [RefundId.parse(`rfd_${names}`)] }
  const returns = { merchantId, ids: [`ret_${names}`] }
  const refunded = await planned({ statement: listedRefunds, args: refunds })
  expect(refunded.scanned).toEqual([])
  expect([...refunded.indexes]).toEqual(expect.arrayContaining(['refunds_pkey', 'refund_items_pkey', 'orders_pkey']))
  const returned = await planned({ statement: listedReturns, args: returns })
  expect(returned.scanned).toEqual([])
  expect([...returned.indexes]).toEqual(expect.arrayContaining(['returns_pkey', 'return_items_pkey', 'orders_pkey']))
})

test('the search for returns that did not follow their shipment uses the index of returns under way', async () => {
  const { scanned, indexes } = await planned({ statement: unfollowedReturns, args: {} })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(expect.arrayContaining(['returns_under_way', 'notifications_newest_first']))
})

test('the query for the export of chosen orders searches their ids, and not all orders of the time range', async () => {
  const ids = [OrderId.parse('ord_01000000100000000000000000')]
  const page = { limit: 100, afterCreatedAt: now, afterId: '' }
  const { scanned, indexes } = await planned({
    statement: chosenOrders,
    args: { merchantId, ids, createdFrom: undefined, ...page },
  })
  expect(scanned).toEqual([])
  expect([...indexes].filter((index) => index?.startsWith('orders_'))).toEqual(['orders_pkey'])
})

test('the query for the conditions that need attention uses its indexes', async () => {
  const { scanned, indexes } = await planned({
    statement: attention,
    args: { merchantId, now, expiringUntil: toTimestamp(nowMs + 1) },
  })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(
    expect.arrayContaining([
      'shipments_with_open_exceptions',
      'refunds_awaiting_bank_details',
      'refunds_failed_newest_first',
      'notifications_problems',
      'returns_under_way',
    ]),
  )
})

test('the queries for the work of the day and for the views of the orders use their indexes', async () => {
  const day = await planned({ statement: shopDay, args: { merchantId } })
  expect(day.scanned).toEqual([])
  expect([...day.indexes]).toEqual(
    expect.arrayContaining([
      'orders_by_status',
      'shipments_by_status',
      'shipments_by_order',
      'returns_under_way',
      'returns_requested',
      'order_items_pkey',
    ]),
  )
  const of = { merchantId, now }
  const toPack = await planned({ statement: ordersToPack, args: of })
  expect(toPack.scanned).toEqual([])
  expect([...toPack.indexes]).toEqual(
    expect.arrayContaining(['orders_by_status', 'shipments_by_order', 'order_items_pkey']),
  )
  for (const query of [
    { statement: orderViewCounts, args: of },
    { statement: problemOrders, args: of },
  ]) {
    const { scanned, indexes } = await planned(query)
    expect(scanned).toEqual([])
    expect([...indexes]).toEqual(
      expect.arrayContaining([
        'shipments_with_open_exceptions',
        'refunds_failed_newest_first',
        'notifications_problems',
      ]),
    )
  }
})

test.each([
  ['status', { status: ['processing'] as const }],
  ['day of creation', { createdFrom: toTimestamp(nowMs - 86_400_000), createdTo: now }],
])('the sum of the orders with a %s uses an index', async (_name, filters) => {
  const { scanned, indexes } = await planned({ statement: orderSum, args: { merchantId, ...filters } })
  expect(scanned).toEqual([])
  expect([...indexes].filter((index) => index?.startsWith('orders_'))).toHaveLength(1)
})

test.each([
  ['the notifications of a member', memberNotifications, 'notifications_newest_first'],
  ['the unread notifications of a member', unreadNotifications, 'notifications_newest_first'],
  ['the number of unread notifications of a member', unreadCount, 'notifications_newest_first'],
  ['the notifications with open problems', openNotifications, 'notifications_problems'],
])('the query for %s uses its index', async (_, statement, index) => {
  const args = { merchantId, memberId, limit: 26, afterId: null }
  const { scanned, indexes } = await planned({ statement, args })
  expect(scanned).toEqual([])
  expect([...indexes]).toContain(index)
})

test.each<[string, ShipmentFilters, string]>([
  ['shipments', {}, 'shipments_newest_first'],
  ['shipments with open exceptions', { exception: ['any'] }, 'shipments_with_open_exceptions'],
  ['shipments with two statuses', { status: ['dispatching', 'in_transit'] }, 'shipments_by_status'],
  ['shipments of a carrier', { carrier: 'fez' }, 'shipments_by_carrier'],
  ['shipments of an order', { orderId: OrderId.parse('ord_01jd3f8q6hf5n8v1zr4c7e2m9k') }, 'shipments_by_order'],
  ['shipments of a return', { returnId: ReturnId.parse('ret_01jd3f8q6hf5n8v1zr4c7e2m9k') }, 'shipments_by_return'],
  ['shipments with a text', { q: 's12345' }, 'shipments_by_search_key'],
  ['shipments delivered since a time', { deliveredFrom: now }, 'shipments_by_delivery'],
  ['shipments with a reference', { reference: 'S7' }, 'shipment_reference_is_used_once'],
])('the query for a page of %s uses its index', async (_, filters, index) => {
  for (const after of [undefined, { createdAt: now, id: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k' }]) {
    const { scanned, indexes } = await planned(shipmentQuery(merchantId, filters, { limit: 26, after }))
    expect(scanned).toEqual([])
    expect([...indexes]).toContain(index)
  }
})

test('the query for shipments delivered since a time long ago reads a page in the order of the list, instead of sorting all deliveries', async () => {
  const client = new pg.Client({ connectionString: opened().superuserConnectionString })
  await client.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    await client.query(`
      update shipments
      set status = 'delivered', delivered_at = created_at + interval '1 hour', ended_at = created_at + interval '1 hour'
      where status = 'in_transit'`)
    await client.query('vacuum analyze shipments')
  } finally {
    await client.end()
  }
  const indexOf = async (deliveredFrom: number) => {
    const filters = { deliveredFrom: toTimestamp(deliveredFrom) }
    return [...(await planned(shipmentQuery(merchantId, filters, { limit: 26, after: undefined }))).indexes]
  }
  expect(await indexOf(Date.UTC(2000, 0, 1))).toEqual(['shipments_newest_first'])
  expect(await indexOf(nowMs - 3_600_000)).toEqual(['shipments_by_delivery'])
})

test('the query for the names of products, variants and customers uses their primary keys', async () => {
  const ids = { productIds: ['prd_1', 'prd_2'], variantIds: ['var_1', 'var_2'], customerIds: ['cus_1', 'cus_2'] }
  const { scanned, indexes } = await planned({ statement: targetNames, args: { merchantId, ...ids } })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(expect.arrayContaining(['products_pkey', 'product_variants_pkey', 'customers_pkey']))
})

test('the query for the totals of a discount reads a limited number of its newest redemptions from their index', async () => {
  const discountId = DiscountId.parse('dsc_01jd3f8q6hf5n8v1zr4c7e2m9k')
  const { scanned, indexes } = await planned({
    statement: redemptionTotals,
    args: { merchantId, discountId, max: 100 },
  })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(expect.arrayContaining(['discount_redemptions_newest_first', 'orders_pkey']))
})

test('the query for the refunds and returns of a customer reads a limited number of the customer’s orders', async () => {
  const customerId = CustomerId.parse('cus_01jd3f8q6hf5n8v1zr4c7e2m9k')
  const args = { merchantId, customerId, ordersMax: 100, limit: 10 }
  const { scanned, indexes } = await planned({ statement: customerAfterSales, args })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(expect.arrayContaining(['orders_by_customer', 'refunds_by_order', 'returns_by_order']))
})

test('the queries for the customers of shipments and for the contents of orders use their indexes', async () => {
  const shipmentId = ShipmentId.parse('shp_01000000100000000000000000')
  const orderId = OrderId.parse('ord_01000000100000000000000000')
  const customers = await planned({ statement: shipmentCustomers, args: { merchantId, ids: [shipmentId] } })
  expect(customers.scanned).toEqual([])
  const dispatched = await planned({ statement: dispatchedShipments, args: { merchantId, ids: [shipmentId] } })
  expect(dispatched.scanned).toEqual([])
  const orders = await planned({ statement: listedOrdersToShip, args: { merchantId, ids: [orderId] } })
  expect(orders.scanned).toEqual([])
  expect([...orders.indexes]).toContain('shipments_by_order')
})

test('the query for records by an external reference uses the indexes of the references', async () => {
  const args = { merchantId, reference: 'F2', carriers: carrierCodes }
  const { scanned, indexes } = await planned({ statement: referencedRecords, args })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(
    expect.arrayContaining(['payment_reference_counts_once', 'carrier_order_is_of_one_attempt']),
  )
})

test('the queries for the offers of quotes read them by the ids of the quotes', async () => {
  const args = { merchantId, ids: [QuoteId.parse('qte_01000000100000000000000000')] }
  const quotes = await planned({ statement: quotesToShow, args })
  const offers = await planned({ statement: offersToShow, args })
  expect([quotes.scanned, offers.scanned]).toEqual([[], []])
  expect([...quotes.indexes, ...offers.indexes]).toEqual(['quotes_pkey', 'offer_rank_is_used_once'])
})

test('the query for the orders and refunds per month uses its index', async () => {
  const { scanned, indexes } = await planned({ statement: activityByMonth, args: { merchantId, now } })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(expect.arrayContaining(['orders_newest_first', 'refunds_newest_first']))
})

test('the query for the webhook deliveries per day uses its index', async () => {
  const days = [{ day: '2026-11-21', fromId: lowestIdAt('dlv', nowMs), beforeId: lowestIdAt('dlv', nowMs + 1) }]
  const { scanned } = await planned({ statement: deliveriesByDay, args: { merchantId, days: JSON.stringify(days) } })
  expect(scanned).toEqual([])
})

test('the query for the statistics of a webhook endpoint reads a limited number of its newest deliveries from their index', async () => {
  const { scanned, indexes } = await planned({
    statement: endpointStatistics,
    args: {
      ...{ merchantId, endpointId: EndpointId.parse('whe_01jd3f8q6hf5n8v1zr4c7e2m9k') },
      ...{ fromId: lowestIdAt('dlv', nowMs - 86_400_000), day: now, week: now },
    },
  })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(
    expect.arrayContaining([
      'webhook_deliveries_default_merchant_id_endpoint_id_status_i_idx',
      'webhook_attempts_default_pkey',
    ]),
  )
})

test('the query for the names of the records of audit entries uses primary keys', async () => {
  const ids = ['ord_1', 'cus_1', 'prd_1', 'var_1', 'shp_1', 'mbr_1']
  const { scanned, indexes } = await planned({ statement: recordNames, args: { merchantId, ids } })
  expect(scanned).toEqual([])
  const keys = ['orders_pkey', 'customers_pkey', 'products_pkey', 'product_variants_pkey', 'shipments_pkey']
  expect([...indexes]).toEqual(expect.arrayContaining(keys))
})
