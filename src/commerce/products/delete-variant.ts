import type { Product } from '../../../registry/products/product.ts'
import type { ProductId, VariantId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockProductStock } from '../../store/products/inventory.ts'
import { completeProduct } from '../../store/products/product-record.ts'
import { hasOrdersOfVariant } from '../../store/products/products.ts'
import { deleteVariantRow, removeVariant } from '../../store/products/variant-writes.ts'
import { lockedProduct, storeChanges } from './locked-product.ts'

export type DeleteVariantOutcome =
  | { readonly is: 'deleted'; readonly product: Product }
  | { readonly is: 'product_unknown' }
  | { readonly is: 'variant_unknown' }
  | { readonly is: 'needs_variant' }

/**
 * Locks the stock of the variant before the check for orders, because order creation holds this lock until its order
 * items are visible to other transactions.
 */
export async function deleteVariant(
  work: Work<'product.updated'>,
  { id, variantId }: { readonly id: ProductId; readonly variantId: VariantId },
): Promise<DeleteVariantOutcome> {
  const { trx, merchantId, now } = work
  const [product, , isOrdered] = await Promise.all([
    lockedProduct(work, id),
    lockProductStock(trx, merchantId, id, variantId),
    hasOrdersOfVariant(trx, { merchantId, variantId }),
  ])
  if (product === undefined) return { is: 'product_unknown' }
  const variant = product.variants.find((each) => each.id === variantId)
  if (variant === undefined) return { is: 'variant_unknown' }
  if (product.status === 'active' && product.variants.length === 1) return { is: 'needs_variant' }
  if (isOrdered) removeVariant(trx, { merchantId, id: variantId, now })
  else deleteVariantRow(trx, { merchantId, id: variantId })
  const next = completeProduct({
    ...product,
    variants: product.variants.filter((each) => each.id !== variantId),
    version: product.version + 1,
    updatedAt: now,
  })
  storeChanges(work, next, { variants: [], fields: ['variants'] })
  work.note({ variant: [variantId, null], sku: [variant.sku, null], onHand: [variant.inventory.onHand, null] })
  return { is: 'deleted', product: next }
}
