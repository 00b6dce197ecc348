import type { MovementReason } from '../../registry/inventory.ts'
import type { OrderStatus } from '../../registry/order-states.ts'
import type { OrderItemId } from '../../registry/vocabulary.ts'
import type { LineProgress } from '../store/order-moves.ts'
import type { LineStock } from '../store/stock.ts'
import type { Shortage, StockMove } from './stock.ts'

/** What a move of the order does to one line: how its stock changes, and how far it then is. */
export interface LineMove extends StockMove, LineProgress {
  /** Pieces that are no longer asked for. */
  readonly cancelled: number
}

export type LineMoves =
  | { readonly is: 'fine'; readonly reason: MovementReason; readonly moves: readonly LineMove[] }
  | { readonly is: 'short'; readonly items: readonly Shortage[] }

interface Move {
  readonly to: OrderStatus
  readonly restockItemIds?: readonly OrderItemId[]
}

/**
 * The side effects of a move on stock (design, commerce 1.2): a handover takes what was promised off the shelf, taking
 * it back puts it there again, cancelling ends the promise, and a return brings back what the merchant says.
 * Of what is not tracked only the promise is counted.
 */
export function lineMovesOf(lines: readonly LineStock[], from: OrderStatus, move: Move): LineMoves {
  switch (move.to) {
    case 'shipped':
    case 'delivered':
      return from === 'processing' ? handOver(lines) : { is: 'fine', reason: 'order_fulfilled', moves: [] }
    case 'processing':
      return { is: 'fine', reason: 'order_unfulfilled', moves: from === 'shipped' ? lines.map(takeBack) : [] }
    case 'cancelled':
      return { is: 'fine', reason: 'order_released', moves: lines.map(release) }
    case 'returned':
      return { is: 'fine', reason: 'order_returned', moves: lines.map((line) => receive(line, move.restockItemIds)) }
    case 'pending':
    case 'on_hold':
      return { is: 'fine', reason: 'order_reserved', moves: [] }
  }
}

/** Pieces that are still asked for and still in the shop. */
export function openQuantityOf(line: LineProgress & { readonly quantity: number }): number {
  return line.quantity - line.fulfilledQuantity - line.cancelledQuantity
}

/** Stock can have been counted or written off below what was promised: what is not there cannot be handed over. */
function handOver(lines: readonly LineStock[]): LineMoves {
  const items = lines
    .filter((line) => line.isTracked && line.onHand < openQuantityOf(line))
    .map((line) => ({
      variantId: line.variantId,
      sku: line.sku,
      requested: openQuantityOf(line),
      available: line.onHand,
    }))
  if (items.length > 0) return { is: 'short', items }
  const moves = lines.map((line) => {
    const open = openQuantityOf(line)
    return moveOf(line, { onHand: line.isTracked ? -open : 0, reserved: -open, fulfilled: open })
  })
  return { is: 'fine', reason: 'order_fulfilled', moves }
}

function takeBack(line: LineStock): LineMove {
  const sent = line.fulfilledQuantity
  return moveOf(line, { onHand: line.isTracked ? sent : 0, reserved: sent, fulfilled: -sent })
}

function release(line: LineStock): LineMove {
  const open = openQuantityOf(line)
  return moveOf(line, { reserved: -open, cancelled: open })
}

function receive(line: LineStock, restockItemIds: readonly OrderItemId[] = []): LineMove {
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
