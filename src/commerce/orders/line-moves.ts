import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { MovementReason } from '../../../registry/products/inventory.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { LineProgress } from '../../store/orders/order-moves.ts'
import type { LineStock } from '../../store/products/stock.ts'
import type { Shortage, StockMove } from '../products/stock.ts'
import { quantityOf, type UnavailableUnits, uncarriedUnits } from './carried-units.ts'

/** The effect of an order transition on one line: the stock movement and the resulting quantities. */
export interface LineMove extends StockMove, LineProgress {
  /** Units cancelled by this transition. */
  readonly cancelled: number
}

export type LineMoves =
  | { readonly is: 'fine'; readonly reason: MovementReason; readonly moves: readonly LineMove[] }
  | { readonly is: 'short'; readonly items: readonly Shortage[] }
  /** Lines to restock with units in an active shipment. */
  | { readonly is: 'items_carried'; readonly items: readonly UnavailableUnits[] }

/** The items of one shipment, and the steps that the order has not recorded yet. */
export interface ShipmentMove {
  readonly items: readonly { readonly itemId: OrderItemId; readonly quantity: number }[]
  readonly isSent: boolean
  readonly isReturned: boolean
}

interface Move {
  readonly to: OrderStatus
  /** Set when a shipment causes the transition: then only the units of this shipment change. */
  readonly parcel?: ShipmentMove
  readonly restockItemIds?: readonly OrderItemId[]
}

/**
 * Computes the stock movements of an order transition (design, commerce 1.2). Shipping removes reserved units from
 * stock; undoing it restores the units that no shipment has delivered or lost; cancelling releases the reservation; a
 * return restocks the lines that the merchant selects. Untracked variants have only their reservation counted.
 */
export function lineMovesOf(
  { lines, shipments }: { readonly lines: readonly LineStock[]; readonly shipments: readonly OrderShipment[] },
  from: OrderStatus,
  move: Move,
): LineMoves {
  if (move.parcel !== undefined) return shipmentMovesOf(lines, move.parcel)
  switch (move.to) {
    case 'shipped':
    case 'delivered':
      return from === 'processing' ? shipAll(lines) : { is: 'fine', reason: 'order_fulfilled', moves: [] }
    case 'processing':
      return { is: 'fine', reason: 'order_unfulfilled', moves: from === 'shipped' ? restoreAll(lines, shipments) : [] }
    case 'cancelled':
      return { is: 'fine', reason: 'order_released', moves: lines.map(release) }
    case 'returned':
      return receiveAll(lines, shipments, move.restockItemIds)
    case 'pending':
    case 'on_hold':
      return { is: 'fine', reason: 'order_reserved', moves: [] }
  }
}

/** Returns the units that are neither cancelled nor shipped. */
export function openQuantityOf(line: LineProgress & { readonly quantity: number }): number {
  return line.quantity - line.fulfilledQuantity - line.cancelledQuantity
}

function shipAll(lines: readonly LineStock[]): SentLines {
  return send(lines.map((line) => ({ line, sent: openQuantityOf(line) })))
}

/** Computes the changes by a shipment. Only lines in the shipment change, by at most the shipped quantity. */
export function shipmentMovesOf(lines: readonly LineStock[], { items, isSent, isReturned }: ShipmentMove): SentLines {
  const quantities = new Map(items.map(({ itemId, quantity }) => [itemId, quantity]))
  return send(
    lines.map((line) => {
      const carried = quantities.get(line.itemId) ?? 0
      const sent = isSent ? Math.min(carried, openQuantityOf(line)) : 0
      // Units that another shipment had returned leave the shop again and are not in stock.
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

/** Rejects lines with less stock on hand than reserved, for example after a stock count or a write-off. */
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

/** Units of a delivered or lost shipment cannot be in the shop, so they are not restored. */
function restoreAll(lines: readonly LineStock[], shipments: readonly OrderShipment[]): LineMove[] {
  const gone = shipments.filter(({ status, itemsBooked }) => itemsBooked === 'sent' && isShipmentOver(status))
  return lines.map((line) => restore(line, Math.max(0, line.fulfilledQuantity - quantityOf(line.itemId, gone))))
}

function restore(line: LineStock, sent: number): LineMove {
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
