import { sql } from 'kysely'
import type { MerchantId, ProductId, Timestamp, VariantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf, updatingRows } from '../core/rows.ts'
import { build, reading, writing } from '../core/statement.ts'

const changing = [
  'sku',
  'title',
  'option_values',
  'price_kobo',
  'compare_at_price_kobo',
  'cost_kobo',
  'barcode',
  'weight_grams',
  'image_id',
  'position',
  'archived_at',
  'updated_at',
] as const

export const variantRows = insertingRows('product_variants', [
  'merchant_id',
  'id',
  'product_id',
  'created_at',
  ...changing,
])
export const variantUpdates = updatingRows('product_variants', ['merchant_id', 'id'], changing)

export type VariantColumns = RowOf<typeof variantRows>

const removal = writing<{ merchantId: MerchantId; id: VariantId; now: Timestamp }>()('remove_variant', (p) =>
  build
    .updateTable('product_variants')
    .set({
      removed_at: p.now,
      archived_at: sql<Timestamp>`coalesce(archived_at, ${p.now}::timestamptz)`,
      updated_at: p.now,
    })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** Takes a variant out of its product and keeps it for the orders that name it. */
export function removeVariant(trx: WriteTrx, variant: { merchantId: MerchantId; id: VariantId; now: Timestamp }): void {
  trx.queue(removal, variant)
}

const remove = writing<{ merchantId: MerchantId; id: VariantId }>()('delete_variant', (p) =>
  build.deleteFrom('product_variants').where('merchant_id', '=', p.merchantId).where('id', '=', p.id),
)

/** For one that nobody ordered. Its stock goes with it; the ledger stays. */
export function deleteVariantRow(trx: WriteTrx, merchantId: MerchantId, id: VariantId): void {
  trx.queue(remove, { merchantId, id })
}

/** A variant that has a SKU. */
export interface SkuOwner {
  readonly id: VariantId
  readonly sku: string
}

/** Both are shown, so that a test can ask PostgreSQL how it comes by them. */
export const skuOwners = reading<{ merchantId: MerchantId; skus: readonly string[]; exceptId: VariantId | null }>()(
  'find_sku_owners',
  (p) =>
    build
      .selectFrom('product_variants')
      .where('merchant_id', '=', p.merchantId)
      .where(sql<boolean>`lower(sku) = any(${p.skus}::text[])`)
      .where('archived_at', 'is', null)
      .where(sql<boolean>`id is distinct from ${p.exceptId}::text`)
      .select(['id', 'sku']),
)

/** The first variant that is not archived, nor the one excepted, and has one of the SKUs, whatever its case. */
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

export const skuRivals = reading<{ merchantId: MerchantId; productId: ProductId }>()('find_sku_rival', (p) =>
  build
    .selectFrom('product_variants as own')
    .innerJoin('product_variants as rival', (join) =>
      join
        .onRef('rival.merchant_id', '=', 'own.merchant_id')
        .on(sql<boolean>`lower(rival.sku) = lower(own.sku)`)
        .on('rival.archived_at', 'is', null),
    )
    .where('own.merchant_id', '=', p.merchantId)
    .where('own.product_id', '=', p.productId)
    .where('own.archived_at', 'is not', null)
    .where('own.removed_at', 'is', null)
    .select(['rival.id', 'rival.sku']),
)

/** The first variant that took a SKU of this archived product while it was free. */
export async function findSkuRival(
  db: ReadDb,
  merchantId: MerchantId,
  productId: ProductId,
): Promise<SkuOwner | undefined> {
  return firstOf(await db.read(skuRivals, { merchantId, productId }))
}

/** Chosen here: asked for the first of them, PostgreSQL would go through all variants in the order of their ids. */
function firstOf(owners: readonly SkuOwner[]): SkuOwner | undefined {
  return owners.toSorted((one, other) => (one.id < other.id ? -1 : 1))[0]
}
