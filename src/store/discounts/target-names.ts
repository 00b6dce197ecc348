import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/** Unknown ids are ignored. */
export interface TargetIds {
  readonly productIds?: readonly string[]
  readonly variantIds?: readonly string[]
  readonly customerIds?: readonly string[]
}

interface Wanted extends Required<TargetIds> {
  readonly merchantId: MerchantId
}

export const targetNames = reading<Wanted>()(
  'list_target_names',
  (p) => sql<{ readonly id: string; readonly name: string }>`
    select id, title as name from products
    where merchant_id = ${p.merchantId} and id = any(${p.productIds}::text[])
    union all
    select v.id, concat_ws(', ', p.title, nullif(v.title, '')) as name
    from product_variants v
    join products p on p.merchant_id = ${p.merchantId} and p.id = v.product_id
    where v.merchant_id = ${p.merchantId} and v.id = any(${p.variantIds}::text[])
    union all
    select id, name from customers
    where merchant_id = ${p.merchantId} and id = any(${p.customerIds}::text[]) and deleted_at is null`,
)

/** Deleted customers have no name. */
export async function listTargetNames(
  db: ReadDb,
  merchantId: MerchantId,
  { productIds = [], variantIds = [], customerIds = [] }: TargetIds,
): Promise<ReadonlyMap<string, string>> {
  if (productIds.length + variantIds.length + customerIds.length === 0) return new Map()
  const rows = await db.read(targetNames, { merchantId, productIds, variantIds, customerIds })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
