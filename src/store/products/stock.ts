import { sql } from 'kysely'
import type {
  MerchantId,
  OrderId,
  OrderItemId,
  ProductId,
  Timestamp,
  VariantId,
} from '../../../registry/values/vocabulary.ts'
import type { LockTrx, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf, updatingRows } from '../core/rows.ts'
import { build, locking, writing } from '../core/statement.ts'

/** The stock of one variant, locked until the end of the transaction, with the words an event tells it in. */
export interface Stock {
  readonly variantId: VariantId
  readonly productId: ProductId
  readonly sku: string
  readonly title: string
  readonly variantTitle: string
  readonly isArchived: boolean
  readonly onHand: number
  readonly reserved: number
  readonly isTracked: boolean
  readonly allowsBackorder: boolean
  readonly isLow: boolean
  /** The variant's own, else the product's, else the merchant's; null means that stock is never low. */
  readonly threshold: number | null
}

/** The columns of a Stock, over the four tables they come from. */
export const stockColumns = [
  'stock.variant_id as variantId',
  'products.id as productId',
  'product_variants.sku',
  'products.title',
  'product_variants.title as variantTitle',
  sql<boolean>`products.status = 'archived' or product_variants.archived_at is not null`.as('isArchived'),
  'stock.on_hand as onHand',
  'stock.reserved',
  'stock.tracked as isTracked',
  'stock.allow_backorder as allowsBackorder',
  'stock.is_low as isLow',
  sql<number | null>`
    coalesce(stock.low_stock_threshold, stock.product_low_stock_threshold, merchants.low_stock_threshold)`.as(
    'threshold',
  ),
] as const

export const stockTables = build
  .selectFrom('inventory as stock')
  .innerJoin('product_variants', (join) =>
    join
      .onRef('product_variants.merchant_id', '=', 'stock.merchant_id')
      .onRef('product_variants.id', '=', 'stock.variant_id'),
  )
  .innerJoin('products', (join) =>
    join
      .onRef('products.merchant_id', '=', 'product_variants.merchant_id')
      .onRef('products.id', '=', 'product_variants.product_id'),
  )
  .innerJoin('merchants', 'merchants.id', 'stock.merchant_id')

/** Locked in the order of their ids, so that two transactions over the same variants cannot wait for each other. */
const lock = locking<{ merchantId: MerchantId; variantIds: readonly VariantId[] }>()('lock_stock', (p) =>
  stockTables
    .select(stockColumns)
    .where('stock.merchant_id', '=', p.merchantId)
    .where(sql<boolean>`stock.variant_id = any(${p.variantIds}::text[])`)
    .orderBy('stock.variant_id')
    .forUpdate('stock'),
)

export function lockStock(
  trx: LockTrx,
  merchantId: MerchantId,
  variantIds: readonly VariantId[],
): Promise<readonly Stock[]> {
  return trx.lock(lock, { merchantId, variantIds })
}

const lockByDefault = locking<{ merchantId: MerchantId }>()('lock_stock_by_default', (p) =>
  stockTables
    .select(stockColumns)
    .where('stock.merchant_id', '=', p.merchantId)
    .where(sql<boolean>`coalesce(stock.low_stock_threshold, stock.product_low_stock_threshold) is null`)
    .orderBy('stock.variant_id')
    .forUpdate('stock'),
)

/** The stock of all variants that go by the merchant's own threshold. */
export function lockStockByDefault(trx: LockTrx, merchantId: MerchantId): Promise<readonly Stock[]> {
  return trx.lock(lockByDefault, { merchantId })
}

/** Whether stock is low, where nothing else of it changes. */
export const lowFlags = updatingRows('inventory', ['merchant_id', 'variant_id'], ['is_low', 'updated_at'])

/** A line of an order with the stock of its variant. */
export interface LineStock extends Stock {
  readonly itemId: OrderItemId
  readonly quantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
  readonly cancelledQuantity: number
}

const lockForOrder = locking<{ merchantId: MerchantId; orderId: OrderId }>()('lock_order_stock', (p) =>
  stockTables
    .select(stockColumns)
    .innerJoin('order_items', (join) =>
      join
        .onRef('order_items.merchant_id', '=', 'stock.merchant_id')
        .onRef('order_items.variant_id', '=', 'stock.variant_id'),
    )
    .where('order_items.merchant_id', '=', p.merchantId)
    .where('order_items.order_id', '=', p.orderId)
    .select([
      'order_items.id as itemId',
      'order_items.quantity',
      'order_items.fulfilled_quantity as fulfilledQuantity',
      'order_items.returned_quantity as returnedQuantity',
      'order_items.cancelled_quantity as cancelledQuantity',
    ])
    .orderBy('stock.variant_id')
    .forUpdate('stock'),
)

/** The lines of an order with their stock locked. To be called behind the lock on the order, which guards the lines. */
export function lockOrderStock(trx: LockTrx, merchantId: MerchantId, orderId: OrderId): Promise<readonly LineStock[]> {
  return trx.lock(lockForOrder, { merchantId, orderId })
}

/** The levels a variant is left with. */
export interface StockLevels {
  readonly variantId: VariantId
  readonly onHand: number
  readonly reserved: number
  readonly isLow: boolean
}

const write = writing<{ merchantId: MerchantId; levels: string; now: Timestamp }>()(
  'write_stock',
  (p) => sql`
    update inventory
    set
      on_hand = level."onHand",
      reserved = level.reserved,
      is_low = level."isLow",
      updated_at = ${p.now}::timestamptz
    from jsonb_to_recordset(${p.levels}::jsonb)
      as level ("variantId" text, "onHand" integer, reserved integer, "isLow" boolean)
    where inventory.merchant_id = ${p.merchantId} and inventory.variant_id = level."variantId"`,
)

const insertMovements = insertingRows('stock_movements', [
  'merchant_id',
  'id',
  'variant_id',
  'reason',
  'order_id',
  'refund_id',
  'on_hand_delta',
  'reserved_delta',
  'on_hand',
  'reserved',
  'note',
  'created_at',
])

export type MovementRow = RowOf<typeof insertMovements>

/** Writes new levels and the ledger's entries that lead to them. The rows are locked, so the levels are sure. */
export function writeStock(
  trx: WriteTrx,
  at: { merchantId: MerchantId; now: Timestamp },
  levels: readonly StockLevels[],
  movements: readonly MovementRow[],
): void {
  if (levels.length === 0) return
  trx.queue(write, { ...at, levels: JSON.stringify(levels) })
  insertMovements.insert(trx, movements)
}
