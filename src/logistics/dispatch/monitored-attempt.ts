import type { StartedAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'

/** Whether an abandoned dispatch attempt is monitored, because its carrier may still create an order for it. */
export function isMonitored({ state }: StoredAttempt): boolean {
  return state === 'not_found_at_carrier' || state === 'abandoned'
}

/**
 * Returns the key of a dispatch attempt that is being checked, and the due time that was stored when the check started.
 */
export function startedAttemptCheckOf({
  merchantId,
  shipmentId: id,
  number,
  nextCheckAt: seenCheckAt,
}: StoredAttempt): StartedAttemptCheck {
  return { merchantId, id, number, seenCheckAt }
}
