import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'

/** Units that an active shipment carries, or is about to collect, cannot be restocked. */

export interface UnavailableUnits {
  readonly itemId: OrderItemId
  readonly requested: number
  readonly available: number
}

/** Units of one order item to restock: those that never left the shop, and those that were sent. */
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

/** Units of an item that are in no active shipment: those that never left the shop, and those that were sent. */
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
  // A unit that one shipment returned may be sent again with another.
  const fromOpen = Math.max(0, toBeSent - Math.min(returnedQuantity, broughtBack))
  const open = quantity - fulfilledQuantity - cancelledQuantity
  // The merchant may mark units as shipped before the carrier collects them.
  const fromSent = onTheWay + Math.max(0, fromOpen - open)
  return {
    unsent: Math.max(0, open - fromOpen),
    sent: Math.max(0, fulfilledQuantity - returnedQuantity - fromSent),
  }
}

/** Units of an item in these shipments. */
export function quantityOf(itemId: OrderItemId, shipments: readonly OrderShipment[]): number {
  return shipments
    .flatMap(({ items }) => items)
    .reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
}
