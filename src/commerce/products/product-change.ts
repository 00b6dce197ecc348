import type { Product, Variant } from '../../../registry/products/product.ts'
import { type ProductStatus, productTransitions } from '../../../registry/products/product-states.ts'
import type { ProductPatch } from '../../../registry/products/products.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { newImageId } from '../../base/records.ts'
import { completeProduct, type StoredImage } from '../../store/products/product-record.ts'
import { refit } from './product-options.ts'

export type ChangeOutcome =
  | { readonly is: 'changed'; readonly product: Product }
  | { readonly is: 'images_unknown'; readonly imageIds: readonly string[] }
  | { readonly is: 'options_in_use'; readonly variantIds: readonly string[] }
  | { readonly is: 'needs_variant' }
  | {
      readonly is: 'transition_invalid'
      readonly from: ProductStatus
      readonly to: ProductStatus
      readonly allowed: readonly ProductStatus[]
    }

interface Moment {
  readonly nowMs: number
  readonly now: Timestamp
}

/**
 * Returns a product with a patch applied, or the reason why the patch cannot be applied. The caller increments the
 * product's version.
 */
export function changeProduct(product: Product, patch: ProductPatch, moment: Moment): ChangeOutcome {
  const refusal = checkStatus(product, patch.status ?? product.status)
  if (refusal !== undefined) return refusal
  const options = patch.options ?? product.options
  const refitted = patch.options === undefined ? undefined : refit(product.variants, options)
  if (refitted?.is === 'in_use') return { is: 'options_in_use', variantIds: refitted.variantIds }
  const images = imagesOf(product, patch.images, moment.nowMs)
  if (images.is === 'unknown') return { is: 'images_unknown', imageIds: images.imageIds }
  const status = patch.status ?? product.status
  return {
    is: 'changed',
    product: completeProduct({
      ...product,
      title: patch.title ?? product.title,
      slug: patch.slug ?? product.slug,
      description: patch.description ?? product.description,
      status,
      options,
      variants: withoutLostImages(refitted?.variants ?? product.variants, images.images),
      images: images.images,
      category: patch.category === undefined ? product.category : patch.category,
      brand: patch.brand === undefined ? product.brand : patch.brand,
      tags: patch.tags ?? product.tags,
      lowStockThreshold: patch.lowStockThreshold === undefined ? product.lowStockThreshold : patch.lowStockThreshold,
      taxExempt: patch.taxExempt ?? product.taxExempt,
      metadata: patch.metadata ?? product.metadata,
      publishedAt: status === 'active' ? (product.publishedAt ?? moment.now) : product.publishedAt,
      archivedAt: status === 'archived' ? (product.archivedAt ?? moment.now) : null,
    }),
  }
}

function checkStatus(product: Product, to: ProductStatus): ChangeOutcome | undefined {
  const from = product.status
  if (from === to) return undefined
  const allowed: readonly ProductStatus[] = productTransitions[from]
  if (!allowed.includes(to)) return { is: 'transition_invalid', from, to, allowed }
  if (to === 'active' && product.variants.length === 0) return { is: 'needs_variant' }
  return undefined
}

function imagesOf(
  product: Product,
  wanted: ProductPatch['images'],
  nowMs: number,
):
  | { readonly is: 'fine'; readonly images: readonly StoredImage[] }
  | { readonly is: 'unknown'; readonly imageIds: readonly string[] } {
  if (wanted === undefined) return { is: 'fine', images: product.images }
  const known = new Set<string>(product.images.map(({ id }) => id))
  const imageIds = wanted.flatMap(({ id }) => (id === undefined || known.has(id) ? [] : [id]))
  if (imageIds.length > 0) return { is: 'unknown', imageIds }
  const images = wanted.map(({ id, url, alt }) => ({ id: id ?? newImageId(nowMs), url, alt: alt ?? null }))
  return { is: 'fine', images }
}

/** Returns the variants of a product, without their references to images that the patch removes. */
function withoutLostImages(variants: readonly Variant[], images: readonly StoredImage[]): Variant[] {
  const remaining = new Set<string>(images.map(({ id }) => id))
  return variants.map((variant) =>
    variant.imageId === null || remaining.has(variant.imageId) ? variant : { ...variant, imageId: null },
  )
}
