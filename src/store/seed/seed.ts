import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { insertingRows, type RowOf } from '../core/rows.ts'
import { writing } from '../core/statement.ts'

/**
 * Bulk inserts for demo data and benchmarks: one statement per table and batch, with rows as JSON that PostgreSQL
 * expands with the row type of the table.
 */
export const seedProducts = insertingRows(
  'products',
  [
    'merchant_id',
    'id',
    'title',
    'slug',
    'description',
    'status',
    'options',
    'images',
    'category',
    'tags',
    'tax_exempt',
    'metadata',
    'version',
    'published_at',
    'created_at',
    'updated_at',
  ],
  { withDefaults: ['brand', 'low_stock_threshold', 'archived_at'] },
)
export type SeedProduct = RowOf<typeof seedProducts>

export const seedVariants = insertingRows(
  'product_variants',
  [
    'merchant_id',
    'id',
    'product_id',
    'sku',
    'title',
    'option_values',
    'price_kobo',
    'position',
    'created_at',
    'updated_at',
  ],
  {
    withDefaults: [
      'compare_at_price_kobo',
      'cost_kobo',
      'barcode',
      'weight_grams',
      'image_id',
      'archived_at',
      'removed_at',
    ],
  },
)
export type SeedVariant = RowOf<typeof seedVariants>

/** An existing customer with the same e-mail address is not changed. */
export const seedCustomers = insertingRows(
  'customers',
  [
    'merchant_id',
    'id',
    'name',
    'email',
    'phone',
    'tags',
    'marketing',
    'status',
    'metadata',
    'version',
    'created_at',
    'updated_at',
  ],
  {
    withDefaults: ['default_address_id', 'note', 'external_reference', 'deleted_at'],
    conflict: sql`on conflict (merchant_id, lower(email)) where deleted_at is null do nothing`,
  },
)
export type SeedCustomer = RowOf<typeof seedCustomers>

export const seedOrders = insertingRows(
  'orders',
  [
    'merchant_id',
    'id',
    'number',
    'status',
    'held_from',
    'version',
    'customer_id',
    'customer_name',
    'customer_email',
    'customer_phone',
    'payment_method',
    'subtotal_kobo',
    'discount_kobo',
    'shipping_kobo',
    'tax_kobo',
    'total_kobo',
    'tax_inclusive',
    'tax_rate_bps',
    'paid_kobo',
    'refunded_kobo',
    'refund_pending_kobo',
    'refunded_tax_kobo',
    'item_quantity',
    'fulfilled_quantity',
    'returned_quantity',
    'shipping_address',
    'tags',
    'external_reference',
    'source',
    'cancel_reason',
    'metadata',
    'expires_at',
    'confirmed_at',
    'paid_at',
    'shipped_at',
    'delivered_at',
    'cancelled_at',
    'returned_at',
    'created_at',
    'updated_at',
  ],
  { withDefaults: ['billing_address', 'note', 'customer_note', 'cancel_note', 'provider_paid_kobo'] },
)
export type SeedOrder = RowOf<typeof seedOrders>

export const seedItems = insertingRows(
  'order_items',
  [
    'merchant_id',
    'order_id',
    'id',
    'position',
    'product_id',
    'variant_id',
    'sku',
    'title',
    'variant_title',
    'option_values',
    'quantity',
    'fulfilled_quantity',
    'returned_quantity',
    'refunded_quantity',
    'cancelled_quantity',
    'unit_price_kobo',
    'compare_at_price_kobo',
    'subtotal_kobo',
    'discount_kobo',
    'tax_rate_bps',
    'tax_kobo',
    'total_kobo',
  ],
  { withDefaults: ['image_url', 'lost_quantity'] },
)
export type SeedItem = RowOf<typeof seedItems>

export const seedPayments = insertingRows(
  'payments',
  ['merchant_id', 'id', 'order_id', 'amount_kobo', 'method', 'reference', 'provider', 'paid_at', 'created_at'],
  { withDefaults: ['disputed_at', 'dispute_lost_kobo', 'voided_at', 'void_reason'] },
)
export type SeedPayment = RowOf<typeof seedPayments>

export const seedStatusChanges = insertingRows('order_status_changes', [
  'merchant_id',
  'order_id',
  'version',
  'from_status',
  'to_status',
  'reason',
  'actor_type',
  'actor_id',
  'occurred_at',
])
export type SeedStatusChange = RowOf<typeof seedStatusChanges>

const analyze = writing<object>()('analyze_seeded_tables', () => sql`select analyze_seeded_tables()`)

/**
 * Updates the statistics of the planner. Without them, it estimates that a merchant has one or two rows, reads all rows
 * instead of using the right index, and caches that plan until the connection closes.
 */
export async function analyzeSeededTables(database: Database): Promise<void> {
  await database.run(analyze, {})
}
