import type { Product, Variant } from '../../../registry/products/product.ts'
import type { ProductId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { productUpdates } from '../../store/products/product-writes.ts'
import { lockProduct } from '../../store/products/products.ts'
import { variantUpdates } from '../../store/products/variant-writes.ts'
import { productRowOf, variantRowOf } from './product-rows.ts'

/** Locks a product and checks its version against If-Match. */
export async function lockedProduct(
  work: Pick<Work, 'trx' | 'merchantId' | 'requireVersion'>,
  id: ProductId,
): Promise<Product | undefined> {
  const product = await lockProduct(work.trx, work.merchantId, id)
  if (product !== undefined) work.requireVersion(product.version)
  return product
}

interface ProductChanges {
  /** The variants whose database rows are written by the change. */
  readonly variants: readonly Variant[]
  /** Names of the changed fields of the product. */
  readonly fields: readonly string[]
}

/** Saves a product together with its changed variants, and emits the event product.updated. */
export function storeChanges(
  { trx, merchantId, now, emit }: Work<'product.updated'>,
  product: Product,
  { variants, fields }: ProductChanges,
): void {
  productUpdates.update(trx, [productRowOf(merchantId, product)])
  variantUpdates.update(
    trx,
    variants.map((variant) => variantRowOf(merchantId, product, variant)),
    variants.map((variant) => variant.id),
  )
  const { id: productId, version } = product
  emit('product.updated', productId, { productId, changes: [...fields], version, occurredAt: now })
}
