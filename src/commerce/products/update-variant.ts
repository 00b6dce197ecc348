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
export function updateVariant(
  work: Work<'product.updated' | 'inventory.low_stock'>,
  named: Named,
  patch: VariantPatch,
): Promise<UpdateVariantOutcome> {
  const { trx, merchantId } = work
  return change(work, named, {
    patch,
    lockStock: async () =>
      patch.inventory === undefined ? [] : lockProductStock(trx, merchantId, named.id, named.variantId),
    changeSettings: (product, changes) => changeStockSettings(work, product, changes),
  })
}

/** Updates the prices of a variant, like updateVariant(). A change of prices cannot make the stock low. */
export function updatePrices(
  work: Work<'product.updated'>,
  named: Named,
  { priceKobo, compareAtPriceKobo, costKobo }: Pick<VariantPatch, 'priceKobo' | 'compareAtPriceKobo' | 'costKobo'>,
): Promise<UpdateVariantOutcome> {
  const patch = { priceKobo, compareAtPriceKobo, costKobo }
  return change(work, named, { patch, lockStock: async () => [], changeSettings: () => [] })
}

interface Requested {
  readonly patch: VariantPatch
  /** Locks the stock of the variant if its inventory settings may change. Called after the lock of the product. */
  readonly lockStock: () => Promise<readonly ProductStock[]>
  readonly changeSettings: (
    product: Product,
    changes: readonly { readonly variant: Variant; readonly stock: ProductStock }[],
  ) => Variant[]
}

async function change(
  work: Work<'product.updated'>,
  { id, variantId }: Named,
  { patch, lockStock, changeSettings }: Requested,
): Promise<UpdateVariantOutcome> {
  const { trx, merchantId } = work
  const [product, [stock], owner] = await Promise.all([
    lockedProduct(work, id),
    lockStock(),
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
  const [updated = variant] = stock === undefined ? [] : changeSettings(product, [{ variant, stock }])
  return { is: 'updated', product: store(work, product, { before, updated }) }
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

function store(
  work: Work<'product.updated'>,
  product: Product,
  { before, updated }: { readonly before: Variant; readonly updated: Variant },
): Product {
  const next = completeProduct({
    ...product,
    variants: product.variants.map((each) => (each.id === updated.id ? updated : each)),
    version: product.version + 1,
    updatedAt: work.now,
  })
  storeChanges(work, next, { variants: [updated], fields: ['variants'] })
  const changes: Record<string, readonly [unknown, unknown]> = { variant: [updated.id, updated.id] }
  for (const field of auditedFields) {
    if (!isDeepStrictEqual(before[field], updated[field])) changes[field] = [before[field], updated[field]]
  }
  for (const setting of auditedSettings) {
    const [was, is] = [before.inventory[setting], updated.inventory[setting]]
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
