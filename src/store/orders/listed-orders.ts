import { sql } from 'kysely'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus, PaymentMethod, PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { CustomerId, Kobo, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

export interface ListedOrder {
  readonly id: OrderId
  readonly number: string
  readonly status: OrderStatus
  readonly paymentStatus: PaymentStatus
  readonly paymentMethod: PaymentMethod
  readonly totalKobo: Kobo
  readonly paidKobo: Kobo
  readonly customerId: CustomerId | null
  readonly customerName: string
  readonly customerPhone: string | null
  /**
   * The area of the shipping address. An address without an area has its city here, and an address without both has its
   * state. Null without an address.
   */
  readonly area: string | null
  /** Number of units of the order, without the cancelled units. */
  readonly units: number
  /** The title of the first item that is not cancelled, or of the first item if all are cancelled. */
  readonly firstTitle: string | null
  /** Number of items of the order that are not cancelled, excluding the item whose title is `firstTitle`. */
  readonly otherItems: number
  readonly createdAt: Timestamp
  /** Oldest first. */
  readonly shipments: readonly { readonly status: ShipmentStatus }[]
}

const list = reading<{ merchantId: MerchantId; ids: readonly OrderId[] }>()('list_listed_orders', (p) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .select([
      'id',
      'number',
      'status',
      'paymentStatus',
      'paymentMethod',
      'totalKobo',
      'paidKobo',
      'customerId',
      'customerName',
      'customerPhone',
      'createdAt',
      sql<string | null>`coalesce(
        shipping_address ->> 'area', shipping_address ->> 'city', shipping_address ->> 'state'
      )`.as('area'),
      'itemQuantity as units',
      sql<string | null>`(
        select item.title from order_items item
        where item.merchant_id = ${p.merchantId} and item.order_id = orders.id
        order by item.quantity = item.cancelled_quantity, item.position
        limit 1
      )`.as('firstTitle'),
      sql<number>`(
        select greatest(count(*)::int - 1, 0) from order_items item
        where item.merchant_id = ${p.merchantId} and item.order_id = orders.id
          and item.quantity > item.cancelled_quantity
      )`.as('otherItems'),
      sql<ListedOrder['shipments']>`(
        select coalesce(jsonb_agg(jsonb_build_object('status', s.status) order by s.id), '[]')
        from shipments s
        where s.merchant_id = ${p.merchantId} and s.order_id = orders.id
      )`.as('shipments'),
    ]),
)

/** In the order of the given ids. */
export async function listListedOrders(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly OrderId[],
): Promise<readonly ListedOrder[]> {
  if (ids.length === 0) return []
  const rows = await db.read(list, { merchantId, ids })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
