import type { StartedAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'

/** Whether an abandoned attempt is monitored, because its carrier may still create an order for the attempt. */
export function isMonitored({ state }: StoredAttempt): boolean {
  return state === 'not_found_at_carrier' || state === 'abandoned'
}

/**
 * Returns the key that identifies the check of a dispatch attempt, and the due time that was read when the check
 * started.
 */
export function startedAttemptCheckOf({
  merchantId,
  shipmentId: id,
  number,
  nextCheckAt: seenCheckAt,
}: StoredAttempt): StartedAttemptCheck {
  return { merchantId, id, number, seenCheckAt }
}
