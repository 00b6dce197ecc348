import { sql } from 'kysely'
import type { ReturnReason, ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { MerchantId, OrderId, OrderItemId, ReturnId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

export interface ListedReturn {
  readonly id: ReturnId
  readonly orderId: OrderId
  readonly orderNumber: string
  readonly reason: ReturnReason
  readonly status: ReturnStatus
  readonly customerName: string
  /** The order items of the return, with the number of requested units. */
  readonly items: readonly {
    readonly id: OrderItemId
    readonly title: string
    readonly variantTitle: string
    readonly quantity: number
  }[]
}

export const listedReturns = reading<{ merchantId: MerchantId; ids: readonly string[] }>()(
  'list_listed_returns',
  (p) => sql<ListedReturn>`
    select
      returns.id, returns.order_id as "orderId", returns.reason, returns.status, orders.number as "orderNumber",
      orders.customer_name as "customerName",
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', item.id, 'title', item.title, 'variantTitle', item.variant_title, 'quantity', returned.quantity
        ) order by item.position), '[]')
        from return_items returned
        join order_items item
          on item.merchant_id = ${p.merchantId} and item.order_id = returned.order_id and item.id = returned.item_id
        where returned.merchant_id = ${p.merchantId} and returned.return_id = returns.id
      ) as items
    from returns
    join orders on orders.merchant_id = ${p.merchantId} and orders.id = returns.order_id
    where returns.merchant_id = ${p.merchantId} and returns.id = any(${p.ids}::text[])`,
)

export async function listListedReturns(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ListedReturn>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(listedReturns, { merchantId, ids })
  return new Map(rows.map((row) => [row.id, row]))
}
