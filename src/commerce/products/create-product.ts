import type { Product } from '../../../registry/products/product.ts'
import type { ProductInput } from '../../../registry/products/products.ts'
import type { ProductId } from '../../../registry/values/vocabulary.ts'
import { newImageId, newProductId } from '../../base/records.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import { completeProduct } from '../../store/products/product-record.ts'
import { productRows } from '../../store/products/product-writes.ts'
import { findSlugs, lockSlugsOf } from '../../store/products/products.ts'
import { findSkuOwner, type SkuOwner } from '../../store/products/variant-writes.ts'
import { newVariant, requestedSkus, storeVariants } from './new-variant.ts'
import { productRowOf } from './product-rows.ts'
import { slugsFor } from './product-slug.ts'

export type CreateProductOutcome =
  | { readonly is: 'created'; readonly product: Product }
  | { readonly is: 'slug_in_use'; readonly existingId: ProductId }
  | { readonly is: 'sku_in_use'; readonly owner: SkuOwner }

/** Creates a product with its variants and the opening stock of each variant. */
export async function createProduct(work: Work, request: ProductInput): Promise<CreateProductOutcome> {
  const { trx, merchantId } = work
  const candidates = request.slug === undefined ? slugsFor(request.title) : [request.slug]
  const [base = ''] = candidates
  if (request.slug === undefined) lockSlugsOf(trx, merchantId, base)
  const [settings, usedSlugs, owner] = await Promise.all([
    getMerchantSettings(trx, merchantId),
    findSlugs(trx, merchantId, candidates),
    findSkuOwner(trx, merchantId, requestedSkus(request.variants ?? []), null),
  ])
  const slug = candidates.find((candidate) => !usedSlugs.has(candidate))
  const existingId = usedSlugs.get(base)
  if (slug === undefined) {
    if (existingId === undefined) throw new Error('A slug that is not available must belong to a product.')
    return { is: 'slug_in_use', existingId }
  }
  if (owner !== undefined) return { is: 'sku_in_use', owner }
  const product = newProduct(work, request, slug, settings.lowStockThreshold)
  productRows.insert(trx, [productRowOf(merchantId, product)])
  storeVariants(work, product, product.variants, settings.lowStockThreshold)
  work.note({ title: [null, product.title], status: [null, product.status], variants: [0, product.variants.length] })
  return { is: 'created', product }
}

function newProduct(
  { nowMs, now }: Work,
  request: ProductInput,
  slug: string,
  merchantThreshold: number | null,
): Product {
  const options = request.options ?? []
  const status = request.status ?? 'draft'
  const lowStockThreshold = request.lowStockThreshold ?? null
  const images = (request.images ?? []).map(({ url, alt }) => ({ id: newImageId(nowMs), url, alt: alt ?? null }))
  const variants = (request.variants ?? []).map(({ imagePosition, ...input }, position) =>
    newVariant(nowMs, input, {
      options,
      position,
      imageId: (imagePosition === undefined ? undefined : images[imagePosition]?.id) ?? null,
      threshold: lowStockThreshold ?? merchantThreshold,
    }),
  )
  return completeProduct({
    id: newProductId(nowMs),
    title: request.title,
    slug,
    description: request.description ?? '',
    status,
    options,
    variants,
    images,
    category: request.category ?? null,
    brand: request.brand ?? null,
    tags: request.tags ?? [],
    lowStockThreshold,
    taxExempt: request.taxExempt ?? false,
    metadata: request.metadata ?? {},
    version: 1,
    publishedAt: status === 'active' ? now : null,
    archivedAt: null,
    createdAt: now,
    updatedAt: now,
  })
}
