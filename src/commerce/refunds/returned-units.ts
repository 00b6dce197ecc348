import type { Return } from '../../../registry/returns/return.ts'
import { returnsUnderWay } from '../../../registry/returns/return-states.ts'
import type { OrderId, OrderItemId, ReturnId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findReturn } from '../../store/returns/returns.ts'

export type ReturnedUnitsOutcome =
  | { readonly is: 'found'; readonly unitsMax: ReadonlyMap<OrderItemId, number> }
  /** The order has no such return. */
  | { readonly is: 'return_unknown' }
  | { readonly is: 'return_rejected' }

/**
 * Returns the units of a return that a refund for the return can name: units that no earlier refund for the return
 * names. Requires the order's lock, which also protects its returns.
 */
export async function findReturnedUnits(
  { trx, merchantId }: Work,
  { orderId, returnId }: { readonly orderId: OrderId; readonly returnId: ReturnId },
): Promise<ReturnedUnitsOutcome> {
  const found = await findReturn(trx, merchantId, returnId)
  if (found === undefined || found.orderId !== orderId) return { is: 'return_unknown' }
  if (found.status === 'rejected') return { is: 'return_rejected' }
  const unitsMax = new Map(
    found.items.map((item) => [item.itemId, Math.max(0, unitsOf(found, item) - item.refundedQuantity)]),
  )
  return { is: 'found', unitsMax }
}

/** Returns the units of a return that came back, or that may still come back. */
function unitsOf({ status }: Return, item: Return['items'][number]): number {
  return returnsUnderWay.includes(status) ? item.quantity : item.restockedQuantity + item.writtenOffQuantity
}
