import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'

/** Chooses the offer of the plan that a shipment tries next (design, logistics 3.3). Every function is pure. */

/** Outcome code of an offer above the price ceiling of the shipment. */
export const overCeilingCode = 'price'

/** Outcome code of a broker that reports that its sub-carrier is unavailable. */
export const subCarrierDownCode = 'sub_carrier_unavailable'

/** Outcome code of an attempt that was stored but not sent in time: the carrier received no request. */
export const notSentCode = 'not_sent'

/**
 * Maximum unsent attempts that are ignored: one or two are a short pause of the process or of the database, three are
 * not.
 */
const notSentMax = 3

/** Outcome code of an order that the carrier cancelled after it had accepted it. */
const carrierCancelledCode = 'carrier_cancelled'

/** Codes that exclude one offer, and not the other offers of its carrier. */
const offerOnlyCodes: ReadonlySet<string> = new Set(['quote_expired', overCeilingCode, 'no_offer'])

/**
 * Codes that exclude one sub-carrier of a broker. Once they occur for two sub-carriers, the cause may be the broker
 * itself.
 */
const suspectCodes: ReadonlySet<string> = new Set([subCarrierDownCode, 'invalid'])

/**
 * Codes that exclude one sub-carrier of a broker. Every other code excludes the whole carrier: an account, a wallet and
 * an outage belong to the broker, and while the broker may have an order that it did not report, a second order for the
 * same recipient could not be told apart from it.
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

type Tried = Pick<StoredAttempt, 'carrier' | 'offer' | 'state' | 'outcomeCode'>

/**
 * Returns the next offer within the price ceiling; undefined when none is left or the maximum number of attempts is
 * reached.
 */
export function nextOffer(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo <= shipment.priceCeilingKobo)
}

/** Returns the next offer above the price ceiling, which would be requested if the ceiling allowed it. */
export function nextOfferOverCeiling(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo > shipment.priceCeilingKobo)
}

/**
 * Returns an offer whose carrier cancelled the shipment before the pickup, to request it once more when no other offer
 * is left (design, logistics 3.6): the carrier had a rider before. It applies only to a shipment without a carrier. A
 * slow carrier is not replaced by one that has already failed.
 */
export function returnedOffer(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  if (!mayRequest(shipment, attempts) || nextOffer(shipment, attempts) !== undefined) return undefined
  return shipment.plan.find((offer) => {
    const same = attempts.filter((tried) => keyOf(tried.offer) === keyOf(offer))
    const others = attempts.filter((tried) => !same.includes(tried))
    const isReturned =
      same.length === 1 && same[0]?.state === 'cancelled' && same[0].outcomeCode === carrierCancelledCode
    return isReturned && !isExcluded(offer, others) && offer.priceKobo <= shipment.priceCeilingKobo
  })
}

function untried(shipment: Planned, all: readonly Tried[]): PlannedOffer[] {
  const attempts = withoutUnsent(all)
  if (!mayRequest(shipment, attempts)) return []
  const left = shipment.plan.filter((offer) => isLeft(offer, attempts))
  const suspects = left.filter(({ carrier }) => isSuspect(carrier, attempts))
  return [...left.filter((offer) => !suspects.includes(offer)), ...suspects]
}

/** Returns the attempts that count against a carrier: unsent ones are ignored up to `notSentMax`. */
function withoutUnsent(attempts: readonly Tried[]): readonly Tried[] {
  const sent = attempts.filter(({ outcomeCode }) => outcomeCode !== notSentCode)
  return attempts.length - sent.length < notSentMax ? sent : attempts
}

function mayRequest({ failover }: Planned, attempts: readonly Tried[]): boolean {
  return attempts.filter(({ state }) => state !== 'skipped').length < failover.maxAttempts
}

/** Whether no attempt excludes an offer. */
export function isLeft(offer: PlannedOffer, attempts: readonly Tried[]): boolean {
  return !attempts.some((tried) => keyOf(tried.offer) === keyOf(offer)) && !isExcluded(offer, attempts)
}

function isExcluded({ carrier, subCarrier }: PlannedOffer, attempts: readonly Tried[]): boolean {
  return attempts.some((tried) => {
    if (tried.carrier !== carrier || offerOnlyCodes.has(tried.outcomeCode ?? '')) return false
    const of = tried.offer.subCarrier ?? undefined
    // Offers of older plans have no sub-carrier.
    const isOneSubCarrier =
      subCarrierCodes.has(tried.outcomeCode ?? '') && of !== undefined && (subCarrier ?? undefined) !== undefined
    return !isOneSubCarrier || of === subCarrier
  })
}

/** Whether two sub-carriers of a broker failed with a suspect code. Offers of other carriers are then tried first. */
function isSuspect(carrier: string, attempts: readonly Tried[]): boolean {
  const failures = attempts.filter((tried) => tried.carrier === carrier && suspectCodes.has(tried.outcomeCode ?? ''))
  return new Set(failures.map(({ offer }) => offer.subCarrier)).size > 1
}

/** Returns the key of an offer, which stays the same when the carrier renews the offer. */
export function keyOf({ carrier, service, vehicle, serviceLevel }: PlannedOffer): string {
  return [carrier, service, vehicle, serviceLevel].join(' ')
}
