import { sql } from 'kysely'
import { isShipmentOver, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'

/** Statuses of a shipment that transports its units now or later. */
const activeStatuses = shipmentStatuses.filter((status) => !isShipmentOver(status)).map((status) => sql.lit(status))

interface OrdersToPack {
  readonly merchantId: unknown
  /** The selected columns of the orders, beside `id` and `createdAt`. */
  readonly columns?: ReturnType<typeof sql>
  readonly limit: number
}

/**
 * Selects the oldest orders to pack: orders that are paid or payable on delivery, and that have units to pack. Each of
 * the two order statuses is read from its own partial index.
 */
export function selectOrdersToPack({ merchantId, columns, limit }: OrdersToPack) {
  return sql`
    select found.*
    from unnest(array['processing', 'pending']) wanted (status)
    cross join lateral (
      select orders.id, orders.created_at as "createdAt"${columns === undefined ? sql`` : sql`, ${columns}`}
      from orders
      where orders.merchant_id = ${merchantId}
        and orders.status = wanted.status
        and (orders.status = 'processing' or orders.payment_method = 'pay_on_delivery')
        and ${hasUnitsToPack(merchantId)}
      order by orders.created_at, orders.id
      limit ${sql.lit(limit)}
    ) found
    order by found."createdAt", found.id
    limit ${sql.lit(limit)}`
}

/**
 * Whether an order is not refunded in full, and the customer will receive a unit that has not left the shop and is in no
 * active shipment. A shipment without items contains the whole order. The units are those of `unitsToSendOf`. Each
 * `offset 0` prevents a join that reads whole tables.
 */
function hasUnitsToPack(merchantId: unknown) {
  const active = sql`
    from shipments
    where shipments.merchant_id = ${merchantId}
      and shipments.order_id = orders.id
      and shipments.status in (${sql.join(activeStatuses)})`
  return sql<boolean>`
    not (
      orders.total_kobo > 0
      and orders.paid_kobo >= orders.total_kobo
      and orders.refunded_kobo + orders.refund_pending_kobo >= orders.paid_kobo
    )
    and not exists (select ${active} and shipments.items = '[]' offset 0)
    and exists (
      select
      from order_items item
      where item.merchant_id = ${merchantId}
        and item.order_id = orders.id
        and least(
          item.quantity - item.fulfilled_quantity - item.cancelled_quantity,
          item.quantity - item.refunded_quantity - item.fulfilled_quantity + item.returned_quantity + item.lost_quantity
        ) > (
          select coalesce(sum((packed ->> 'quantity')::int), 0)
          from (select shipments.items ${active} and shipments.items_booked = 'none' offset 0) shipment,
            jsonb_array_elements(shipment.items) packed
          where packed ->> 'itemId' = item.id
        )
      offset 0
    )`
}
