import { counted } from '../base/counted.ts'
import type { UnavailableUnits } from '../commerce/orders/carried-units.ts'
import type { Refuse } from './execute/refusal.ts'

/** Refusals about the order items of a request. The operations for refunds, cancellations and shipments share them. */

export function refuseUnknownItems(
  refuse: Refuse<'item_not_found'>,
  outcome: { readonly itemIds: readonly string[] },
): never {
  const itemIds = [...outcome.itemIds]
  return refuse('item_not_found', `The order has no items with these ids: ${itemIds.join(', ')}.`, { itemIds })
}

export function refuseCarriedItems(
  refuse: Refuse<'order_items_unavailable'>,
  outcome: { readonly items: readonly UnavailableUnits[] },
): never {
  const items = [...outcome.items]
  const message = items
    .map(({ itemId, available }) => `${counted(available, 'unit')} of ${itemId} can be restocked.`)
    .join(' ')
  return refuse('order_items_unavailable', `Units in an active shipment cannot be restocked. ${message}`, { items })
}
