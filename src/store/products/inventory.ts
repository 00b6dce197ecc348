import { sql } from 'kysely'
import type { MovementReason, StockMovement } from '../../../registry/products/inventory.ts'
import type { MerchantId, ProductId, VariantId } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb } from '../core/database.ts'
import { type CreatedRange, createdWithin, ifGiven, type PageArgs, type PageRequest, pageArgs } from '../core/page.ts'
import { insertingRows, updatingRows } from '../core/rows.ts'
import { build, locking, reading } from '../core/statement.ts'
import { type Stock, stockColumns, stockTables } from './stock.ts'

/**
 * Locks the stock of one variant of a product, or of all its variants that are not removed, in the order of their ids.
 */
const lock = locking<{ merchantId: MerchantId; productId: ProductId; variantId: VariantId | null }>()(
  'lock_product_stock',
  (p) =>
    stockTables
      .select(stockColumns)
      .where('products.merchantId', '=', p.merchantId)
      .where('products.id', '=', p.productId)
      .where('product_variants.removedAt', 'is', null)
      .where(sql<boolean>`(${p.variantId}::text is null or stock.variant_id = ${p.variantId})`)
      .select(['stock.lowStockThreshold as ownThreshold', 'merchants.lowStockThreshold as merchantThreshold'])
      .orderBy('stock.variantId')
      .forUpdate('stock'),
)

export interface ProductStock extends Stock {
  /** The low-stock threshold of the variant itself, not that of its product or merchant. */
  readonly ownThreshold: number | null
  /**
   * The merchant's low-stock threshold. It applies to variants without a threshold of their own or of their product.
   */
  readonly merchantThreshold: number | null
}

export function lockProductStock(
  trx: LockTrx,
  merchantId: MerchantId,
  productId: ProductId,
  variantId: VariantId | null = null,
): Promise<readonly ProductStock[]> {
  return trx.lock(lock, { merchantId, productId, variantId })
}

/** Inserts the inventory row of a new variant. A stock movement adds the opening quantity. */
export const inventoryRows = insertingRows('inventory')

/** Requires the locks of the stock rows. */
export const stockSettings = updatingRows(
  'inventory',
  ['merchantId', 'variantId'],
  ['tracked', 'allowBackorder', 'lowStockThreshold', 'productLowStockThreshold', 'isLow', 'updatedAt'],
)

export interface MovementFilters extends CreatedRange {
  readonly reason?: readonly MovementReason[] | undefined
}

/** Lists inventory movements by id. An id starts with the creation time, so the index returns them newest first. */
const list = reading<MovementFilters & PageArgs & { merchantId: MerchantId; variantId: VariantId }>()(
  'list_inventory_movements',
  (p) =>
    build
      .selectFrom('stock_movements')
      .where('merchantId', '=', p.merchantId)
      .where('variantId', '=', p.variantId)
      .where(ifGiven(p.reason, sql`reason = any(${p.reason}::text[])`))
      .where(createdWithin('stock_movements', p))
      .where(ifGiven(p.afterId, sql`id < ${p.afterId}`))
      .select([
        'id',
        'variantId',
        'reason',
        'orderId',
        'refundId',
        'onHandDelta',
        'reservedDelta',
        'onHand',
        'reserved',
        'note',
        'createdAt',
      ])
      .orderBy('id', 'desc')
      .limit(p.limit),
)

export function listInventoryMovements(
  db: ReadDb,
  of: { merchantId: MerchantId; variantId: VariantId },
  filters: MovementFilters,
  page: PageRequest,
): Promise<readonly StockMovement[]> {
  return db.read(list, { ...of, ...filters, ...pageArgs(page) })
}

const place = reading<{ merchantId: MerchantId; productId: ProductId; variantId: VariantId }>()(
  'find_variant_place',
  (p) =>
    build
      .selectFrom('products')
      .where('merchantId', '=', p.merchantId)
      .where('products.id', '=', p.productId)
      .select((product) =>
        product
          .exists(
            product
              .selectFrom('product_variants')
              .where('product_variants.merchantId', '=', p.merchantId)
              .whereRef('product_variants.productId', '=', 'products.id')
              .where('product_variants.id', '=', p.variantId)
              .where('product_variants.removedAt', 'is', null)
              .select('product_variants.id'),
          )
          .as('hasVariant'),
      ),
)

export async function findVariantPlace(
  db: ReadDb,
  of: { merchantId: MerchantId; productId: ProductId; variantId: VariantId },
): Promise<'found' | 'no_product' | 'no_variant'> {
  const [row] = await db.read(place, of)
  if (row === undefined) return 'no_product'
  return row.hasVariant ? 'found' : 'no_variant'
}
