import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

interface Wanted {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
}

/**
 * Each table in the `union all` is searched by its primary key. The orders of the found records are then read by their
 * primary key.
 */
export const notifiedRecords = reading<Wanted>()(
  'list_notified_records',
  (p) => sql<{ readonly id: string; readonly name: string }>`
    select record.id, orders.number || ', ' || orders.customer_name as name
    from (
      select id, id as order_id from orders where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
      union all
      select id, order_id from refunds where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
      union all
      select id, order_id from returns where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
      union all
      select id, order_id from shipments where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])
    ) as record
    join orders on orders.merchant_id = ${p.merchantId} and orders.id = record.order_id
    union all
    select id, case when description = '' then url else description end
    from webhook_endpoints where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])`,
)

/**
 * Returns the names of the records about which notifications report, by the ids of the records: for a refund, return or
 * shipment, the number and the customer of its order; for a webhook endpoint, its description or its URL.
 */
export async function listNotifiedRecords(
  db: ReadDb,
  { merchantId, ids }: Wanted,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(notifiedRecords, { merchantId, ids: [...new Set(ids)] })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
