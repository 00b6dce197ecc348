import pg from 'pg'
import { beforeAll } from 'vitest'
import { MemberId, MerchantId } from '../../registry/values/vocabulary.ts'
import { indexesOf, planOf, type Query, scannedTables } from '../../scripts/bench/plan.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { useDatabase } from '../support/database.ts'

/** Large tables of two merchants, in which the query plans of the dashboard are tested. */

const merchants = ['mer_01jd3f8q6hf5n8v1zr4c7e2m9k', 'mer_01jd3f8q6hf5n8v1zr4c7e2m9m'].map((id) => MerchantId.parse(id))
export const [merchantId = MerchantId.parse('')] = merchants
export const memberId = MemberId.parse('mbr_01jd3f8q6hf5n8v1zr4c7e2m9k')
export const nowMs = Date.UTC(2026, 10, 21, 8, 30)
export const now = toTimestamp(nowMs)

/**
 * Number of rows of each table: a sequential scan of so many rows costs more than the index ranges that the statements
 * read.
 */
const rowsPerTable = 20_000

/** The id of row `i` contains a time, by which ids sort. The times are spread over the last months. */
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

/** Fills the tables for a test file. `planned` returns which tables a statement scans, and which indexes it uses. */
export function useDashboardRows() {
  const opened = useDatabase()
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
  return { opened, planned }
}
