import pg from 'pg'
import { expect, test } from 'vitest'
import {
  CustomerId,
  DiscountId,
  EndpointId,
  EventId,
  OrderId,
  QuoteId,
  RefundId,
  ReturnId,
  ShipmentId,
} from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { lowestIdAt } from '../../src/base/ids.ts'
import { carrierCodes } from '../../src/logistics/carriers/carrier-names.ts'
import { activityByMonth, deliveriesByDay } from '../../src/store/attention/activity.ts'
import { attention } from '../../src/store/attention/attention.ts'
import { shopDay } from '../../src/store/attention/shop-day.ts'
import { invitationNames, recordNames } from '../../src/store/audit/record-names.ts'
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
import { notifiedRecords } from '../../src/store/notifications/notified-records.ts'
import { unreadCount } from '../../src/store/notifications/unread.ts'
import { chosenOrders } from '../../src/store/orders/exported-orders.ts'
import { referencedRecords } from '../../src/store/orders/external-references.ts'
import { orderByNumber } from '../../src/store/orders/order-by-number.ts'
import { orderHistory } from '../../src/store/orders/order-history.ts'
import { orderSum } from '../../src/store/orders/order-list.ts'
import { listedOrdersToShip } from '../../src/store/orders/order-parcels.ts'
import { ordersToPack, orderViewCounts, problemOrders, unpaidOrders } from '../../src/store/orders/order-views.ts'
import { listedRefunds } from '../../src/store/refunds/listed-refunds.ts'
import { listedReturns } from '../../src/store/returns/listed-returns.ts'
import { unfollowedReturns } from '../../src/store/returns/unfollowed-returns.ts'
import { endpointStatistics } from '../../src/store/webhooks/endpoint-statistics.ts'
import { eventRecords } from '../../src/store/webhooks/event-records.ts'
import { memberId, merchantId, now, nowMs, useDashboardRows } from './dashboard-rows.ts'

/**
 * The query plans of the SQL statements that only the dashboard executes, for a merchant that has half of all rows. No
 * statement may scan a whole table.
 */

const { opened, planned } = useDashboardRows()

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

test('the search for returns that do not have the status of their ended shipment uses the index of returns under way', async () => {
  const { scanned, indexes } = await planned({ statement: unfollowedReturns, args: {} })
  expect(scanned).toEqual([])
  expect([...indexes]).toEqual(expect.arrayContaining(['returns_under_way', 'notifications_newest_first']))
})

test('the query for the export of chosen orders finds the orders by their ids, and does not read all orders of the time range', async () => {
  const ids = [OrderId.parse('ord_01000000100000000000000000')]
  const page = { limit: 100, afterCreatedAt: now, afterId: '' }
  const { scanned, indexes } = await planned({
    statement: chosenOrders,
    args: { merchantId, ids, createdFrom: undefined, ...page },
  })
  expect(scanned).toEqual([])
  expect([...indexes].filter((index) => index?.startsWith('orders_'))).toEqual(['orders_pkey'])
})

test('the query for conditions that need attention uses indexes, and scans no table', async () => {
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

test('the queries for the tasks of the day and for the views of the order list use their indexes', async () => {
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
  const unpaid = await planned({ statement: unpaidOrders, args: of })
  expect([unpaid.scanned, [...unpaid.indexes]]).toEqual([[], ['orders_by_status']])
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
])('the query for the sum of the orders with a %s uses an index', async (_name, filters) => {
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

test('the query for shipments delivered since a date long ago reads one page in the order of the list instead of sorting all deliveries', async () => {
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

test('the queries for the offers of quotes find the offers by the ids of the quotes', async () => {
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

test('the query that reads the names of the records in notifications uses primary keys', async () => {
  const ids = ['ord_1', 'rfd_1', 'ret_1', 'shp_1', 'whe_1']
  const { scanned, indexes } = await planned({ statement: notifiedRecords, args: { merchantId, ids } })
  expect(scanned).toEqual([])
  const keys = ['orders_pkey', 'refunds_pkey', 'returns_pkey', 'shipments_pkey']
  expect([...indexes]).toEqual(expect.arrayContaining(keys))
})

test('the query for an order by its number uses the index on order numbers', async () => {
  const { scanned, indexes } = await planned({ statement: orderByNumber, args: { merchantId, number: 'ORD-7Q2M4X9K' } })
  expect([scanned, [...indexes]]).toEqual([[], ['order_number_is_used_once']])
})

test('the query that loads the records named in webhook events uses only primary keys', async () => {
  const ids = [EventId.parse('evt_01jd3f8q6hf5n8v1zr4c7e2m9k')]
  const { scanned, indexes } = await planned({ statement: eventRecords, args: { merchantId, ids } })
  expect(scanned).toEqual([])
  expect([...indexes].every((name) => name?.endsWith('_pkey'))).toBe(true)
})

test('the query for the names of the records in audit entries uses primary keys', async () => {
  const ids = [
    'ord_1',
    'cus_1',
    'prd_1',
    'var_1',
    'shp_1',
    'mbr_1',
    'pay_1',
    'pln_1',
    'rfd_1',
    'ret_1',
    'imp_1',
    'inv_1',
  ]
  expect((await planned({ statement: invitationNames, args: { merchantId, ids } })).scanned).toEqual([])
  const { scanned, indexes } = await planned({ statement: recordNames, args: { merchantId, ids } })
  expect(scanned).toEqual([])
  const keys = ['orders_pkey', 'customers_pkey', 'products_pkey', 'product_variants_pkey', 'shipments_pkey']
  expect([...indexes]).toEqual(expect.arrayContaining(keys))
})
