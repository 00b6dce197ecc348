import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'

export interface StatusReason {
  readonly code: string
  readonly message: string
}

/**
 * Sentences that explain the statuses in which a carrier reports a failure. Null for a status that needs no reason, and
 * for a status whose reason is set elsewhere in this service. The raw carrier status is in the timeline.
 */
const failures: Readonly<Record<ShipmentStatus, string | null>> = {
  scheduled: null,
  dispatching: null,
  awaiting_courier: null,
  courier_assigned: null,
  at_pickup: null,
  picked_up: null,
  in_transit: null,
  at_dropoff: null,
  delivered: null,
  delivery_failed:
    'The carrier could not hand over the parcel. Call the recipient, then agree on another attempt or the return with the carrier.',
  returning: 'The carrier could not deliver the parcel, and brings it back to the pickup.',
  returned: 'The carrier could not deliver the parcel, and brought it back to the pickup.',
  cancelling: null,
  cancelled: null,
  failed: 'The carrier could not pick up the parcel.',
  lost: 'The carrier reports that the parcel was lost or damaged. Claim the loss from the carrier.',
}

/** Sentence for a failed delivery of a return shipment, whose recipient is the merchant. */
const failedReturn =
  'The carrier could not hand over the parcel of the return at your address. Agree with the carrier on another attempt.'

/** Null if the status needs no reason. */
export function reportedReason(status: ShipmentStatus): StatusReason | null {
  const sentence = failures[status]
  return sentence === null ? null : { code: status, message: sentence }
}

/**
 * Returns the status reason that the API shows for a shipment. If a carrier reported a failure, the message is always
 * the text of this release, even if an earlier release stored another text.
 */
export function reasonOf({ statusCode, statusMessage, returnId }: StoredShipment): StatusReason | null {
  if (statusCode === null) return null
  if (statusCode === 'delivery_failed' && returnId !== null) return { code: statusCode, message: failedReturn }
  const reported = isStatus(statusCode) ? reportedReason(statusCode) : null
  return reported ?? { code: statusCode, message: statusMessage ?? statusCode }
}

function isStatus(code: string): code is ShipmentStatus {
  return Object.hasOwn(failures, code)
}
