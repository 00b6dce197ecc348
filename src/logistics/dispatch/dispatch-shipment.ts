import type { Place } from '../../../registry/place.ts'
import type { Shipment } from '../../../registry/shipment.ts'
import { type ShipmentStatus, serviceLevels } from '../../../registry/shipment-states.ts'
import type { DispatchInput, Failover } from '../../../registry/shipments.ts'
import { normaliseInstant, toMs } from '../../clock.ts'
import { getMerchantSettings } from '../../store/merchants.ts'
import { mutate, type Work } from '../../store/mutation.ts'
import { insertQuote, lockQuote, type QuoteForDispatch, useQuote } from '../../store/quotes.ts'
import type { KeptAttempt, KeptShipment, PlannedOffer } from '../../store/shipment-columns.ts'
import { findShipment, findShipmentByReference, type WholeShipment } from '../../store/shipments.ts'
import { straightMeters } from '../places/distance.ts'
import { findPlace } from '../places/places.ts'
import { type UnderstandOutcome, type Understood, understand } from '../places/understand.ts'
import { findBadTime, type LogisticsCall, makeQuote } from '../quote/quote-shipment.ts'
import { showShipment } from '../shipment/show-shipment.ts'
import { newAttempt } from './begin-attempt.ts'
import { type CreateShipmentOutcome, createShipment, type NewShipment, standardFailover } from './create-shipment.ts'
import { driveDispatch, nextOffer } from './drive-dispatch.ts'
import { answerWithinMs } from './leases.ts'

export type DispatchOutcome =
  | {
      readonly is: 'shipment'
      readonly how: 'made' | 'under_way' | 'known_before' | 'planned'
      readonly shipment: Shipment
    }
  | { readonly is: 'nobody_took_it'; readonly shipment: Shipment; readonly attempts: readonly KeptAttempt[] }
  | { readonly is: 'reference_conflict'; readonly shipmentId: string }
  | { readonly is: 'quote_unknown' }
  | { readonly is: 'quote_expired'; readonly expiredAt: string }
  | { readonly is: 'quote_used'; readonly shipmentId: string }
  | { readonly is: 'quote_mismatch'; readonly place: 'pickup' | 'dropoff' }
  | { readonly is: 'time_in_past'; readonly field: string }
  | Exclude<CreateShipmentOutcome, { is: 'created' }>
  | Exclude<UnderstandOutcome, { is: 'understood' }>

/** Makes a shipment of a request and asks carriers for it, one after the other, until one has it. */
export async function dispatchShipment(
  call: LogisticsCall,
  input: DispatchInput,
  requestHash: string,
): Promise<DispatchOutcome> {
  const { context, tenant, actor } = call
  const untilMs = context.clock.nowMs() + answerWithinMs
  const known = await findShipmentByReference(context.database, tenant.merchantId, input.reference)
  if (known !== undefined) return meetAgain(call, known, requestHash)
  const badTime = findBadTime(context, { scheduleAt: input.scheduleAt })
  if (badTime !== undefined) return { is: 'time_in_past', field: badTime }
  const isDryRun = call.isDryRun || input.dryRun
  const prepared = await prepare(call, input)
  if (prepared.is !== 'prepared') return prepared
  let planned: WholeShipment | undefined
  const written = await writeDown({ ...call, isDryRun }, async (work) => {
    const made = await write(work, input, requestHash, prepared)
    // Nothing of a dry run is kept, so it is seen before the end of its transaction.
    if (made.is === 'created' && isDryRun) planned = await planOf(work, made.shipment)
    return made
  })
  if (written.is === 'known') return meetAgain(call, written, requestHash)
  if (written.is !== 'created') {
    // What stands in its way may be its own twin, which was made while this one waited for the quote or the order.
    const twin = await findShipmentByReference(context.database, tenant.merchantId, input.reference)
    return twin === undefined ? written : meetAgain(call, twin, requestHash)
  }
  const { shipment } = written
  if (planned !== undefined) {
    const how = input.dryRun ? 'planned' : 'made'
    return { is: 'shipment', how, shipment: showShipment(context, tenant, planned) }
  }
  if (shipment.status === 'dispatching') {
    await driveDispatch({ context, tenant, actor, id: shipment.id }, untilMs)
  }
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id: shipment.id })
  if (whole === undefined) throw new Error(`Shipment ${shipment.id} is gone.`)
  const record = showShipment(context, tenant, whole)
  if (record.status === 'failed') return { is: 'nobody_took_it', shipment: record, attempts: whole.attempts }
  return { is: 'shipment', how: isOpen(record.status) ? 'under_way' : 'made', shipment: record }
}

/** Who would be asked in which order, were each to refuse. */
async function planOf(work: Work, shipment: KeptShipment): Promise<WholeShipment> {
  const whole = await findShipment(work.trx, shipment)
  if (whole === undefined) throw new Error(`Shipment ${shipment.id} is gone.`)
  const attempts: KeptAttempt[] = []
  for (;;) {
    const offer = nextOffer(shipment, attempts)
    if (offer === undefined) return { ...whole, attempts: attempts.map((one) => ({ ...one, state: 'skipped' })) }
    const attempt = newAttempt(work, { ...shipment, attemptCount: attempts.length }, offer)
    attempts.push({ ...attempt, state: 'refused', outcomeCode: 'dry_run', outcomeMessage: 'It would be asked.' })
  }
}

function isOpen(status: ShipmentStatus): boolean {
  return status === 'dispatching' || status === 'cancelling'
}

/** Thrown out of a transaction that has nothing to keep. */
class NotMade extends Error {
  readonly why: Exclude<Written, { is: 'created' }>
  constructor(why: Exclude<Written, { is: 'created' }>) {
    super(why.is)
    this.why = why
  }
}

async function writeDown(
  { context, tenant, actor, isDryRun }: LogisticsCall,
  run: (work: Work) => Promise<Written>,
): Promise<Written> {
  const mutation = {
    tenant,
    actor,
    action: 'shipment.dispatch',
    resourceType: 'shipment',
    resourceId: ({ shipment }: Extract<Written, { is: 'created' }>) => shipment.id,
    isDryRun,
  }
  try {
    return await mutate(context, mutation, async (work) => {
      const outcome = await run(work)
      if (outcome.is !== 'created') throw new NotMade(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof NotMade) return error.why
    throw error
  }
}

/** The same reference names the same shipment, if it was made by the same request. */
async function meetAgain(
  { context, tenant }: LogisticsCall,
  known: { readonly id: Shipment['id']; readonly requestHash: string },
  requestHash: string,
): Promise<DispatchOutcome> {
  if (known.requestHash !== requestHash) return { is: 'reference_conflict', shipmentId: known.id }
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id: known.id })
  if (whole === undefined) throw new Error(`Shipment ${known.id} is gone.`)
  return { is: 'shipment', how: 'known_before', shipment: showShipment(context, tenant, whole) }
}

type Prepared =
  | {
      readonly is: 'prepared'
      readonly quote: Awaited<ReturnType<typeof makeQuote>> | undefined
      readonly wanted: Understood | undefined
      readonly given: GivenPlaces
    }
  | Exclude<UnderstandOutcome, { is: 'understood' }>

interface GivenPlaces {
  readonly pickup: Place | undefined
  readonly dropoff: Place | undefined
}

/** All that has to be asked outside before the transaction: carriers for offers, or the map for places. */
async function prepare(call: LogisticsCall, input: DispatchInput): Promise<Prepared> {
  const { context, tenant } = call
  if (input.quoteId !== undefined) {
    const { defaultState } = await getMerchantSettings(context.database, tenant.merchantId)
    const place = async (name: 'pickup' | 'dropoff') => {
      const given = input[name]
      return given === undefined ? undefined : findPlace(context, defaultState, given)
    }
    const [pickup, dropoff] = await Promise.all([place('pickup'), place('dropoff')])
    if (pickup?.is === 'outside_coverage') return { is: 'outside_coverage', place: 'pickup' }
    if (dropoff?.is === 'outside_coverage') return { is: 'outside_coverage', place: 'dropoff' }
    return {
      is: 'prepared',
      quote: undefined,
      wanted: undefined,
      given: { pickup: pickup?.place, dropoff: dropoff?.place },
    }
  }
  const understood = await understand(context, tenant, wantedOf(input))
  if (understood.is !== 'understood') return understood
  const given = { pickup: undefined, dropoff: undefined }
  // A scheduled shipment is offered when it is time: an offer of now would not hold until then.
  if (input.scheduleAt !== undefined) return { is: 'prepared', quote: undefined, wanted: understood.wanted, given }
  const quote = await makeQuote(call, understood.wanted, {
    carriers: input.carriers ?? input.failover?.carriers,
    pickupWindow: undefined,
    dropoffWindow: undefined,
    declaredValueKobo: undefined,
    proof: input.proof,
  })
  return { is: 'prepared', quote, wanted: understood.wanted, given }
}

function wantedOf({ pickup, dropoff, parcels, orderId, serviceLevels: levels, vehicle }: DispatchInput) {
  return { pickup, dropoff, parcels, orderId, serviceLevels: levels, vehicle }
}

type Written =
  | CreateShipmentOutcome
  | { readonly is: 'known'; readonly id: Shipment['id']; readonly requestHash: string }
  | Extract<DispatchOutcome, { is: 'quote_unknown' | 'quote_expired' | 'quote_used' | 'quote_mismatch' }>

async function write(
  work: Work,
  input: DispatchInput,
  requestHash: string,
  prepared: Extract<Prepared, { is: 'prepared' }>,
): Promise<Written> {
  // The first of two equal requests has made it by now.
  const known = await findShipmentByReference(work.trx, work.merchantId, input.reference)
  if (known !== undefined) return { is: 'known', ...known }
  const common = {
    reference: input.reference,
    requestHash,
    failover: failoverOf(input),
    proof: input.proof,
    undeliverableAction: input.undeliverableAction,
    allowAdditional: input.allowAdditional,
    metadata: input.metadata ?? {},
    dispatchAt: input.scheduleAt === undefined ? null : normaliseInstant(input.scheduleAt),
    scheduledPickupAt: null,
  } as const
  const { quote, wanted } = prepared
  if (input.quoteId !== undefined) return writeQuoted(work, input, prepared.given, common)
  if (wanted === undefined) throw new Error('A dispatch without a quote says what goes where.')
  // Kept like any other, for what it tells of demand and prices.
  if (quote !== undefined) {
    insertQuote(work.trx, quote.quote, quote.offers)
    useQuote(work.trx, { merchantId: work.merchantId, id: quote.quote.id }, work.now)
  }
  return createShipment(work, {
    ...common,
    quoteId: quote?.quote.id ?? null,
    wanted,
    offers: quote?.offers.map(plannedOf),
    firstOfferId: undefined,
    surgeSnapshotId: quote?.quote.surge?.snapshotId ?? null,
  })
}

/** Whom to ask may be said of the quote and of the failover; where both are said, both hold. */
function failoverOf({ failover = standardFailover, carriers }: DispatchInput): Failover {
  if (carriers === undefined) return failover
  const both = failover.carriers?.filter((code) => carriers.includes(code))
  return { ...failover, carriers: both ?? carriers }
}

type Common = Omit<NewShipment, 'quoteId' | 'wanted' | 'offers' | 'firstOfferId' | 'surgeSnapshotId'>

async function writeQuoted(work: Work, input: DispatchInput, given: GivenPlaces, common: Common): Promise<Written> {
  const { quoteId, offerId } = input
  const quote = quoteId && (await lockQuote(work.trx, { merchantId: work.merchantId, id: quoteId }))
  if (!quote || (offerId !== undefined && !quote.offers.some((offer) => offer.offerId === offerId))) {
    return { is: 'quote_unknown' }
  }
  if (quote.usedBy !== null) return { is: 'quote_used', shipmentId: quote.usedBy }
  const chosen = quote.offers.find((offer) => offer.offerId === offerId)
  const end = chosen?.expiresAt ?? quote.expiresAt
  if (toMs(end) <= work.nowMs) return { is: 'quote_expired', expiredAt: end }
  for (const name of ['pickup', 'dropoff'] as const) {
    const place = given[name]
    if (place !== undefined && isElsewhere(quote[name], place)) return { is: 'quote_mismatch', place: name }
  }
  const outcome = await createShipment(work, {
    ...common,
    quoteId: quote.id,
    wanted: quotedWanted(quote, given),
    offers: quote.offers.map(plannedOf),
    firstOfferId: offerId,
    surgeSnapshotId: quote.surge?.snapshotId ?? null,
  })
  if (outcome.is === 'created') useQuote(work.trx, { merchantId: work.merchantId, id: quote.id }, work.now)
  return outcome
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

function quotedWanted(quote: QuoteForDispatch, given: GivenPlaces): Understood {
  const { parcels, orderId, vehicle, distanceMeters } = quote
  return {
    pickup: completed(quote.pickup, given.pickup),
    dropoff: completed(quote.dropoff, given.dropoff),
    parcels,
    orderId,
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

function plannedOf(offer: PlannedOffer): PlannedOffer {
  const { offerId, carrier, service, serviceLevel, vehicle, priceKobo, surgeKobo, token } = offer
  const { breakdown, pickupMinutes, dropoffMinutes, reliability, expiresAt } = offer
  const price = { priceKobo, surgeKobo, breakdown }
  return {
    offerId,
    carrier,
    service,
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
