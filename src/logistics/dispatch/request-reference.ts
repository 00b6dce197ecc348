import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { wasRequested } from './next-offer.ts'

type PastAttempt = Pick<StoredAttempt, 'reference' | 'state' | 'outcomeCode'>

/**
 * Returns the reference for the next request to a carrier. The reference ends with the number of the request. Dispatch
 * attempts without a request to a carrier are not counted, so the n-th digit of a test phone number controls the n-th
 * request. If an attempt already has the reference, the number of the new attempt is added to make the reference
 * unique.
 */
export function requestReference(
  { id, attemptCount }: Pick<StoredShipment, 'id' | 'attemptCount'>,
  attempts: readonly PastAttempt[],
): string {
  const request = attempts.filter(wasRequested).length + 1
  const reference = `${id}-${request}`
  const isTaken = attempts.some((known) => known.reference === reference)
  return isTaken ? `${id}-${attemptCount + 1}-${request}` : reference
}
