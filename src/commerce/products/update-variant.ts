import { isDeepStrictEqual } from 'node:util'
import type { Product, Variant } from '../../../registry/products/product.ts'
import type { VariantPatch } from '../../../registry/products/variants.ts'
import type { Kobo, ProductId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockProductStock, type ProductStock } from '../../store/products/inventory.ts'
import { completeProduct } from '../../store/products/product-record.ts'
import { findSkuOwner } from '../../store/products/variant-writes.ts'
import { checkVariant, type VariantRefusal } from './create-variant.ts'
import { lockedProduct, storeChanges } from './locked-product.ts'
import { variantTitleOf } from './product-options.ts'
import { changeStockSettings } from './stock-settings.ts'
import { hasSku, namedChanges, type VariantKey } from './variant-key.ts'

export type UpdateVariantOutcome =
  | { readonly is: 'updated'; readonly product: Product }
  | { readonly is: 'variant_unknown' }
  | { readonly is: 'price_too_high'; readonly priceKobo: Kobo; readonly compareAtPriceKobo: Kobo }
  | VariantRefusal

/** Increments the product's version. */
export function updateVariant(
  work: Work<'product.updated' | 'inventory.low_stock'>,
  named: Omit<VariantKey, 'sku'>,
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

/** New prices of a variant. `expectedPriceKobo` is the price that the request expects before the change. */
export interface PriceChange {
  readonly key: VariantKey
  readonly prices: Pick<VariantPatch, 'priceKobo' | 'compareAtPriceKobo' | 'costKobo'> & {
    readonly expectedPriceKobo?: Kobo | undefined
  }
}

export type UpdatePricesOutcome =
  | UpdateVariantOutcome
  /** The stored price differs from the price that the request expects. */
  | { readonly is: 'price_changed'; readonly priceKobo: Kobo }

/**
 * Updates the prices of variants of one product, and increments the product's version once. If the change of one
 * variant is refused, the changes of the other variants are still made. No low-stock event can follow, because prices
 * do not affect the stock.
 */
export async function updatePrices(
  work: Work<'product.updated'>,
  id: ProductId,
  requested: readonly PriceChange[],
): Promise<UpdatePricesOutcome[]> {
  const product = await lockedProduct(work, id)
  if (product === undefined) return requested.map(() => ({ is: 'product_unknown' }))
  const checked = requested.map(({ key, prices: { expectedPriceKobo, priceKobo, compareAtPriceKobo, costKobo } }) => {
    const before = product.variants.find((variant) => variant.id === key.variantId)
    if (before === undefined || !hasSku(before, key.sku)) return { is: 'variant_unknown' } as const
    if ((expectedPriceKobo ?? before.priceKobo) !== before.priceKobo)
      return { is: 'price_changed', priceKobo: before.priceKobo } as const
    const updated = changed(product, before, { priceKobo, compareAtPriceKobo, costKobo })
    return priceRefusal(updated) ?? ({ is: 'priced', before, updated } as const)
  })
  const priced = checked.filter((each) => each.is === 'priced')
  const changes = priced.filter(({ before, updated }) => !isDeepStrictEqual(before, updated))
  const next = changes.length === 0 ? product : store(work, product, changes)
  for (const change of changes) work.note(namedChanges(change.updated.id, auditedChanges(change)))
  return checked.map((each) => (each.is === 'priced' ? { is: 'updated', product: next } : each))
}

interface Requested {
  readonly patch: VariantPatch
  /**
   * Locks the stock of the variant if its inventory settings may change. This function is called after the product was
   * locked.
   */
  readonly lockStock: () => Promise<readonly ProductStock[]>
  readonly changeSettings: (
    product: Product,
    changes: readonly { readonly variant: Variant; readonly stock: ProductStock }[],
  ) => Variant[]
}

async function change(
  work: Work<'product.updated'>,
  { id, variantId }: Omit<VariantKey, 'sku'>,
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
  const tooHigh = priceRefusal(variant)
  if (tooHigh !== undefined) return tooHigh
  if (isDeepStrictEqual(variant, before)) return { is: 'updated', product }
  const [updated = variant] = stock === undefined ? [] : changeSettings(product, [{ variant, stock }])
  const next = store(work, product, [{ before, updated }])
  work.note({ variant: [variantId, variantId], ...auditedChanges({ before, updated }) })
  return { is: 'updated', product: next }
}

function priceRefusal({ priceKobo, compareAtPriceKobo }: Variant) {
  if (compareAtPriceKobo === null || compareAtPriceKobo > priceKobo) return undefined
  return { is: 'price_too_high', priceKobo, compareAtPriceKobo } as const
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

/** An omitted field stays unchanged; null replaces its current value. */
function patchedOr<Value>(sent: Value | undefined, current: Value): Value {
  return sent === undefined ? current : sent
}

interface ChangedVariant {
  readonly before: Variant
  readonly updated: Variant
}

function store(work: Work<'product.updated'>, product: Product, changes: readonly ChangedVariant[]): Product {
  const updated = new Map(changes.map((change) => [change.updated.id, change.updated]))
  const next = completeProduct({
    ...product,
    variants: product.variants.map((each) => updated.get(each.id) ?? each),
    version: product.version + 1,
    updatedAt: work.now,
  })
  storeChanges(work, next, { variants: [...updated.values()], fields: ['variants'] })
  return next
}

function auditedChanges({ before, updated }: ChangedVariant): Record<string, readonly [unknown, unknown]> {
  const changes: Record<string, readonly [unknown, unknown]> = {}
  for (const field of auditedFields) {
    if (!isDeepStrictEqual(before[field], updated[field])) changes[field] = [before[field], updated[field]]
  }
  for (const setting of auditedSettings) {
    const [was, is] = [before.inventory[setting], updated.inventory[setting]]
    if (was !== is) changes[setting] = [was, is]
  }
  return changes
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
