import type { Return } from '../../../registry/returns/return.ts'
import { returnsUnderWay } from '../../../registry/returns/return-states.ts'
import type { OrderId, OrderItemId, ReturnId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { OrderItemMoney } from '../../store/refunds/refunds.ts'
import { findReturn } from '../../store/returns/returns.ts'

export type RefundedReturnOutcome =
  | { readonly is: 'found'; readonly return: Return }
  /** The order has no such return. */
  | { readonly is: 'return_unknown' }
  | { readonly is: 'return_rejected' }

/** Returns the return that a refund names. Requires the order's lock, which also protects its returns. */
export async function findRefundedReturn(
  { trx, merchantId }: Work,
  { orderId, returnId }: { readonly orderId: OrderId; readonly returnId: ReturnId },
): Promise<RefundedReturnOutcome> {
  const found = await findReturn(trx, merchantId, returnId)
  if (found === undefined || found.orderId !== orderId) return { is: 'return_unknown' }
  return found.status === 'rejected' ? { is: 'return_rejected' } : { is: 'found', return: found }
}

/**
 * Returns the units of a return that a refund for the return can name: units that came back, or that may still come
 * back, without the units in earlier refunds for the return. A refund does not say which units of an item it contains,
 * and units that the customer still waits for are not sent any more after their refund. Therefore, if the customer may
 * wait for units of the item, its returned units can only be refunded after they came back.
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

/** Whether the customer may wait for units: units that were not sent, that a carrier lost, or that came back unrefunded. */
function mayBeAwaited(line: OrderItemMoney): boolean {
  const { quantity, fulfilledQuantity, cancelledQuantity, lostQuantity, returnedQuantity, refundedQuantity } = line
  return (
    fulfilledQuantity + cancelledQuantity < quantity ||
    refundedQuantity < cancelledQuantity + lostQuantity + returnedQuantity
  )
}
