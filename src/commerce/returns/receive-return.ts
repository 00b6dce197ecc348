import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Return } from '../../../registry/returns/return.ts'
import type { ReturnReceiptInput } from '../../../registry/returns/returns.ts'
import type { OrderItemId, ReturnId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { receivedItems } from '../../store/returns/return-writes.ts'
import { lockReturn } from '../../store/returns/returns.ts'
import { type UnavailableUnits, uncarriedUnits } from '../orders/carried-units.ts'
import { lockMovable, type MovableOrder } from '../orders/move-order.ts'
import { countReturn } from '../orders/settle-order.ts'
import { reportIfUnsettled } from '../refunds/unsettled-return.ts'
import type { ReturnableUnits } from './create-return.ts'
import { moveTo, type NotAllowed, refusalOf } from './transition-return.ts'

export type ReceiveReturnOutcome =
  | { readonly is: 'received'; readonly return: Return }
  | { readonly is: 'return_unknown' }
  | NotAllowed
  /** The request contains items that are not part of the return. */
  | { readonly is: 'items_unknown'; readonly itemIds: readonly OrderItemId[] }
  /** Items of which the request receives more units than the return contains. */
  | { readonly is: 'too_many'; readonly items: readonly ReturnableUnits[] }
  /**
   * Items of which the customer has fewer units than the request states as received, because the order was changed
   * after the return was created.
   */
  | { readonly is: 'items_carried'; readonly items: readonly UnavailableUnits[] }

type ReceivedItem = ReturnReceiptInput['items'][number]

/**
 * Records that units of a return have arrived at the merchant. Updates the quantities of the return and of its order,
 * and the stock.
 */
export async function receiveReturn(
  work: Work<'return.status_changed' | OrderMoveEvents>,
  id: ReturnId,
  { items }: ReturnReceiptInput,
): Promise<ReceiveReturnOutcome> {
  const { trx, merchantId } = work
  const found = await lockReturn(trx, merchantId, id)
  if (found === undefined) return { is: 'return_unknown' }
  work.requireVersion(found.version)
  const refusal = refusalOf(found, 'received') ?? checkItems(found, items)
  if (refusal !== undefined) return refusal
  const order = await lockMovable(work, found.orderId)
  if (order === undefined) return { is: 'return_unknown' }
  const missing = missingUnits(order, items)
  if (missing.length > 0) return { is: 'items_carried', items: missing }
  countReturn(work, order, items)
  const sum = (units: (item: ReceivedItem) => number) => items.reduce((total, item) => total + units(item), 0)
  work.note({
    restockedQuantity: [0, sum(({ restockQuantity }) => restockQuantity)],
    writtenOffQuantity: [0, sum(({ writeOffQuantity }) => writeOffQuantity)],
  })
  const byId = new Map(items.map((item) => [item.itemId, item]))
  const received = found.items.map((item) => {
    const { restockQuantity = 0, writeOffQuantity = 0 } = byId.get(item.itemId) ?? {}
    return { ...item, restockedQuantity: restockQuantity, writtenOffQuantity: writeOffQuantity }
  })
  receivedItems.update(
    trx,
    received.map(({ itemId, restockedQuantity, writtenOffQuantity }) => {
      return { merchantId, returnId: id, itemId, restockedQuantity, writtenOffQuantity }
    }),
  )
  const moved = moveTo(work, { ...found, items: received }, 'received')
  reportIfUnsettled(work, moved)
  return { is: 'received', return: moved }
}

function checkItems(
  { items: requested }: Return,
  items: readonly ReceivedItem[],
): Extract<ReceiveReturnOutcome, { is: 'items_unknown' | 'too_many' }> | undefined {
  const quantities = new Map(requested.map(({ itemId, quantity }) => [itemId, quantity]))
  const unknown = items.filter(({ itemId }) => !quantities.has(itemId)).map(({ itemId }) => itemId)
  if (unknown.length > 0) return { is: 'items_unknown', itemIds: unknown }
  const tooMany = items.flatMap((item) => {
    const returnableQuantity = quantities.get(item.itemId) ?? 0
    return unitsOf(item) > returnableQuantity ? [{ itemId: item.itemId, returnableQuantity }] : []
  })
  return tooMany.length > 0 ? { is: 'too_many', items: tooMany } : undefined
}

function missingUnits({ lines, shipments }: MovableOrder, items: readonly ReceivedItem[]): UnavailableUnits[] {
  return items.flatMap((item) => {
    const line = lines.find(({ itemId }) => itemId === item.itemId)
    const available = line === undefined ? 0 : uncarriedUnits(line, item.itemId, shipments).sent
    const requested = unitsOf(item)
    return requested > available ? [{ itemId: item.itemId, requested, available }] : []
  })
}

function unitsOf({ restockQuantity, writeOffQuantity }: ReceivedItem): number {
  return restockQuantity + writeOffQuantity
}
