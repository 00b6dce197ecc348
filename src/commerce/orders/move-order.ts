import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Order } from '../../../registry/orders/order.ts'
import {
  allowedTransitionsOf,
  type CancelReason,
  fulfillmentStatusOf,
  type OrderStatus,
} from '../../../registry/orders/order-states.ts'
import type { OrderId, OrderItemId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { listShipmentsOfOrder, type ShipmentOfLockedOrder } from '../../store/logistics/shipments/tracking.ts'
import { writeMove, writeStatusChange } from '../../store/orders/order-moves.ts'
import {
  cancelShipmentsOf,
  lockShipmentsOf,
  orderCancelledException,
  releaseShipments,
  returnShipments,
} from '../../store/orders/order-shipments.ts'
import { type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { findOrder } from '../../store/orders/orders.ts'
import { resolveOrderNotMoved, resolveUnsentUnits } from '../../store/orders/shipment-exceptions.ts'
import { type LineStock, lockOrderStock } from '../../store/products/stock.ts'
import { releaseDiscounts } from '../discounts/release-discounts.ts'
import { returnStock } from '../products/stock.ts'
import { emitStatusChange } from './emit-status-change.ts'
import { type LineMove, type LineMoves, lineMovesOf, movedLines } from './line-moves.ts'
import { reportCancelledUnrefunded, resolvePaymentProblems } from './payment-problems.ts'
import { reportRefundedGoods } from './refunded-goods.ts'
import { reportException } from './report-exception.ts'
import { resolveHandedOver } from './unsent-units.ts'

/** A locked order: the locked fields, the whole record, the stock of its items, and its shipments. */
export interface MovableOrder {
  readonly locked: LockedOrder
  readonly record: Order
  readonly lines: readonly LineStock[]
  readonly shipments: readonly ShipmentOfLockedOrder[]
}

/**
 * Locks an order for a transition. Undefined when there is no such order. The function does not compare the order's
 * version with If-Match: only some requests have this header, and their handlers compare it.
 */
export async function lockMovable(work: Work, id: OrderId): Promise<MovableOrder | undefined> {
  const { trx, merchantId } = work
  const [locked, record, lines, shipments] = await Promise.all([
    lockOrder(trx, merchantId, id),
    // The order's record is read after the statement that locks the order. The record therefore contains all changes
    // that were committed before the lock was obtained.
    findOrder(trx, merchantId, id),
    lockOrderStock(trx, { merchantId, orderId: id }),
    // The shipments are also read after the order is locked, so that the second of two concurrent requests for a
    // shipment sees the shipment of the first.
    listShipmentsOfOrder(trx, merchantId, id),
  ])
  if (locked === undefined || record === undefined) return undefined
  return { locked, record, lines, shipments }
}

export interface OrderMove {
  readonly to: OrderStatus
  /** Reason of the transition, which the event and the status history contain. */
  readonly reason: string | null
  readonly cancelReason?: CancelReason
  readonly cancelNote?: string | null
  /** Order items to restock when the order is returned. */
  readonly restockItemIds?: readonly OrderItemId[]
  /** New expiry time of an order that is released from `on_hold` to `pending`. */
  readonly expiresAt?: Timestamp | null
}

export type MoveOutcome =
  | { readonly is: 'moved'; readonly order: Order }
  | { readonly is: 'not_allowed'; readonly from: OrderStatus; readonly allowed: readonly OrderStatus[] }
  | Exclude<LineMoves, { is: 'fine' }>

/** Changes the status of an order on request, if the published transition table allows the change. */
export async function moveOrder(
  work: Work<OrderMoveEvents | 'shipment.exception_raised'>,
  order: MovableOrder,
  move: OrderMove,
): Promise<MoveOutcome> {
  const { locked } = order
  const { to } = move
  const allowed = allowedTransitionsOf(locked)
  if (!allowed.includes(to)) return { is: 'not_allowed', from: locked.status, allowed }
  const lineMoves = lineMovesOf(order, locked.status, move)
  if (lineMoves.is !== 'fine') return lineMoves
  const { record } = applyMove(work, order, move, lineMoves)
  if (to === 'cancelled') await cancelShipments(work, locked.id)
  if (to === 'shipped' || to === 'delivered')
    await resolveHandedOver(work, locked.id, { to, shipments: order.shipments })
  // The merchant has set a shipped order back to `processing`, so its units are in the shop again. Units that were
  // refunded must be reported to the merchant, because they will not be sent again.
  if (to === 'processing' && locked.status === 'shipped') await reportRefundedGoods(work, locked.id)
  return { is: 'moved', order: record }
}

async function cancelShipments(work: Work<'shipment.exception_raised'>, orderId: OrderId): Promise<void> {
  const { trx, merchantId, now } = work
  const order = { merchantId, orderId, now }
  lockShipmentsOf(trx, order)
  resolveUnsentUnits(trx, order)
  for (const shipment of await cancelShipmentsOf(trx, order)) {
    reportException(work, shipment, { ...orderCancelledException, at: now })
  }
}

/**
 * Applies a status transition to an order: stores the status, moves the stock, releases the discounts of an order that
 * ends unpaid, and emits the event exactly once. Returns the changed order. Every status change uses this function,
 * with one exception: a payment that covers a pending order (record-payment.ts) confirms the order without affecting
 * items or stock.
 */
export function applyMove(
  work: Work<OrderMoveEvents>,
  order: MovableOrder,
  move: OrderMove,
  { reason, moves }: CountedLines,
): MovableOrder {
  const { locked } = order
  returnStock(work, moves, { reason, orderId: locked.id })
  const { discounts } = order.record
  if (move.to === 'cancelled' && locked.paidKobo === 0 && discounts.length > 0) releaseDiscounts(work, locked.id)
  const { record, heldFrom, ...quantities } = movedRecord(work, order, move, moves)
  writeMoved(work, locked, { record, heldFrom, ...quantities }, moves)
  emitMove(work, locked, record, move.reason)
  moveShipments(work, order, move.to)
  if (move.to === 'cancelled') reportCancelledUnrefunded(work, locked)
  const { status, version } = record
  return {
    locked: { ...locked, status, version, heldFrom, ...quantities },
    record,
    lines: movedLines(order.lines, moves),
    shipments: order.shipments,
  }
}

/** The quantity changes of order items, and the reason of the stock movements that these changes cause. */
export type CountedLines = Pick<Extract<LineMoves, { is: 'fine' }>, 'reason' | 'moves'>

function moveShipments({ trx, merchantId, now }: Work, { locked, shipments }: MovableOrder, to: OrderStatus) {
  const { id: orderId, status: from } = locked
  const order = { merchantId, orderId, now }
  if (to === 'on_hold') lockShipmentsOf(trx, order)
  if (from === 'on_hold' && to !== 'cancelled') releaseShipments(trx, order)
  if (to === 'processing' && from === 'shipped') returnShipments(trx, order)
  const step = handedOverSteps.indexOf(to)
  // The statement that resolves the exception `order_not_moved` is sent only if a shipment of the order has this
  // exception, which is rare.
  const isResolvable = step >= 0 && shipments.some(({ openExceptions }) => openExceptions.includes('order_not_moved'))
  if (isResolvable) resolveOrderNotMoved(trx, order, handedOverSteps.slice(0, step + 1))
}

/** Statuses of an order whose units have all left the shop, in the sequence in which an order reaches them. */
const handedOverSteps: readonly OrderStatus[] = ['shipped', 'delivered', 'returned']

/**
 * Stores changes of an order's items that a shipment causes without a change of the order's status, for example when
 * the first of two shipments departs.
 */
export function progressOrder(work: Work<OrderMoveEvents>, order: MovableOrder, { reason, moves }: CountedLines): void {
  const { locked, record } = order
  returnStock(work, moves, { reason, orderId: locked.id })
  const progress = progressOf(order, moves)
  const next = { ...record, ...shownProgress(locked, progress), version: locked.version + 1, updatedAt: work.now }
  writeMoved(work, locked, { record: next, heldFrom: locked.heldFrom, ...progress }, moves)
}

interface Progress {
  readonly items: Order['items']
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
}

function progressOf({ locked, record }: MovableOrder, moves: readonly LineMove[]): Progress {
  const byId = new Map(moves.map((line) => [line.itemId, line]))
  const items = record.items.map((item) => {
    const line = byId.get(item.id)
    if (line === undefined) return item
    const { fulfilledQuantity, returnedQuantity, cancelledQuantity } = line
    return { ...item, fulfilledQuantity, returnedQuantity, cancelledQuantity }
  })
  return {
    items,
    itemQuantity: locked.itemQuantity - total(moves, (line) => line.cancelled),
    fulfilledQuantity: total(items, (item) => item.fulfilledQuantity),
    returnedQuantity: total(items, (item) => item.returnedQuantity),
  }
}

function shownProgress({ status, heldFrom }: Pick<LockedOrder, 'status' | 'heldFrom'>, progress: Progress) {
  return {
    items: progress.items,
    fulfillmentStatus: fulfillmentStatusOf({ status, ...progress }),
    allowedTransitions: allowedTransitionsOf({ status, heldFrom, ...progress }),
  }
}

interface Moved extends Omit<Progress, 'items'> {
  readonly record: Order
  readonly heldFrom: OrderStatus | null
}

function movedRecord(work: Work, order: MovableOrder, move: OrderMove, moves: readonly LineMove[]): Moved {
  const { locked, record } = order
  const { to } = move
  const { now } = work
  const heldFrom = to === 'on_hold' ? locked.status : null
  const progress = progressOf(order, moves)
  const moved: Order = {
    ...record,
    ...shownProgress({ status: to, heldFrom }, progress),
    status: to,
    version: locked.version + 1,
    expiresAt: to === 'pending' ? (move.expiresAt ?? null) : null,
    cancelReason: to === 'cancelled' ? (move.cancelReason ?? 'other') : null,
    cancelNote: to === 'cancelled' ? (move.cancelNote ?? null) : null,
    confirmedAt: to === 'processing' ? (record.confirmedAt ?? now) : record.confirmedAt,
    // `shippedAt` is cleared when the order returns from `shipped` to `processing`.
    shippedAt: to === 'shipped' ? now : to === 'processing' ? null : record.shippedAt,
    deliveredAt: to === 'delivered' ? now : record.deliveredAt,
    cancelledAt: to === 'cancelled' ? now : null,
    returnedAt: to === 'returned' ? now : null,
    updatedAt: now,
  }
  return { record: moved, heldFrom, ...progress }
}

function writeMoved(work: Work, locked: LockedOrder, moved: Moved, moves: readonly LineMove[]): void {
  const { record, heldFrom, itemQuantity, fulfilledQuantity, returnedQuantity } = moved
  const { status, version, cancelReason, cancelNote, expiresAt } = record
  const { confirmedAt, shippedAt, deliveredAt, cancelledAt, returnedAt } = record
  const { merchantId, now } = work
  const row = { merchantId, id: locked.id, status, version, heldFrom, cancelReason, cancelNote, expiresAt, now }
  const moments = { confirmedAt, shippedAt, deliveredAt, cancelledAt, returnedAt }
  writeMove(work.trx, { ...row, ...moments, itemQuantity, fulfilledQuantity, returnedQuantity }, moves)
  resolvePaymentProblems(work, locked, { ...locked, status, itemQuantity, fulfilledQuantity })
}

function emitMove(work: Work<'order.status_changed'>, locked: LockedOrder, record: Order, reason: string | null): void {
  const { merchantId, actor, now } = work
  const { id: orderId } = locked
  const change = { from: locked.status, to: record.status, reason, version: record.version }
  writeStatusChange(work.trx, { merchantId, orderId, actor, now, ...change })
  emitStatusChange(work, locked, change)
  if (record.cancelReason !== null) work.note({ cancelReason: [null, record.cancelReason] })
}

function total<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + countOf(item), 0)
}
