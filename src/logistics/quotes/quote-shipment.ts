import type { QuoteWarning } from '../../../registry/logistics/quote-warnings.ts'
import type { Quote, QuoteInput } from '../../../registry/logistics/quotes.ts'
import { quoteLifetimeMinutes } from '../../../registry/values/limits.ts'
import type { Instant, Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { newQuoteId } from '../../base/records.ts'
import type { Capabilities, ProofKind } from '../../partners/carriers/carrier.ts'
import type { Actor } from '../../store/core/audit.ts'
import { asRecord } from '../../store/core/json.ts'
import { mutate, type Tenant, type Work } from '../../store/core/mutation.ts'
import { insertQuote, type StoredOffer, type StoredQuote } from '../../store/logistics/quotes/quotes.ts'
import { isPersonRedacted } from '../../store/logistics/shipments/redact-shipments.ts'
import type { ShipmentWindows } from '../../store/logistics/shipments/shipment-windows.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { carrierNameOf, isCarrierCode } from '../carriers/carrier-names.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { momentsOf } from '../moments.ts'
import { proofWanted } from '../parcels/proof.ts'
import { type ResolveRouteOutcome, resolveRoute, type Understood } from '../parcels/resolve-route.ts'
import { currentSurge } from '../surge/current-surge.ts'
import { type Gathered, gatherOffers, isPartial } from './gather-offers.ts'
import { countedFrom, missedWindows, noWindows, storedWindow, windowsEnd } from './windows.ts'

export interface LogisticsCall {
  readonly context: LogisticsContext
  readonly tenant: Tenant
  readonly actor: Actor
  readonly isDryRun: boolean
}

export type QuoteOutcome =
  | { readonly is: 'quoted'; readonly quote: Quote }
  | Exclude<ResolveRouteOutcome, { is: 'understood' }>
  | { readonly is: 'time_in_past'; readonly field: string }
  | { readonly is: 'customer_anonymised' }

/** Carriers take bookings no further ahead. */
const furthestDays = 30

/** Asks the carriers, then keeps what they said. Nothing is held up by a slow one: the asking is in no transaction. */
export async function quoteShipment(call: LogisticsCall, input: QuoteInput): Promise<QuoteOutcome> {
  const { context, tenant } = call
  const badTime = findBadTime(context, { pickupWindow: input.pickupWindow?.to, dropoffWindow: input.dropoffWindow?.to })
  if (badTime !== undefined) return { is: 'time_in_past', field: `${badTime}.to` }
  const understood = await resolveRoute(context, tenant, {
    pickup: input.pickup,
    dropoff: input.dropoff,
    parcels: input.parcels,
    orderId: input.orderId,
    items: input.items,
    serviceLevels: input.serviceLevels,
    vehicle: input.vehicle,
  })
  if (understood.is !== 'understood') return understood
  const made = await makeQuote(call, understood.wanted, {
    carriers: input.carriers,
    declaredValueKobo: input.declaredValueKobo,
    windows: { pickup: storedWindow(input.pickupWindow), dropoff: storedWindow(input.dropoffWindow) },
    proof: proofWanted(input.proof),
  })
  const isKept = await storeQuote(call, made)
  return isKept ? { is: 'quoted', quote: quoteRecord(context, made) } : { is: 'customer_anonymised' }
}

/** False where the customer of its order was anonymised meanwhile. */
export async function storeQuote(call: LogisticsCall, made: MadeQuote): Promise<boolean> {
  const { context, tenant } = call
  const mutation = {
    tenant,
    actor: call.actor,
    action: 'quote.create',
    resourceType: 'quote',
    resourceId: () => made.quote.id,
    isDryRun: call.isDryRun,
  }
  return mutate(context, mutation, (work) => keep(work, made))
}

/** False where the order’s customer has been erased: their address must not come back, even if it was read before. */
async function keep(work: Work, { quote, offers }: MadeQuote): Promise<boolean> {
  const { trx, merchantId } = work
  if (quote.orderId !== null) {
    const [, isForgotten] = await Promise.all([
      lockOrder(trx, merchantId, quote.orderId),
      isPersonRedacted(trx, merchantId, quote.orderId),
    ])
    if (isForgotten) return work.abort(false)
  }
  insertQuote(trx, quote, offers)
  return true
}

/** What beside the parcels decides which offers there are. */
interface QuoteTerms {
  readonly carriers?: readonly string[] | undefined
  readonly windows?: ShipmentWindows
  readonly declaredValueKobo?: Kobo | undefined
  readonly proof: readonly ProofKind[]
}

interface MadeQuote {
  readonly quote: StoredQuote
  readonly offers: readonly StoredOffer[]
  readonly answers: Gathered['answers']
}

/**
 * A quote that is not kept yet. It lasts as long as the last of its offers does, rather than the first: were it over with the
 * first, a carrier that holds its price for five minutes would take from the merchant what the others hold for ten. Nobody
 * pays more for that, because an offer that has ended by the time it is asked for is made anew, within the ceiling. When a
 * window has passed, nothing that was offered can be had any more.
 */
export async function makeQuote(
  { context, tenant }: LogisticsCall,
  wanted: Understood,
  input: QuoteTerms,
): Promise<MadeQuote> {
  const nowMs = context.clock.nowMs()
  const now = toTimestamp(nowMs)
  const surge = await currentSurge(context.database, tenant.mode, wanted.pickup.zoneId, now)
  const windows = input.windows ?? noWindows
  // For a pickup window that lies ahead the carrier is called in time for it.
  const pickupAt = windows.pickup === null ? now : toTimestamp(Math.max(nowMs, toMs(windows.pickup.from)))
  const { offers: made, answers } = await gatherOffers(context, tenant, {
    ...wanted,
    carriers: input.carriers,
    surge,
    proof: input.proof,
    pickupAt,
    calledAt: pickupAt,
  })
  const end = windowsEnd(windows)
  // The window may have ended while the places were looked up.
  const lastMs = end === undefined ? Number.POSITIVE_INFINITY : Math.max(nowMs + 1, toMs(end))
  const offers = made.map((offer) => ({ ...offer, expiresAt: toTimestamp(Math.min(toMs(offer.expiresAt), lastMs)) }))
  const ends = offers.map(({ expiresAt }) => toMs(expiresAt))
  const quote: StoredQuote = {
    merchantId: tenant.merchantId,
    id: newQuoteId(nowMs),
    orderId: wanted.orderId,
    items: wanted.items ?? (wanted.orderId === null ? [] : null),
    status: isPartial(answers) ? 'partial' : 'complete',
    pickup: wanted.pickup,
    dropoff: wanted.dropoff,
    parcels: wanted.parcels,
    vehicle: wanted.vehicle,
    serviceLevels: wanted.serviceLevels,
    pickupWindow: windows.pickup,
    dropoffWindow: windows.dropoff,
    declaredValueKobo: input.declaredValueKobo ?? null,
    distanceMeters: wanted.distanceMeters,
    surge,
    carriers: answers,
    warnings: [...wanted.warnings, ...warningsOf(windows, offers, now)],
    createdAt: now,
    expiresAt: toTimestamp(
      ends.length === 0 ? Math.min(lastMs, nowMs + quoteLifetimeMinutes * 60_000) : Math.max(...ends),
    ),
  }
  return { quote, offers, answers }
}

/** The windows that some offer of a quote cannot keep. */
function warningsOf(windows: ShipmentWindows, offers: readonly StoredOffer[], now: Timestamp): readonly QuoteWarning[] {
  const missed = new Set(offers.flatMap((offer) => missedWindows(windows, offer, now)))
  return [...missed].map((name) => `${name}_window_missed` as const)
}

export function quoteRecord({ carriers }: LogisticsContext, { quote, offers, answers }: MadeQuote): Quote {
  const windows = { pickup: quote.pickupWindow, dropoff: quote.dropoffWindow }
  const capabilitiesOf = (code: string) => (isCarrierCode(code) ? carriers.get(code)?.capabilities : undefined)
  return asRecord<Quote>({
    id: quote.id,
    orderId: quote.orderId,
    items: quote.items ?? [],
    status: quote.status,
    pickup: quote.pickup,
    dropoff: quote.dropoff,
    vehicle: quote.vehicle,
    distanceMeters: quote.distanceMeters,
    surge: quote.surge,
    offers: offers.map((offer) => ({
      id: offer.offerId,
      carrier: offer.carrier,
      carrierName: carrierNameOf(offer.carrier),
      service: offer.service,
      serviceLevel: offer.serviceLevel,
      vehicle: offer.vehicle,
      priceKobo: offer.priceKobo,
      breakdown: offer.breakdown,
      currency: 'NGN',
      pickupEta: momentsOf(countedFrom(windows, offer, quote.createdAt), offer.pickupMinutes),
      dropoffEta: momentsOf(countedFrom(windows, offer, quote.createdAt), offer.dropoffMinutes),
      reliability: Math.round(offer.reliability * 1000) / 1000,
      expiresAt: offer.expiresAt,
      priceLock: offer.priceLock,
      capabilities: wordsOf(capabilitiesOf(offer.carrier)),
      tags: offer.tags,
    })),
    carriers: answers,
    warnings: quote.warnings,
    createdAt: quote.createdAt,
    expiresAt: quote.expiresAt,
  })
}

/** What a merchant may choose a carrier for. */
function wordsOf(capabilities: Capabilities | undefined): string[] {
  if (capabilities === undefined) return []
  const { cancelUntil, insurance, livePosition, proof } = capabilities
  return [
    ...(cancelUntil === undefined ? [] : ['cancel']),
    ...(insurance ? ['insurance'] : []),
    ...(livePosition ? ['live_position'] : []),
    ...proof,
  ]
}

/** The first of some moments that has passed, or is too far ahead. */
export function findBadTime(
  { clock }: LogisticsContext,
  moments: Readonly<Record<string, Instant | undefined>>,
): string | undefined {
  const nowMs = clock.nowMs()
  return Object.entries(moments).find(([, instant]) => {
    if (instant === undefined) return false
    const ms = Date.parse(instant)
    return ms <= nowMs || ms > nowMs + furthestDays * 24 * 3_600_000
  })?.[0]
}
