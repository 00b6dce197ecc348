import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

interface Wanted {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
}

/** Each part of the union reads the given ids from a primary key. */
export const recordNames = reading<Wanted>()(
  'list_record_names',
  (p) => sql<{ readonly id: string; readonly name: string }>`
    select id, number as name from orders where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select id, name from customers
    where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[]) and deleted_at is null
    union all
    select id, title from products where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select id, sku from product_variants where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select id, reference from shipments where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select id, title from discounts where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select id, name from api_tokens where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select person.id, users.name
    from merchants
    join members on members.merchant_id = coalesce(merchants.live_merchant_id, merchants.id)
    join users on users.id = members.user_id
    cross join lateral unnest(array[members.id, users.id]) as person (id)
    where merchants.id = ${p.merchantId} and person.id = any(${p.ids}::text[])`,
)

/**
 * Returns the names of records by their ids: numbers of orders, names of customers and so on. Other ids, and those of
 * deleted customers, have no name.
 */
export async function listRecordNames(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(recordNames, { merchantId, ids: [...new Set(ids)] })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
