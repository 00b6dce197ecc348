import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Markup } from '../../markup/markup.ts'
import { badge, type Tone } from '../../markup/parts.ts'

const tones: Readonly<Record<ShipmentStatus, Tone>> = {
  scheduled: 'waiting',
  dispatching: 'active',
  awaiting_courier: 'active',
  courier_assigned: 'active',
  at_pickup: 'active',
  picked_up: 'active',
  in_transit: 'active',
  at_dropoff: 'active',
  delivered: 'good',
  delivery_failed: 'bad',
  returning: 'waiting',
  returned: 'waiting',
  cancelling: 'waiting',
  cancelled: 'quiet',
  failed: 'bad',
  lost: 'bad',
}

/**
 * Shows the status of a shipment. The status is a string, because an order's record may contain statuses that a later
 * release adds.
 */
export function shipmentBadge(status: string): Markup {
  return badge(status, isKnown(status) ? tones[status] : 'quiet')
}

function isKnown(status: string): status is ShipmentStatus {
  return Object.hasOwn(tones, status)
}
