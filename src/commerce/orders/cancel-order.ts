import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Order } from '../../../registry/orders/order.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderCancelInput } from '../../../registry/orders/transitions.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockMovable, moveOrder } from './move-order.ts'

export type CancelOrderOutcome =
  | { readonly is: 'order'; readonly order: Order }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'not_cancellable'; readonly status: OrderStatus }

/**
 * Cancels an order, paid or unpaid. Does not refund the order: the merchant requests the refund separately, because
 * only the refund operation honours idempotency keys.
 */
export async function cancelOrder(
  work: Work<OrderMoveEvents | 'shipment.exception_raised'>,
  id: OrderId,
  request: OrderCancelInput,
): Promise<CancelOrderOutcome> {
  const order = await lockMovable(work, id)
  if (order === undefined) return { is: 'order_unknown' }
  work.requireVersion(order.locked.version)
  const { status } = order.locked
  if (status === 'cancelled') {
    return work.abort({ is: 'order', order: order.record })
  }
  const { reason, note = null } = request
  const outcome = await moveOrder(work, order, { to: 'cancelled', reason, cancelReason: reason, cancelNote: note })
  switch (outcome.is) {
    case 'moved':
      return { is: 'order', order: outcome.order }
    case 'not_allowed':
      return { is: 'not_cancellable', status }
    case 'short':
    case 'items_carried':
      throw new Error('Cancelling an order must not fail for lack of stock or because an item cannot be restocked.')
  }
}
