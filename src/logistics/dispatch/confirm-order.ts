import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { lockMovable, moveOrder } from '../../commerce/orders/move-order.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findOrderStatus } from '../../store/orders/order-shipments.ts'
import { confirmHeldOrder } from '../../store/orders/order-writes.ts'

/**
 * An order that is sent is confirmed: from here on it neither expires nor waits for money. That is so once a carrier has it, or
 * its rider is planned: a dispatch that nobody takes leaves a pending order as it was. An order that was put on hold while its
 * carrier was asked stays on hold, and is released to `processing`.
 */
export async function confirmOrder(work: Work<'order.status_changed'>, orderId: OrderId | null): Promise<void> {
  if (orderId === null) return
  const { trx, merchantId, now } = work
  const status = await findOrderStatus(trx, { merchantId, orderId })
  // Most orders are confirmed long before, and need no lock.
  if (status !== 'pending' && status !== 'on_hold') return
  const order = await lockMovable(work, orderId)
  if (order?.locked.status === 'on_hold' && order.locked.heldFrom === 'pending') {
    confirmHeldOrder(trx, { merchantId, id: orderId, now })
    work.note({ heldFrom: ['pending', 'processing'] })
  }
  if (order?.locked.status !== 'pending') return
  const moved = moveOrder(work, order, { to: 'processing', reason: 'dispatched' })
  if (moved.is !== 'moved') throw new Error(`Order ${orderId} is pending and could not be confirmed.`)
  work.note({ orderStatus: ['pending', 'processing'] })
}
