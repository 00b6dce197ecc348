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
    'merchantId',
    'id',
    'title',
    'slug',
    'description',
    'status',
    'options',
    'images',
    'category',
    'tags',
    'taxExempt',
    'metadata',
    'version',
    'publishedAt',
    'createdAt',
    'updatedAt',
  ],
  { withDefaults: ['brand', 'lowStockThreshold', 'archivedAt'] },
)
export type SeedProduct = RowOf<typeof seedProducts>

export const seedVariants = insertingRows(
  'product_variants',
  ['merchantId', 'id', 'productId', 'sku', 'title', 'optionValues', 'priceKobo', 'position', 'createdAt', 'updatedAt'],
  {
    withDefaults: ['compareAtPriceKobo', 'costKobo', 'barcode', 'weightGrams', 'imageId', 'archivedAt', 'removedAt'],
  },
)
export type SeedVariant = RowOf<typeof seedVariants>

/** An existing customer with the same e-mail address is not changed. */
export const seedCustomers = insertingRows(
  'customers',
  [
    'merchantId',
    'id',
    'name',
    'email',
    'phone',
    'tags',
    'marketing',
    'status',
    'metadata',
    'version',
    'createdAt',
    'updatedAt',
  ],
  {
    withDefaults: ['defaultAddressId', 'note', 'externalReference', 'deletedAt'],
    conflict: sql`on conflict (merchant_id, lower(email)) where deleted_at is null do nothing`,
  },
)
export type SeedCustomer = RowOf<typeof seedCustomers>

export const seedOrders = insertingRows(
  'orders',
  [
    'merchantId',
    'id',
    'number',
    'status',
    'heldFrom',
    'version',
    'customerId',
    'customerName',
    'customerEmail',
    'customerPhone',
    'paymentMethod',
    'subtotalKobo',
    'discountKobo',
    'shippingKobo',
    'taxKobo',
    'totalKobo',
    'taxInclusive',
    'taxRateBps',
    'paidKobo',
    'refundedKobo',
    'refundPendingKobo',
    'refundedTaxKobo',
    'itemQuantity',
    'fulfilledQuantity',
    'returnedQuantity',
    'shippingAddress',
    'tags',
    'externalReference',
    'source',
    'cancelReason',
    'metadata',
    'expiresAt',
    'confirmedAt',
    'paidAt',
    'shippedAt',
    'deliveredAt',
    'cancelledAt',
    'returnedAt',
    'createdAt',
    'updatedAt',
  ],
  { withDefaults: ['billingAddress', 'note', 'customerNote', 'cancelNote', 'providerPaidKobo'] },
)
export type SeedOrder = RowOf<typeof seedOrders>

export const seedItems = insertingRows(
  'order_items',
  [
    'merchantId',
    'orderId',
    'id',
    'position',
    'productId',
    'variantId',
    'sku',
    'title',
    'variantTitle',
    'optionValues',
    'quantity',
    'fulfilledQuantity',
    'returnedQuantity',
    'refundedQuantity',
    'cancelledQuantity',
    'unitPriceKobo',
    'compareAtPriceKobo',
    'subtotalKobo',
    'discountKobo',
    'taxRateBps',
    'taxKobo',
    'totalKobo',
  ],
  { withDefaults: ['imageUrl', 'lostQuantity'] },
)
export type SeedItem = RowOf<typeof seedItems>

export const seedPayments = insertingRows(
  'payments',
  ['merchantId', 'id', 'orderId', 'amountKobo', 'method', 'reference', 'provider', 'paidAt', 'createdAt'],
  { withDefaults: ['disputedAt', 'disputeLostKobo', 'voidedAt', 'voidReason'] },
)
export type SeedPayment = RowOf<typeof seedPayments>

export const seedStatusChanges = insertingRows('order_status_changes', [
  'merchantId',
  'orderId',
  'version',
  'fromStatus',
  'toStatus',
  'reason',
  'actorType',
  'actorId',
  'occurredAt',
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
