import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import { type OrderStatus, openUnitsOf } from '../../../registry/orders/order-states.ts'
import type { MovementReason } from '../../../registry/products/inventory.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { LineProgress } from '../../store/orders/order-moves.ts'
import type { LineStock } from '../../store/products/stock.ts'
import type { Shortage, StockMove } from '../products/stock.ts'
import { broughtBackUnitsOf, heldUnitsOf, quantityOf, type UnavailableUnits, uncarriedUnits } from './carried-units.ts'

/**
 * The effect that a status transition of an order has on one order item: the stock movement, and the item's quantities
 * afterwards.
 */
export interface LineMove extends StockMove, LineProgress {
  /** Number of units of the item that the order transition cancels. */
  readonly cancelled: number
}

export type LineMoves =
  | { readonly is: 'fine'; readonly reason: MovementReason; readonly moves: readonly LineMove[] }
  | { readonly is: 'short'; readonly items: readonly Shortage[] }
  /**
   * Order items that cannot be restocked as requested, because some of their units are in an active shipment or were
   * lost by a carrier.
   */
  | { readonly is: 'items_carried'; readonly items: readonly UnavailableUnits[] }

/**
 * The items of a shipment, and its steps (departure, return or loss) that have not been applied yet to the order's
 * quantities and to the stock.
 */
export interface ShipmentMove {
  readonly items: readonly { readonly itemId: OrderItemId; readonly quantity: number }[]
  readonly isSent: boolean
  readonly isReturned: boolean
  readonly isLost: boolean
  /** All shipments of the order except the one whose status has changed. */
  readonly others: readonly OrderShipment[]
}

interface Move {
  readonly to: OrderStatus
  readonly restockItemIds?: readonly OrderItemId[]
}

interface OrderLines {
  readonly lines: readonly LineStock[]
  /** All shipments of the order. */
  readonly shipments: readonly OrderShipment[]
}

/**
 * Computes the stock movements of an order transition. Shipping removes reserved units from stock. Going back from
 * `shipped` to `processing` restores the units that no shipment has delivered or lost. Cancelling releases the
 * reservation of units that no active shipment contains. The transition to `returned` restocks the items that the
 * merchant selects. For untracked variants, only the reservation is counted.
 */
export function lineMovesOf(order: OrderLines, from: OrderStatus, move: Move): LineMoves {
  const { lines, shipments } = order
  switch (move.to) {
    case 'shipped':
    case 'delivered':
      return from === 'processing' ? shipAll(lines) : { is: 'fine', reason: 'order_fulfilled', moves: [] }
    case 'processing':
      return { is: 'fine', reason: 'order_unfulfilled', moves: from === 'shipped' ? restoreAll(lines, shipments) : [] }
    case 'cancelled':
      return { is: 'fine', reason: 'order_released', moves: lines.map((line) => release(line, shipments)) }
    case 'returned':
      return receiveAll(lines, shipments, move.restockItemIds)
    case 'pending':
    case 'on_hold':
      return { is: 'fine', reason: 'order_reserved', moves: [] }
  }
}

function shipAll(lines: readonly LineStock[]): SentLines {
  return send(lines.map((line) => ({ line, sent: openUnitsOf(line) })))
}

/**
 * Computes the stock movements that the progress of a shipment causes. The movements concern only items in the
 * shipment, and at most their quantity in the shipment.
 */
export function shipmentMovesOf(lines: readonly LineStock[], move: ShipmentMove): SentLines {
  return send(countedLines(lines, move))
}

/**
 * Computes the stock movements for a changed shipment of a cancelled order. The movements depend on how the shipment
 * ends: delivered and lost units leave the stock, and all other units are released or restocked. All of these units are
 * moved, even if fewer units are on hand, because no later transition of a cancelled order could correct the stock.
 */
export function cancelledMovesOf({ lines, shipments }: OrderLines, move: ShipmentMove): LineMove[] {
  return countedLines(lines, move).map(({ line, sent, returned = 0, lost = 0 }) => {
    const counted = { ...line, fulfilledQuantity: line.fulfilledQuantity + sent }
    const released = openUnitsOf(counted) - heldUnitsOf(counted, line.itemId, shipments)
    const onHand = line.isTracked ? returned - Math.min(line.onHand, sent) : 0
    const reserved = -sent - released
    return moveOf(line, { onHand, reserved, fulfilled: sent, returned, lost, cancelled: released })
  })
}

/**
 * Computes the stock movements that write off units that were refunded but neither sent nor restocked. Called when the
 * order has no other units left to send.
 */
export function writeOffMovesOf(lines: readonly LineStock[]): LineMove[] {
  return lines.map((line) => {
    const open = openUnitsOf(line)
    return moveOf(line, { onHand: line.isTracked ? -Math.min(line.onHand, open) : 0, reserved: -open, cancelled: open })
  })
}

/** Computes the stock movements of units that came back from the customer: some are restocked, the others written off. */
export function receivedMovesOf(
  lines: readonly LineStock[],
  units: readonly {
    readonly itemId: OrderItemId
    readonly restockQuantity: number
    readonly writeOffQuantity: number
  }[],
): LineMove[] {
  return lines.flatMap((line) => {
    const received = units.find(({ itemId }) => itemId === line.itemId)
    if (received === undefined) return []
    const { restockQuantity, writeOffQuantity } = received
    const onHand = line.isTracked ? restockQuantity : 0
    return [moveOf(line, { onHand, returned: restockQuantity + writeOffQuantity })]
  })
}

export function movedLines(lines: readonly LineStock[], moves: readonly LineMove[]): LineStock[] {
  const byId = new Map(moves.map((move) => [move.itemId, move]))
  return lines.map((line) => {
    const move = byId.get(line.itemId)
    if (move === undefined) return line
    const { fulfilledQuantity, returnedQuantity, lostQuantity, cancelledQuantity } = move
    const stock = { onHand: line.onHand + move.onHandDelta, reserved: line.reserved + move.reservedDelta }
    return { ...line, ...stock, fulfilledQuantity, returnedQuantity, lostQuantity, cancelledQuantity }
  })
}

/**
 * Merges stock movements with later movements of the same order items, so that each item gets a single stock movement.
 */
export function combinedMoves(moves: readonly LineMove[], later: readonly LineMove[]): LineMove[] {
  const byId = new Map(moves.map((move) => [move.itemId, move]))
  return later.map((move) => {
    const earlier = byId.get(move.itemId)
    if (earlier === undefined) return move
    return {
      ...move,
      stock: earlier.stock,
      onHandDelta: earlier.onHandDelta + move.onHandDelta,
      reservedDelta: earlier.reservedDelta + move.reservedDelta,
      cancelled: earlier.cancelled + move.cancelled,
    }
  })
}

type SentLines = Exclude<LineMoves, { is: 'items_carried' }>

interface SentLine {
  readonly line: LineStock
  readonly sent: number
  readonly returned?: number
  readonly lost?: number
}

function countedLines(
  lines: readonly LineStock[],
  { items, isSent, isReturned, isLost, others }: ShipmentMove,
): SentLine[] {
  const quantities = new Map(items.map(({ itemId, quantity }) => [itemId, quantity]))
  return lines.map((line) => {
    const carried = quantities.get(line.itemId) ?? 0
    const sent = isSent ? Math.min(carried, openUnitsOf(line)) : 0
    // Units that another shipment brought back leave the shop again. The stock does not change, because these units
    // were never added to it again. Units that the customer returned are not among them: they were restocked or written
    // off.
    const back = Math.min(line.returnedQuantity, broughtBackUnitsOf(line.itemId, others))
    const resent = isSent ? Math.min(carried - sent, back) : 0
    const out = line.fulfilledQuantity + sent - (line.returnedQuantity - resent) - line.lostQuantity
    const ended = Math.min(carried, out)
    return { line, sent, returned: (isReturned ? ended : 0) - resent, lost: isLost ? ended : 0 }
  })
}

/**
 * Computes the stock movements of sent units. Rejects the transition if fewer units of an item are on hand than are
 * sent, for example because a stock count has lowered the quantity.
 */
function send(lines: readonly SentLine[]): SentLines {
  const items = lines
    .filter(({ line, sent }) => line.isTracked && line.onHand < sent)
    .map(({ line: { variantId, sku, onHand }, sent }) => ({ variantId, sku, requested: sent, available: onHand }))
  if (items.length > 0) return { is: 'short', items }
  const moves = lines.map(({ line, sent, returned = 0, lost = 0 }) =>
    moveOf(line, { onHand: line.isTracked ? -sent : 0, reserved: -sent, fulfilled: sent, returned, lost }),
  )
  return { is: 'fine', reason: 'order_fulfilled', moves }
}

/**
 * Computes the stock movements of an order whose status goes back from `shipped` to an earlier one. Units in a
 * delivered or lost shipment are not restored, because they cannot be back in the shop.
 */
function restoreAll(lines: readonly LineStock[], shipments: readonly OrderShipment[]): LineMove[] {
  const gone = shipments.filter(({ status, itemsBooked }) => itemsBooked === 'sent' && isShipmentOver(status))
  return lines.map((line) => restore(line, Math.max(0, line.fulfilledQuantity - quantityOf(line.itemId, gone))))
}

function restore(line: LineStock, sent: number): LineMove {
  return moveOf(line, { onHand: line.isTracked ? sent : 0, reserved: sent, fulfilled: -sent })
}

function release(line: LineStock, shipments: readonly OrderShipment[]): LineMove {
  const released = openUnitsOf(line) - heldUnitsOf(line, line.itemId, shipments)
  return moveOf(line, { reserved: -released, cancelled: released })
}

function receiveAll(
  lines: readonly LineStock[],
  shipments: readonly OrderShipment[],
  restockItemIds: readonly OrderItemId[] = [],
): LineMoves {
  const items = lines.flatMap((line) => {
    const { itemId, lostQuantity } = line
    // All units of an item can be restocked except those that a carrier lost. If all were lost, the request to restock
    // the item is rejected.
    const requested = receivableOf(line) === 0 ? lostQuantity : receivableOf(line)
    const available = uncarriedUnits(line, itemId, shipments).sent
    return restockItemIds.includes(itemId) && available < requested ? [{ itemId, requested, available }] : []
  })
  if (items.length > 0) return { is: 'items_carried', items }
  return { is: 'fine', reason: 'order_returned', moves: lines.map((line) => receive(line, restockItemIds)) }
}

function receivableOf({ fulfilledQuantity, returnedQuantity, lostQuantity }: LineStock): number {
  return fulfilledQuantity - returnedQuantity - lostQuantity
}

function receive(line: LineStock, restockItemIds: readonly OrderItemId[]): LineMove {
  const returned = receivableOf(line)
  const isRestocked = line.isTracked && restockItemIds.includes(line.itemId)
  return moveOf(line, { onHand: isRestocked ? returned : 0, returned })
}

interface Deltas {
  readonly onHand?: number
  readonly reserved?: number
  readonly fulfilled?: number
  readonly returned?: number
  readonly lost?: number
  readonly cancelled?: number
}

function moveOf(line: LineStock, deltas: Deltas): LineMove {
  const { onHand = 0, reserved = 0, fulfilled = 0, returned = 0, lost = 0, cancelled = 0 } = deltas
  return {
    itemId: line.itemId,
    stock: line,
    onHandDelta: onHand,
    reservedDelta: reserved,
    fulfilledQuantity: line.fulfilledQuantity + fulfilled,
    returnedQuantity: line.returnedQuantity + returned,
    lostQuantity: line.lostQuantity + lost,
    cancelledQuantity: line.cancelledQuantity + cancelled,
    cancelled,
  }
}
