import type { Product, Variant } from '../../../registry/products/product.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ProductColumns } from '../../store/products/product-writes.ts'
import type { VariantColumns } from '../../store/products/variant-writes.ts'

/** Converts records of products and variants to database rows. */

export function productRowOf(merchantId: MerchantId, product: Product): ProductColumns {
  return {
    merchant_id: merchantId,
    id: product.id,
    title: product.title,
    slug: product.slug,
    description: product.description,
    status: product.status,
    options: product.options,
    images: product.images.map(({ id, url, alt }) => ({ id, url, alt })),
    category: product.category,
    brand: product.brand,
    tags: product.tags,
    low_stock_threshold: product.lowStockThreshold,
    tax_exempt: product.taxExempt,
    metadata: product.metadata,
    version: product.version,
    published_at: product.publishedAt,
    archived_at: product.archivedAt,
    created_at: product.createdAt,
    updated_at: product.updatedAt,
  }
}

/** A variant is archived exactly when its product is. */
export function variantRowOf(merchantId: MerchantId, product: Product, variant: Variant): VariantColumns {
  return {
    merchant_id: merchantId,
    id: variant.id,
    product_id: product.id,
    sku: variant.sku,
    title: variant.title,
    option_values: variant.optionValues,
    price_kobo: variant.priceKobo,
    compare_at_price_kobo: variant.compareAtPriceKobo,
    cost_kobo: variant.costKobo,
    barcode: variant.barcode,
    weight_grams: variant.weightGrams,
    image_id: variant.imageId,
    position: variant.position,
    archived_at: product.archivedAt,
    created_at: product.updatedAt,
    updated_at: product.updatedAt,
  }
}
