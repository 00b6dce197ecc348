import { expect, test } from 'vitest'
import { columnOf } from '../../src/store/core/names.ts'
import { fixedColumns, fixedTables, movingTables } from '../../src/store/test-clock/fixed-times.ts'
import { useDatabase } from '../support/database.ts'

/**
 * The test clock moves every time of a merchant that fixed-times.ts does not list. If the test clock moves a new
 * column, add the column to this test. Otherwise, add it to fixed-times.ts with the reason.
 */

const opened = useDatabase()

async function columnsOfType(pattern: string): Promise<Record<string, string[]>> {
  const { rows } = await opened().database.pool.query(
    `select relname as table, attname as column
     from pg_class
     join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     join pg_type on pg_type.oid = atttypid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and typname ~ $1
       and exists (select from pg_attribute own where own.attrelid = pg_class.oid and own.attname = 'merchant_id')
     order by relname, attname`,
    [pattern],
  )
  const columns: Record<string, string[]> = {}
  for (const { table, column } of rows) columns[table] = [...(columns[table] ?? []), column]
  return columns
}

test('an advance of the test clock moves the timestamp columns that this test lists, and no others', async () => {
  const all = await columnsOfType('^timestamptz$')
  const moving = new Map(movingTables().map(({ table, fixed }) => [table, new Set(fixed.map(columnOf))]))
  const unclassified = Object.keys(all).filter((table) => !moving.has(table) && !Object.hasOwn(fixedTables, table))
  expect(unclassified, 'tables that are neither distributed nor listed').toEqual([])
  const moved = Object.entries(all).flatMap(([table, columns]) => {
    const fixed = moving.get(table)
    const own = columns.filter((column) => fixed?.has(column) === false)
    return own.length === 0 ? [] : [`${table}: ${own.join(', ')}`]
  })
  expect(moved).toMatchInlineSnapshot(`
    [
      "carrier_address_codes: created_at",
      "carrier_callbacks: next_attempt_at, processed_at, received_at",
      "customer_addresses: created_at, updated_at",
      "customers: created_at, deleted_at, updated_at",
      "discount_redemptions: created_at, released_at",
      "discounts: created_at, ends_at, starts_at, updated_at",
      "dispatch_attempts: answered_at, assign_deadline, monitor_until, next_check_at, not_found_since, resolved_at, started_at",
      "idempotency_keys: created_at, expires_at",
      "inventory: updated_at",
      "notification_positions: read_before",
      "notifications: created_at, read_at, resolved_at",
      "order_comments: created_at",
      "order_status_changes: occurred_at",
      "orders: cancelled_at, confirmed_at, created_at, delivered_at, expires_at, paid_at, returned_at, shipped_at, updated_at",
      "payment_disputes: opened_at, resolved_at",
      "payment_links: created_at, expires_at, key_updated_at, withdrawn_at",
      "payments: created_at, disputed_at, paid_at, voided_at",
      "product_imports: created_at, updated_at",
      "product_variants: archived_at, created_at, removed_at, updated_at",
      "products: archived_at, created_at, published_at, updated_at",
      "provider_callbacks: next_attempt_at, processed_at, received_at",
      "quote_offers: expires_at",
      "quotes: created_at, expires_at, redacted_at, used_at",
      "receipts: issued_at",
      "refunds: created_at, expected_at, failed_at, next_check_at, not_found_since, submitted_at, succeeded_at, updated_at",
      "remittances: created_at, received_at, voided_at",
      "returns: created_at, ended_at, received_at, updated_at",
      "schedule_predictions: arrival_p50_at, arrival_p90_at, arrived_at, completed_at, dispatch_at, dispatched_at, made_at, ready_at, ready_by_at, ready_p50_at, ready_p90_at, replanned_at",
      "shipment_events: occurred_at, received_at",
      "shipment_positions: received_at, recorded_at",
      "shipments: accepted_at, assigned_at, cancel_requested_at, cod_collected_at, created_at, delivered_at, dispatch_at, dispatched_at, ended_at, next_check_at, picked_up_at, scheduled_pickup_at, updated_at",
      "stock_movements: created_at",
      "unmatched_disputes: reported_at",
      "webhook_attempts: finished_at, started_at",
      "webhook_deliveries: completed_at, created_at, next_attempt_at",
      "webhook_endpoints: created_at, deleted_at, disabled_at, headers_changed_at, paced_until, updated_at",
      "webhook_secrets: created_at, expires_at",
    ]
  `)
})

test('the test clock moves the times in every JSON column of a merchant, except in the listed columns', async () => {
  const documents = new Map(movingTables().map(({ table, documents }) => [table, documents.map(columnOf)]))
  const unmoved = Object.entries(await columnsOfType('^json')).flatMap(([table, columns]) => {
    const own = columns.filter((column) => documents.get(table)?.includes(column) === false)
    return own.length === 0 ? [] : [`${table}: ${own.join(', ')}`]
  })
  expect(unmoved).toMatchInlineSnapshot(`
    [
      "customers: metadata",
      "discounts: metadata",
      "notifications: data",
      "order_discounts: allocations",
      "order_items: option_values",
      "orders: billing_address, metadata, shipping_address",
      "product_imports: actor, report",
      "product_variants: option_values",
      "products: images, metadata, options",
      "quote_offers: breakdown, dropoff_minutes, pickup_minutes",
      "quotes: carriers, dropoff, items, parcels, pickup, surge",
      "refunds: metadata",
      "shipments: courier, dropoff, failover, items, metadata, parcels, pickup, proof, removed_items, warnings",
    ]
  `)
})

test('every column that is listed as not moved by the test clock exists in the database', async () => {
  const all = await columnsOfType('^timestamptz$')
  const listed = Object.entries(fixedColumns).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${columnOf(column)}`),
  )
  const existing = Object.entries(all).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
  expect(listed.filter((column) => !existing.includes(column))).toEqual([])
  expect(Object.keys(fixedTables).filter((table) => !Object.hasOwn(all, table))).toEqual([])
})
