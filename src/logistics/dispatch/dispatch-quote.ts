import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Place } from '../../../registry/logistics/place.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import type { Kobo, OfferId, OrderId, QuoteId, ReturnId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { Tenant, Work } from '../../store/core/mutation.ts'
import { lockQuote, type QuoteForDispatch, useQuote } from '../../store/logistics/quotes/quotes.ts'
import type { PlannedOffer } from '../../store/tables/shipment.ts'
import { isCarrierCode } from '../carriers/carrier-names.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { missingProof, requestedProof } from '../parcels/proof.ts'
import type { ResolvedRoute } from '../parcels/resolve-route.ts'
import { straightMeters } from '../places/distance.ts'
import { type DispatchTimes, dispatchTimes } from '../quotes/dispatch-times.ts'
import { rulesOf } from '../quotes/failover-rules.ts'
import { planDispatch } from '../quotes/plan-offers.ts'
import { missedWindows, noWindows } from '../quotes/windows.ts'
import { type CreateShipmentOutcome, createShipment, type NewShipment } from './create-shipment.ts'

/** Fields of a dispatch request that must agree with its quote. */
const comparedFields = ['pickup', 'dropoff', 'orderId', 'returnId', 'items', 'codAmountKobo'] as const

/** Reason why a dispatch request cannot use the quote that it names. */
export type QuoteUse =
  | { readonly is: 'quote_unknown' }
  | { readonly is: 'quote_expired'; readonly expiredAt: string; readonly quote: QuoteForDispatch }
  | { readonly is: 'quote_used'; readonly shipmentId: string }
  | { readonly is: 'quote_mismatch'; readonly field: (typeof comparedFields)[number] }
  | { readonly is: 'proof_not_offered'; readonly proof: readonly string[] }
  /** No permitted carrier can meet the windows of the quote. */
  | { readonly is: 'window_missed'; readonly windows: readonly string[] }

export interface RequestedPlaces {
  readonly pickup: Place | undefined
  readonly dropoff: Place | undefined
}

interface QuotedDispatch {
  readonly quoteId: QuoteId
  readonly offerId: OfferId | undefined
  readonly orderId: OrderId | undefined
  readonly returnId: ReturnId | undefined
  readonly items: readonly ShipmentItem[] | undefined
  readonly codAmountKobo: Kobo | undefined
  readonly given: RequestedPlaces
  readonly terms: Omit<
    NewShipment,
    'quoteId' | 'codAmountKobo' | 'route' | 'offers' | 'firstOfferId' | 'surgeSnapshotId'
  >
}

/**
 * Creates the shipment of a quote. The quote determines the route and the parcels; the dispatch request adds the
 * contacts and the choice of carriers. If a time window is in the future, the shipment is scheduled for the time at
 * which its first carrier must be requested. The windows are ignored if the request contains `dispatchAt`. The windows
 * are also ignored if the request contains an offer, because the quote already states whether the offer meets the
 * windows.
 */
export async function dispatchQuote(
  work: Work<OrderMoveEvents>,
  { carriers, tenant }: Pick<LogisticsContext, 'carriers'> & { readonly tenant: Tenant },
  { quoteId, offerId, given, terms, ...requested }: QuotedDispatch,
): Promise<QuoteUse | CreateShipmentOutcome> {
  const quote = await lockQuote(work.trx, { merchantId: work.merchantId, id: quoteId })
  const chosen = quote?.offers.find((offer) => offer.offerId === offerId)
  if (quote === undefined || (offerId !== undefined && chosen === undefined)) return { is: 'quote_unknown' }
  if (quote.usedBy !== null) return { is: 'quote_used', shipmentId: quote.usedBy }
  const field = mismatchOf(quote, requested, given)
  if (field !== undefined) return { is: 'quote_mismatch', field }
  const expiredAt = chosen?.expiresAt ?? quote.expiresAt
  if (toMs(expiredAt) <= work.nowMs) return { is: 'quote_expired', expiredAt, quote }
  const proof = requestedProof(terms.proof)
  const offers = quote.offers.filter(({ carrier }) => offersProof(carriers, carrier, proof))
  const isChoiceLost = chosen === undefined ? offers.length === 0 : !offers.includes(chosen)
  if (quote.offers.length > 0 && isChoiceLost) return { is: 'proof_not_offered', proof }
  const windows = terms.dispatchAt === null ? { pickup: quote.pickupWindow, dropoff: quote.dropoffWindow } : noWindows
  const timelyOffers = offers.filter(
    (offer) => offer === chosen || missedWindows(windows, offer, work.now).length === 0,
  )
  const rules = rulesOf(terms.failover, quote.serviceLevels)
  const allowed = planDispatch(offers, rules, offerId)
  const plan = planDispatch(timelyOffers, rules, offerId)
  if (plan.cheapestKobo === undefined && allowed.cheapestKobo !== undefined) {
    const missed = [...allowed.offers, ...allowed.overCeiling].flatMap((offer) =>
      missedWindows(windows, offer, work.now),
    )
    return { is: 'window_missed', windows: [...new Set(missed)].map((name) => `${name}Window`) }
  }
  const route = quotedRoute(quote, requested, given)
  const [first] = plan.offers
  const zones = { pickupZoneId: route.pickup.zoneId, dropoffZoneId: route.dropoff.zoneId }
  const times = first && (await dispatchTimes(work.trx, { tenant, windows, ...zones }, first, work.now))
  const outcome = await createShipment(work, {
    ...terms,
    ...scheduleOf(times, terms, work.now),
    quoteId: quote.id,
    codAmountKobo: quote.codAmountKobo,
    route,
    offers: timelyOffers.map(plannedOf),
    firstOfferId: offerId,
    surgeSnapshotId: quote.surge?.snapshotId ?? null,
  })
  if (outcome.is === 'created') useQuote(work.trx, { merchantId: work.merchantId, id: quote.id }, work.now)
  return outcome
}

function scheduleOf(
  times: DispatchTimes | undefined,
  { dispatchAt, scheduledPickupAt }: QuotedDispatch['terms'],
  now: Timestamp,
): Pick<NewShipment, 'dispatchAt' | 'scheduledPickupAt'> {
  if (dispatchAt !== null || times === undefined) return { dispatchAt, scheduledPickupAt }
  return { dispatchAt: toMs(times.dispatchAt) > toMs(now) ? times.dispatchAt : null, scheduledPickupAt: times.pickupAt }
}

/** False for an unknown carrier when a proof is required. */
export function offersProof(
  carriers: LogisticsContext['carriers'],
  code: string,
  required: ReturnType<typeof requestedProof>,
): boolean {
  const capabilities = isCarrierCode(code) ? carriers.get(code)?.capabilities : undefined
  return required.length === 0 || (capabilities !== undefined && missingProof(capabilities, required) === undefined)
}

type RequestedContents = Pick<QuotedDispatch, 'orderId' | 'returnId' | 'items' | 'codAmountKobo'>

/**
 * Returns the field of the dispatch request that differs from the quote. A quote without an order or a return can be used
 * for any order. A return requires a quote of its own.
 */
function mismatchOf(
  quote: QuoteForDispatch,
  { orderId, returnId, items, codAmountKobo }: RequestedContents,
  given: RequestedPlaces,
): (typeof comparedFields)[number] | undefined {
  const isOfAny = quote.orderId === null && quote.returnId === null
  if (orderId !== undefined && !isOfAny && quote.orderId !== orderId) return 'orderId'
  if (returnId !== undefined && quote.returnId !== returnId) return 'returnId'
  if (items !== undefined && itemsDiffer(quote, orderId, items)) return 'items'
  if (codAmountKobo !== undefined && codAmountKobo !== quote.codAmountKobo) return 'codAmountKobo'
  const ends = ['pickup', 'dropoff'] as const
  return ends.find((name) => {
    const place = given[name]
    return place !== undefined && placeDiffers(quote[name], place)
  })
}

/**
 * Whether the items of the dispatch request differ from the items of the quote. A quote without an order has no items
 * to compare, and can be used for any order. For such a quote, the result is true only if the request names no order.
 */
function itemsDiffer(quote: QuoteForDispatch, orderId: OrderId | undefined, items: readonly ShipmentItem[]) {
  if (quote.orderId === null) return orderId === undefined
  // Quotes of older releases did not store their items, so the items of the dispatch request may differ from them.
  if (quote.items === null) return true
  const quantities = new Map(quote.items.map(({ itemId, quantity }) => [itemId, quantity]))
  return items.length !== quantities.size || items.some(({ itemId, quantity }) => quantities.get(itemId) !== quantity)
}

/**
 * Maximum distance in metres between the quoted point and a more precise address of the same house. A point that is
 * farther away belongs to another house.
 */
const sameHouseMeters = 250

/**
 * Whether the address of a request differs from the address of its quote. Addresses with given coordinates are compared
 * by distance, other addresses by state and zone.
 */
function placeDiffers(quoted: Place, given: Place): boolean {
  const isPoint = given.locationSource === 'given' || given.locationSource === 'plus_code'
  if (isPoint)
    return straightMeters(quoted.location, given.location) > Math.max(sameHouseMeters, quoted.precisionMeters)
  return quoted.state !== given.state || (given.zoneId !== null && given.zoneId !== quoted.zoneId)
}

function quotedRoute(
  quote: QuoteForDispatch,
  { orderId, items }: Pick<QuotedDispatch, 'orderId' | 'items'>,
  given: RequestedPlaces,
): ResolvedRoute {
  const { parcels, vehicle, distanceMeters } = quote
  return {
    pickup: withContact(quote.pickup, given.pickup),
    dropoff: withContact(quote.dropoff, given.dropoff),
    parcels,
    orderId: quote.orderId ?? orderId ?? null,
    returnId: quote.returnId,
    items: quote.orderId === null ? items : (quote.items ?? undefined),
    serviceLevels: quote.serviceLevels,
    vehicle,
    distanceMeters,
    warnings: quote.warnings,
  }
}

/** Returns the quoted pickup or dropoff, completed with the contact and the address details of the dispatch request. */
function withContact(quoted: Place, given: Place | undefined): Place {
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

/** Returns the fields of an offer that a shipment stores in its plan, the list of offers to request. */
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
