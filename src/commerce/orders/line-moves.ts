import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { MovementReason } from '../../../registry/products/inventory.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { LineProgress } from '../../store/orders/order-moves.ts'
import type { LineStock } from '../../store/products/stock.ts'
import type { Shortage, StockMove } from '../products/stock.ts'
import { quantityOf, type UnavailableUnits, uncarriedUnits } from './carried-units.ts'

/** What a move of the order does to one line: how its stock changes, and how far it then is. */
export interface LineMove extends StockMove, LineProgress {
  /** Pieces that are no longer asked for. */
  readonly cancelled: number
}

export type LineMoves =
  | { readonly is: 'fine'; readonly reason: MovementReason; readonly moves: readonly LineMove[] }
  | { readonly is: 'short'; readonly items: readonly Shortage[] }
  /** Lines to be restocked of which an active shipment has units. */
  | { readonly is: 'items_carried'; readonly items: readonly UnavailableUnits[] }

/** The items of one shipment, and what of their way the order has not counted yet. */
export interface ParcelMove {
  readonly items: readonly { readonly itemId: OrderItemId; readonly quantity: number }[]
  readonly isSent: boolean
  readonly isReturned: boolean
}

interface Move {
  readonly to: OrderStatus
  /** Where a shipment moves the order: it alone moves lines. */
  readonly parcel?: ParcelMove
  readonly restockItemIds?: readonly OrderItemId[]
}

/**
 * The side effects of a move on stock (design, commerce 1.2): a handover takes what was promised off the shelf, taking
 * it back puts there again what no shipment has delivered or lost, cancelling ends the promise, and a return brings back what the merchant says.
 * Of what is not tracked only the promise is counted.
 */
export function lineMovesOf(
  { lines, shipments }: { readonly lines: readonly LineStock[]; readonly shipments: readonly OrderShipment[] },
  from: OrderStatus,
  move: Move,
): LineMoves {
  if (move.parcel !== undefined) return parcelMovesOf(lines, move.parcel)
  switch (move.to) {
    case 'shipped':
    case 'delivered':
      return from === 'processing' ? handOver(lines) : { is: 'fine', reason: 'order_fulfilled', moves: [] }
    case 'processing':
      return { is: 'fine', reason: 'order_unfulfilled', moves: from === 'shipped' ? takeBackAll(lines, shipments) : [] }
    case 'cancelled':
      return { is: 'fine', reason: 'order_released', moves: lines.map(release) }
    case 'returned':
      return receiveAll(lines, shipments, move.restockItemIds)
    case 'pending':
    case 'on_hold':
      return { is: 'fine', reason: 'order_reserved', moves: [] }
  }
}

/** Pieces that are still asked for and still in the shop. */
export function openQuantityOf(line: LineProgress & { readonly quantity: number }): number {
  return line.quantity - line.fulfilledQuantity - line.cancelledQuantity
}

function handOver(lines: readonly LineStock[]): SentLines {
  return send(lines.map((line) => ({ line, sent: openQuantityOf(line) })))
}

/** What a shipment does to the lines of its order: only those it carries move, and by no more than it carries. */
export function parcelMovesOf(lines: readonly LineStock[], { items, isSent, isReturned }: ParcelMove): SentLines {
  const quantities = new Map(items.map(({ itemId, quantity }) => [itemId, quantity]))
  return send(
    lines.map((line) => {
      const carried = quantities.get(line.itemId) ?? 0
      const sent = isSent ? Math.min(carried, openQuantityOf(line)) : 0
      // Units that another shipment had brought back leave the shop once more, and are on no shelf.
      const resent = isSent ? Math.min(carried - sent, line.returnedQuantity) : 0
      const out = line.fulfilledQuantity + sent - (line.returnedQuantity - resent)
      return { line, sent, returned: (isReturned ? Math.min(carried, out) : 0) - resent }
    }),
  )
}

type SentLines = Exclude<LineMoves, { is: 'items_carried' }>

interface SentLine {
  readonly line: LineStock
  readonly sent: number
  readonly returned?: number
}

/** Stock can have been counted or written off below what was promised: what is not there cannot be handed over. */
function send(lines: readonly SentLine[]): SentLines {
  const items = lines
    .filter(({ line, sent }) => line.isTracked && line.onHand < sent)
    .map(({ line: { variantId, sku, onHand }, sent }) => ({ variantId, sku, requested: sent, available: onHand }))
  if (items.length > 0) return { is: 'short', items }
  const moves = lines.map(({ line, sent, returned = 0 }) =>
    moveOf(line, { onHand: line.isTracked ? -sent : 0, reserved: -sent, fulfilled: sent, returned }),
  )
  return { is: 'fine', reason: 'order_fulfilled', moves }
}

/** Units of a shipment that was delivered or lost cannot be in the shop: they stay as they are. */
function takeBackAll(lines: readonly LineStock[], shipments: readonly OrderShipment[]): LineMove[] {
  const gone = shipments.filter(({ status, itemsBooked }) => itemsBooked === 'sent' && isShipmentOver(status))
  return lines.map((line) => takeBack(line, Math.max(0, line.fulfilledQuantity - quantityOf(line.itemId, gone))))
}

function takeBack(line: LineStock, sent: number): LineMove {
  return moveOf(line, { onHand: line.isTracked ? sent : 0, reserved: sent, fulfilled: -sent })
}

function release(line: LineStock): LineMove {
  const open = openQuantityOf(line)
  return moveOf(line, { reserved: -open, cancelled: open })
}

function receiveAll(
  lines: readonly LineStock[],
  shipments: readonly OrderShipment[],
  restockItemIds: readonly OrderItemId[] = [],
): LineMoves {
  const items = lines.flatMap((line) => {
    const { itemId, fulfilledQuantity, returnedQuantity } = line
    const requested = fulfilledQuantity - returnedQuantity
    const available = uncarriedUnits(line, itemId, shipments).sent
    return restockItemIds.includes(itemId) && available < requested ? [{ itemId, requested, available }] : []
  })
  if (items.length > 0) return { is: 'items_carried', items }
  return { is: 'fine', reason: 'order_returned', moves: lines.map((line) => receive(line, restockItemIds)) }
}

function receive(line: LineStock, restockItemIds: readonly OrderItemId[]): LineMove {
  const returned = line.fulfilledQuantity - line.returnedQuantity
  const isRestocked = line.isTracked && restockItemIds.includes(line.itemId)
  return moveOf(line, { onHand: isRestocked ? returned : 0, returned })
}

interface Deltas {
  readonly onHand?: number
  readonly reserved?: number
  readonly fulfilled?: number
  readonly returned?: number
  readonly cancelled?: number
}

function moveOf(line: LineStock, deltas: Deltas): LineMove {
  const { onHand = 0, reserved = 0, fulfilled = 0, returned = 0, cancelled = 0 } = deltas
  return {
    itemId: line.itemId,
    stock: line,
    onHandDelta: onHand,
    reservedDelta: reserved,
    fulfilledQuantity: line.fulfilledQuantity + fulfilled,
    returnedQuantity: line.returnedQuantity + returned,
    cancelledQuantity: line.cancelledQuantity + cancelled,
    cancelled,
  }
}
