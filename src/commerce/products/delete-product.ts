import type { Product } from '../../../registry/products/product.ts'
import type { ProductStatus } from '../../../registry/products/product-states.ts'
import type { ProductId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockProductStock } from '../../store/products/inventory.ts'
import { deleteProductRow } from '../../store/products/product-writes.ts'
import { hasOrdersOfProduct } from '../../store/products/products.ts'
import { lockedProduct } from './locked-product.ts'

export type DeleteProductOutcome =
  | { readonly is: 'deleted'; readonly product: Product }
  | { readonly is: 'product_unknown' }
  | { readonly is: 'in_use'; readonly status: ProductStatus }

/**
 * Deletes a draft product that no order contains. Locks the stock of its variants first, so that no order with the
 * product can be created meanwhile.
 */
export async function deleteProduct(work: Work, id: ProductId): Promise<DeleteProductOutcome> {
  const { trx, merchantId } = work
  const [product, , isOrdered] = await Promise.all([
    lockedProduct(work, id),
    lockProductStock(trx, merchantId, id),
    hasOrdersOfProduct(trx, { merchantId, id }),
  ])
  if (product === undefined) return { is: 'product_unknown' }
  if (product.status !== 'draft' || isOrdered) return { is: 'in_use', status: product.status }
  deleteProductRow(trx, { merchantId, id })
  work.note({ title: [product.title, null], status: [product.status, null], variants: [product.variants.length, 0] })
  return { is: 'deleted', product }
}
