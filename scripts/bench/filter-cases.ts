import { toTimestamp } from '../../src/base/clock.ts'
import { newCustomerId, newOrderId } from '../../src/base/records.ts'
import type { OrderFilters } from '../../src/store/orders/order-list.ts'
import type { ProductFilters } from '../../src/store/products/product-list.ts'
import type { EventFilters } from '../../src/store/webhooks/events.ts'

/**
 * Test cases for each filter of three lists of records, and for the most expensive combinations of filters. Each case
 * names the index that PostgreSQL must use for a large merchant.
 */

const moment = (text: string) => toTimestamp(Date.parse(text))

export const pages = [
  { limit: 26, after: undefined },
  { limit: 26, after: { createdAt: moment('2026-08-01'), id: 'ord_01' } },
] as const

export type Case<Filters> = readonly [name: string, filters: Filters, index: string]

export const orderCases: readonly Case<OrderFilters>[] = [
  ['no filter', {}, 'orders_newest_first'],
  ['status', { status: ['processing'] }, 'orders_by_status'],
  ['a status no order has', { status: ['on_hold'] }, 'orders_by_status'],
  ['two statuses', { status: ['cancelled', 'shipped'] }, 'orders_by_status'],
  ['paymentStatus', { paymentStatus: ['unpaid'] }, 'orders_newest_first'],
  ['a paymentStatus no order has', { paymentStatus: ['partially_paid'] }, 'orders_newest_first'],
  ['fulfillmentStatus', { fulfillmentStatus: ['fulfilled'] }, 'orders_newest_first'],
  ['a fulfillmentStatus no order has', { fulfillmentStatus: ['returned'] }, 'orders_newest_first'],
  ['createdFrom', { createdFrom: moment('2026-08-01') }, 'orders_newest_first'],
  ['createdTo', { createdTo: moment('2026-05-02') }, 'orders_newest_first'],
  ['updatedFrom', { updatedFrom: moment('2026-08-01') }, 'orders_newest_first'],
  ['updatedFrom, and nothing since', { updatedFrom: moment('2027-08-01') }, 'orders_newest_first'],
  ['customerId', { customerId: newCustomerId(0) }, 'orders_by_customer'],
  ['customerEmail', { customerEmail: 'Adaeze40@example.com' }, 'orders_by_customer_email'],
  ['number', { number: 'ORD-000000A0' }, 'order_number_is_used_once'],
  ['externalReference', { externalReference: 'shop-300' }, 'order_external_reference_is_used_once'],
  ['q, which few orders hold', { q: '00a3' }, 'orders_by_search_key'],
  ['q, which none holds', { q: 'zzqqxx' }, 'orders_by_search_key'],
  ['q, which every order holds', { q: 'example.com' }, 'orders_newest_first'],
  ['q of two letters', { q: 'qx' }, 'orders_newest_first'],
  [
    'two filters without an index',
    { paymentStatus: ['refunded'], fulfillmentStatus: ['returned'] },
    'orders_newest_first',
  ],
  ['q and a status', { q: 'zzqqxx', status: ['delivered'] }, 'orders_by_search_key'],
]

/**
 * A time range that includes every row. A shorter one could exclude rows, because the times in the generated ids differ
 * from the times of their rows.
 */
const everyMoment = { createdFrom: moment('1970-01-01') }

/**
 * The table of events is partitioned. Each case therefore names the part of the index name that the indexes of all
 * partitions have in common.
 */
export const eventCases: readonly Case<EventFilters>[] = [
  ['no filter', everyMoment, 'pkey'],
  ['a range', { ...everyMoment, createdTo: moment('2026-08-01') }, 'pkey'],
  ['event', { ...everyMoment, kinds: ['order.created'] }, 'pkey'],
  ['a rare event', { ...everyMoment, kinds: ['inventory.low_stock'] }, 'pkey'],
  ['an event that never happened', { ...everyMoment, kinds: ['order.refunded'] }, 'pkey'],
  ['resourceId', { ...everyMoment, resourceId: newOrderId(0) }, 'resource'],
  ['resourceId and event', { ...everyMoment, resourceId: newOrderId(0), kinds: ['order.created'] }, 'resource'],
]

export const productCases: readonly Case<ProductFilters>[] = [
  ['no filter', {}, 'products_not_archived'],
  ['status', { status: ['active'] }, 'products_by_status'],
  ['a status few products have', { status: ['draft'] }, 'products_by_status'],
  ['two statuses', { status: ['draft', 'archived'] }, 'products_newest_first'],
  ['q, which few products hold', { q: 'brand 17' }, 'products_by_search_key'],
  ['q, which none holds', { q: 'zzqqxx' }, 'products_by_search_key'],
  ['q, which many hold', { q: 'dress' }, 'products_not_archived'],
  ['q of two letters', { q: 'qx' }, 'products_not_archived'],
  ['sku', { sku: 'sku-0000000004-abcd' }, 'variants_by_sku'],
  ['category', { category: 'dresses 500' }, 'products_by_category_key'],
  ['tag', { tag: 'tag77' }, 'products_by_tag'],
  ['a tag that many have', { tag: 'women' }, 'products_not_archived'],
  ['inStock', { inStock: true }, 'products_not_archived'],
  ['nothing in stock', { inStock: false }, 'products_not_archived'],
  ['lowStock', { lowStock: true }, 'inventory_that_is_low'],
  ['nothing low', { lowStock: false }, 'products_not_archived'],
  ['priceMinKobo', { priceMinKobo: 900_000_000 }, 'variants_by_price'],
  ['priceMaxKobo', { priceMaxKobo: 10 }, 'variants_by_price'],
  ['createdFrom', { createdFrom: moment('2026-08-01') }, 'products_not_archived'],
  ['createdTo', { createdTo: moment('2026-05-02') }, 'products_not_archived'],
  ['updatedFrom', { updatedFrom: moment('2026-10-27T12:00:00Z') }, 'products_by_update'],
  ['q and a tag', { q: 'zzqqxx', tag: 'women' }, 'products_by_search_key'],
  ['a tag and what is in stock', { tag: 'tag77', inStock: true }, 'products_by_tag'],
]
