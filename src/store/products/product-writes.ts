import type { MerchantId, ProductId } from '../../../registry/values/vocabulary.ts'
import { queueing } from '../core/calls.ts'
import { insertingRows, updatingRows } from '../core/rows.ts'
import { build } from '../core/statement.ts'

const changing = [
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
  'version',
  'publishedAt',
  'archivedAt',
  'updatedAt',
] as const

export const productRows = insertingRows('products')
export const productUpdates = updatingRows('products', ['merchantId', 'id'], changing)

/** Deletes a product with its variants and their inventory rows. The inventory movements remain. */
export const deleteProductRow = queueing<{ merchantId: MerchantId; id: ProductId }>()('delete_product', (p) =>
  build.deleteFrom('products').where('merchantId', '=', p.merchantId).where('id', '=', p.id),
)
