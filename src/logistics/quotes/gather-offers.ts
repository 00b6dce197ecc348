import pTimeout from 'p-timeout'
import { weightGramsOf } from '../../../registry/logistics/parcel.ts'
import type { carrierAnswers, Quote } from '../../../registry/logistics/quote.ts'
import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import { quoteLifetimeMinutes } from '../../../registry/values/limits.ts'
import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { abortAfter } from '../../base/deadline.ts'
import { nairaText } from '../../base/naira.ts'
import { newOfferId } from '../../base/records.ts'
import { sum } from '../../commerce/money.ts'
import type { Capabilities, CarrierOffer, Outcome, ProofKind, QuoteRequest } from '../../partners/carriers/carrier.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { listCarrierRecords } from '../../store/logistics/carriers/carrier-reliability.ts'
import type { StoredOffer } from '../../store/logistics/quotes/quotes.ts'
import type { QuotedSurge } from '../../store/tables/surge.ts'
import { accountsOf, type UsableCarrier } from '../carriers/accounts.ts'
import type { CircuitOpen } from '../carriers/breakers.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { notBefore } from '../moments.ts'
import { missingProof } from '../parcels/proof.ts'
import { reachableLevels } from '../places/imprecise-place.ts'
import { currentSurge } from '../surge/current-surge.ts'
import { offerSurgeKobo } from '../surge/surge-amount.ts'
import { rankByValue } from './plan-offers.ts'
import { surgeLineCode } from './price-parts.ts'
import { reliabilityOf } from './reliability.ts'

export interface OfferRequest extends Omit<QuoteRequest, 'serviceLevels'> {
  /** Null requests offers of every level. */
  readonly serviceLevels: readonly ServiceLevel[] | null
  /** Undefined requests offers from all connected carriers. */
  readonly carriers: readonly string[] | undefined
  readonly proof: readonly ProofKind[]
  /** Null without cash on delivery. */
  readonly codAmountKobo: Kobo | null
}

type CarrierRequest = QuoteRequest &
  Pick<OfferRequest, 'proof' | 'codAmountKobo'> & { readonly surge: QuotedSurge | null }

export interface GatheredOffers {
  /** Ordered by expected cost, the lowest first. */
  readonly offers: readonly StoredOffer[]
  readonly answers: Quote['carriers']
  /** The current surge at the pickup, which is included in prices from rate cards. */
  readonly surge: QuotedSurge | null
}

type AnswerStatus = (typeof carrierAnswers)[number]

interface CarrierAnswer {
  readonly status: AnswerStatus
  readonly message: string | null
  readonly latencyMs: number
  readonly offers: readonly StoredOffer[]
}

/**
 * Total timeout of a quote, as a multiple of the timeout of one carrier: six seconds instead of four. The additional
 * time is for the database queries before the requests, and for adapters that exceed their own timeout.
 */
const totalTimeoutFactor = 1.5

/**
 * Each carrier request has a timeout, and the whole quote has a total timeout. The prices contain the current surge,
 * even if the request renews an expired offer.
 */
export async function gatherOffers(
  context: LogisticsContext,
  tenant: Tenant,
  request: OfferRequest,
): Promise<GatheredOffers> {
  return abortAfter(context.timeouts.quoteMs * totalTimeoutFactor, (total) => gather(context, tenant, request, total))
}

async function gather(
  context: LogisticsContext,
  tenant: Tenant,
  request: OfferRequest,
  total: AbortSignal,
): Promise<GatheredOffers> {
  const now = toTimestamp(context.clock.nowMs())
  const [{ usable, closed }, surge, records] = await Promise.all([
    accountsOf(context, tenant),
    currentSurge(context.database, tenant.mode, request.pickup.zoneId, now),
    listCarrierRecords(context.database, request.pickup.zoneId, now),
  ])
  const levels = reachableLevels(request, request.serviceLevels)
  const isRequested = (code: string) => request.carriers?.includes(code) ?? true
  const requested = usable.filter(({ carrier }) => isRequested(carrier.code))
  const answers = await Promise.all(
    requested.map(async ({ carrier, account }) => {
      const terms = { ...request, serviceLevels: levels, surge }
      const answer = await requestOffers(context, { carrier, account }, terms, total)
      const reliability = reliabilityOf(carrier.code, records)
      return { carrier: carrier.code, ...answer, offers: answer.offers.map((offer) => ({ ...offer, reliability })) }
    }),
  )
  const offers = rankByValue(answers.flatMap((answer) => answer.offers))
  return {
    surge,
    offers: withTags(offers),
    answers: [
      ...answers.map(({ carrier, status, message, latencyMs }) => ({ carrier, status, message, latencyMs })),
      ...closed.filter(isRequested).map((carrier) => ({ carrier, ...undecryptable })),
    ],
  }
}

/** The response for a carrier account whose credentials were encrypted with a key that this service no longer has. */
const undecryptable = {
  status: 'error',
  message: 'The stored credentials cannot be decrypted. Connect the carrier again.',
  latencyMs: 0,
} as const

async function requestOffers(
  context: LogisticsContext,
  usable: UsableCarrier,
  request: CarrierRequest,
  total: AbortSignal,
): Promise<CarrierAnswer> {
  const { carrier, account } = usable
  const unsupported = unsupportedReason(carrier.capabilities, request)
  if (unsupported !== undefined) return { status: 'unsupported', message: unsupported, latencyMs: 0, offers: [] }
  const startedMs = context.clock.nowMs()
  const operation = { operation: 'quote', timeoutMs: context.timeouts.quoteMs } as const
  const outcome = await context.breakers.run(usable, operation, async (deadline) => {
    const quoted = await withinTimeout(total, carrier.quote(account, request, AbortSignal.any([deadline, total])))
    // Earlier work may have used a part of the quote's total timeout. The total timeout may then end the request before
    // the request's own timeout. The circuit breaker must not count the early end as a failure of the carrier.
    const isCutShort = total.aborted && !deadline.aborted
    return isCutShort && (quoted.is === 'unknown' || quoted.is === 'unavailable')
      ? { ...quoted, isNeutral: true }
      : quoted
  })
  const latencyMs = Math.max(0, context.clock.nowMs() - startedMs)
  if (outcome.is !== 'ok') return { ...failureOf(outcome), latencyMs, offers: [] }
  const offers = outcome.value
    .filter(({ serviceLevel }) => request.serviceLevels.includes(serviceLevel))
    .map((offer) => storedOffer(context, usable, offer, request.surge))
  return { status: offers.length === 0 ? 'no_offer' : 'ok', message: null, latencyMs, offers }
}

/** Returns a timeout if the carrier's adapter has not returned by the total timeout of the quote. */
async function withinTimeout<Value>(total: AbortSignal, outcome: Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  try {
    return await pTimeout(outcome, { milliseconds: Number.POSITIVE_INFINITY, signal: total })
  } catch (error) {
    if (!total.aborted) throw error
    return { is: 'unknown', cause: 'timeout', message: 'The carrier did not respond within the timeout of the quote.' }
  }
}

/** Undefined if the carrier can carry the shipment. Otherwise, the carrier gets no request. */
function unsupportedReason(capabilities: Capabilities, request: CarrierRequest): string | undefined {
  const { pickup, dropoff, parcels, vehicle, serviceLevels: levels, proof, codAmountKobo } = request
  const grams = weightGramsOf(parcels)
  if (grams > capabilities.maxWeightGrams) {
    return `The weight of ${grams} g exceeds the limit of ${capabilities.maxWeightGrams} g.`
  }
  if (!capabilities.vehicles.includes(vehicle)) return `The vehicle ${vehicle} is not available.`
  if (!capabilities.serviceLevels.some((level) => levels.includes(level))) {
    return 'None of the requested service levels is available.'
  }
  const missing = missingProof(capabilities, proof)
  if (missing !== undefined) return `Proof of delivery by ${missing} is not available.`
  const { states, cashMaxKobo } = capabilities
  if (codAmountKobo !== null && cashMaxKobo === undefined) return 'Cash on delivery is not available.'
  if (codAmountKobo !== null && cashMaxKobo !== undefined && codAmountKobo > cashMaxKobo) {
    return `The cash of ${nairaText(codAmountKobo)} exceeds the limit of ${nairaText(cashMaxKobo)}.`
  }
  const outside = [pickup, dropoff].find(({ state }) => states !== undefined && !states.includes(state))
  return outside === undefined ? undefined : `The state ${outside.state} is not served.`
}

function failureOf(
  outcome: Exclude<Outcome<unknown>, { is: 'ok' }> | CircuitOpen,
): Pick<CarrierAnswer, 'status' | 'message'> {
  switch (outcome.is) {
    case 'circuit_open':
      return { status: 'circuit_open', message: outcome.message }
    case 'refused':
      return { status: outcome.code === 'out_of_area' ? 'out_of_area' : 'refused', message: outcome.message }
    case 'invalid':
      return { status: 'refused', message: outcome.message }
    case 'unavailable':
      return { status: 'error', message: outcome.message }
    case 'unknown':
      return { status: outcome.cause === 'timeout' ? 'timeout' : 'error', message: outcome.message }
  }
}

function storedOffer(
  context: LogisticsContext,
  { carrier }: UsableCarrier,
  offer: CarrierOffer,
  surge: QuotedSurge | null,
): StoredOffer {
  const nowMs = context.clock.nowMs()
  const pickupMinutes = offer.pickupMinutes === undefined ? null : notBefore(offer.pickupMinutes)
  const surgeKobo = offerSurgeKobo(surge, offer, carrier.capabilities)
  const lastMs = nowMs + quoteLifetimeMinutes * 60_000
  const expiresAt = offer.expiresAt === undefined ? toTimestamp(lastMs) : earlier(offer.expiresAt, toTimestamp(lastMs))
  return {
    offerId: newOfferId(nowMs),
    carrier: carrier.code,
    service: offer.service,
    subCarrier: offer.subCarrier ?? null,
    serviceLevel: offer.serviceLevel,
    vehicle: offer.vehicle,
    carrierPriceKobo: offer.priceKobo,
    priceKobo: sum([offer.priceKobo, surgeKobo]),
    surgeKobo,
    breakdown: [
      ...offer.breakdown,
      ...(surgeKobo === 0 ? [] : [{ code: surgeLineCode, label: 'Surge', amountKobo: surgeKobo }]),
    ],
    pickupMinutes,
    dropoffMinutes: offer.dropoffMinutes === undefined ? null : notBefore(offer.dropoffMinutes, pickupMinutes),
    reliability: 0,
    priceLock: offer.expiresAt === undefined ? 'none' : 'carrier',
    token: offer.token,
    tags: [],
    expiresAt,
  }
}

function earlier(a: Timestamp, b: Timestamp): Timestamp {
  return toMs(a) < toMs(b) ? a : b
}

/** Among equally cheap or equally fast offers, the one with the best value gets the tag. */
function withTags(offers: readonly StoredOffer[]): StoredOffer[] {
  const cheapest = minimumBy(offers, ({ priceKobo }) => priceKobo)
  const fastest = minimumBy(offers, ({ dropoffMinutes }) => dropoffMinutes?.p50 ?? Number.POSITIVE_INFINITY)
  return offers.map((offer, index) => ({
    ...offer,
    tags: [
      ...(index === 0 ? ['best_value'] : []),
      ...(offer === cheapest ? ['cheapest'] : []),
      ...(offer === fastest ? ['fastest'] : []),
    ],
  }))
}

function minimumBy(offers: readonly StoredOffer[], of: (offer: StoredOffer) => number): StoredOffer | undefined {
  return offers.reduce<StoredOffer | undefined>(
    (best, offer) => (best === undefined || of(offer) < of(best) ? offer : best),
    undefined,
  )
}

/** Whether a carrier did not respond, so that the offers are incomplete. */
export function isPartial(answers: GatheredOffers['answers']): boolean {
  return answers.some(({ status }) => status === 'timeout' || status === 'error' || status === 'circuit_open')
}
