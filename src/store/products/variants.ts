import { sql } from 'kysely'
import type { Kobo, MerchantId, VariantId } from '../../../registry/values/vocabulary.ts'
import { listing, lockingAll } from '../core/calls.ts'
import { type Stock, stockColumns, stockTables } from './stock.ts'

/** A variant with the fields that a sale needs, and its stock. */
export interface SellableVariant extends Stock {
  readonly optionValues: Record<string, string>
  readonly priceKobo: Kobo
  readonly compareAtPriceKobo: Kobo | null
  readonly isTaxExempt: boolean
  readonly isSellable: boolean
  /** Available quantity, negative if more units are reserved than are on hand. */
  readonly available: number
  /** The variant's image, or the product's first image. */
  readonly imageUrl: string | null
}

interface Wanted {
  readonly merchantId: MerchantId
  readonly ids: readonly VariantId[]
}

const sellable = (p: Wanted) =>
  stockTables
    .select(stockColumns)
    .where('stock.merchantId', '=', p.merchantId)
    .where(sql<boolean>`stock.variant_id = any(${p.ids}::text[])`)
    .select([
      sql<Record<string, string>>`product_variants.option_values`.as('optionValues'),
      'product_variants.priceKobo',
      'product_variants.compareAtPriceKobo',
      'products.taxExempt as isTaxExempt',
      'stock.available',
      sql<boolean>`products.status = 'active' and product_variants.archived_at is null`.as('isSellable'),
      sql<string | null>`coalesce(
        jsonb_path_query_first(
          products.images,
          '$[*] ? (@.id == $id).url',
          jsonb_build_object('id', product_variants.image_id)
        ),
        products.images -> 0 -> 'url'
      ) #>> '{}'`.as('imageUrl'),
    ])

/** Returns variants without locking them. Their prices and stock may change before an order with them is created. */
export const findVariants = listing<Wanted>()('find_variants', sellable)

/** Locks the stock in the order of the variants' ids, so that concurrent orders cannot deadlock. */
export const lockVariants = lockingAll<Wanted>()('lock_variants', (p) =>
  sellable(p).orderBy('stock.variantId').forUpdate('stock'),
)
