import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'

/** Units that cannot be restocked because an active shipment carries them or is about to collect them. */

export interface UnavailableUnits {
  readonly itemId: OrderItemId
  readonly requested: number
  readonly available: number
}

/** Units of one order item to restock, split into units that never left the shop and units that were shipped. */
export interface RestockedUnits {
  readonly unsent: number
  readonly sent: number
}

interface Line {
  readonly quantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
  readonly cancelledQuantity: number
}

/** Returns the units of an item that are in no active shipment. */
export function uncarriedUnits(line: Line, itemId: OrderItemId, shipments: readonly OrderShipment[]): RestockedUnits {
  const { quantity, fulfilledQuantity, returnedQuantity, cancelledQuantity } = line
  const active = shipments.filter(({ status }) => !isShipmentOver(status))
  const onTheWay = quantityOf(
    itemId,
    active.filter(({ itemsBooked }) => itemsBooked === 'sent'),
  )
  const toBeSent = quantityOf(itemId, active) - onTheWay
  const broughtBack = quantityOf(
    itemId,
    shipments.filter(({ itemsBooked }) => itemsBooked === 'returned'),
  )
  // A unit that one shipment returned may be shipped again with another.
  const fromOpen = Math.max(0, toBeSent - Math.min(returnedQuantity, broughtBack))
  const open = quantity - fulfilledQuantity - cancelledQuantity
  // The merchant may mark units as shipped before the carrier collects them.
  const fromSent = onTheWay + Math.max(0, fromOpen - open)
  return {
    unsent: Math.max(0, open - fromOpen),
    sent: Math.max(0, fulfilledQuantity - returnedQuantity - fromSent),
  }
}

/** Returns the number of units of an item in these shipments. */
export function quantityOf(itemId: OrderItemId, shipments: readonly OrderShipment[]): number {
  return shipments
    .flatMap(({ items }) => items)
    .reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
}
