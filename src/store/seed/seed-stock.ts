import { sql } from 'kysely'
import type { MerchantId, OrderId, Timestamp, VariantId } from '../../../registry/values/vocabulary.ts'
import { checking, queueing } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, locking, reading, writing } from '../core/statement.ts'

/**
 * Stock of seeded products and orders. Every change is recorded as an inventory movement, so that the inventory is the
 * sum of its movements.
 */

/** One change of one variant's stock. Ids sort in the order in which the changes are made. */
export interface SeedMovement {
  readonly id: string
  readonly variantId: VariantId
  readonly reason: 'opening' | 'restock' | 'order_reserved' | 'order_released' | 'order_fulfilled' | 'order_returned'
  readonly orderId: OrderId | null
  readonly onHandDelta: number
  readonly reservedDelta: number
}

interface StockArgs {
  readonly merchantId: MerchantId
  readonly now: Timestamp
}

/**
 * The inventory rows are locked in the sequence of the variant ids, so that two transactions that sell the same
 * variants do not deadlock.
 */
const lockInventory = locking<{ merchantId: MerchantId; variantIds: readonly VariantId[] }>()(
  'lock_seeded_inventory',
  (p) => sql`
    select from inventory
    where merchant_id = ${p.merchantId} and variant_id = any(${p.variantIds}::text[])
    order by variant_id
    for update`,
)

/**
 * Each movement contains the stock levels after the movement: the locked stock levels plus all changes of the batch up
 * to and including the movement.
 */
const insertMovements = writing<StockArgs & { movements: string }>()(
  'seed_stock_movements',
  (p) => sql`
    insert into stock_movements (
      merchant_id, id, variant_id, reason, order_id, on_hand_delta, reserved_delta, on_hand, reserved, created_at
    )
    select
      ${p.merchantId}, change.id, change."variantId", change.reason, change."orderId",
      change."onHandDelta", change."reservedDelta",
      inventory.on_hand + sum(change."onHandDelta") over so_far,
      inventory.reserved + sum(change."reservedDelta") over so_far,
      ${p.now}::timestamptz
    from json_to_recordset(${p.movements}::json) as change (
      id text, "variantId" text, reason text, "orderId" text, "onHandDelta" integer, "reservedDelta" integer
    )
    join inventory on inventory.merchant_id = ${p.merchantId} and inventory.variant_id = change."variantId"
    window so_far as (partition by change."variantId" order by change.id collate "C")`,
)

const moveInventory = writing<
  StockArgs & { variantIds: readonly VariantId[]; onHand: readonly number[]; reserved: readonly number[] }
>()(
  'seed_inventory_levels',
  (p) => sql`
    update inventory
    set
      on_hand = inventory.on_hand + change.on_hand,
      reserved = inventory.reserved + change.reserved,
      is_low = coalesce(
        inventory.available + change.on_hand - change.reserved
          <= coalesce(inventory.low_stock_threshold, product.low_stock_threshold, merchant.low_stock_threshold),
        false
      ),
      updated_at = ${p.now}::timestamptz
    from unnest(${p.variantIds}::text[], ${p.onHand}::integer[], ${p.reserved}::integer[])
        as change (variant_id, on_hand, reserved)
      join product_variants variant on variant.merchant_id = ${p.merchantId} and variant.id = change.variant_id
      join products product on product.merchant_id = variant.merchant_id and product.id = variant.product_id
      join merchants merchant on merchant.id = variant.merchant_id
    where inventory.merchant_id = ${p.merchantId} and inventory.variant_id = change.variant_id`,
)

/**
 * Inserts the inventory rows of new variants, with zero units. A variant with a low-stock threshold is therefore marked
 * as low at first; no low-stock event is emitted for this.
 */
export const insertOpeningInventory = queueing<StockArgs & { variantIds: readonly VariantId[] }>()(
  'seed_inventory',
  (p) => sql`
    insert into inventory (merchant_id, variant_id, updated_at)
    select ${p.merchantId}, variant_id, ${p.now}::timestamptz
    from unnest(${p.variantIds}::text[]) as variant (variant_id)`,
)

/** Writes the inventory movements, and sets the inventory to the stock levels that follow from these movements. */
export function moveStock(trx: WriteTrx, args: StockArgs & { movements: readonly SeedMovement[] }): void {
  const { merchantId, now, movements } = args
  const totals = new Map<VariantId, { onHand: number; reserved: number }>()
  for (const movement of movements) {
    const total = totals.get(movement.variantId) ?? { onHand: 0, reserved: 0 }
    total.onHand += movement.onHandDelta
    total.reserved += movement.reservedDelta
    totals.set(movement.variantId, total)
  }
  const variantIds = [...totals.keys()]
  trx.queue(lockInventory, { merchantId, variantIds })
  trx.queue(insertMovements, { merchantId, now, movements: JSON.stringify(movements) })
  trx.queue(moveInventory, {
    merchantId,
    now,
    variantIds,
    onHand: [...totals.values()].map((total) => total.onHand),
    reserved: [...totals.values()].map((total) => total.reserved),
  })
}

const sellable = reading<{ merchantId: MerchantId }>()('sellable_variants', (p) =>
  build
    .selectFrom('product_variants as variant')
    .innerJoin('products as product', (join) =>
      join.onRef('product.merchantId', '=', 'variant.merchantId').onRef('product.id', '=', 'variant.productId'),
    )
    .innerJoin('inventory', (join) =>
      join.onRef('inventory.merchantId', '=', 'variant.merchantId').onRef('inventory.variantId', '=', 'variant.id'),
    )
    .where('variant.merchantId', '=', p.merchantId)
    .where('variant.archivedAt', 'is', null)
    .where('product.status', '=', 'active')
    .where('inventory.tracked', '=', true)
    .select([
      'variant.id as variantId',
      'variant.productId',
      'variant.sku',
      'product.title',
      'variant.title as variantTitle',
      'variant.optionValues',
      'variant.priceKobo',
      'variant.compareAtPriceKobo',
      'product.taxExempt as isTaxExempt',
    ])
    .orderBy(sql`lower(variant.sku) collate "C"`),
)

export type SellableVariant = Awaited<ReturnType<typeof listSellableVariants>>[number]

/** Returns the variants that can be ordered and have tracked stock, sorted by SKU. */
export function listSellableVariants(db: ReadDb, merchantId: MerchantId) {
  return db.read(sellable, { merchantId })
}

export const hasProducts = checking<{ merchantId: MerchantId }>()('any_product', (p) =>
  build.selectFrom('products').where('merchantId', '=', p.merchantId).select('id').limit(1),
)
