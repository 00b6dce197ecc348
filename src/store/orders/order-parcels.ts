import { sql } from 'kysely'
import { liveAttemptStates } from '../../../registry/logistics/shipment-states.ts'
import type { ItemUnits, OrderStatus, PaymentMethod } from '../../../registry/orders/order-states.ts'
import { refundsUnderWay } from '../../../registry/refunds/refund-states.ts'
import type { Address } from '../../../registry/values/address.ts'
import type { Kobo, MerchantId, OrderId, OrderItemId } from '../../../registry/values/vocabulary.ts'
import { finding } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'
import type { OrderShipment } from '../logistics/shipments/tracking.ts'
import type { StoredException } from '../tables/shipment-exception.ts'
import { lostOfOrder } from './payments.ts'

export interface OrderToShip {
  readonly status: OrderStatus
  readonly totalKobo: Kobo
  readonly paidKobo: Kobo
  readonly address: Address | null
  readonly customerName: string
  readonly customerPhone: string | null
  readonly customerEmail: string
  /** Whether refunds and lost disputes return, or will return, everything that was paid for the whole order. */
  readonly isFullyRefunded: boolean
  /** Whether everything that was paid has already been returned, by succeeded refunds or by lost disputes. */
  readonly isFullyReturned: boolean
  readonly lines: readonly OrderItemToShip[]
  /** Oldest first. */
  readonly shipments: readonly ParcelOfOrder[]
}

export interface ParcelOfOrder extends OrderShipment {
  /** Whether a carrier has accepted the shipment, or a request to a carrier is in progress. */
  readonly isRequested: boolean
  /** Cash that the rider must still collect at the delivery. Null without cash on delivery, and after its collection. */
  readonly uncollectedCashKobo: Kobo | null
  readonly openExceptions: readonly Pick<StoredException, 'code' | 'cause' | 'itemIds'>[]
}

export interface OrderItemToShip extends ItemUnits {
  readonly itemId: OrderItemId
  readonly title: string
  readonly unitPriceKobo: Kobo
  /** Weight of one unit in grams. Null when the variant has no weight. */
  readonly weightGrams: number | null
  /**
   * The part of `refundedQuantity` whose refunds are still in progress. These refunds may still end without a payment
   * to the customer.
   */
  readonly pendingRefundQuantity: number
}

const ordersToShip = (merchantId: MerchantId) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', merchantId)
    .select([
      'status',
      'totalKobo',
      'paidKobo',
      sql<Address | null>`shipping_address`.as('address'),
      'customerName',
      'customerPhone',
      'customerEmail',
      sql<boolean>`total_kobo > 0
        and paid_kobo >= total_kobo
        and refunded_kobo + refund_pending_kobo + ${lostOfOrder(merchantId)} >= paid_kobo`.as('isFullyRefunded'),
      sql<boolean>`total_kobo > 0
        and paid_kobo >= total_kobo
        and refunded_kobo + ${lostOfOrder(merchantId)} >= paid_kobo`.as('isFullyReturned'),
      sql<readonly OrderItemToShip[]>`coalesce((
        select json_agg(json_build_object(
          'itemId', item.id,
          'title', item.title,
          'quantity', item.quantity,
          'fulfilledQuantity', item.fulfilled_quantity,
          'returnedQuantity', item.returned_quantity,
          'lostQuantity', item.lost_quantity,
          'cancelledQuantity', item.cancelled_quantity,
          'refundedQuantity', item.refunded_quantity,
          'unitPriceKobo', item.unit_price_kobo,
          'weightGrams', variant.weight_grams,
          -- Most orders have no refund under way, and their refunds are not read.
          'pendingRefundQuantity', case when refund_pending_kobo = 0 then 0 else (
            select coalesce(sum(refunded.quantity), 0)
            from refunds refund
            join refund_items refunded
              on refunded.merchant_id = refund.merchant_id and refunded.refund_id = refund.id
            where refund.merchant_id = ${merchantId}
              and refund.order_id = orders.id
              and refund.status in (${sql.join(refundsUnderWay.map((status) => sql.lit(status)))})
              and refunded.item_id = item.id
          ) end
        ) order by item.position)
        from order_items item
        left join product_variants variant
          on variant.merchant_id = item.merchant_id and variant.id = item.variant_id
        where item.merchant_id = ${merchantId}
          and item.order_id = orders.id
      ), '[]')`.as('lines'),
      sql<readonly ParcelOfOrder[]>`coalesce((
        select json_agg(json_build_object(
          'id', shipment.id,
          'status', shipment.status,
          'items', shipment.items,
          'itemsBooked', shipment.items_booked,
          'uncollectedCashKobo', case when shipment.cod_collected_at is null then shipment.cod_amount_kobo end,
          'isRequested', shipment.status <> 'scheduled' and (shipment.status <> 'dispatching' or exists (
            select
            from dispatch_attempts attempt
            where attempt.merchant_id = ${merchantId}
              and attempt.shipment_id = shipment.id
              and attempt.state in (${sql.join(liveAttemptStates.map((state) => sql.lit(state)))})
          )),
          'openExceptions', jsonb_path_query_array(shipment.exceptions, '$[*] ? (!exists(@.resolvedAt))')
        ) order by shipment.id)
        from shipments shipment
        where shipment.merchant_id = ${merchantId} and shipment.order_id = orders.id
      ), '[]')`.as('shipments'),
    ])

export const findOrderToShip = finding<{ merchantId: MerchantId; id: OrderId }>()('find_order_to_ship', (p) =>
  ordersToShip(p.merchantId).where('id', '=', p.id),
)

export interface ListedOrderToShip extends OrderToShip {
  readonly id: OrderId
  readonly number: string
  readonly paymentMethod: PaymentMethod
  readonly customerNote: string | null
  /** The SKU and the title of the variant of each item, by the id of the item. */
  readonly variants: Readonly<Record<string, { readonly sku: string; readonly title: string }>>
}

export const listedOrdersToShip = reading<{ merchantId: MerchantId; ids: readonly OrderId[] }>()(
  'list_orders_to_ship',
  (p) =>
    ordersToShip(p.merchantId)
      .where(sql<boolean>`orders.id = any(${p.ids}::text[])`)
      .select([
        'id',
        'number',
        'paymentMethod',
        'customerNote',
        sql<ListedOrderToShip['variants']>`coalesce((
        select json_object_agg(item.id, json_build_object('sku', item.sku, 'title', item.variant_title))
        from order_items item
        where item.merchant_id = ${p.merchantId} and item.order_id = orders.id
      ), '{}')`.as('variants'),
      ]),
)

/** In the order of the given ids. Ids that belong to no order are left out. */
export async function listOrdersToShip(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly OrderId[],
): Promise<readonly ListedOrderToShip[]> {
  if (ids.length === 0) return []
  const rows = await db.read(listedOrdersToShip, { merchantId, ids })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
