import type { Refund } from '../../../registry/refunds/refund.ts'
import type { VariantId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { LockedOrder } from '../../store/orders/order-writes.ts'
import { lockStock } from '../../store/products/stock.ts'
import { recordReturnedItems } from '../../store/refunds/refund-writes.ts'
import type { OrderItemMoney } from '../../store/refunds/refundable-items.ts'
import type { RestockedUnits } from '../orders/carried-units.ts'
import { returnStock, type StockMove } from '../products/stock.ts'
import { refundedItems } from './refund-items.ts'

export interface RefundedOrder {
  readonly lines: readonly OrderItemMoney[]
  readonly shipments: readonly OrderShipment[]
}

/**
 * Restocks the units that a refund asks to restock: unshipped units are released from the reservation, shipped units
 * are added to stock.
 */
export async function restock(
  work: Work<'inventory.back_in_stock'>,
  order: LockedOrder,
  refund: Refund,
  { lines, shipments }: RefundedOrder,
): Promise<void> {
  const moved = movedLines(refund, { lines, shipments })
  if (moved.length === 0) return
  const { trx, merchantId } = work
  const byVariant = sumByVariant(moved)
  const stocks = await lockStock(trx, merchantId, [...byVariant.keys()].sort())
  // Creates one inventory movement per variant. The reason is `refund_restocked` if it adds shipped units to the stock,
  // and `order_released` otherwise.
  const releases: StockMove[] = []
  const returns: StockMove[] = []
  for (const stock of stocks) {
    const { unsent, sent } = byVariant.get(stock.variantId) ?? { unsent: 0, sent: 0 }
    // For a variant whose stock is not tracked, only the reserved quantity changes. The quantity on hand is not
    // counted.
    const move = { stock, onHandDelta: stock.isTracked ? sent : 0, reservedDelta: -unsent }
    if (move.onHandDelta === 0) releases.push(move)
    else returns.push(move)
  }
  const cause = { orderId: order.id, refundId: refund.id }
  returnStock(work, releases, { ...cause, reason: 'order_released' })
  returnStock(work, returns, { ...cause, reason: 'refund_restocked' })
  const items = moved.map(({ line, unsent, sent }) => ({ itemId: line.id, unsent, sent }))
  recordReturnedItems(trx, { merchantId, orderId: order.id }, items)
}

interface MovedLine extends RestockedUnits {
  readonly line: OrderItemMoney
}

function movedLines(refund: Refund, { lines, shipments }: RefundedOrder): MovedLine[] {
  return refund.items.flatMap((item) => {
    const line = lines.find(({ id }) => id === item.itemId)
    if (line === undefined || !item.restock) return []
    const taken = refundedItems(line, item.quantity, shipments)
    return taken.unsent + taken.sent === 0 ? [] : [{ line, ...taken }]
  })
}

/**
 * If several order items contain the same variant, their units are added up, because the stock of a variant is changed
 * only once.
 */
function sumByVariant(moved: readonly MovedLine[]): Map<VariantId, RestockedUnits> {
  const sums = new Map<VariantId, RestockedUnits>()
  for (const { line, unsent, sent } of moved) {
    if (line.variantId === null) continue
    const earlier = sums.get(line.variantId) ?? { unsent: 0, sent: 0 }
    sums.set(line.variantId, { unsent: earlier.unsent + unsent, sent: earlier.sent + sent })
  }
  return sums
}
