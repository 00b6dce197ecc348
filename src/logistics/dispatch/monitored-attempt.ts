import type { StartedAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { cancelledStates, monitoredStates, type StoredAttempt } from '../../store/tables/shipment.ts'

/** Whether an abandoned dispatch attempt is monitored, because its carrier may still create an order for it. */
export function isMonitored({ state }: StoredAttempt): boolean {
  return monitoredStates.some((monitored) => monitored === state)
}

export function isCancelledAtCarrier({ state }: Pick<StoredAttempt, 'state'>): boolean {
  return cancelledStates.some((cancelled) => cancelled === state)
}

/**
 * Minutes between the checks of an ended dispatch attempt. They are short at first, because a rider may be on the way;
 * later checks are hourly.
 */
const checkMinutes = [1, 5, 15, 60] as const

/** Delay until the next check of an ended dispatch attempt. */
export function checkDelayMs({ checks }: StoredAttempt): number {
  return (checkMinutes[Math.min(checks, checkMinutes.length - 1)] ?? 60) * 60_000
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
