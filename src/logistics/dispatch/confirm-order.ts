import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { applyMove, lockMovable } from '../../commerce/orders/move-order.ts'
import { settleOrder } from '../../commerce/orders/settle-order.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findOrderStatus } from '../../store/orders/order-shipments.ts'
import { confirmHeldOrder } from '../../store/orders/order-writes.ts'

/**
 * Confirms the pending order of a shipment, so that the order no longer expires or waits for payment. Called when a
 * carrier accepts the shipment or a rider is scheduled, so a dispatch that no carrier accepts leaves the order pending.
 * If the order was put on hold during the carrier request, the order stays on hold, and its release moves it to
 * `processing`.
 */
export async function confirmOrder(work: Work<OrderMoveEvents>, orderId: OrderId | null): Promise<void> {
  if (orderId === null) return
  const { trx, merchantId, now } = work
  const status = await findOrderStatus(trx, { merchantId, orderId })
  // Most orders are already confirmed at this point, and a confirmed order needs no lock.
  if (status !== 'pending' && status !== 'on_hold') return
  const order = await lockMovable(work, orderId)
  if (order?.locked.status === 'on_hold' && order.locked.heldFrom === 'pending') {
    confirmHeldOrder(trx, { merchantId, id: orderId, now })
    work.note({ heldFrom: ['pending', 'processing'] })
  }
  if (order?.locked.status !== 'pending') return
  applyMove(work, order, { to: 'processing', reason: 'dispatched' }, { reason: 'order_reserved', moves: [] })
  work.note({ orderStatus: ['pending', 'processing'] })
  if (order.locked.fulfilledQuantity > 0) await settleOrder(work, orderId, 'dispatched')
}
