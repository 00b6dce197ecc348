import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { PlaceInput } from '../../../registry/logistics/place.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { Return } from '../../../registry/returns/return.ts'
import type { OrderId, ReturnId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { isRedactedEmail } from '../../commerce/customers/redact-person.ts'
import {
  activeShipmentOf,
  isUnshippable,
  openItemsOf,
  type UnavailableItem,
  unavailableItemsOf,
} from '../../commerce/orders/open-items.ts'
import { addressOfOrder } from '../../commerce/orders/order-dropoff.ts'
import type { OrderToShip } from '../../store/orders/order-parcels.ts'
import { parcelsOfItems } from './parcels-of-order.ts'
import { type ReturnRefusal, returnRefusal } from './return-to-ship.ts'

/** Derives the contents and the addresses of a shipment from the order or the return that the request names. */

export interface ContentsInput {
  readonly pickup: PlaceInput | undefined
  readonly dropoff: PlaceInput | undefined
  readonly parcels: readonly Parcel[] | undefined
  readonly orderId: OrderId | undefined
  readonly returnId: ReturnId | undefined
  readonly items: readonly ShipmentItem[] | undefined
}

export interface Contents {
  readonly is: 'contents'
  readonly pickup: PlaceInput
  readonly dropoff: PlaceInput
  readonly parcels: readonly Parcel[]
  readonly items: readonly ShipmentItem[]
}

export type ContentsRefusal =
  | { readonly is: 'order_unknown' }
  | { readonly is: 'order_ended'; readonly status: OrderStatus }
  /**
   * The order has no unit left to ship and the request names no parcels, or no unit of the order may be shipped at all.
   * A unit is left to ship if it was not sent and is in no shipment.
   */
  | { readonly is: 'nothing_to_ship'; readonly shipmentId: ShipmentId | undefined }
  | ItemsRefusal
  | ReturnRefusal
  /**
   * The request contains no pickup, or the request for a return contains no dropoff, and the merchant has no default
   * pickup address to use instead.
   */
  | { readonly is: 'pickup_missing'; readonly field: 'pickup' | 'dropoff' }
  /**
   * The customer collects the order, or the order exceeds the limits of a shipment. The request must therefore contain
   * the missing fields.
   */
  | { readonly is: 'order_incomplete'; readonly missing: readonly string[] }

/**
 * Returns the contents of a shipment that the merchant sends to a customer. The request names an order, or describes
 * the parcels without an order.
 */
export function contentsOfOrder(
  input: ContentsInput,
  order: OrderToShip | undefined,
  defaultPickup: PlaceInput | null,
): Contents | ContentsRefusal {
  if (input.orderId !== undefined && order === undefined) return { is: 'order_unknown' }
  if (order !== undefined && isOrderEnded(order.status)) return { is: 'order_ended', status: order.status }
  if (order !== undefined && isUnshippable(order)) return { is: 'nothing_to_ship', shipmentId: undefined }
  const items = input.items ?? (order === undefined ? [] : openItemsOf(order))
  const refused = order && itemsRefusal(order, items)
  if (refused !== undefined) return refused
  const parcels = input.parcels ?? (order && parcelsOfItems(order, items))
  if (order !== undefined && parcels?.length === 0)
    return { is: 'nothing_to_ship', shipmentId: activeShipmentOf(order) }
  const dropoff = input.dropoff ?? (order && addressOfOrder(order))
  if (dropoff === undefined || parcels === undefined) return incomplete({ dropoff, parcels })
  const pickup = input.pickup ?? defaultPickup
  return pickup === null
    ? { is: 'pickup_missing', field: 'pickup' }
    : { is: 'contents', pickup, dropoff, parcels, items }
}

export interface ReturnedOrder {
  readonly found: Return
  readonly order: OrderToShip
}

/**
 * The shipment of a return lists no order items, because no units go to the customer. Its parcels describe the units of
 * the return.
 */
export function contentsOfReturn(
  input: ContentsInput,
  returned: ReturnedOrder | undefined,
  defaultPickup: PlaceInput | null,
): Contents | ContentsRefusal {
  if (returned === undefined) return { is: 'return_unknown' }
  const { found, order } = returned
  if (isRedactedEmail(order.customerEmail)) return { is: 'customer_anonymised' }
  const refused = returnRefusal(found)
  if (refused !== undefined) return refused
  const parcels = input.parcels ?? parcelsOfItems(order, found.items)
  const pickup = input.pickup ?? addressOfOrder(order)
  if (pickup === undefined || parcels === undefined) return incomplete({ pickup, parcels })
  const dropoff = input.dropoff ?? defaultPickup
  return dropoff === null
    ? { is: 'pickup_missing', field: 'dropoff' }
    : { is: 'contents', pickup, dropoff, parcels, items: [] }
}

function incomplete(fields: Readonly<Record<string, unknown>>): ContentsRefusal {
  const missing = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [name] : []))
  return { is: 'order_incomplete', missing }
}

export type ItemsRefusal =
  | { readonly is: 'items_unknown'; readonly itemIds: readonly string[] }
  | { readonly is: 'items_unavailable'; readonly items: readonly UnavailableItem[] }

/** Undefined if the shipment can contain the requested items. */
export function itemsRefusal(order: OrderToShip, items: readonly ShipmentItem[]): ItemsRefusal | undefined {
  const known = new Set(order.lines.map(({ itemId }) => itemId))
  const itemIds = items.filter(({ itemId }) => !known.has(itemId)).map(({ itemId }) => itemId)
  if (itemIds.length > 0) return { is: 'items_unknown', itemIds }
  const unavailable = unavailableItemsOf(order, items)
  return unavailable.length > 0 ? { is: 'items_unavailable', items: unavailable } : undefined
}

/** A cancelled or returned order cannot be shipped. */
export function isOrderEnded(status: OrderStatus): boolean {
  return status === 'cancelled' || status === 'returned'
}
