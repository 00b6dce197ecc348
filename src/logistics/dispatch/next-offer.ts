import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { circuitOpenCode, unpaidCode } from './unpaid-order.ts'

/**
 * Chooses the offer that is attempted next for a shipment, from the offers of its plan. Some carriers are brokers,
 * which pass orders on to sub-carriers. Every function is pure.
 */

/** Outcome code of an offer above the price ceiling of the shipment. */
export const overCeilingCode = 'price'

/** Outcome code of an offer that is too late for a time window of the quote. */
export const windowMissedCode = 'window_missed'

/** Outcome code for a broker whose sub-carrier is unavailable. */
export const subCarrierDownCode = 'sub_carrier_unavailable'

/** Outcome code of a dispatch attempt that was stored but not sent in time, so the carrier received no request. */
export const notSentCode = 'not_sent'

/**
 * Minimum number of unsent dispatch attempts that are regarded as failures. A short pause of the process or the
 * database causes one or two unsent attempts, which are ignored. A higher number has another cause.
 */
const notSentMax = 3

/** Outcome code of an attempt whose order the carrier cancelled after it had accepted the order. */
const carrierCancelledCode = 'carrier_cancelled'

/**
 * Outcome codes of dispatch attempts that exclude only the attempted offer from further attempts. The other offers of
 * the carrier may still be attempted.
 */
const offerOnlyCodes: ReadonlySet<string> = new Set(['quote_expired', overCeilingCode, 'no_offer', windowMissedCode])

/**
 * Outcome codes that exclude only one sub-carrier of a broker. After such codes from two sub-carriers, the broker
 * itself may be the cause, so the offers of other carriers are attempted first.
 */
const suspectCodes: ReadonlySet<string> = new Set([subCarrierDownCode, 'invalid'])

/**
 * Outcome codes that exclude only one sub-carrier of a broker from further attempts. Every other code excludes the
 * broker as a whole, because accounts, wallets and outages are those of the broker. An unknown outcome also excludes
 * the whole broker: the broker may have created an order without reporting it, and the service could not distinguish
 * that order from a second order for the same recipient.
 */
const subCarrierCodes: ReadonlySet<string> = new Set([
  ...suspectCodes,
  'couriers_busy',
  'out_of_area',
  'no_courier_assigned',
  carrierCancelledCode,
])

type Planned = Pick<StoredShipment, 'plan' | 'priceCeilingKobo'> & {
  readonly failover: Pick<StoredShipment['failover'], 'maxAttempts'>
}

type PastAttempt = Pick<StoredAttempt, 'carrier' | 'offer' | 'state' | 'outcomeCode'>

/** Undefined when no offer within the price ceiling is available, or the maximum number of attempts is reached. */
export function nextOffer(shipment: Planned, attempts: readonly PastAttempt[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo <= shipment.priceCeilingKobo)
}

/** The offer would be attempted if the price ceiling were high enough. */
export function nextOfferOverCeiling(shipment: Planned, attempts: readonly PastAttempt[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo > shipment.priceCeilingKobo)
}

/**
 * Returns an offer whose carrier accepted the shipment and then cancelled it before the pickup. If no other offer is
 * available, this offer is attempted once more, because its carrier had a rider before. The function is only used for a
 * shipment that has no carrier now: a carrier that has already failed must not replace a slow carrier.
 */
export function returnedOffer(shipment: Planned, attempts: readonly PastAttempt[]): PlannedOffer | undefined {
  if (!mayRequest(shipment, attempts) || nextOffer(shipment, attempts) !== undefined) return undefined
  return shipment.plan.find((offer) => {
    const same = attempts.filter((attempt) => keyOf(attempt.offer) === keyOf(offer))
    const others = attempts.filter((attempt) => !same.includes(attempt))
    const isReturned =
      same.length === 1 && same[0]?.state === 'cancelled' && same[0].outcomeCode === carrierCancelledCode
    return isReturned && !isExcluded(offer, others) && offer.priceKobo <= shipment.priceCeilingKobo
  })
}

function untried(shipment: Planned, all: readonly PastAttempt[]): PlannedOffer[] {
  const attempts = withoutUnsent(all)
  if (!mayRequest(shipment, attempts)) return []
  const available = shipment.plan.filter((offer) => isAvailable(offer, attempts))
  const suspects = available.filter(({ carrier }) => isSuspect(carrier, attempts))
  return [...available.filter((offer) => !suspects.includes(offer)), ...suspects]
}

/** Omits unsent attempts if there are fewer than `notSentMax` of them. */
function withoutUnsent(attempts: readonly PastAttempt[]): readonly PastAttempt[] {
  const sent = attempts.filter(({ outcomeCode }) => outcomeCode !== notSentCode)
  return attempts.length - sent.length < notSentMax ? sent : attempts
}

function mayRequest({ failover }: Planned, attempts: readonly PastAttempt[]): boolean {
  return attempts.filter(wasRequested).length < failover.maxAttempts
}

/**
 * Outcome codes of attempts in the state `unavailable` that were not sent to their carrier: the attempt was too old, or
 * requests to the carrier were paused. In any other state, the code for insufficient funds means that a request was
 * sent.
 */
const unsentCodes: readonly string[] = [notSentCode, circuitOpenCode, unpaidCode]

/** Whether a request of the attempt may have reached its carrier. */
export function wasRequested({ state, outcomeCode }: Pick<PastAttempt, 'state' | 'outcomeCode'>): boolean {
  if (state === 'skipped') return false
  return state !== 'unavailable' || outcomeCode === null || !unsentCodes.includes(outcomeCode)
}

/** Whether no earlier attempt excludes the offer. */
export function isAvailable(offer: PlannedOffer, attempts: readonly PastAttempt[]): boolean {
  return !attempts.some((attempt) => keyOf(attempt.offer) === keyOf(offer)) && !isExcluded(offer, attempts)
}

function isExcluded({ carrier, subCarrier }: PlannedOffer, attempts: readonly PastAttempt[]): boolean {
  return attempts.some((attempt) => {
    if (attempt.carrier !== carrier || offerOnlyCodes.has(attempt.outcomeCode ?? '')) return false
    const failedSubCarrier = attempt.offer.subCarrier ?? undefined
    // Offers in dispatch plans of an earlier release name no sub-carrier, so a failure excludes all offers of the
    // carrier.
    const isOneSubCarrier =
      subCarrierCodes.has(attempt.outcomeCode ?? '') &&
      failedSubCarrier !== undefined &&
      (subCarrier ?? undefined) !== undefined
    return !isOneSubCarrier || failedSubCarrier === subCarrier
  })
}

/**
 * Whether two sub-carriers of a broker failed with an outcome code that the broker itself may have caused. If so, the
 * offers of other carriers are attempted first.
 */
function isSuspect(carrier: string, attempts: readonly PastAttempt[]): boolean {
  const failures = attempts.filter(
    (attempt) => attempt.carrier === carrier && suspectCodes.has(attempt.outcomeCode ?? ''),
  )
  return new Set(failures.map(({ offer }) => offer.subCarrier)).size > 1
}

/** The key stays the same when the carrier renews the offer. */
export function keyOf({ carrier, service, vehicle, serviceLevel }: PlannedOffer): string {
  return [carrier, service, vehicle, serviceLevel].join(' ')
}
