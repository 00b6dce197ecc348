import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'

/** Which of its plan a shipment tries next (design, logistics 3.3). Pure. */

/** Of an offer that costs more than the shipment may. */
export const tooDearCode = 'price'

/** Of a broker’s word that the company behind it does not answer. */
export const subCarrierDownCode = 'sub_carrier_unavailable'

/** Written down, and not sent in time for that: the carrier was never asked. */
export const notSentCode = 'not_sent'

/** A process or a database that stands still does so for a moment; what is late so often is no accident. */
const notSentMax = 3

/** What its carrier gave back though it had said yes. */
const gaveBackCode = 'carrier_cancelled'

/** What says of one offer only that it is gone leaves the carrier’s others. */
const offerOnlyCodes: ReadonlySet<string> = new Set(['quote_expired', tooDearCode, 'no_offer'])

/** What may be right of one company behind a broker, and is the broker’s own trouble once it is said of two. */
const suspectCodes: ReadonlySet<string> = new Set([subCarrierDownCode, 'invalid'])

/**
 * What a broker says of one company behind it leaves the others. Anything else leaves the whole carrier out: an account, a
 * wallet and a silent computer are the broker’s, and while it may have an order that it did not tell of, another one to
 * the same person could not be told from it.
 */
const subCarrierCodes: ReadonlySet<string> = new Set([
  ...suspectCodes,
  'couriers_busy',
  'out_of_area',
  'no_courier_assigned',
  gaveBackCode,
])

type Planned = Pick<StoredShipment, 'plan' | 'priceCeilingKobo'> & {
  readonly failover: Pick<StoredShipment['failover'], 'maxAttempts'>
}

type Tried = Pick<StoredAttempt, 'carrier' | 'offer' | 'state' | 'outcomeCode'>

/** The next of the plan that has not failed yet, while any more may be asked. */
export function nextOffer(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo <= shipment.priceCeilingKobo)
}

/** The next that would be asked if it did not cost more than the shipment may. */
export function nextTooDear(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo > shipment.priceCeilingKobo)
}

/**
 * Whoever gave it back is asked once more when nobody else is left (design, logistics 3.6): it had a rider a while ago, and
 * the shipment has nothing to lose. Only for one that nobody has: a carrier that is slow is not given up for one that has
 * already failed.
 */
export function lastResort(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  if (!mayAsk(shipment, attempts) || nextOffer(shipment, attempts) !== undefined) return undefined
  return shipment.plan.find((offer) => {
    const same = attempts.filter((tried) => keyOf(tried.offer) === keyOf(offer))
    const others = attempts.filter((tried) => !same.includes(tried))
    const isGivenBack = same.length === 1 && same[0]?.state === 'cancelled' && same[0].outcomeCode === gaveBackCode
    return isGivenBack && !isOut(offer, others) && offer.priceKobo <= shipment.priceCeilingKobo
  })
}

function untried(shipment: Planned, all: readonly Tried[]): PlannedOffer[] {
  const attempts = withoutUnsent(all)
  if (!mayAsk(shipment, attempts)) return []
  const left = shipment.plan.filter((offer) => isLeft(offer, attempts))
  const suspects = left.filter(({ carrier }) => isSuspect(carrier, attempts))
  return [...left.filter((offer) => !suspects.includes(offer)), ...suspects]
}

/** What was never sent speaks against nobody. */
function withoutUnsent(attempts: readonly Tried[]): readonly Tried[] {
  const sent = attempts.filter(({ outcomeCode }) => outcomeCode !== notSentCode)
  return attempts.length - sent.length < notSentMax ? sent : attempts
}

function mayAsk({ failover }: Planned, attempts: readonly Tried[]): boolean {
  return attempts.filter(({ state }) => state !== 'skipped').length < failover.maxAttempts
}

/** Whether nothing that was tried speaks against an offer. */
export function isLeft(offer: PlannedOffer, attempts: readonly Tried[]): boolean {
  return !attempts.some((tried) => keyOf(tried.offer) === keyOf(offer)) && !isOut(offer, attempts)
}

function isOut({ carrier, subCarrier }: PlannedOffer, attempts: readonly Tried[]): boolean {
  return attempts.some((tried) => {
    if (tried.carrier !== carrier || offerOnlyCodes.has(tried.outcomeCode ?? '')) return false
    const of = tried.offer.subCarrier ?? undefined
    // Of plans that were made before it was kept nobody knows who is behind an offer.
    const isOfOne =
      subCarrierCodes.has(tried.outcomeCode ?? '') && of !== undefined && (subCarrier ?? undefined) !== undefined
    return !isOfOne || of === subCarrier
  })
}

/** Two companies that are down at once, or that both find the request wrong: who else there is goes first. */
function isSuspect(carrier: string, attempts: readonly Tried[]): boolean {
  const said = attempts.filter((tried) => tried.carrier === carrier && suspectCodes.has(tried.outcomeCode ?? ''))
  return new Set(said.map(({ offer }) => offer.subCarrier)).size > 1
}

/** Which offer it is, also when its carrier makes it anew. */
export function keyOf({ carrier, service, vehicle, serviceLevel }: PlannedOffer): string {
  return [carrier, service, vehicle, serviceLevel].join(' ')
}
