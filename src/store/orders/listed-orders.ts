import { sql } from 'kysely'
import type { PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

/** The fields of an order that a list of the dashboard shows in addition to the order's record. */
export interface ListedOrder {
  readonly paymentStatus: PaymentStatus
  /** The statuses of the order's shipments, oldest first. */
  readonly shipments: readonly { readonly status: string }[]
}

const list = reading<{ merchantId: MerchantId; ids: readonly OrderId[] }>()('list_listed_orders', (p) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .select([
      'id',
      'paymentStatus',
      sql<readonly { readonly status: string }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('status', s.status) order by s.id), '[]')
        from shipments s
        where s.merchant_id = ${p.merchantId} and s.order_id = orders.id
      )`.as('shipments'),
    ]),
)

/** Returns the payment status and the shipment statuses of each listed order. */
export async function listListedOrders(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, ListedOrder>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(list, { merchantId, ids })
  return new Map(rows.map(({ id, ...shown }) => [id, shown]))
}
