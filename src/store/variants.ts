import { sql } from 'kysely'
import type { Kobo, MerchantId, OrderId, ProductId, Timestamp, VariantId } from '../../registry/vocabulary.ts'
import { newId } from '../ids.ts'
import type { WriteTrx } from './database.ts'
import { insertingRows } from './rows.ts'
import { build, writing } from './statement.ts'

/** A variant as it is sold, with its stock locked until the end of the transaction. */
export interface SellableVariant {
  readonly id: VariantId
  readonly productId: ProductId
  readonly sku: string
  readonly title: string
  readonly variantTitle: string
  readonly optionValues: Record<string, string>
  readonly priceKobo: Kobo
  readonly compareAtPriceKobo: Kobo | null
  readonly isTaxExempt: boolean
  readonly isSellable: boolean
  readonly onHand: number
  readonly reserved: number
  readonly isTracked: boolean
  readonly allowsBackorder: boolean
  readonly isLow: boolean
  readonly ownThreshold: number | null
}

/** Locked in the order of their ids, so that two orders for the same variants cannot wait for each other. */
const lock = writing<{ merchantId: MerchantId; ids: readonly VariantId[] }>()('lock_variants', (p) =>
  build
    .selectFrom('inventory as stock')
    .innerJoin('product_variants as variant', (join) =>
      join.onRef('variant.merchant_id', '=', 'stock.merchant_id').onRef('variant.id', '=', 'stock.variant_id'),
    )
    .innerJoin('products as product', (join) =>
      join.onRef('product.merchant_id', '=', 'variant.merchant_id').onRef('product.id', '=', 'variant.product_id'),
    )
    .where('stock.merchant_id', '=', p.merchantId)
    .where(sql<boolean>`stock.variant_id = any(${p.ids}::text[])`)
    .select([
      'variant.id',
      'product.id as productId',
      'variant.sku',
      'product.title',
      'variant.title as variantTitle',
      sql<Record<string, string>>`variant.option_values`.as('optionValues'),
      'variant.price_kobo as priceKobo',
      'variant.compare_at_price_kobo as compareAtPriceKobo',
      'product.tax_exempt as isTaxExempt',
      sql<boolean>`product.status = 'active' and variant.archived_at is null`.as('isSellable'),
      'stock.on_hand as onHand',
      'stock.reserved',
      'stock.tracked as isTracked',
      'stock.allow_backorder as allowsBackorder',
      'stock.is_low as isLow',
      sql<number | null>`coalesce(stock.low_stock_threshold, product.low_stock_threshold)`.as('ownThreshold'),
    ])
    .orderBy('stock.variant_id')
    .forUpdate('stock'),
)

export function lockVariants(
  trx: WriteTrx,
  merchantId: MerchantId,
  ids: readonly VariantId[],
): Promise<readonly SellableVariant[]> {
  return trx.write(lock, { merchantId, ids })
}

export interface Reservation {
  readonly variantId: VariantId
  readonly quantity: number
  readonly onHand: number
  /** After this reservation. */
  readonly reserved: number
  readonly isLow: boolean
}

const reserve = writing<{ merchantId: MerchantId; reservations: string; now: Timestamp }>()(
  'reserve_stock',
  (p) => sql`
    update inventory
    set reserved = taken.reserved, is_low = taken.is_low, updated_at = ${p.now}::timestamptz
    from jsonb_to_recordset(${p.reservations}::jsonb) as taken (variant_id text, reserved integer, is_low boolean)
    where inventory.merchant_id = ${p.merchantId} and inventory.variant_id = taken.variant_id`,
)

const insertMovements = insertingRows('stock_movements', [
  'merchant_id',
  'id',
  'variant_id',
  'reason',
  'order_id',
  'on_hand_delta',
  'reserved_delta',
  'on_hand',
  'reserved',
  'created_at',
])

/** Promises stock to an order and enters it in the ledger. The rows are locked, so the new numbers are sure. */
export function reserveStock(
  trx: WriteTrx,
  order: { merchantId: MerchantId; orderId: OrderId; nowMs: number; now: Timestamp },
  reservations: readonly Reservation[],
): void {
  const rows = reservations.map(({ variantId, reserved, isLow }) => ({
    variant_id: variantId,
    reserved,
    is_low: isLow,
  }))
  const { merchantId, now } = order
  trx.queue(reserve, { merchantId, reservations: JSON.stringify(rows), now })
  const movements = reservations.map((reservation) => ({
    merchant_id: merchantId,
    id: newId('mov', order.nowMs),
    variant_id: reservation.variantId,
    reason: 'order_reserved',
    order_id: order.orderId,
    on_hand_delta: 0,
    reserved_delta: reservation.quantity,
    on_hand: reservation.onHand,
    reserved: reservation.reserved,
    created_at: now,
  }))
  insertMovements.insert(trx, movements)
}
