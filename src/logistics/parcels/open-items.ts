import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { hasLeftShop, holdsItems, isActiveOrDelivered } from '../../../registry/logistics/shipment-states.ts'
import type { OrderItemId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { OrderItemToShip, OrderToShip } from '../../store/orders/order-parcels.ts'

/** Computes which units of an order can still be shipped, and whether a request may ship them. */

type Sendable = Pick<OrderToShip, 'lines' | 'shipments' | 'isFullyRefunded'>

export interface UnavailableItem {
  readonly itemId: OrderItemId
  readonly requested: number
  readonly available: number
}

/**
 * Returns the quantity of each item that can still be shipped. Items without any are left out. Refunded units are not
 * shipped, restocked or not.
 */
export function openItemsOf(order: Sendable): readonly ShipmentItem[] {
  if (order.isFullyRefunded) return []
  return order.lines
    .map((line) => ({ itemId: line.itemId, quantity: openQuantityOf(line, order.shipments) }))
    .filter(({ quantity }) => quantity > 0)
}

/** Returns the items of which a request ships more than the open quantity. An unknown item has the open quantity 0. */
export function unavailableItemsOf(order: Sendable, items: readonly ShipmentItem[]): readonly UnavailableItem[] {
  const open = new Map(openItemsOf(order).map(({ itemId, quantity }) => [itemId, quantity]))
  return items
    .map(({ itemId, quantity }) => ({ itemId, requested: quantity, available: open.get(itemId) ?? 0 }))
    .filter(({ requested, available }) => requested > available)
}

/**
 * Reports whether nothing of the order may be shipped in any form, not even parcels without order items: it is refunded
 * in full, or no unit was sent and none is left to send.
 */
export function isUnshippable(order: Sendable): boolean {
  if (order.isFullyRefunded) return true
  const isUnsent = order.lines.every(({ fulfilledQuantity }) => fulfilledQuantity === 0)
  return isUnsent && activeShipmentOf(order) === undefined && openItemsOf(order).length === 0
}

/** Returns the newest shipment that is in progress or delivered. */
export function activeShipmentOf({ shipments }: Sendable): ShipmentId | undefined {
  return shipments.findLast(({ status }) => isActiveOrDelivered(status))?.id
}

/**
 * Returns how many units of a line can still be shipped. A unit is open until a shipment holds it or the merchant
 * fulfils it without a shipment. A unit that a carrier returned to the merchant is open again; a unit that the customer
 * returned after delivery is not.
 */
function openQuantityOf(line: OrderItemToShip, shipments: readonly OrderShipment[]): number {
  const { itemId, fulfilledQuantity, returnedQuantity, lostQuantity } = line
  const quantity = line.quantity - line.cancelledQuantity
  const held = sumOf(itemId, shipments, ({ status }) => holdsItems(status))
  const out = sumOf(itemId, shipments, isOut)
  const broughtBack = sumOf(itemId, shipments, ({ itemsBooked }) => itemsBooked === 'returned')
  const outWithoutShipment = Math.max(0, fulfilledQuantity - returnedQuantity - out)
  const unsent = quantity - fulfilledQuantity
  const toBeSent = sumOf(itemId, shipments, (each) => holdsItems(each.status) && each.itemsBooked !== 'sent')
  // The customer has these units or gets them with a shipment.
  const given = fulfilledQuantity - returnedQuantity - lostQuantity + toBeSent
  const unrefunded = line.quantity - line.refundedQuantity - given
  return Math.max(0, Math.min(quantity - held - outWithoutShipment, unsent + broughtBack, unrefunded))
}

/** Whether the units of a shipment are booked as sent in the order and have left the shop. */
function isOut({ status, itemsBooked }: OrderShipment): boolean {
  return itemsBooked === 'sent' && hasLeftShop(status)
}

function sumOf(
  itemId: OrderItemId,
  shipments: readonly OrderShipment[],
  isCounted: (shipment: OrderShipment) => boolean,
): number {
  return shipments
    .filter(isCounted)
    .flatMap(({ items }) => items)
    .reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
}
