import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { hasLeftShop, holdsItems, isActiveOrDelivered } from '../../../registry/logistics/shipment-states.ts'
import type { OrderItemId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { OrderItemToShip, OrderToShip } from '../../store/orders/order-parcels.ts'

/** Which units of an order can still be sent, and whether a request may have them. */

type Sendable = Pick<OrderToShip, 'lines' | 'shipments'>

export interface UnavailableItem {
  readonly itemId: OrderItemId
  readonly requested: number
  readonly available: number
}

/** All units that can still be sent, items without any left out. */
export function openItemsOf(order: Sendable): readonly ShipmentItem[] {
  return order.lines
    .map((line) => ({ itemId: line.itemId, quantity: openQuantityOf(line, order.shipments) }))
    .filter(({ quantity }) => quantity > 0)
}

/** The items of which a request sends more than is open; an unknown item has nothing open. */
export function unavailableItemsOf(order: Sendable, items: readonly ShipmentItem[]): readonly UnavailableItem[] {
  const open = new Map(openItemsOf(order).map(({ itemId, quantity }) => [itemId, quantity]))
  return items
    .map(({ itemId, quantity }) => ({ itemId, requested: quantity, available: open.get(itemId) ?? 0 }))
    .filter(({ requested, available }) => requested > available)
}

/** The newest shipment that is on its way or was delivered. */
export function activeShipmentOf({ shipments }: Sendable): ShipmentId | undefined {
  return shipments.findLast(({ status }) => isActiveOrDelivered(status))?.id
}

/**
 * A unit is open until a shipment holds it or the merchant hands it over without one. A unit that a shipment brought back is
 * open again; one that the customer brought back is not, because it was returned and not undelivered.
 */
function openQuantityOf(line: OrderItemToShip, shipments: readonly OrderShipment[]): number {
  const { itemId, quantity, fulfilledQuantity, returnedQuantity } = line
  const held = sumOf(itemId, shipments, ({ status }) => holdsItems(status))
  const out = sumOf(itemId, shipments, isOut)
  const broughtBack = sumOf(itemId, shipments, ({ itemsBooked }) => itemsBooked === 'returned')
  const outWithoutShipment = Math.max(0, fulfilledQuantity - returnedQuantity - out)
  const unsent = quantity - fulfilledQuantity
  return Math.max(0, Math.min(quantity - held - outWithoutShipment, unsent + broughtBack))
}

/** Counted as sent by the order, and not back. */
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
