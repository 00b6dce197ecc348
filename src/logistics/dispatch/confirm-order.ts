import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { lockMovable, moveOrder } from '../../commerce/orders/move-order.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findOrderStatus } from '../../store/orders/order-shipments.ts'

/**
 * An order that is sent is confirmed: from here on it neither expires nor waits for money. That is so once a carrier has it, or
 * its rider is planned: a dispatch that nobody takes leaves a pending order as it was.
 */
export async function confirmOrder(work: Work<'order.status_changed'>, orderId: OrderId | null): Promise<void> {
  if (orderId === null) return
  const { trx, merchantId } = work
  // Most orders are confirmed long before, and need no lock.
  if ((await findOrderStatus(trx, { merchantId, orderId })) !== 'pending') return
  const order = await lockMovable(work, orderId)
  if (order?.locked.status !== 'pending') return
  const moved = moveOrder(work, order, { to: 'processing', reason: 'dispatched' })
  if (moved.is !== 'moved') throw new Error(`Order ${orderId} is pending and could not be confirmed.`)
  work.note({ orderStatus: ['pending', 'processing'] })
}
