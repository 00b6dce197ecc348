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

/** Saves a product together with its changed variants. */
export function storeChanges(
  { trx, merchantId }: Pick<Work, 'trx' | 'merchantId'>,
  product: Product,
  changed: readonly Variant[],
): void {
  productUpdates.update(trx, [productRowOf(merchantId, product)])
  variantUpdates.update(
    trx,
    changed.map((variant) => variantRowOf(merchantId, product, variant)),
  )
}
