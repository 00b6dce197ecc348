import type { Return } from '../../../registry/returns/return.ts'
import type { ReturnInput } from '../../../registry/returns/returns.ts'
import type { OrderId, OrderItemId } from '../../../registry/values/vocabulary.ts'
import { newReturnId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { insertReturn, listUnitsUnderReturn } from '../../store/returns/return-writes.ts'
import { withTransitions } from '../../store/returns/returns.ts'
import { isRedactedEmail } from '../customers/redact-person.ts'
import { noKobo } from '../money.ts'
import { uncarriedUnits } from '../orders/carried-units.ts'
import { lockMovable } from '../orders/move-order.ts'

export type CreateReturnOutcome =
  | { readonly is: 'created'; readonly return: Return }
  | { readonly is: 'order_unknown' | 'customer_anonymised' }
  | { readonly is: 'items_unknown'; readonly itemIds: readonly OrderItemId[] }
  | { readonly is: 'too_many'; readonly items: readonly ReturnableUnits[] }

/** An order item of which the request contains more units than can be returned. */
export interface ReturnableUnits {
  readonly itemId: OrderItemId
  readonly returnableQuantity: number
}

/**
 * Requests the return of units that the customer has. The order and the stock change only when the shop receives the
 * units.
 */
export async function createReturn(work: Work, orderId: OrderId, request: ReturnInput): Promise<CreateReturnOutcome> {
  const { trx, merchantId, now, nowMs } = work
  const [order, underReturn] = await Promise.all([
    lockMovable(work, orderId),
    listUnitsUnderReturn(trx, { merchantId, orderId }),
  ])
  if (order === undefined) return { is: 'order_unknown' }
  // If the customer is already anonymised, the return is rejected: its note could contain personal data, which would
  // not be redacted any more.
  if (isRedactedEmail(order.record.customer.email)) return { is: 'customer_anonymised' }
  const known = new Set(order.record.items.map((item) => item.id))
  const unknown = request.items.filter(({ itemId }) => !known.has(itemId)).map(({ itemId }) => itemId)
  if (unknown.length > 0) return { is: 'items_unknown', itemIds: unknown }
  const requested = new Map(underReturn.map(({ itemId, quantity }) => [itemId, quantity]))
  const tooMany = request.items.flatMap(({ itemId, quantity }) => {
    const line = order.lines.find((each) => each.itemId === itemId)
    const withCustomer = line === undefined ? 0 : uncarriedUnits(line, itemId, order.shipments).sent
    const returnableQuantity = Math.max(0, withCustomer - (requested.get(itemId) ?? 0))
    return quantity > returnableQuantity ? [{ itemId, returnableQuantity }] : []
  })
  if (tooMany.length > 0) return { is: 'too_many', items: tooMany }
  const { note = null, reason } = request
  const id = newReturnId(nowMs)
  const items = request.items.map(({ itemId, quantity }) => ({ itemId, quantity }))
  insertReturn(
    trx,
    { merchantId, id, orderId, status: 'requested', reason, note, createdAt: now, updatedAt: now },
    items.map((item) => ({ merchantId, returnId: id, orderId, ...item })),
  )
  work.note({ orderId: [null, orderId], reason: [null, reason] })
  const created = withTransitions({
    id,
    orderId,
    orderNumber: order.record.number,
    status: 'requested',
    reason,
    note,
    items: items
      .map((item) => ({ ...item, restockedQuantity: 0, writtenOffQuantity: 0, refundedQuantity: 0 }))
      .sort((a, b) => (a.itemId < b.itemId ? -1 : 1)),
    refundedKobo: noKobo,
    exchangeOrderId: null,
    shipments: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
    receivedAt: null,
    endedAt: null,
  })
  return { is: 'created', return: created }
}
