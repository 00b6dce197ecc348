import type { Quote } from '../../../registry/logistics/quote.ts'
import type { QuoteWarning } from '../../../registry/logistics/quote-warnings.ts'
import type { QuoteInput } from '../../../registry/logistics/quotes.ts'
import { quoteLifetimeMinutes } from '../../../registry/values/limits.ts'
import type { Instant, Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { newQuoteId } from '../../base/records.ts'
import type { Capabilities, ProofKind } from '../../partners/carriers/carrier.ts'
import type { Actor } from '../../store/core/audit.ts'
import { asRecord } from '../../store/core/json.ts'
import { mutate, type Tenant, type Work } from '../../store/core/mutation.ts'
import { insertQuote, type StoredOffer, type StoredQuote } from '../../store/logistics/quotes/quotes.ts'
import { isCustomerAnonymised } from '../../store/logistics/shipments/redact-shipments.ts'
import type { ShipmentWindows } from '../../store/logistics/shipments/shipment-windows.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { lockReturn } from '../../store/returns/returns.ts'
import { carrierNameOf, isCarrierCode } from '../carriers/carrier-names.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { momentsOf } from '../moments.ts'
import { requestedProof } from '../parcels/proof.ts'
import { type ResolvedRoute, type ResolveRouteOutcome, resolveRoute } from '../parcels/resolve-route.ts'
import { type GatheredOffers, gatherOffers, isPartial } from './gather-offers.ts'
import { etaStart, missedWindows, noWindows, storedWindow, windowsEnd } from './windows.ts'

export interface LogisticsCall {
  readonly context: LogisticsContext
  readonly tenant: Tenant
  readonly actor: Actor
  readonly isDryRun: boolean
}

export type QuoteOutcome =
  | { readonly is: 'quoted'; readonly quote: Quote }
  | Exclude<ResolveRouteOutcome, { is: 'resolved' }>
  | { readonly is: 'time_in_past'; readonly field: string }
  | { readonly is: 'customer_anonymised' }
  /** The cash on delivery exceeds the amount due of the order minus the cash of its other shipments. */
  | { readonly is: 'cod_exceeds_due'; readonly dueKobo: Kobo }

/** Maximum number of days in advance for which carriers accept orders. */
const maxDaysAhead = 30

/** The carrier requests run outside any transaction, so that no locks are held while slow carriers respond. */
export async function quoteShipment(call: LogisticsCall, input: QuoteInput): Promise<QuoteOutcome> {
  const { context, tenant } = call
  const invalidField = findInvalidInstant(context, {
    pickupWindow: input.pickupWindow?.to,
    dropoffWindow: input.dropoffWindow?.to,
  })
  if (invalidField !== undefined) return { is: 'time_in_past', field: `${invalidField}.to` }
  const resolved = await resolveRoute(context, tenant, {
    pickup: input.pickup,
    dropoff: input.dropoff,
    parcels: input.parcels,
    orderId: input.orderId,
    returnId: input.returnId,
    items: input.items,
    serviceLevels: input.serviceLevels,
    vehicle: input.vehicle,
  })
  if (resolved.is !== 'resolved') return resolved
  const { cashMaxKobo } = resolved
  if (cashMaxKobo !== null && (input.codAmountKobo ?? 0) > cashMaxKobo)
    return { is: 'cod_exceeds_due', dueKobo: cashMaxKobo }
  const made = await makeQuote(call, resolved.route, {
    carriers: input.carriers,
    declaredValueKobo: input.declaredValueKobo,
    codAmountKobo: input.codAmountKobo ?? null,
    windows: { pickup: storedWindow(input.pickupWindow), dropoff: storedWindow(input.dropoffWindow) },
    proof: requestedProof(input.proof),
  })
  const isStored = await storeQuote(call, made)
  return isStored ? { is: 'quoted', quote: quoteRecord(context, made) } : { is: 'customer_anonymised' }
}

/**
 * Returns false, without storing the quote, if the customer of the quoted order was anonymised after the order was
 * read.
 */
export async function storeQuote(call: LogisticsCall, made: UnstoredQuote): Promise<boolean> {
  const { context, tenant } = call
  const mutation = {
    tenant,
    actor: call.actor,
    action: 'quote.create' as const,
    resourceType: 'quote',
    resourceId: () => made.quote.id,
    isDryRun: call.isDryRun,
  }
  return mutate(context, mutation, (work) => insert(work, made))
}

/**
 * Returns false when the order's customer has been anonymised, because an address that was read before the
 * anonymisation must not be stored again.
 */
async function insert(work: Work, { quote, offers }: UnstoredQuote): Promise<boolean> {
  if (await isOfAnonymisedCustomer(work, quote)) return work.abort(false)
  insertQuote(work.trx, quote, offers)
  return true
}

async function isOfAnonymisedCustomer(
  { trx, merchantId }: Work,
  { orderId, returnId }: Pick<StoredQuote, 'orderId' | 'returnId'>,
): Promise<boolean> {
  if (returnId !== null) {
    const found = await lockReturn(trx, merchantId, returnId)
    return found === undefined || isCustomerAnonymised(trx, { merchantId, orderId: found.orderId })
  }
  if (orderId === null) return false
  const [, isRedacted] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    isCustomerAnonymised(trx, { merchantId, orderId }),
  ])
  return isRedacted
}

/** Fields of a request that determine its offers, in addition to the route and the parcels. */
interface QuoteTerms {
  readonly carriers?: readonly string[] | undefined
  readonly windows?: ShipmentWindows
  readonly declaredValueKobo?: Kobo | undefined
  /** Null without cash on delivery. */
  readonly codAmountKobo: Kobo | null
  readonly proof: readonly ProofKind[]
}

interface UnstoredQuote {
  readonly quote: StoredQuote
  readonly offers: readonly StoredOffer[]
  readonly answers: GatheredOffers['answers']
}

/**
 * Creates a quote without storing it. The quote expires with the last of its offers. If the quote expired with its
 * first offer, an offer that is valid for five minutes would invalidate offers that are valid for ten. If an offer has
 * expired at dispatch, it is requested again, within the price ceiling. No offer is valid after the first of the
 * quote's time windows has ended.
 */
export async function makeQuote(
  { context, tenant }: LogisticsCall,
  route: ResolvedRoute,
  input: QuoteTerms,
): Promise<UnstoredQuote> {
  const nowMs = context.clock.nowMs()
  const now = toTimestamp(nowMs)
  const windows = input.windows ?? noWindows
  // If the pickup window of the quote is in the future, the order is placed with the carrier later, in time for the
  // window.
  const pickupAt = windows.pickup === null ? now : toTimestamp(Math.max(nowMs, toMs(windows.pickup.from)))
  const {
    offers: gathered,
    answers,
    surge,
  } = await gatherOffers(context, tenant, {
    ...route,
    carriers: input.carriers,
    proof: input.proof,
    codAmountKobo: input.codAmountKobo,
    pickupAt,
    calledAt: pickupAt,
  })
  const end = windowsEnd(windows)
  // A time window of the request may have ended while the service determined the coordinates of the addresses. The
  // offers then expire at once.
  const lastMs = end === undefined ? Number.POSITIVE_INFINITY : Math.max(nowMs + 1, toMs(end))
  const offers = gathered.map((offer) => ({
    ...offer,
    expiresAt: toTimestamp(Math.min(toMs(offer.expiresAt), lastMs)),
  }))
  const ends = offers.map(({ expiresAt }) => toMs(expiresAt))
  const quote: StoredQuote = {
    merchantId: tenant.merchantId,
    id: newQuoteId(nowMs),
    orderId: route.orderId,
    returnId: route.returnId,
    items: route.items ?? (route.orderId === null ? [] : null),
    status: isPartial(answers) ? 'partial' : 'complete',
    pickup: route.pickup,
    dropoff: route.dropoff,
    parcels: route.parcels,
    vehicle: route.vehicle,
    serviceLevels: route.serviceLevels,
    pickupWindow: windows.pickup,
    dropoffWindow: windows.dropoff,
    declaredValueKobo: input.declaredValueKobo ?? null,
    codAmountKobo: input.codAmountKobo,
    distanceMeters: route.distanceMeters,
    surge,
    carriers: answers,
    warnings: [...route.warnings, ...warningsOf(windows, offers, now)],
    createdAt: now,
    expiresAt: toTimestamp(
      ends.length === 0 ? Math.min(lastMs, nowMs + quoteLifetimeMinutes * 60_000) : Math.max(...ends),
    ),
  }
  return { quote, offers, answers }
}

/** Returns a warning for each time window that at least one offer of the quote cannot keep. */
function warningsOf(windows: ShipmentWindows, offers: readonly StoredOffer[], now: Timestamp): readonly QuoteWarning[] {
  const missed = new Set(offers.flatMap((offer) => missedWindows(windows, offer, now)))
  return [...missed].map((name) => `${name}_window_missed` as const)
}

export function quoteRecord({ carriers }: LogisticsContext, { quote, offers, answers }: UnstoredQuote): Quote {
  const windows = { pickup: quote.pickupWindow, dropoff: quote.dropoffWindow }
  const capabilitiesOf = (code: string) => (isCarrierCode(code) ? carriers.get(code)?.capabilities : undefined)
  return asRecord<Quote>({
    id: quote.id,
    orderId: quote.orderId,
    returnId: quote.returnId,
    items: quote.items ?? [],
    status: quote.status,
    pickup: quote.pickup,
    dropoff: quote.dropoff,
    codAmountKobo: quote.codAmountKobo,
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
      pickupEta: momentsOf(etaStart(windows, offer, quote.createdAt), offer.pickupMinutes),
      dropoffEta: momentsOf(etaStart(windows, offer, quote.createdAt), offer.dropoffMinutes),
      reliability: Math.round(offer.reliability * 1000) / 1000,
      expiresAt: offer.expiresAt,
      priceLock: offer.priceLock,
      capabilities: capabilityNames(capabilitiesOf(offer.carrier)),
      tags: offer.tags,
    })),
    carriers: answers,
    warnings: quote.warnings,
    createdAt: quote.createdAt,
    expiresAt: quote.expiresAt,
  })
}

/** Returns the names of those capabilities of a carrier that the API shows. */
function capabilityNames(capabilities: Capabilities | undefined): string[] {
  if (capabilities === undefined) return []
  const { cancelUntil, cashMaxKobo, insurance, livePosition, proof } = capabilities
  return [
    ...(cancelUntil === undefined ? [] : ['cancel']),
    ...(cashMaxKobo === undefined ? [] : ['cash_on_delivery']),
    ...(insurance ? ['insurance'] : []),
    ...(livePosition ? ['live_position'] : []),
    ...proof,
  ]
}

/**
 * Returns the name of the first request field whose time is in the past or too far in the future. Undefined if all
 * times are valid.
 */
export function findInvalidInstant(
  { clock }: LogisticsContext,
  instants: Readonly<Record<string, Instant | undefined>>,
): string | undefined {
  const nowMs = clock.nowMs()
  return Object.entries(instants).find(([, instant]) => {
    if (instant === undefined) return false
    const ms = Date.parse(instant)
    return ms <= nowMs || ms > nowMs + maxDaysAhead * 24 * 3_600_000
  })?.[0]
}
