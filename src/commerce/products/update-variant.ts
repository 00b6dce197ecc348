import { isDeepStrictEqual } from 'node:util'
import type { Product, Variant } from '../../../registry/products/product.ts'
import type { VariantPatch } from '../../../registry/products/variants.ts'
import type { Kobo, ProductId, VariantId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockProductStock, type ProductStock } from '../../store/products/inventory.ts'
import { completeProduct } from '../../store/products/product-record.ts'
import { findSkuOwner } from '../../store/products/variant-writes.ts'
import { checkVariant, type VariantRefusal } from './create-variant.ts'
import { lockedProduct, storeChanges } from './locked-product.ts'
import { variantTitleOf } from './product-options.ts'
import { changeStockSettings } from './stock-settings.ts'

export type UpdateVariantOutcome =
  | { readonly is: 'updated'; readonly product: Product }
  | { readonly is: 'variant_unknown' }
  | { readonly is: 'price_too_high'; readonly priceKobo: Kobo; readonly compareAtPriceKobo: Kobo }
  | VariantRefusal

interface Named {
  readonly id: ProductId
  readonly variantId: VariantId
}

/** Updates a variant and increments the product's version. */
export async function updateVariant(
  work: Work<'product.updated' | 'inventory.low_stock'>,
  { id, variantId }: Named,
  patch: VariantPatch,
): Promise<UpdateVariantOutcome> {
  const { trx, merchantId } = work
  const [product, [stock], owner] = await Promise.all([
    lockedProduct(work, id),
    patch.inventory === undefined ? [] : lockProductStock(trx, merchantId, id, variantId),
    patch.sku === undefined ? undefined : findSkuOwner(trx, merchantId, [patch.sku], variantId),
  ])
  if (product === undefined) return { is: 'product_unknown' }
  const before = product.variants.find((variant) => variant.id === variantId)
  if (before === undefined) return { is: 'variant_unknown' }
  const isOffered = product.status !== 'archived'
  const variant = changed(product, before, patch)
  const { sku, imageId, optionValues } = variant
  const refusal = checkVariant(product, isOffered ? owner : undefined, {
    sku: patch.sku === undefined ? undefined : sku,
    imageId,
    optionValues,
    exceptId: variantId,
  })
  if (refusal !== undefined) return refusal
  const { priceKobo, compareAtPriceKobo } = variant
  if (compareAtPriceKobo !== null && compareAtPriceKobo <= priceKobo) {
    return { is: 'price_too_high', priceKobo, compareAtPriceKobo }
  }
  if (isDeepStrictEqual(variant, before)) return { is: 'updated', product }
  return { is: 'updated', product: store(work, product, { before, variant, stock }) }
}

function changed(product: Product, variant: Variant, patch: VariantPatch): Variant {
  const { inventory: counting = {}, ...fields } = patch
  const optionValues = fields.optionValues ?? variant.optionValues
  const lowStockThreshold =
    counting.lowStockThreshold === undefined ? variant.inventory.lowStockThreshold : counting.lowStockThreshold
  return {
    ...variant,
    sku: fields.sku ?? variant.sku,
    optionValues,
    title: variantTitleOf(product.options, optionValues),
    priceKobo: fields.priceKobo ?? variant.priceKobo,
    compareAtPriceKobo: patchedOr(fields.compareAtPriceKobo, variant.compareAtPriceKobo),
    costKobo: patchedOr(fields.costKobo, variant.costKobo),
    barcode: patchedOr(fields.barcode, variant.barcode),
    weightGrams: patchedOr(fields.weightGrams, variant.weightGrams),
    imageId: patchedOr(fields.imageId, variant.imageId),
    inventory: {
      ...variant.inventory,
      tracked: counting.tracked ?? variant.inventory.tracked,
      allowBackorder: counting.allowBackorder ?? variant.inventory.allowBackorder,
      lowStockThreshold,
    },
  }
}

/** Returns the value of a field after a patch. An omitted field keeps its current value; null replaces it. */
function patchedOr<Value>(sent: Value | undefined, current: Value): Value {
  return sent === undefined ? current : sent
}

interface Change {
  readonly before: Variant
  readonly variant: Variant
  /** Locked stock of the variant. Set only when the update may change inventory settings. */
  readonly stock: ProductStock | undefined
}

function store(
  work: Work<'product.updated' | 'inventory.low_stock'>,
  product: Product,
  { before, variant, stock }: Change,
): Product {
  const [updated = variant] = stock === undefined ? [] : changeStockSettings(work, product, [{ variant, stock }])
  const next = completeProduct({
    ...product,
    variants: product.variants.map((each) => (each.id === variant.id ? updated : each)),
    version: product.version + 1,
    updatedAt: work.now,
  })
  storeChanges(work, next, { variants: [updated], fields: ['variants'] })
  const changes: Record<string, readonly [unknown, unknown]> = { variant: [variant.id, variant.id] }
  for (const field of auditedFields) {
    if (!isDeepStrictEqual(before[field], variant[field])) changes[field] = [before[field], variant[field]]
  }
  for (const setting of auditedSettings) {
    const [was, is] = [before.inventory[setting], variant.inventory[setting]]
    if (was !== is) changes[setting] = [was, is]
  }
  work.note(changes)
  return next
}

const auditedFields = [
  'sku',
  'optionValues',
  'priceKobo',
  'compareAtPriceKobo',
  'costKobo',
  'barcode',
  'weightGrams',
  'imageId',
] as const satisfies readonly (keyof Variant)[]

const auditedSettings = ['tracked', 'allowBackorder', 'lowStockThreshold'] as const
