import type { Product, Variant } from '../../../registry/products/product.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { NewRow } from '../../store/core/rows.ts'

export function productRowOf(merchantId: MerchantId, product: Product) {
  return {
    merchantId,
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
    lowStockThreshold: product.lowStockThreshold,
    taxExempt: product.taxExempt,
    metadata: product.metadata,
    version: product.version,
    publishedAt: product.publishedAt,
    archivedAt: product.archivedAt,
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
  } satisfies NewRow<'products'>
}

/** A variant has the archive time of its product: both are archived together. */
export function variantRowOf(merchantId: MerchantId, product: Product, variant: Variant) {
  return {
    merchantId,
    id: variant.id,
    productId: product.id,
    sku: variant.sku,
    title: variant.title,
    optionValues: variant.optionValues,
    priceKobo: variant.priceKobo,
    compareAtPriceKobo: variant.compareAtPriceKobo,
    costKobo: variant.costKobo,
    barcode: variant.barcode,
    weightGrams: variant.weightGrams,
    imageId: variant.imageId,
    position: variant.position,
    archivedAt: product.archivedAt,
    createdAt: product.updatedAt,
    updatedAt: product.updatedAt,
  } satisfies NewRow<'product_variants'>
}
