import type { ShipmentStatus } from '../../registry/logistics/shipment-states.ts'
import type { OrderStatus, PaymentMethod } from '../../registry/orders/order-states.ts'

/** The texts with which the pages for buyers show order statuses, shipment statuses and payment methods. */

export const orderWords: Readonly<Record<OrderStatus, string>> = {
  pending: 'The shop has received the order.',
  on_hold: 'The order is on hold. Contact the shop for details.',
  processing: 'The shop is preparing the order.',
  shipped: 'The order is on its way.',
  delivered: 'The order was delivered.',
  returned: 'The order was returned to the shop.',
  cancelled: 'The order was cancelled.',
}

const shipmentWords: Readonly<Record<ShipmentStatus, string>> = {
  scheduled: 'The delivery is scheduled.',
  dispatching: 'A rider is being booked.',
  awaiting_courier: 'A rider will be assigned.',
  courier_assigned: 'A rider is on the way to the shop.',
  at_pickup: 'The rider is at the shop.',
  picked_up: 'The rider has collected the parcel.',
  in_transit: 'The parcel is on its way.',
  at_dropoff: 'The rider is at the delivery address.',
  delivered: 'The parcel was delivered.',
  delivery_failed: 'The parcel could not be delivered. Contact the shop for the next step.',
  returning: 'The parcel is on its way back to the shop.',
  returned: 'The parcel was returned to the shop.',
  cancelling: 'The delivery is being cancelled.',
  cancelled: 'The delivery was cancelled.',
  failed: 'No rider was found for the delivery. Contact the shop for the next step.',
  lost: 'The parcel was lost. Contact the shop for the next step.',
}

/**
 * The database stores the status of a shipment as text, because a later release may add a status. A status that this
 * release does not know is shown by its name.
 */
export function shipmentWordsOf(status: string): string {
  return isKnown(status) ? shipmentWords[status] : status.replaceAll('_', ' ')
}

function isKnown(status: string): status is ShipmentStatus {
  return Object.hasOwn(shipmentWords, status)
}

export const methodWords: Readonly<Record<PaymentMethod, string>> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  pay_on_delivery: 'Cash on delivery',
  ussd: 'USSD',
  cash: 'Cash',
  other: 'Other',
}
