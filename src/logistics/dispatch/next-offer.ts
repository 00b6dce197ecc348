import type { KeptAttempt, KeptShipment, PlannedOffer } from '../../store/shipment-columns.ts'

/** Which of its plan a shipment tries next (design, logistics 3.3). Pure. */

/** Of an offer that costs more than the shipment may. */
export const tooDearCode = 'price'

/** What says of one offer only that it is gone leaves the carrier’s others; anything else, and the carrier is left out. */
const offerOnlyCodes: ReadonlySet<string> = new Set(['quote_expired', tooDearCode, 'no_offer'])

type Planned = Pick<KeptShipment, 'plan' | 'priceCeilingKobo'> & {
  readonly failover: Pick<KeptShipment['failover'], 'maxAttempts'>
}

type Tried = Pick<KeptAttempt, 'carrier' | 'offer' | 'state' | 'outcomeCode'>

/** The next of the plan whose carrier has not failed yet, while any more may be asked. */
export function nextOffer(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo <= shipment.priceCeilingKobo)
}

/** The next that would be asked if it did not cost more than the shipment may. */
export function nextTooDear(shipment: Planned, attempts: readonly Tried[]): PlannedOffer | undefined {
  return untried(shipment, attempts).find(({ priceKobo }) => priceKobo > shipment.priceCeilingKobo)
}

function untried({ plan, failover }: Planned, attempts: readonly Tried[]): PlannedOffer[] {
  const asked = attempts.filter(({ state }) => state !== 'skipped').length
  if (asked >= failover.maxAttempts) return []
  const out = new Set(
    attempts.filter(({ outcomeCode }) => !offerOnlyCodes.has(outcomeCode ?? '')).map(({ carrier }) => carrier),
  )
  const tried = new Set(attempts.map(({ offer }) => keyOf(offer)))
  return plan.filter((offer) => !out.has(offer.carrier) && !tried.has(keyOf(offer)))
}

/** Which offer it is, also when its carrier makes it anew. */
export function keyOf({ carrier, service, vehicle, serviceLevel }: PlannedOffer): string {
  return [carrier, service, vehicle, serviceLevel].join(' ')
}
