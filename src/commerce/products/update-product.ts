import { isDeepStrictEqual } from 'node:util'
import type { Product, Variant } from '../../../registry/products/product.ts'
import type { ProductPatch } from '../../../registry/products/products.ts'
import type { ProductId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockProductStock, type ProductStock } from '../../store/products/inventory.ts'
import { completeProduct } from '../../store/products/product-record.ts'
import { findSlugs } from '../../store/products/products.ts'
import { findSkuConflict, type SkuOwner } from '../../store/products/variant-writes.ts'
import { lockedProduct, storeChanges } from './locked-product.ts'
import { type ChangeOutcome, changeProduct } from './product-change.ts'
import { changeStockSettings } from './stock-settings.ts'

export type UpdateProductOutcome =
  | { readonly is: 'updated'; readonly product: Product }
  | { readonly is: 'product_unknown' }
  | { readonly is: 'slug_in_use'; readonly existingId: ProductId }
  | { readonly is: 'sku_in_use'; readonly owner: SkuOwner }
  | Exclude<ChangeOutcome, { is: 'changed' }>

/** A patch that changes nothing writes nothing. */
export async function updateProduct(
  work: Work<'product.updated' | 'inventory.low_stock'>,
  id: ProductId,
  patch: ProductPatch,
): Promise<UpdateProductOutcome> {
  const { trx, merchantId } = work
  const [product, stocks, taken, rival] = await Promise.all([
    lockedProduct(work, id),
    patch.lowStockThreshold === undefined ? [] : lockProductStock(trx, merchantId, id),
    patch.slug === undefined ? undefined : findSlugs(trx, merchantId, [patch.slug]),
    patch.status === 'active' ? findSkuConflict(trx, merchantId, id) : undefined,
  ])
  if (product === undefined) return { is: 'product_unknown' }
  const existingId = taken?.get(patch.slug ?? '')
  if (existingId !== undefined && existingId !== id) return { is: 'slug_in_use', existingId }
  const outcome = changeProduct(product, patch, work)
  if (outcome.is !== 'changed') return outcome
  if (rival !== undefined && product.status === 'archived') return { is: 'sku_in_use', owner: rival }
  if (isDeepStrictEqual(outcome.product, product)) return { is: 'updated', product }
  return { is: 'updated', product: store(work, product, outcome.product, stocks) }
}

function store(
  work: Work<'product.updated' | 'inventory.low_stock'>,
  before: Product,
  changed: Product,
  stocks: readonly ProductStock[],
): Product {
  const next: Product = { ...changed, version: before.version + 1, updatedAt: work.now }
  const isMoved = (before.archivedAt === null) !== (next.archivedAt === null)
  const variants = next.variants.filter(
    (variant, index) => isMoved || !isDeepStrictEqual(variant, before.variants[index]),
  )
  const changes = changesOf(before, next)
  const areVariantsChanged = !isDeepStrictEqual(next.variants, before.variants)
  storeChanges(work, next, { variants, fields: [...Object.keys(changes), ...(areVariantsChanged ? ['variants'] : [])] })
  work.note(changes)
  if (before.lowStockThreshold === next.lowStockThreshold) return next
  return completeProduct({ ...next, variants: withNewThreshold(work, next, stocks) })
}

/** Applies the product's new low-stock threshold to the stock of its variants, and returns the variants. */
function withNewThreshold(
  work: Work<'inventory.low_stock'>,
  product: Product,
  stocks: readonly ProductStock[],
): Variant[] {
  const byId = new Map(stocks.map((stock) => [stock.variantId, stock]))
  const changes = product.variants.map((variant) => {
    const stock = byId.get(variant.id)
    if (stock === undefined) throw new Error(`The stock of ${variant.id} was not locked.`)
    return { variant, stock }
  })
  return changeStockSettings(work, product, changes)
}

function changesOf(before: Product, next: Product): Record<string, readonly [unknown, unknown]> {
  const changes: Record<string, readonly [unknown, unknown]> = {}
  for (const field of auditedFields) {
    if (!isDeepStrictEqual(before[field], next[field])) changes[field] = [before[field], next[field]]
  }
  return changes
}

const auditedFields = [
  'title',
  'slug',
  'description',
  'status',
  'options',
  'images',
  'category',
  'brand',
  'tags',
  'lowStockThreshold',
  'taxExempt',
  'metadata',
] as const satisfies readonly (keyof Product)[]
