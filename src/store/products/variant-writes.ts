import { sql } from 'kysely'
import type { MerchantId, ProductId, Timestamp, VariantId } from '../../../registry/values/vocabulary.ts'
import { queueing } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type NewRow, updatingRows } from '../core/rows.ts'
import { build, reading } from '../core/statement.ts'

const changing = [
  'sku',
  'title',
  'optionValues',
  'priceKobo',
  'compareAtPriceKobo',
  'costKobo',
  'barcode',
  'weightGrams',
  'imageId',
  'position',
  'archivedAt',
  'updatedAt',
] as const

const variantRows = insertingRows('product_variants')
export const variantUpdates = updatingRows('product_variants', ['merchantId', 'id'], changing)

export function insertVariants(trx: WriteTrx, variants: readonly NewRow<'product_variants'>[]): void {
  const ids = variants.map(({ id }) => id)
  variantRows.insert(trx, variants, ids)
}

/** Removes a variant from its product. The row remains for the orders that refer to it. */
export const removeVariant = queueing<{ merchantId: MerchantId; id: VariantId; now: Timestamp }>()(
  'remove_variant',
  (p) =>
    build
      .updateTable('product_variants')
      .set({
        removedAt: p.now,
        archivedAt: sql<Timestamp>`coalesce(archived_at, ${p.now}::timestamptz)`,
        updatedAt: p.now,
      })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id),
)

/** Deletes a variant without orders, and its inventory row. The inventory movements remain. */
export const deleteVariantRow = queueing<{ merchantId: MerchantId; id: VariantId }>()('delete_variant', (p) =>
  build.deleteFrom('product_variants').where('merchantId', '=', p.merchantId).where('id', '=', p.id),
)

export interface SkuOwner {
  readonly id: VariantId
  readonly sku: string
}

/**
 * Finds the variants that already have one of the given SKUs. Exported, like `skuConflicts`, so that a test can check
 * the query plan.
 */
export const skuOwners = reading<{ merchantId: MerchantId; skus: readonly string[]; exceptId: VariantId | null }>()(
  'find_sku_owners',
  (p) =>
    build
      .selectFrom('product_variants')
      .where('merchantId', '=', p.merchantId)
      .where(sql<boolean>`lower(sku) = any(${p.skus}::text[])`)
      .where('archivedAt', 'is', null)
      .where(sql<boolean>`id is distinct from ${p.exceptId}::text`)
      .select(['id', 'productId', 'sku']),
)

/** Returns the first unarchived variant with one of the SKUs (case-insensitive), except `exceptId`. */
export async function findSkuOwner(
  db: ReadDb,
  merchantId: MerchantId,
  skus: readonly string[],
  exceptId: VariantId | null,
): Promise<SkuOwner | undefined> {
  if (skus.length === 0) return undefined
  const lowered = skus.map((sku) => sku.toLowerCase())
  return firstOf(await db.read(skuOwners, { merchantId, skus: lowered, exceptId }))
}

export const skuConflicts = reading<{ merchantId: MerchantId; productId: ProductId }>()('find_sku_conflicts', (p) =>
  build
    .selectFrom('product_variants as own')
    .innerJoin('product_variants as other', (join) =>
      join
        .onRef('other.merchantId', '=', 'own.merchantId')
        .on(sql<boolean>`lower(other.sku) = lower(own.sku)`)
        .on('other.archivedAt', 'is', null),
    )
    .where('own.merchantId', '=', p.merchantId)
    .where('own.productId', '=', p.productId)
    .where('own.archivedAt', 'is not', null)
    .where('own.removedAt', 'is', null)
    .select(['other.id', 'other.sku']),
)

/** Returns the first unarchived variant that has taken a SKU of this product since the product was archived. */
export async function findSkuConflict(
  db: ReadDb,
  merchantId: MerchantId,
  productId: ProductId,
): Promise<SkuOwner | undefined> {
  return firstOf(await db.read(skuConflicts, { merchantId, productId }))
}

/**
 * Returns the variant with the lowest id among several owners of a SKU. The owners are sorted in this process, because
 * with `order by id limit 1` the planner would scan all variants by id.
 */
function firstOf(owners: readonly SkuOwner[]): SkuOwner | undefined {
  return owners.toSorted((one, other) => (one.id < other.id ? -1 : 1))[0]
}
