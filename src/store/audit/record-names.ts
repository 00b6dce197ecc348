import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

interface Wanted {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
}

/** Each select of the union searches the primary key of one table for the given ids. */
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
    select id, name from merchants where id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select id, file_name from product_imports where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select id, case when description = '' then url else description end
    from webhook_endpoints where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    union all
    select record.id, orders.number
    from (
      select id, order_id from payments where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
      union all
      select id, order_id from payment_links where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
      union all
      select id, order_id from refunds where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
      union all
      select id, order_id from returns where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    ) as record
    join orders on orders.merchant_id = ${p.merchantId} and orders.id = record.order_id
    union all
    select person.id, users.name
    from merchants
    join members on members.merchant_id = coalesce(merchants.live_merchant_id, merchants.id)
    join users on users.id = members.user_id
    cross join lateral unnest(array[members.id, users.id]) as person (id)
    where merchants.id = ${p.merchantId} and person.id = any(${p.ids}::text[])`,
)

/**
 * Reads the names of invitations in a separate statement, because in a distributed database the invitations are not on
 * the node of the merchant.
 */
export const invitationNames = reading<Wanted>()(
  'list_invitation_names',
  (p) => sql<{ readonly id: string; readonly name: string }>`
    select id, coalesce(name, email) as name from invitations
    where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])`,
)

/**
 * Returns the names of records by their ids: numbers of orders, names of customers and so on. The name of a payment, a
 * payment link, a refund or a return is the number of its order. Other ids, and those of deleted customers, have no
 * name.
 */
export async function listRecordNames(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const invitations = ids.filter((id) => id.startsWith('inv_'))
  const [rows, invited] = await Promise.all([
    db.read(recordNames, { merchantId, ids: [...new Set(ids)] }),
    invitations.length === 0 ? [] : db.read(invitationNames, { merchantId, ids: invitations }),
  ])
  return new Map([...rows, ...invited].map(({ id, name }) => [id, name]))
}
