import { sql } from 'kysely'
import type { ItemUnits } from '../../../registry/orders/order-states.ts'
import type {
  MerchantId,
  OrderId,
  OrderItemId,
  ProductId,
  Timestamp,
  VariantId,
} from '../../../registry/values/vocabulary.ts'
import { lockingAll } from '../core/calls.ts'
import type { LockTrx, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf, updatingRows } from '../core/rows.ts'
import { build, locking, writing } from '../core/statement.ts'

/** The locked stock of one variant, with the SKU and the titles that stock events contain. */
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
  /**
   * The low-stock threshold of the variant, otherwise that of the product, otherwise that of the merchant. If it is
   * null, the stock is never treated as low.
   */
  readonly threshold: number | null
  /** When the stock or its settings last changed. Null for a new variant. */
  readonly changedAt: Timestamp | null
}

/** The select list of the columns of `Stock`, for queries that select from `stockTables`. */
export const stockColumns = [
  'stock.variantId',
  'products.id as productId',
  'product_variants.sku',
  'products.title',
  'product_variants.title as variantTitle',
  sql<boolean>`products.status = 'archived' or product_variants.archived_at is not null`.as('isArchived'),
  'stock.onHand',
  'stock.reserved',
  'stock.tracked as isTracked',
  'stock.allowBackorder as allowsBackorder',
  'stock.isLow',
  'stock.updatedAt as changedAt',
  sql<number | null>`
    coalesce(stock.low_stock_threshold, stock.product_low_stock_threshold, merchants.low_stock_threshold)`.as(
    'threshold',
  ),
] as const

export const stockTables = build
  .selectFrom('inventory as stock')
  .innerJoin('product_variants', (join) =>
    join
      .onRef('product_variants.merchantId', '=', 'stock.merchantId')
      .onRef('product_variants.id', '=', 'stock.variantId'),
  )
  .innerJoin('products', (join) =>
    join
      .onRef('products.merchantId', '=', 'product_variants.merchantId')
      .onRef('products.id', '=', 'product_variants.productId'),
  )
  .innerJoin('merchants', 'merchants.id', 'stock.merchantId')

/** Locks stock in the order of the variants' ids, so that concurrent transactions cannot deadlock. */
const lock = locking<{ merchantId: MerchantId; variantIds: readonly VariantId[] }>()('lock_stock', (p) =>
  stockTables
    .select(stockColumns)
    .where('stock.merchantId', '=', p.merchantId)
    .where(sql<boolean>`stock.variant_id = any(${p.variantIds}::text[])`)
    .orderBy('stock.variantId')
    .forUpdate('stock'),
)

export function lockStock(
  trx: LockTrx,
  merchantId: MerchantId,
  variantIds: readonly VariantId[],
): Promise<readonly Stock[]> {
  return trx.lock(lock, { merchantId, variantIds })
}

/** Locks the stock of all variants that use the merchant's low-stock threshold. */
export const lockStockByDefault = lockingAll<{ merchantId: MerchantId }>()('lock_stock_by_default', (p) =>
  stockTables
    .select(stockColumns)
    .where('stock.merchantId', '=', p.merchantId)
    .where(sql<boolean>`coalesce(stock.low_stock_threshold, stock.product_low_stock_threshold) is null`)
    .orderBy('stock.variantId')
    .forUpdate('stock'),
)

export const lowFlags = updatingRows('inventory', ['merchantId', 'variantId'], ['isLow', 'updatedAt'])

export interface LineStock extends Stock, ItemUnits {
  readonly itemId: OrderItemId
}

/** Locks the stock of an order's items. Requires the order's lock, which also protects the items. */
export const lockOrderStock = lockingAll<{ merchantId: MerchantId; orderId: OrderId }>()('lock_order_stock', (p) =>
  stockTables
    .select(stockColumns)
    .innerJoin('order_items', (join) =>
      join
        .onRef('order_items.merchantId', '=', 'stock.merchantId')
        .onRef('order_items.variantId', '=', 'stock.variantId'),
    )
    .where('order_items.merchantId', '=', p.merchantId)
    .where('order_items.orderId', '=', p.orderId)
    .select([
      'order_items.id as itemId',
      'order_items.quantity',
      'order_items.fulfilledQuantity',
      'order_items.returnedQuantity',
      'order_items.lostQuantity',
      'order_items.cancelledQuantity',
      'order_items.refundedQuantity',
    ])
    .orderBy('stock.variantId')
    .forUpdate('stock'),
)

export interface StockLevels {
  readonly variantId: VariantId
  readonly onHand: number
  readonly reserved: number
  readonly isLow: boolean
  readonly changedAt: Timestamp
}

const write = writing<{ merchantId: MerchantId; levels: string }>()(
  'write_stock',
  (p) => sql`
    update inventory
    set
      on_hand = level."onHand",
      reserved = level.reserved,
      is_low = level."isLow",
      updated_at = level."changedAt"
    from jsonb_to_recordset(${p.levels}::jsonb)
      as level ("variantId" text, "onHand" integer, reserved integer, "isLow" boolean, "changedAt" timestamptz)
    where inventory.merchant_id = ${p.merchantId} and inventory.variant_id = level."variantId"`,
)

const insertMovements = insertingRows('stock_movements')

export type MovementRow = RowOf<typeof insertMovements>

/** Requires the locks of the stock rows. */
export function writeStock(
  trx: WriteTrx,
  merchantId: MerchantId,
  levels: readonly StockLevels[],
  movements: readonly MovementRow[],
): void {
  if (levels.length === 0) return
  trx.queue(write, { merchantId, levels: JSON.stringify(levels) })
  insertMovements.insert(trx, movements)
}
