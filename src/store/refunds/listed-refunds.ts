import { sql } from 'kysely'
import type { MerchantId, RefundId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/** A refund as the dashboard shows it, with names and titles instead of the ids of its customer, creator and items. */
export interface ListedRefund {
  readonly id: RefundId
  readonly customerName: string
  readonly customerPhone: string | null
  /** Name of the API token or of the member that created the refund. Null for other actors. */
  readonly creator: string | null
  readonly items: readonly {
    readonly itemId: string
    readonly title: string
    readonly variantTitle: string
    readonly quantity: number
  }[]
}

/** The name of a member who created a refund in test mode is read from the members of the live merchant. */
export const listedRefunds = reading<{ merchantId: MerchantId; ids: readonly RefundId[] }>()(
  'list_listed_refunds',
  (p) => sql<ListedRefund>`
    select
      refunds.id, orders.customer_name as "customerName", orders.customer_phone as "customerPhone",
      coalesce(
        (
          select token.name from api_tokens token
          where token.merchant_id = ${p.merchantId} and token.id = refunds.created_by_id
        ),
        (
          select users.name
          from merchants
          join members on members.merchant_id = coalesce(merchants.live_merchant_id, merchants.id)
          join users on users.id = members.user_id
          where merchants.id = ${p.merchantId} and members.id = refunds.created_by_id
        )
      ) as creator,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'itemId', item.id, 'title', item.title, 'variantTitle', item.variant_title, 'quantity', refunded.quantity
        ) order by item.position), '[]')
        from refund_items refunded
        join order_items item
          on item.merchant_id = ${p.merchantId} and item.order_id = refunded.order_id and item.id = refunded.item_id
        where refunded.merchant_id = ${p.merchantId} and refunded.refund_id = refunds.id
      ) as items
    from refunds
    join orders on orders.merchant_id = ${p.merchantId} and orders.id = refunds.order_id
    where refunds.merchant_id = ${p.merchantId} and refunds.id = any(${p.ids}::text[])`,
)

export async function listListedRefunds(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly RefundId[],
): Promise<ReadonlyMap<string, ListedRefund>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(listedRefunds, { merchantId, ids })
  return new Map(rows.map((row) => [row.id, row]))
}
