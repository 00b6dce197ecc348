import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Order } from '../../../registry/orders/order.ts'
import { type OrderStatus, orderTransitions, statusOfUnits } from '../../../registry/orders/order-states.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { OrderShipment, ShipmentOfLockedOrder } from '../../store/logistics/shipments/tracking.ts'
import type { LineStock } from '../../store/products/stock.ts'
import { isInTransit, shippedUnitsOf } from './carried-units.ts'
import {
  cancelledMovesOf,
  combinedMoves,
  type LineMove,
  movedLines,
  receivedMovesOf,
  type ShipmentMove,
  shipmentMovesOf,
  writeOffMovesOf,
} from './line-moves.ts'
import { applyMove, type CountedLines, lockMovable, type MovableOrder, progressOrder } from './move-order.ts'

/**
 * The status of an order follows from its units (registry/orders/order-states.ts). Units are counted in every status,
 * so the sequence of shipments, returns and refunds does not matter. An order on hold or without payment retains its
 * status until it is released or paid; a cancelled or returned order retains its status permanently.
 */

export type SettleOutcome =
  | { readonly is: 'moved'; readonly from: OrderStatus; readonly to: OrderStatus; readonly order: Order }
  /** The status of the order is unchanged. The quantities of its items may have changed. */
  | { readonly is: 'stays' }
  /**
   * The order cannot move to the status that follows from its units: no allowed transitions lead there from its current
   * status, such as `on_hold`.
   */
  | { readonly is: 'not_allowed'; readonly wanted: OrderStatus }

/**
 * Moves an order to the status that follows from the quantities of its items and from its shipments. Must be called
 * after a change of the quantities, the shipments or the status. Returns the order if its status changed.
 */
export async function settleOrder(
  work: Work<OrderMoveEvents>,
  id: OrderId,
  reason: string,
): Promise<Order | undefined> {
  const order = await lockMovable(work, id)
  if (order === undefined || order.locked.status === 'cancelled') return undefined
  const wanted = statusOf(order.lines, order.shipments)
  const outcome = advance(work, order, { wanted, reason }, { reason: 'order_fulfilled', moves: [] })
  return outcome.is === 'moved' ? outcome.order : undefined
}

/** A shipment whose status changed, and all shipments of its order after the change. */
export interface ShipmentFact {
  readonly parcel: ShipmentMove
  readonly shipments: readonly ShipmentOfLockedOrder[]
  readonly reason: string
}

export type CountOutcome =
  | SettleOutcome
  /** The stock has fewer reserved units than the shipment contains. */
  | { readonly is: 'out_of_stock' }
  /** The order already has the status `returned`, in which all of its units are counted as returned. */
  | { readonly is: 'not_counted' }

/**
 * Updates the quantities of an order's items for a changed shipment, and moves the order to the status that follows
 * from them.
 */
export function countShipment(
  work: Work<OrderMoveEvents>,
  order: MovableOrder,
  { parcel, shipments, reason }: ShipmentFact,
): CountOutcome {
  const { status } = order.locked
  if (status === 'cancelled') return countCancelled(work, { ...order, shipments }, parcel)
  const counted = shipmentMovesOf(order.lines, parcel)
  if (counted.is === 'short') return { is: 'out_of_stock' }
  const { moves } = counted
  const hasProgress = moves.some((move, index) => isProgress(order.lines[index], move))
  if (status === 'returned') return { is: hasProgress ? 'not_counted' : 'stays' }
  const wanted = statusOf(movedLines(order.lines, moves), shipments)
  const outcome = advance(work, order, { wanted, reason }, counted)
  if (outcome.is !== 'moved' && hasProgress) progressOrder(work, order, counted)
  return outcome
}

/** Units of an order that came back from the customer, by order item. */
export type ReceivedUnits = Parameters<typeof receivedMovesOf>[1]

/**
 * Updates the quantities of an order's items for units that came back from the customer, and moves the order to the
 * status that follows from the new quantities. The caller has checked that the customer had the units.
 */
export function countReturn(work: Work<OrderMoveEvents>, order: MovableOrder, units: ReceivedUnits): void {
  const counted = { reason: 'order_returned', moves: receivedMovesOf(order.lines, units) } as const
  const wanted = statusOf(movedLines(order.lines, counted.moves), order.shipments)
  const isMovable = order.locked.status !== 'cancelled'
  const outcome = isMovable ? advance(work, order, { wanted, reason: 'return_received' }, counted) : undefined
  if (outcome?.is !== 'moved') progressOrder(work, order, counted)
}

/**
 * Updates the stock for a changed shipment of a cancelled order. The status of the order does not change. The end of
 * the shipment decides whether its units leave the stock, are released or are restocked.
 */
function countCancelled(work: Work<OrderMoveEvents>, order: MovableOrder, parcel: ShipmentMove): SettleOutcome {
  const moves = cancelledMovesOf(order, parcel)
  const reason = parcel.isReturned ? 'order_returned' : parcel.isSent ? 'order_fulfilled' : 'order_released'
  if (moves.some((move, index) => isProgress(order.lines[index], move))) progressOrder(work, order, { reason, moves })
  return { is: 'stays' }
}

type Counts = Pick<LineMove, 'fulfilledQuantity' | 'returnedQuantity' | 'lostQuantity' | 'cancelledQuantity'>

function isProgress(line: Counts | undefined, move: Counts): boolean {
  return (
    line?.fulfilledQuantity !== move.fulfilledQuantity ||
    line.returnedQuantity !== move.returnedQuantity ||
    line.lostQuantity !== move.lostQuantity ||
    line.cancelledQuantity !== move.cancelledQuantity
  )
}

function statusOf(lines: readonly LineStock[], shipments: readonly OrderShipment[]): OrderStatus {
  const units = lines.map((line) => shippedUnitsOf(line, line.itemId, shipments))
  return statusOfUnits(units, isInTransit(shipments))
}

interface Advance {
  readonly wanted: OrderStatus
  readonly reason: string
}

/**
 * Moves an order to a status by one or more transitions that the published transition table allows. The first
 * transition also stores the given changes of the order items.
 */
function advance(
  work: Work<OrderMoveEvents>,
  order: MovableOrder,
  { wanted, reason }: Advance,
  counted: CountedLines,
): SettleOutcome {
  const from = order.locked.status
  const [first, ...rest] = stepsTo(wanted, from)
  if (first === undefined) return { is: 'stays' }
  if (!isAllowed(from, first)) return { is: 'not_allowed', wanted }
  let current = applyMove(work, order, { to: first, reason }, withWriteOff(order, first, counted))
  for (const to of rest) current = applyMove(work, current, { to, reason }, { reason: 'order_returned', moves: [] })
  return { is: 'moved', from, to: wanted, order: current.record }
}

const handedOver: readonly OrderStatus[] = ['shipped', 'delivered', 'returned']

/**
 * Returns the statuses to set, in sequence, until the order has the wanted status. Only a shipped order can become
 * `returned`, so `shipped` precedes it. Empty if the order already has the wanted status or a later one, because this
 * function never sets an order back to an earlier status.
 */
function stepsTo(wanted: OrderStatus, from: OrderStatus): readonly OrderStatus[] {
  if (handedOver.indexOf(from) >= handedOver.indexOf(wanted)) return []
  return wanted === 'returned' && from === 'processing' ? ['shipped', wanted] : [wanted]
}

function isAllowed(from: OrderStatus, to: OrderStatus): boolean {
  const allowed: readonly OrderStatus[] = orderTransitions[from]
  return allowed.includes(to)
}

/**
 * Adds stock movements that write off the unsent units of an order, if the order moves to a status in which all its
 * other units have left the shop. The unsent units were refunded but not restocked, so they would otherwise stay
 * reserved.
 */
function withWriteOff({ lines }: MovableOrder, to: OrderStatus, { reason, moves }: CountedLines): CountedLines {
  if (!handedOver.includes(to)) return { reason, moves }
  return { reason, moves: combinedMoves(moves, writeOffMovesOf(movedLines(lines, moves))) }
}
