import { sql } from 'kysely'
import { isShipmentOver, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import { type OldestOrders, selectOldestOrders } from './oldest-orders.ts'

/** Statuses of a shipment that transports its units now or later. */
const activeStatuses = shipmentStatuses.filter((status) => !isShipmentOver(status)).map((status) => sql.lit(status))

/** Selects the oldest orders to pack: orders that are paid or payable on delivery, and that have units to pack. */
export function selectOrdersToPack(selected: OldestOrders) {
  const isToPack = sql`(orders.status = 'processing' or orders.payment_method = 'pay_on_delivery')
        and ${hasUnitsToPack(selected.merchantId)}`
  return selectOldestOrders(selected, ['processing', 'pending'], isToPack)
}

/**
 * Whether an order must be packed: the customer will still receive a unit that has not left the shop and is in no
 * active shipment. An order that is refunded in full need not be packed. A shipment without items contains the whole
 * order. `unitsToSendOf` counts the same units in TypeScript. Each `offset 0` prevents a join that reads whole tables.
 */
function hasUnitsToPack(merchantId: unknown) {
  return sql<boolean>`
    not (
      orders.total_kobo > 0
      and orders.paid_kobo >= orders.total_kobo
      and orders.refunded_kobo + orders.refund_pending_kobo >= orders.paid_kobo
    )
    and not exists (select ${activeShipments(merchantId)} and shipments.items = '[]' offset 0)
    and exists (
      select
      from order_items item
      where item.merchant_id = ${merchantId} and item.order_id = orders.id and ${itemUnitsToPack(merchantId)} > 0
      offset 0
    )`
}

export function countUnitsToPack(merchantId: unknown) {
  return sql<number>`(
    select sum(greatest(0, ${itemUnitsToPack(merchantId)}))::int
    from order_items item
    where item.merchant_id = ${merchantId} and item.order_id = orders.id
  )`
}

/** Negative if shipments contain more units than must be packed. */
function itemUnitsToPack(merchantId: unknown) {
  return sql<number>`(
    least(
      item.quantity - item.fulfilled_quantity - item.cancelled_quantity,
      item.quantity - item.refunded_quantity - item.fulfilled_quantity + item.returned_quantity + item.lost_quantity
    ) - (
      select coalesce(sum((packed ->> 'quantity')::int), 0)
      from (select shipments.items ${activeShipments(merchantId)} and shipments.items_booked = 'none' offset 0) shipment,
        jsonb_array_elements(shipment.items) packed
      where packed ->> 'itemId' = item.id
    )
  )`
}

function activeShipments(merchantId: unknown) {
  return sql`
    from shipments
    where shipments.merchant_id = ${merchantId}
      and shipments.order_id = orders.id
      and shipments.status in (${sql.join(activeStatuses)})`
}
