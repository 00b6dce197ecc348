import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { notSentCode } from './next-offer.ts'
import { circuitOpenCode, unpaidCode } from './unpaid-order.ts'

type PastAttempt = Pick<StoredAttempt, 'reference' | 'state' | 'outcomeCode'>

/**
 * Returns the reference for the next request to a carrier, which ends with the number of the request. Dispatch attempts
 * whose carrier received no request are not counted, so that the n-th digit of a test phone number controls the n-th
 * request. If such an attempt already has the reference, the number of the new attempt makes the reference unique.
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

/**
 * Outcome codes of an unavailable carrier to which no request was sent: the attempt was too old, or requests were
 * paused. A carrier that refuses an unpaid order itself has another state.
 */
const unsentCodes: readonly string[] = [notSentCode, circuitOpenCode, unpaidCode]

function wasRequested({ state, outcomeCode }: PastAttempt): boolean {
  if (state === 'skipped') return false
  return state !== 'unavailable' || outcomeCode === null || !unsentCodes.includes(outcomeCode)
}
