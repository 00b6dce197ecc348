import type { Return } from '../../../registry/returns/return.ts'
import { returnsUnderWay } from '../../../registry/returns/return-states.ts'
import type { OrderId, OrderItemId, ReturnId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { OrderItemMoney } from '../../store/refunds/refundable-items.ts'
import { findReturn } from '../../store/returns/returns.ts'

export type RefundedReturnOutcome =
  | { readonly is: 'found'; readonly return: Return }
  /** The order has no return with the id in the request. */
  | { readonly is: 'return_unknown' }
  | { readonly is: 'return_rejected' }

/**
 * Returns the return for which a refund is requested. The caller must hold the lock of the order, which also protects
 * the order's returns.
 */
export async function findRefundedReturn(
  { trx, merchantId }: Work,
  { orderId, returnId }: { readonly orderId: OrderId; readonly returnId: ReturnId },
): Promise<RefundedReturnOutcome> {
  const found = await findReturn(trx, merchantId, returnId)
  if (found === undefined || found.orderId !== orderId) return { is: 'return_unknown' }
  return found.status === 'rejected' ? { is: 'return_rejected' } : { is: 'found', return: found }
}

/**
 * Returns the quantity of each item of a return that can be refunded: units that came back or may still come back,
 * minus units that were already refunded for the return. A refund states only how many units of an item it concerns. If
 * the customer still waits for other units of the same item, a refund could prevent these other units from being sent.
 * In this case, returned units can be refunded only after they came back.
 */
export function returnedUnitsOf(
  { status, items }: Return,
  lines: readonly OrderItemMoney[],
): ReadonlyMap<OrderItemId, number> {
  const isUnderWay = returnsUnderWay.includes(status)
  const isAwaited = new Set(lines.filter(mayBeAwaited).map(({ id }) => id))
  return new Map(
    items.map(({ itemId, quantity, restockedQuantity, writtenOffQuantity, refundedQuantity }) => {
      const expected = isAwaited.has(itemId) ? 0 : quantity
      const units = isUnderWay ? expected : restockedQuantity + writtenOffQuantity
      return [itemId, Math.max(0, units - refundedQuantity)]
    }),
  )
}

/**
 * Whether the customer may still wait for units of an order item, because some were not sent, were lost by a carrier,
 * or came back without a refund.
 */
function mayBeAwaited(line: OrderItemMoney): boolean {
  const { quantity, fulfilledQuantity, cancelledQuantity, lostQuantity, returnedQuantity, refundedQuantity } = line
  return (
    fulfilledQuantity + cancelledQuantity < quantity ||
    refundedQuantity < cancelledQuantity + lostQuantity + returnedQuantity
  )
}
