import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Order } from '../../../registry/orders/order.ts'
import { type CancelReason, cancelReasons } from '../../../registry/orders/order-states.ts'
import type { OrderTransitionInput } from '../../../registry/orders/transitions.ts'
import type { OrderId, OrderItemId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { getMerchantSettings, type MerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import { expiryOf } from './expiry.ts'
import { lockMovable, type MovableOrder, type MoveOutcome, moveOrder } from './move-order.ts'
import { settleOrder } from './settle-order.ts'

export type TransitionOrderOutcome =
  | Exclude<MoveOutcome, { is: 'moved' }>
  | { readonly is: 'order'; readonly order: Order }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'items_unknown'; readonly itemIds: readonly OrderItemId[] }

/** Changes the status of an order at the merchant's request, if the transition table allows it. */
export async function transitionOrder(
  work: Work<OrderMoveEvents | 'shipment.exception_raised'>,
  id: OrderId,
  request: OrderTransitionInput,
): Promise<TransitionOrderOutcome> {
  const [order, settings] = await Promise.all([lockMovable(work, id), getMerchantSettings(work.trx, work.merchantId)])
  if (order === undefined) return { is: 'order_unknown' }
  work.requireVersion(order.locked.version)
  const { to, reason = null, restockItemIds = [] } = request
  const known = new Set(order.record.items.map((item) => item.id))
  const unknown = restockItemIds.filter((itemId) => !known.has(itemId))
  if (unknown.length > 0) return { is: 'items_unknown', itemIds: unknown }
  if (to === order.locked.status) {
    return work.abort({ is: 'order', order: order.record })
  }
  const expiresAt = expiryOnRelease(work, order, settings)
  const cancelReason = cancelReasonOf(reason)
  const outcome = await moveOrder(work, order, { to, reason, cancelReason, restockItemIds, expiresAt })
  if (outcome.is !== 'moved') return outcome
  const { fulfilledQuantity, status: from } = order.locked
  if (to !== 'processing' || from === 'shipped' || fulfilledQuantity === 0) return { is: 'order', order: outcome.order }
  // If units were sent while the order was on hold or not confirmed, the order now gets the status that its sent units
  // determine.
  return { is: 'order', order: (await settleOrder(work, id, 'released')) ?? outcome.order }
}

/**
 * Returns the published reason for a cancellation. A reason that the merchant defined becomes `other`. So does
 * `expired`, because this reason is reserved for the expiry job.
 */
function cancelReasonOf(reason: string | null): CancelReason {
  return cancelReasons.find((known) => known === reason && known !== 'expired') ?? 'other'
}

/** Releasing an order from hold restarts its expiry, unless the order is paid. */
function expiryOnRelease(work: Work, { locked }: MovableOrder, settings: MerchantSettings): Timestamp | null {
  return locked.paidKobo < locked.totalKobo ? expiryOf(work, settings) : null
}
