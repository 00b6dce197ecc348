import { sql } from 'kysely'
import { undeliveredEnds } from '../../../registry/logistics/shipment-states.ts'
import type { CancelReason, OrderStatus } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId, OrderItemId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../core/audit.ts'
import { searchingAll } from '../core/calls.ts'
import type { WriteTrx } from '../core/database.ts'
import { insertingRows } from '../core/rows.ts'
import { build, writing } from '../core/statement.ts'

export interface MovedOrder {
  readonly merchantId: MerchantId
  readonly id: OrderId
  readonly status: OrderStatus
  readonly version: number
  readonly heldFrom: OrderStatus | null
  readonly cancelReason: CancelReason | null
  readonly cancelNote: string | null
  readonly expiresAt: Timestamp | null
  readonly confirmedAt: Timestamp | null
  readonly shippedAt: Timestamp | null
  readonly deliveredAt: Timestamp | null
  readonly cancelledAt: Timestamp | null
  readonly returnedAt: Timestamp | null
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
  readonly now: Timestamp
}

const move = writing<MovedOrder>()('move_order', (p) =>
  build
    .updateTable('orders')
    .set({
      status: p.status,
      version: p.version,
      heldFrom: p.heldFrom,
      cancelReason: p.cancelReason,
      cancelNote: p.cancelNote,
      expiresAt: p.expiresAt,
      confirmedAt: p.confirmedAt,
      shippedAt: p.shippedAt,
      deliveredAt: p.deliveredAt,
      cancelledAt: p.cancelledAt,
      returnedAt: p.returnedAt,
      itemQuantity: p.itemQuantity,
      fulfilledQuantity: p.fulfilledQuantity,
      returnedQuantity: p.returnedQuantity,
      updatedAt: p.now,
    })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

export interface LineProgress {
  readonly itemId: OrderItemId
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
  readonly lostQuantity: number
  readonly cancelledQuantity: number
}

const progress = writing<{ merchantId: MerchantId; orderId: OrderId; lines: string }>()(
  'progress_order_items',
  (p) => sql`
    update order_items
    set
      fulfilled_quantity = line."fulfilledQuantity",
      returned_quantity = line."returnedQuantity",
      lost_quantity = line."lostQuantity",
      cancelled_quantity = line."cancelledQuantity"
    from jsonb_to_recordset(${p.lines}::jsonb) as line (
      "itemId" text, "fulfilledQuantity" integer, "returnedQuantity" integer, "lostQuantity" integer,
      "cancelledQuantity" integer
    )
    where order_items.merchant_id = ${p.merchantId}
      and order_items.order_id = ${p.orderId}
      and order_items.id = line."itemId"`,
)

const insertStatusChange = insertingRows('order_status_changes')

export interface StatusChange {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  /** The version of the order after the transition. */
  readonly version: number
  readonly from: OrderStatus
  readonly to: OrderStatus
  readonly reason: string | null
  readonly actor: Actor
  readonly now: Timestamp
}

export function writeStatusChange(trx: WriteTrx, change: StatusChange): void {
  const row = {
    merchantId: change.merchantId,
    orderId: change.orderId,
    version: change.version,
    fromStatus: change.from,
    toStatus: change.to,
    reason: change.reason,
    actorType: change.actor.type,
    actorId: change.actor.id,
    occurredAt: change.now,
  }
  insertStatusChange.insert(trx, [row])
}

/** Writes a status transition and the new quantities of the order items. */
export function writeMove(trx: WriteTrx, moved: MovedOrder, lines: readonly LineProgress[]): void {
  trx.queue(move, moved)
  if (lines.length === 0) return
  trx.queue(progress, { merchantId: moved.merchantId, orderId: moved.id, lines: JSON.stringify(lines) })
}

/** Returns expired orders without an active or delivered shipment, of all merchants, earliest expiry first. */
export const listExpiredOrders = searchingAll<{ now: Timestamp; limit: number }>()(
  'list_expired_orders',
  (p, isReachable) =>
    build
      .selectFrom('orders')
      .innerJoin('merchants', 'merchants.id', 'orders.merchantId')
      .where(isReachable('orders.merchantId'))
      .where('orders.expiresAt', '<=', sql<Timestamp>`${p.now}::timestamptz`)
      // An order with an active or delivered shipment does not expire, because its units have left the stock.
      .where(
        sql<boolean>`not exists (
        select from shipments shipment
        where ${isReachable('shipment.merchantId')}
          and shipment.merchant_id = orders.merchant_id
          and shipment.order_id = orders.id
          and shipment.status not in (${sql.join(undeliveredEnds.map((end) => sql.lit(end)))})
      )`,
      )
      .orderBy('orders.expiresAt')
      .limit(p.limit)
      .select(['orders.merchantId', 'orders.id as orderId', 'merchants.mode']),
)
