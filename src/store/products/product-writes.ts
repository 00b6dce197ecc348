import type { MerchantId, ProductId } from '../../../registry/values/vocabulary.ts'
import type { WriteTrx } from '../core/database.ts'
import { insertingRows, updatingRows } from '../core/rows.ts'
import { build, writing } from '../core/statement.ts'

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

const remove = writing<{ merchantId: MerchantId; id: ProductId }>()('delete_product', (p) =>
  build.deleteFrom('products').where('merchantId', '=', p.merchantId).where('id', '=', p.id),
)

/** Deletes a product with its variants and their inventory rows. The inventory movements remain. */
export function deleteProductRow(trx: WriteTrx, merchantId: MerchantId, id: ProductId): void {
  trx.queue(remove, { merchantId, id })
}
