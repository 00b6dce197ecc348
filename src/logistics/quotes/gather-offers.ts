import pTimeout from 'p-timeout'
import { weightGramsOf } from '../../../registry/logistics/parcel.ts'
import type { carrierAnswers, Quote } from '../../../registry/logistics/quotes.ts'
import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import { quoteLifetimeMinutes } from '../../../registry/values/limits.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
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
import { missingProof } from '../parcels/proof.ts'
import { reachableLevels } from '../places/imprecise-place.ts'
import { offerSurgeKobo } from '../surge/surge-amount.ts'
import { rankByValue } from './plan-offers.ts'
import { surgeLine } from './price-parts.ts'
import { reliabilityOf } from './reliability.ts'

export interface OfferRequest extends Omit<QuoteRequest, 'serviceLevels'> {
  /** Null asks for offers of every level. */
  readonly serviceLevels: readonly ServiceLevel[] | null
  /** Undefined asks all. */
  readonly carriers: readonly string[] | undefined
  readonly surge: QuotedSurge | null
  readonly proof: readonly ProofKind[]
}

type Request = QuoteRequest & Pick<OfferRequest, 'surge' | 'proof'>

export interface Gathered {
  /** The best value first. */
  readonly offers: readonly StoredOffer[]
  readonly answers: Quote['carriers']
}

type AnswerStatus = (typeof carrierAnswers)[number]

interface CarrierAnswered {
  readonly status: AnswerStatus
  readonly message: string | null
  readonly latencyMs: number
  readonly offers: readonly StoredOffer[]
}

/** Four seconds for each make six for all: what lies before the asking, and who does not obey a deadline, must fit in. */
const wholeShare = 1.5

/** Asks every carrier at once what it would charge; none can hold up the others for longer than a quote may take. */
export async function gatherOffers(context: LogisticsContext, tenant: Tenant, asked: OfferRequest): Promise<Gathered> {
  const whole = AbortSignal.timeout(context.patience.quoteMs * wholeShare)
  const now = toTimestamp(context.clock.nowMs())
  const [{ usable, closed }, records] = await Promise.all([
    accountsOf(context, tenant),
    listCarrierRecords(context.database, asked.pickup.zoneId, now),
  ])
  const levels = reachableLevels(asked, asked.serviceLevels)
  const isWanted = (code: string) => asked.carriers?.includes(code) ?? true
  const wanted = usable.filter(({ carrier }) => isWanted(carrier.code))
  const answered = await Promise.all(
    wanted.map(async ({ carrier, account }) => {
      const answer = await ask(context, { carrier, account }, { ...asked, serviceLevels: levels }, whole)
      const reliability = reliabilityOf(carrier.code, records)
      return { carrier: carrier.code, ...answer, offers: answer.offers.map((offer) => ({ ...offer, reliability })) }
    }),
  )
  const offers = rankByValue(answered.flatMap((answer) => answer.offers))
  return {
    offers: tagged(offers),
    answers: [
      ...answered.map(({ carrier, status, message, latencyMs }) => ({ carrier, status, message, latencyMs })),
      ...closed.filter(isWanted).map((carrier) => ({ carrier, ...unopened })),
    ],
  }
}

/** Only the operator can mend it: the keys are another’s than those it was sealed with. */
const unopened = {
  status: 'error',
  message: 'Its credentials cannot be opened: connect it again.',
  latencyMs: 0,
} as const

async function ask(
  context: LogisticsContext,
  usable: UsableCarrier,
  asked: Request,
  whole: AbortSignal,
): Promise<CarrierAnswered> {
  const { carrier, account } = usable
  const unfit = misfitOf(carrier.capabilities, asked)
  if (unfit !== undefined) return { status: 'unsupported', message: unfit, latencyMs: 0, offers: [] }
  const startedMs = context.clock.nowMs()
  const request = { operation: 'quote', timeoutMs: context.patience.quoteMs } as const
  const outcome = await context.breakers.run(usable, request, async (deadline) => {
    const quoted = await beforeEndOf(whole, carrier.quote(account, asked, AbortSignal.any([deadline, whole])))
    // What lay before the request took of the carrier's time: its breaker must not count that.
    const isCutShort = whole.aborted && !deadline.aborted
    return isCutShort && (quoted.is === 'unknown' || quoted.is === 'unavailable')
      ? { ...quoted, isNeutral: true }
      : quoted
  })
  const latencyMs = Math.max(0, context.clock.nowMs() - startedMs)
  if (outcome.is !== 'ok') return { ...failureOf(outcome), latencyMs, offers: [] }
  const offers = outcome.value
    .filter(({ serviceLevel }) => asked.serviceLevels.includes(serviceLevel))
    .map((offer) => keptOffer(context, usable, offer, asked.surge))
  return { status: offers.length === 0 ? 'no_offer' : 'ok', message: null, latencyMs, offers }
}

/** A carrier that does not heed its own deadline is told as too late, and counts as silent for its breaker. */
async function beforeEndOf<Value>(whole: AbortSignal, answer: Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  try {
    return await pTimeout(answer, { milliseconds: Number.POSITIVE_INFINITY, signal: whole })
  } catch (error) {
    if (!whole.aborted) throw error
    return { is: 'unknown', cause: 'timeout', message: 'It did not answer in the time that a quote may take.' }
  }
}

/** Why a carrier is not even asked. */
function misfitOf(capabilities: Capabilities, asked: Request): string | undefined {
  const { pickup, dropoff, parcels, vehicle, serviceLevels: levels, proof } = asked
  const grams = weightGramsOf(parcels)
  if (grams > capabilities.maxWeightGrams) return `It takes at most ${capabilities.maxWeightGrams} grams.`
  if (!capabilities.vehicles.includes(vehicle)) return `It has no ${vehicle}.`
  if (!capabilities.serviceLevels.some((level) => levels.includes(level))) return 'It has no such service level.'
  const missing = missingProof(capabilities, proof)
  if (missing !== undefined) return `It gives no ${missing} as proof.`
  const { states } = capabilities
  const outside = [pickup, dropoff].find(({ state }) => states !== undefined && !states.includes(state))
  return outside === undefined ? undefined : `It does not reach ${outside.state}.`
}

function failureOf(
  outcome: Exclude<Outcome<unknown>, { is: 'ok' }> | CircuitOpen,
): Pick<CarrierAnswered, 'status' | 'message'> {
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

function keptOffer(
  context: LogisticsContext,
  { carrier }: UsableCarrier,
  offer: CarrierOffer,
  surge: QuotedSurge | null,
): StoredOffer {
  const nowMs = context.clock.nowMs()
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
      ...(surgeKobo === 0 ? [] : [{ code: surgeLine, label: 'Surge', amountKobo: surgeKobo }]),
    ],
    pickupMinutes: offer.pickupMinutes ?? null,
    dropoffMinutes: offer.dropoffMinutes ?? null,
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

/** Of several that are equally cheap or fast, the one of better value. */
function tagged(offers: readonly StoredOffer[]): StoredOffer[] {
  const cheapest = least(offers, ({ priceKobo }) => priceKobo)
  const fastest = least(offers, ({ dropoffMinutes }) => dropoffMinutes?.p50 ?? Number.POSITIVE_INFINITY)
  return offers.map((offer, index) => ({
    ...offer,
    tags: [
      ...(index === 0 ? ['best_value'] : []),
      ...(offer === cheapest ? ['cheapest'] : []),
      ...(offer === fastest ? ['fastest'] : []),
    ],
  }))
}

function least(offers: readonly StoredOffer[], of: (offer: StoredOffer) => number): StoredOffer | undefined {
  return offers.reduce<StoredOffer | undefined>(
    (best, offer) => (best === undefined || of(offer) < of(best) ? offer : best),
    undefined,
  )
}

export function isPartial(answers: Gathered['answers']): boolean {
  return answers.some(({ status }) => status === 'timeout' || status === 'error' || status === 'circuit_open')
}
