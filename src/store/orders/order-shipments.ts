import { sql } from 'kysely'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import type { StoredException, StoredShipment } from '../tables/shipment.ts'

/** What a move of an order does to its shipments, in the order’s own transaction. */

interface MovedOrder {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly now: Timestamp
}

/**
 * A shipment that is being asked for anew is in neither list below until that is committed, and in neither of them as it was
 * read before: so whoever changes one is waited for, and both lists are read behind that.
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

/** From here on no carrier is asked for them any more; a worker ends them, with their own news and audit rows. */
const requestCancellation = writing<MovedOrder>()(
  'request_cancellation_of_shipments',
  (p) => sql`
    update shipments
    set
      cancel_requested_at = ${p.now}::timestamptz,
      cancel_reason = 'other',
      next_check_at = ${p.now}::timestamptz,
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and status in ('scheduled', 'dispatching')`,
)

export const unwanted = { code: 'order_cancelled' } as const satisfies Pick<StoredException, 'code'>

/** Calling off what a carrier has may cost money or a parcel, so that a person has to decide. */
const warn = writing<MovedOrder>()(
  'warn_of_cancelled_order',
  (p) => sql`
    update shipments
    set
      exceptions = exceptions || jsonb_build_array(jsonb_build_object(
        'code', ${sql.lit(unwanted.code)},
        'at', ${p.now}::text
      )),
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId}
      and order_id = ${p.orderId}
      and status in (
        'awaiting_courier', 'courier_assigned', 'at_pickup', 'picked_up', 'in_transit', 'at_dropoff', 'delivery_failed',
        -- Its carrier may not let go.
        'cancelling'
      )`,
)

/** To be queued under the lock of the order, behind which no shipment of it can be made. */
export function cancelShipmentsOf(trx: WriteTrx, order: MovedOrder): void {
  trx.queue(lock, order)
  trx.queue(requestCancellation, order)
  trx.queue(warn, order)
}

const findStatus = reading<{ merchantId: MerchantId; orderId: OrderId }>()('find_order_status', (p) =>
  build.selectFrom('orders').where('merchant_id', '=', p.merchantId).where('id', '=', p.orderId).select('status'),
)

/** Undefined where there is no such order. */
export async function findOrderStatus(
  db: ReadDb,
  order: Pick<MovedOrder, 'merchantId' | 'orderId'>,
): Promise<OrderStatus | undefined> {
  return (await db.read(findStatus, order))[0]?.status
}

/**
 * Whether no carrier may be asked for a shipment because its order is on hold. Read under the lock of the shipment it is sure:
 * an order is put on hold behind the locks of its shipments.
 */
export async function isOrderOnHold(
  db: ReadDb,
  { merchantId, orderId }: Pick<StoredShipment, 'merchantId' | 'orderId'>,
): Promise<boolean> {
  return orderId !== null && (await findOrderStatus(db, { merchantId, orderId })) === 'on_hold'
}

/** To be queued under the lock of an order that is put on hold: whoever is asking a carrier is waited for. */
export function holdShipments(trx: WriteTrx, order: MovedOrder): void {
  trx.queue(lock, order)
}

const release = writing<MovedOrder>()(
  'release_shipments_of_order',
  (p) => sql`
    update shipments
    set next_check_at = least(next_check_at, greatest(dispatch_at, ${p.now}::timestamptz))
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and status in ('scheduled', 'dispatching')`,
)

/** To be queued under the lock of an order that is not on hold any more: what was held goes on at once. */
export function releaseShipments(trx: WriteTrx, order: MovedOrder): void {
  trx.queue(lock, order)
  trx.queue(release, order)
}

/** The order is there after all, though a shipment could not take it along; so nobody has to see to that any more. */
const resolveNotMoved = writing<MovedOrder & { reached: readonly string[] }>()('resolve_order_not_moved', (p) => {
  const isResolved = sql`
      exception ->> 'code' = 'order_not_moved'
        and not exception ? 'resolvedAt'
        and coalesce(exception #>> '{facts,wanted}' = any(${p.reached}::text[]), true)`
  return sql`
      update shipments
      set
        exceptions = (
          select jsonb_agg(
            case when ${isResolved} then exception || jsonb_build_object('resolvedAt', ${p.now}::text) else exception end
            order by position
          )
          from jsonb_array_elements(exceptions) with ordinality as listed (exception, position)
        ),
        version = version + 1,
        updated_at = ${p.now}::timestamptz
      where merchant_id = ${p.merchantId}
        and order_id = ${p.orderId}
        and exists (select from jsonb_array_elements(exceptions) as listed (exception) where ${isResolved})`
})

/** To be queued under the lock of an order that has reached these statuses, and with them all that its shipments wanted. */
export function resolveOrderNotMoved(trx: WriteTrx, order: MovedOrder, reached: readonly OrderStatus[]): void {
  trx.queue(resolveNotMoved, { ...order, reached })
}

/**
 * Units of a shipment that still moves count as sent again with its next tracking update: that the order was taken back says
 * that they are in the shop.
 */
const takeBack = writing<MovedOrder>()(
  'return_shipments_of_order',
  (p) => sql`
    update shipments
    set items_booked = 'none', version = version + 1, updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and items_booked = 'sent' and ended_at is null`,
)

/** To be queued under the lock of an order that was shipped and is not any more. */
export function returnShipments(trx: WriteTrx, order: MovedOrder): void {
  trx.queue(lock, order)
  trx.queue(takeBack, order)
}
