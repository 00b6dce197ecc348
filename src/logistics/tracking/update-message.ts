import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'

const descriptions: Readonly<Record<ShipmentStatus, string>> = {
  scheduled: 'The shipment is scheduled.',
  dispatching: 'The service requests a carrier.',
  awaiting_courier: 'The carrier assigns a rider.',
  courier_assigned: 'A rider was assigned.',
  at_pickup: 'The rider is at the pickup.',
  picked_up: 'The parcel was picked up.',
  in_transit: 'The parcel is in transit.',
  at_dropoff: 'The rider is at the dropoff.',
  delivered: 'The parcel was delivered.',
  delivery_failed: 'The delivery failed.',
  returning: 'The parcel is on its way back.',
  returned: 'The parcel was returned to the pickup.',
  cancelling: 'The cancellation was requested.',
  cancelled: 'The carrier cancelled the shipment.',
  failed: 'The carrier could not pick up the parcel.',
  lost: 'The parcel was lost or damaged.',
}

export function updateMessage(status: ShipmentStatus | undefined, carrierStatus: string): string {
  return status === undefined ? `Carrier status: ${carrierStatus}.` : descriptions[status]
}

/** Returns the description of the shipment event for a tracking update that does not change the status. */
export function detailsMessage({ courier }: { readonly courier?: unknown }): string {
  return courier === undefined ? 'Proof of delivery was captured.' : 'The rider or the details of the rider changed.'
}
