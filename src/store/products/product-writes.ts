import type { MerchantId, ProductId } from '../../../registry/values/vocabulary.ts'
import type { WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf, updatingRows } from '../core/rows.ts'
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
  'low_stock_threshold',
  'tax_exempt',
  'metadata',
  'version',
  'published_at',
  'archived_at',
  'updated_at',
] as const

export const productRows = insertingRows('products', ['merchant_id', 'id', 'created_at', ...changing])
export const productUpdates = updatingRows('products', ['merchant_id', 'id'], changing)

export type ProductColumns = RowOf<typeof productRows>

const remove = writing<{ merchantId: MerchantId; id: ProductId }>()('delete_product', (p) =>
  build.deleteFrom('products').where('merchant_id', '=', p.merchantId).where('id', '=', p.id),
)

/** Deletes a product with its variants and their inventory rows. The inventory movements remain. */
export function deleteProductRow(trx: WriteTrx, merchantId: MerchantId, id: ProductId): void {
  trx.queue(remove, { merchantId, id })
}
