import type { Place } from '../../../registry/place.ts'
import { serviceLevels } from '../../../registry/shipment-states.ts'
import type { OfferId, OrderId, QuoteId } from '../../../registry/vocabulary.ts'
import { toMs } from '../../clock.ts'
import type { Work } from '../../store/mutation.ts'
import { lockQuote, type QuoteForDispatch, useQuote } from '../../store/quotes.ts'
import type { PlannedOffer } from '../../store/shipment-columns.ts'
import { isCarrierCode } from '../carrier-names.ts'
import type { LogisticsContext } from '../context.ts'
import { straightMeters } from '../places/distance.ts'
import type { Understood } from '../places/understand.ts'
import { missingProof, proofWanted } from '../proof.ts'
import { type CreateShipmentOutcome, createShipment, type NewShipment } from './create-shipment.ts'

/** A shipment of what was quoted: the quote says what goes where, and the dispatch who is there and whom to ask. */

/** Why a quote cannot be used. */
export type QuoteUse =
  | { readonly is: 'quote_unknown' }
  | { readonly is: 'quote_expired'; readonly expiredAt: string; readonly quote: QuoteForDispatch }
  | { readonly is: 'quote_used'; readonly shipmentId: string }
  | { readonly is: 'quote_mismatch'; readonly field: 'pickup' | 'dropoff' | 'orderId' }
  | { readonly is: 'proof_not_offered'; readonly proof: readonly string[] }

export interface GivenPlaces {
  readonly pickup: Place | undefined
  readonly dropoff: Place | undefined
}

interface QuotedDispatch {
  readonly quoteId: QuoteId
  readonly offerId: OfferId | undefined
  readonly orderId: OrderId | undefined
  readonly given: GivenPlaces
  readonly terms: Omit<NewShipment, 'quoteId' | 'wanted' | 'offers' | 'firstOfferId' | 'surgeSnapshotId'>
}

export async function dispatchQuote(
  work: Work,
  { carriers }: Pick<LogisticsContext, 'carriers'>,
  { quoteId, offerId, orderId, given, terms }: QuotedDispatch,
): Promise<QuoteUse | CreateShipmentOutcome> {
  const quote = await lockQuote(work.trx, { merchantId: work.merchantId, id: quoteId })
  const chosen = quote?.offers.find((offer) => offer.offerId === offerId)
  if (quote === undefined || (offerId !== undefined && chosen === undefined)) return { is: 'quote_unknown' }
  if (quote.usedBy !== null) return { is: 'quote_used', shipmentId: quote.usedBy }
  const field = mismatchOf(quote, orderId, given)
  if (field !== undefined) return { is: 'quote_mismatch', field }
  const expiredAt = chosen?.expiresAt ?? quote.expiresAt
  if (toMs(expiredAt) <= work.nowMs) return { is: 'quote_expired', expiredAt, quote }
  const proof = proofWanted(terms.proof)
  const offers = quote.offers.filter(({ carrier }) => givesProof(carriers, carrier, proof))
  const isChoiceLost = chosen === undefined ? offers.length === 0 : !offers.includes(chosen)
  if (quote.offers.length > 0 && isChoiceLost) return { is: 'proof_not_offered', proof }
  const outcome = await createShipment(work, {
    ...terms,
    quoteId: quote.id,
    wanted: quotedWanted(quote, orderId, given),
    offers: offers.map(plannedOf),
    firstOfferId: offerId,
    surgeSnapshotId: quote.surge?.snapshotId ?? null,
  })
  if (outcome.is === 'created') useQuote(work.trx, { merchantId: work.merchantId, id: quote.id }, work.now)
  return outcome
}

/** Of a carrier that is no longer known nothing can be promised. */
export function givesProof(
  carriers: LogisticsContext['carriers'],
  code: string,
  wanted: ReturnType<typeof proofWanted>,
): boolean {
  const capabilities = isCarrierCode(code) ? carriers.get(code)?.capabilities : undefined
  return wanted.length === 0 || (capabilities !== undefined && missingProof(capabilities, wanted) === undefined)
}

/** What the dispatch says otherwise than the quote. A quote of no order may be used for any. */
function mismatchOf(quote: QuoteForDispatch, orderId: OrderId | undefined, given: GivenPlaces) {
  if (orderId !== undefined && quote.orderId !== null && quote.orderId !== orderId) return 'orderId'
  const ends = ['pickup', 'dropoff'] as const
  return ends.find((name) => {
    const place = given[name]
    return place !== undefined && isElsewhere(quote[name], place)
  })
}

/** A house may be named better than it was; what is further off is another house. */
const sameHouseMeters = 250

/** Points are compared where they are points, and else the zones that the addresses lie in. */
function isElsewhere(quoted: Place, given: Place): boolean {
  const isPoint = given.locationSource === 'given' || given.locationSource === 'plus_code'
  if (isPoint)
    return straightMeters(quoted.location, given.location) > Math.max(sameHouseMeters, quoted.precisionMeters)
  return quoted.state !== given.state || (given.zoneId !== null && given.zoneId !== quoted.zoneId)
}

function quotedWanted(quote: QuoteForDispatch, orderId: OrderId | undefined, given: GivenPlaces): Understood {
  const { parcels, vehicle, distanceMeters } = quote
  return {
    pickup: completed(quote.pickup, given.pickup),
    dropoff: completed(quote.dropoff, given.dropoff),
    parcels,
    orderId: quote.orderId ?? orderId ?? null,
    serviceLevels: quote.serviceLevels.length === 0 ? serviceLevels : quote.serviceLevels,
    vehicle,
    distanceMeters,
    warnings: [],
  }
}

/** The quoted place with what is known of it now: who is there, and how to find the door. */
function completed(quoted: Place, given: Place | undefined): Place {
  if (given === undefined) return quoted
  const { name, phone, email, line1, line2, landmark, instructions } = given
  return {
    ...quoted,
    line1,
    name: name ?? quoted.name,
    phone: phone ?? quoted.phone,
    email: email ?? quoted.email,
    line2: line2 ?? quoted.line2,
    landmark: landmark ?? quoted.landmark,
    instructions: instructions ?? quoted.instructions,
  }
}

export function plannedOf(offer: PlannedOffer): PlannedOffer {
  const { offerId, carrier, service, serviceLevel, vehicle, priceKobo, surgeKobo, priceLock = 'none', token } = offer
  const { breakdown, pickupMinutes, dropoffMinutes, reliability, expiresAt } = offer
  const price = { priceKobo, surgeKobo, priceLock, breakdown }
  return {
    offerId,
    carrier,
    service,
    subCarrier: offer.subCarrier ?? null,
    serviceLevel,
    vehicle,
    ...price,
    token,
    pickupMinutes,
    dropoffMinutes,
    reliability,
    expiresAt,
  }
}
