import type { Product, ProductOption } from '../../../registry/products/product.ts'
import type { VariantInput } from '../../../registry/products/variants.ts'
import { productVariantsMax } from '../../../registry/values/limits.ts'
import type { ProductId, VariantId } from '../../../registry/values/vocabulary.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import { completeProduct } from '../../store/products/product-record.ts'
import { findSkuOwner, type SkuOwner } from '../../store/products/variant-writes.ts'
import { lockedProduct, storeChanges } from './locked-product.ts'
import { newVariant, requestedSkus, storeVariants } from './new-variant.ts'
import { findDuplicate, fitsOptions } from './product-options.ts'

export type VariantRefusal =
  | { readonly is: 'product_unknown' }
  | { readonly is: 'image_unknown'; readonly imageId: string }
  | { readonly is: 'sku_in_use'; readonly owner: SkuOwner }
  | { readonly is: 'options_mismatch'; readonly options: readonly ProductOption[] }
  | { readonly is: 'option_values_in_use'; readonly existingId: VariantId }

export type CreateVariantOutcome =
  | { readonly is: 'created'; readonly product: Product }
  | { readonly is: 'limit_reached' }
  | VariantRefusal

/** A new variant of an archived product is archived too. */
export async function createVariant(
  work: Work<'product.updated'>,
  id: ProductId,
  request: VariantInput,
): Promise<CreateVariantOutcome> {
  const { trx, merchantId, nowMs, now } = work
  const [product, settings, owner] = await Promise.all([
    lockedProduct(work, id),
    getMerchantSettings(trx, merchantId),
    findSkuOwner(trx, merchantId, requestedSkus([request]), null),
  ])
  if (product === undefined) return { is: 'product_unknown' }
  if (product.variants.length >= productVariantsMax) return { is: 'limit_reached' }
  const refusal = checkVariant(product, owner, { ...request, optionValues: request.optionValues ?? {} })
  if (refusal !== undefined) return refusal
  const variant = newVariant(nowMs, request, {
    options: product.options,
    position: (product.variants.at(-1)?.position ?? -1) + 1,
    imageId: request.imageId ?? null,
    threshold: product.lowStockThreshold ?? settings.lowStockThreshold,
  })
  const next = completeProduct({
    ...product,
    variants: [...product.variants, variant],
    version: product.version + 1,
    updatedAt: now,
  })
  storeChanges(work, next, { variants: [], fields: ['variants'] })
  storeVariants(work, next, [variant], settings.lowStockThreshold)
  work.note({
    variant: [null, variant.id],
    sku: [null, variant.sku],
    priceKobo: [null, variant.priceKobo],
    onHand: [null, variant.inventory.onHand],
  })
  return { is: 'created', product: next }
}

/**
 * Checks the image, the SKU and the option values of a variant against its product. `exceptId` is the id of the checked
 * variant, so that it does not conflict with itself.
 */
export function checkVariant(
  product: Product,
  owner: SkuOwner | undefined,
  wanted: {
    readonly sku?: string | undefined
    readonly imageId?: string | null | undefined
    readonly optionValues: Readonly<Record<string, string>>
    readonly exceptId?: VariantId
  },
): VariantRefusal | undefined {
  const { imageId, optionValues } = wanted
  if (typeof imageId === 'string' && product.images.every((image) => image.id !== imageId)) {
    return { is: 'image_unknown', imageId }
  }
  const taken = owner ?? siblingWith(product, wanted.sku, wanted.exceptId)
  if (taken !== undefined) return { is: 'sku_in_use', owner: taken }
  const { options } = product
  if (!fitsOptions(options, optionValues)) return { is: 'options_mismatch', options }
  const { exceptId } = wanted
  const duplicate = findDuplicate(
    product.variants,
    options,
    exceptId === undefined ? { optionValues } : { optionValues, exceptId },
  )
  return duplicate === undefined ? undefined : { is: 'option_values_in_use', existingId: duplicate.id }
}

/**
 * Returns another variant of the same product that already has the SKU. This check is needed for archived products,
 * whose variants findSkuOwner() ignores: when the product becomes active again, so do all its variants.
 */
function siblingWith(product: Product, sku: string | undefined, exceptId: VariantId | undefined): SkuOwner | undefined {
  return product.variants.find((each) => each.id !== exceptId && each.sku.toLowerCase() === sku?.toLowerCase())
}
