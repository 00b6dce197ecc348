import { sql } from 'kysely'
import { running } from '../core/calls.ts'
import { insertingRows, type RowOf } from '../core/rows.ts'

/**
 * Bulk inserts for demo data and benchmarks: one statement per table and batch, with rows as JSON that PostgreSQL
 * expands with the row type of the table.
 */
export const seedProducts = insertingRows('products')
export type SeedProduct = RowOf<typeof seedProducts>

export const seedVariants = insertingRows('product_variants')
export type SeedVariant = RowOf<typeof seedVariants>

/** Inserts customers. An existing customer with the same e-mail address is not changed. */
export const seedCustomers = insertingRows(
  'customers',
  sql`on conflict (merchant_id, lower(email)) where deleted_at is null do nothing`,
)
export type SeedCustomer = RowOf<typeof seedCustomers>

export const seedOrders = insertingRows('orders')
export type SeedOrder = RowOf<typeof seedOrders>

export const seedItems = insertingRows('order_items')
export type SeedItem = RowOf<typeof seedItems>

export const seedPayments = insertingRows('payments')
export type SeedPayment = RowOf<typeof seedPayments>

export const seedStatusChanges = insertingRows('order_status_changes')
export type SeedStatusChange = RowOf<typeof seedStatusChanges>

/**
 * Updates the statistics of the planner. Without statistics, the planner estimates that a merchant has one or two rows.
 * PostgreSQL then reads all rows instead of using the right index, and caches this plan until the connection closes.
 */
export const analyzeSeededTables = running<object>()('analyze_seeded_tables', () => sql`select analyze_seeded_tables()`)
