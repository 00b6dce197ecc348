import { type AliasedExpression, type Selectable, sql } from 'kysely'
import { jsonBuildObject } from 'kysely/helpers/postgres'
import type { Product } from '../../../registry/products/product.ts'
import type { MerchantId, ProductId, VariantId } from '../../../registry/values/vocabulary.ts'
import { checking } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { asRecord, jsonArrayFrom } from '../core/json.ts'
import { build, locking, reading, shortReading } from '../core/statement.ts'
import type { Tables } from '../tables/tables.ts'
import { completeProduct, type ProductParts } from './product-record.ts'

type ProductRows = AliasedExpression<Selectable<Tables['products']>, 'products'>

/** Selects products of a merchant with their variants and the stock of each variant. */
export const fieldsOf = (merchantId: MerchantId, products: ProductRows) =>
  build
    .selectFrom(products)
    .select([
      'products.id',
      'products.title',
      'products.slug',
      'products.description',
      'products.status',
      'products.options',
      'products.images',
      'products.category',
      'products.brand',
      'products.tags',
      'products.lowStockThreshold',
      'products.taxExempt',
      'products.metadata',
      'products.version',
      'products.publishedAt',
      'products.archivedAt',
      'products.createdAt',
      'products.updatedAt',
    ])
    .select((product) =>
      jsonArrayFrom(
        product
          .selectFrom('product_variants as variant')
          .innerJoin('inventory as stock', (join) =>
            join.onRef('stock.merchantId', '=', 'variant.merchantId').onRef('stock.variantId', '=', 'variant.id'),
          )
          .where('variant.merchantId', '=', merchantId)
          .whereRef('variant.productId', '=', 'products.id')
          .where('variant.removedAt', 'is', null)
          .orderBy('variant.position')
          .orderBy('variant.id')
          .select([
            'variant.id',
            'variant.sku',
            'variant.title',
            'variant.optionValues',
            'variant.priceKobo',
            'variant.compareAtPriceKobo',
            'variant.costKobo',
            'variant.barcode',
            'variant.weightGrams',
            'variant.imageId',
            'variant.position',
          ])
          .select(({ ref }) =>
            jsonBuildObject({
              tracked: ref('stock.tracked'),
              onHand: ref('stock.onHand'),
              reserved: ref('stock.reserved'),
              available: ref('stock.available'),
              lowStockThreshold: ref('stock.lowStockThreshold'),
              allowBackorder: ref('stock.allowBackorder'),
              low: ref('stock.isLow'),
            }).as('inventory'),
          ),
      ).as('variants'),
    )

export type ProductRow = { readonly [Field in keyof ProductParts]: unknown }

export function toProduct(row: ProductRow): Product {
  return completeProduct(asRecord<ProductParts>(row))
}

const find = shortReading<{ merchantId: MerchantId; id: ProductId }>()('find_product', (p) =>
  fieldsOf(
    p.merchantId,
    build
      .selectFrom('products')
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id)
      .selectAll('products')
      .as('products'),
  ),
)

export async function findProduct(db: ReadDb, merchantId: MerchantId, id: ProductId): Promise<Product | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  return row === undefined ? undefined : toProduct(row)
}

const lock = locking<{ merchantId: MerchantId; id: ProductId }>()('lock_product', (p) =>
  build
    .selectFrom('products')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select('id')
    // The lock is not `for update`, so that inserts of rows that refer to the product do not wait for it.
    .forNoKeyUpdate(),
)

/**
 * Locks a product and returns it. Every change of the product or its variants takes this lock. A statement that waits
 * for a lock reads other tables with the snapshot from before the wait. A second statement, sent together with the
 * lock, therefore reads the product.
 */
export async function lockProduct(trx: WriteTrx, merchantId: MerchantId, id: ProductId): Promise<Product | undefined> {
  const [, product] = await Promise.all([trx.lock(lock, { merchantId, id }), findProduct(trx, merchantId, id)])
  return product
}

export const hasProduct = checking<{ merchantId: MerchantId; id: ProductId }>()('product_exists', (p) =>
  build.selectFrom('products').where('merchantId', '=', p.merchantId).where('id', '=', p.id).select('id'),
)

const lockSlugs = locking<{ merchantId: MerchantId; base: string }>()(
  'lock_slugs',
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p.merchantId}::text || ' ' || ${p.base}::text, 0))`,
)

/**
 * Makes transactions that choose a slug with the same base wait for each other. Each of them then sees the slug of the
 * previous one and does not fail with a conflict. This function must be called before findSlugs().
 */
export function lockSlugsOf(trx: WriteTrx, merchantId: MerchantId, base: string): void {
  trx.queue(lockSlugs, { merchantId, base })
}

const slugs = reading<{ merchantId: MerchantId; slugs: readonly string[] }>()('list_taken_slugs', (p) =>
  build
    .selectFrom('products')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`slug = any(${p.slugs}::text[])`)
    .select(['id', 'slug']),
)

/** Returns which of the given slugs are in use, and by which products. */
export async function findSlugs(
  db: ReadDb,
  merchantId: MerchantId,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, ProductId>> {
  const rows = await db.read(slugs, { merchantId, slugs: wanted })
  return new Map(rows.map((row) => [row.slug, row.id]))
}

/**
 * Reports whether the variant has orders. Requires the lock on the variant's stock. A new order takes the same lock
 * first, so no order of the variant can be added meanwhile.
 */
export const hasOrdersOfVariant = checking<{ merchantId: MerchantId; variantId: VariantId }>()(
  'has_orders_of_variant',
  (p) =>
    build
      .selectFrom('order_items')
      .where('merchantId', '=', p.merchantId)
      .where('variantId', '=', p.variantId)
      .select('id')
      .limit(1),
)

export const hasOrdersOfProduct = checking<{ merchantId: MerchantId; id: ProductId }>()('has_orders_of_product', (p) =>
  build
    .selectFrom('order_items')
    .innerJoin('product_variants as variant', (join) =>
      join.onRef('variant.merchantId', '=', 'order_items.merchantId').onRef('variant.id', '=', 'order_items.variantId'),
    )
    .where('variant.merchantId', '=', p.merchantId)
    .where('variant.productId', '=', p.id)
    .select('order_items.id')
    .limit(1),
)
