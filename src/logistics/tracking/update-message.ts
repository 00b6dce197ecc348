import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'

/** What the timeline says of a carrier’s news. */
const words: Readonly<Record<ShipmentStatus, string>> = {
  scheduled: 'It is scheduled.',
  dispatching: 'A carrier is being asked.',
  awaiting_courier: 'A rider is being looked for.',
  courier_assigned: 'A rider was assigned.',
  at_pickup: 'The rider is at the pickup.',
  picked_up: 'It was fetched.',
  in_transit: 'It is on its way.',
  at_dropoff: 'The rider is at the dropoff.',
  delivered: 'It was delivered.',
  delivery_failed: 'It could not be handed over.',
  returning: 'It is on its way back.',
  returned: 'It is back where it was fetched.',
  cancelling: 'It is being called off.',
  cancelled: 'The carrier called it off.',
  failed: 'The carrier could not fetch it.',
  lost: 'It was lost or damaged.',
}

export function updateMessage(status: ShipmentStatus | undefined, carrierStatus: string): string {
  return status === undefined ? `The carrier says: ${carrierStatus}.` : words[status]
}

/** States a merchant wants to know the carrier’s own reason of. */
const explained: readonly ShipmentStatus[] = ['delivery_failed', 'returning', 'returned', 'lost']

export function reasonFor(status: ShipmentStatus, carrierStatus: string): { code: string; message: string } | null {
  return explained.includes(status) ? { code: status, message: `The carrier says: ${carrierStatus}.` } : null
}

/** What is new of a shipment that stays where it is. */
export function detailsMessage({ courier }: { readonly courier?: unknown }): string {
  return courier === undefined ? 'The handover was proven.' : 'The rider is another one, or is better known.'
}
