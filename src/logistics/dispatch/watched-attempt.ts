import type { BegunWatch } from '../../store/logistics/shipments/shipment-looks.ts'
import type { KeptAttempt } from '../../store/tables/shipment.ts'

/** An asking that was given up, and of which an order may turn up yet. */
export function isWatched({ state }: KeptAttempt): boolean {
  return state === 'resolved_absent' || state === 'abandoned'
}

/** The look that is being taken at it. */
export function begunWatch({ merchantId, shipmentId: id, number, nextLookAt: seenLookAt }: KeptAttempt): BegunWatch {
  return { merchantId, id, number, seenLookAt }
}
