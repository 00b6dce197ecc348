import { sql } from 'kysely'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import type { StoredShipment } from '../tables/shipment.ts'
import type { StoredException } from '../tables/shipment-exception.ts'

/** Updates the shipments of an order in the transaction that changes the status of the order. */

export interface MovedOrder {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly now: Timestamp
}

/**
 * A shipment that a statement selected by the id of its order, and changed. The audit row of the change lists the
 * shipment.
 */
export type ChangedShipment = Pick<StoredShipment, 'id'>

/**
 * Locks the shipments of an order before later statements select shipments by status. A concurrent transaction may be
 * changing a status, and the later statements must see the committed status.
 */
const lock = locking<MovedOrder>()(
  'lock_shipments_of_moved_order',
  (p) => sql`
    select id
    from shipments
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId}
    order by id
    for no key update`,
)

/**
 * Requests the cancellation of shipments that no carrier has accepted. A worker later cancels these shipments, and
 * writes the shipment events and the audit rows.
 */
const requestCancellation = writing<MovedOrder>()(
  'request_cancellation_of_shipments',
  (p) => sql<ChangedShipment>`
    update shipments
    set
      cancel_requested_at = ${p.now}::timestamptz,
      cancel_reason = 'other',
      next_check_at = ${p.now}::timestamptz,
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and status in ('scheduled', 'dispatching')
    returning id`,
)

export const orderCancelledException = { code: 'order_cancelled' } as const satisfies Pick<StoredException, 'code'>

/**
 * For a cancelled order, adds an exception to each shipment that a carrier has accepted. These shipments are not
 * cancelled, because a cancellation may incur a fee or lose the parcel.
 */
const warn = writing<MovedOrder>()(
  'warn_of_cancelled_order',
  (p) => sql<WarnedShipment>`
    update shipments
    set
      exceptions = exceptions || jsonb_build_array(jsonb_build_object(
        'code', ${sql.lit(orderCancelledException.code)},
        'at', ${p.now}::text,
        -- The caller reports it.
        'isReported', true
      )),
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId}
      and order_id = ${p.orderId}
      and status in (
        'awaiting_courier', 'courier_assigned', 'at_pickup', 'picked_up', 'in_transit', 'at_dropoff', 'delivery_failed',
        -- The carrier may reject the cancellation.
        'cancelling'
      )
    returning id, reference, order_id, return_id`,
)

/** A shipment that a carrier has accepted and whose order was cancelled. */
export type WarnedShipment = Pick<StoredShipment, 'id' | 'reference' | 'orderId' | 'returnId'>

/**
 * Cancels the shipments of a cancelled order. Requires the order's lock, which prevents new shipments, and the locks of
 * the shipments. Returns the shipments that a carrier has accepted; the caller must report their new exception.
 */
export async function cancelShipmentsOf(trx: WriteTrx, order: MovedOrder): Promise<readonly WarnedShipment[]> {
  trx.queue(requestCancellation, order)
  return trx.write(warn, order)
}

const findStatus = reading<{ merchantId: MerchantId; orderId: OrderId }>()('find_order_status', (p) =>
  build.selectFrom('orders').where('merchantId', '=', p.merchantId).where('id', '=', p.orderId).select('status'),
)

export async function findOrderStatus(
  db: ReadDb,
  order: Pick<MovedOrder, 'merchantId' | 'orderId'>,
): Promise<OrderStatus | undefined> {
  return (await db.read(findStatus, order))[0]?.status
}

/**
 * Reports whether the shipment's order is on hold, so that no carrier may be requested. The result is reliable while
 * the shipment is locked, because putting an order on hold locks its shipments.
 */
export async function isOrderOnHold(
  db: ReadDb,
  { merchantId, orderId }: Pick<StoredShipment, 'merchantId' | 'orderId'>,
): Promise<boolean> {
  return orderId !== null && (await findOrderStatus(db, { merchantId, orderId })) === 'on_hold'
}

/**
 * Locks the shipments of an order, for example when the order is put on hold. Waits for transactions that are starting
 * a dispatch attempt for one of them. Requires the order's lock.
 */
export function lockShipmentsOf(trx: WriteTrx, order: MovedOrder): void {
  trx.queue(lock, order)
}

const release = writing<MovedOrder>()(
  'release_shipments_of_order',
  (p) => sql<ChangedShipment>`
    update shipments
    set next_check_at = least(next_check_at, greatest(dispatch_at, ${p.now}::timestamptz))
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and status in ('scheduled', 'dispatching')
    returning id`,
)

/**
 * Called when the hold of an order ends. Makes the shipments that no carrier has accepted due for a check now, or at
 * their dispatch time if it is later. Requires the order's lock.
 */
export function releaseShipments(trx: WriteTrx, order: MovedOrder): void {
  trx.queue(lock, order)
  trx.queue(release, order)
}

/**
 * Records that the items of the order's active shipments are not counted as sent. The order returns from the status
 * `shipped`, because the units are back in the shop. The next tracking update of a shipment counts its items as sent
 * again.
 */
const clearBookedItems = writing<MovedOrder>()(
  'clear_booked_items_of_shipments',
  (p) => sql<ChangedShipment>`
    update shipments
    set items_booked = 'none', version = version + 1, updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and items_booked = 'sent' and ended_at is null
    returning id`,
)

/**
 * Called when an order returns from `shipped` to an earlier status. Records that the units of its active shipments are
 * no longer counted as sent. Requires the order's lock.
 */
export function returnShipments(trx: WriteTrx, order: MovedOrder): void {
  trx.queue(lock, order)
  trx.queue(clearBookedItems, order)
}
