import { sql } from 'kysely'
import type { MerchantId, ProductId, VariantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'
import { skuOwners } from './variant-writes.ts'

export interface VariantPlace {
  readonly id: VariantId
  readonly productId: ProductId
  readonly sku: string
}

/**
 * Lists the variants with the given ids. Variants that were removed from their product are left out. Exported so that a
 * test can check the query plan.
 */
export const variantsById = reading<{ merchantId: MerchantId; ids: readonly VariantId[] }>()(
  'list_variants_by_id',
  (p) =>
    build
      .selectFrom('product_variants')
      .where('merchantId', '=', p.merchantId)
      .where(sql<boolean>`id = any(${p.ids}::text[])`)
      .where('removedAt', 'is', null)
      .select(['id', 'productId', 'sku']),
)

export function listVariantsById(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly VariantId[],
): Promise<readonly VariantPlace[]> {
  return db.read(variantsById, { merchantId, ids })
}

/**
 * Lists the variants of the given products, without removed variants. Variants of archived products are included. The
 * statement is exported, like `variantsById`, so that a test can check its query plan.
 */
export const variantsOfProducts = reading<{ merchantId: MerchantId; productIds: readonly ProductId[] }>()(
  'list_variants_of_products',
  (p) =>
    build
      .selectFrom('product_variants')
      .where('merchantId', '=', p.merchantId)
      .where(sql<boolean>`product_id = any(${p.productIds}::text[])`)
      .where('removedAt', 'is', null)
      .select(['id', 'productId', 'sku']),
)

export function listVariantsOfProducts(
  db: ReadDb,
  merchantId: MerchantId,
  productIds: readonly ProductId[],
): Promise<readonly VariantPlace[]> {
  return db.read(variantsOfProducts, { merchantId, productIds })
}

/**
 * Lists the variants that have one of the given SKUs, regardless of case. Variants of archived products are left out.
 */
export function listVariantsBySku(
  db: ReadDb,
  merchantId: MerchantId,
  skus: readonly string[],
): Promise<readonly VariantPlace[]> {
  return db.read(skuOwners, { merchantId, skus: skus.map((sku) => sku.toLowerCase()), exceptId: null })
}
