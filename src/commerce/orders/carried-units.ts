import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import { type ItemUnits, openUnitsOf, type ShippedUnits } from '../../../registry/orders/order-states.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'

/** Computes how many units of an order item are in the shipments of the order. */

/**
 * An order item of which fewer units can be restocked than requested. The remaining units are in a shipment in progress
 * (already collected by the carrier or not), or were lost by a carrier.
 */
export interface UnavailableUnits {
  readonly itemId: OrderItemId
  readonly requested: number
  readonly available: number
}

/**
 * Number of units of one order item to restock, split into units that never left the shop and units that were shipped.
 */
export interface RestockedUnits {
  readonly unsent: number
  readonly sent: number
}

/**
 * Returns the number of units of an order item that are in a shipment in progress and have not left the shop. These
 * units stay reserved until their shipment ends.
 */
export function heldUnitsOf(item: ItemUnits, itemId: OrderItemId, shipments: readonly OrderShipment[]): number {
  return Math.min(openUnitsOf(item), unitsToCollect(item, itemId, shipments))
}

/** Returns how many units of an order item can be restocked, separately for unshipped and for shipped units. */
export function uncarriedUnits(
  item: ItemUnits,
  itemId: OrderItemId,
  shipments: readonly OrderShipment[],
): RestockedUnits {
  const { fulfilledQuantity, returnedQuantity, lostQuantity } = item
  const onTheWay = quantityOf(
    itemId,
    shipments.filter(isActive).filter(({ itemsBooked }) => itemsBooked === 'sent'),
  )
  const held = heldUnitsOf(item, itemId, shipments)
  // The merchant may mark units as shipped before the carrier collects them, so the shipped units of the order may
  // include units that the carrier has not collected yet.
  const fromSent = onTheWay + unitsToCollect(item, itemId, shipments) - held
  return {
    unsent: openUnitsOf(item) - held,
    sent: Math.max(0, fulfilledQuantity - returnedQuantity - lostQuantity - fromSent),
  }
}

/**
 * Returns the unit counts of an order item, including how many units its shipments hold, have delivered and have
 * brought back. The status of the order is derived from these counts.
 */
export function shippedUnitsOf(
  item: ItemUnits,
  itemId: OrderItemId,
  shipments: readonly OrderShipment[],
): ShippedUnits {
  const delivered = shipments.filter(({ status }) => status === 'delivered')
  return {
    ...item,
    heldQuantity: heldUnitsOf(item, itemId, shipments),
    deliveredQuantity: quantityOf(itemId, delivered),
    broughtBackQuantity: Math.min(item.returnedQuantity, broughtBackUnitsOf(itemId, shipments)),
  }
}

export function isInTransit(shipments: readonly OrderShipment[]): boolean {
  return shipments.some((shipment) => shipment.items.length > 0 && isActive(shipment))
}

/**
 * Returns the number of units of an order item that the carriers of active shipments must still collect. Units that an
 * earlier shipment brought back are not counted.
 */
function unitsToCollect({ returnedQuantity }: ItemUnits, itemId: OrderItemId, shipments: readonly OrderShipment[]) {
  const toBeSent = shipments.filter(isActive).filter(({ itemsBooked }) => itemsBooked !== 'sent')
  const again = Math.min(returnedQuantity, broughtBackUnitsOf(itemId, shipments))
  return Math.max(0, quantityOf(itemId, toBeSent) - again)
}

/** Returns the number of units of an order item that carriers brought back to the shop. */
export function broughtBackUnitsOf(itemId: OrderItemId, shipments: readonly OrderShipment[]): number {
  return quantityOf(
    itemId,
    shipments.filter(({ itemsBooked }) => itemsBooked === 'returned'),
  )
}

function isActive({ status }: OrderShipment): boolean {
  return !isShipmentOver(status)
}

export function quantityOf(itemId: OrderItemId, shipments: readonly Pick<OrderShipment, 'items'>[]): number {
  return shipments
    .flatMap(({ items }) => items)
    .reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
}
