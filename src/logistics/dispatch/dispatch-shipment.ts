import type { Shipment } from '../../../registry/logistics/shipment.ts'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { DispatchInput } from '../../../registry/logistics/shipments.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import { mutate, type Work } from '../../store/core/mutation.ts'
import { insertQuote, useQuote } from '../../store/logistics/quotes/quotes.ts'
import {
  findShipment,
  findShipmentByReference,
  type ShipmentWithAttempts,
} from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import { requestedProof } from '../parcels/proof.ts'
import { type ResolvedRoute, type ResolveRouteOutcome, resolveRoute } from '../parcels/resolve-route.ts'
import { findPlace } from '../places/places.ts'
import { type ExpectedPrice, failoverFor, rulesOf } from '../quotes/failover-rules.ts'
import { quoteSchedule } from '../quotes/quote-schedule.ts'
import { findInvalidInstant, type LogisticsCall, makeQuote } from '../quotes/quote-shipment.ts'
import { answerWithinMs } from '../shipments/leases.ts'
import { showShipment } from '../shipments/show-shipment.ts'
import { continueDispatch } from './continue-dispatch.ts'
import {
  type AlreadyDispatched,
  asAlreadyDispatched,
  type CreateShipmentOutcome,
  createShipment,
} from './create-shipment.ts'
import { dispatchQuote, plannedOf, type QuoteUse, type RequestedPlaces } from './dispatch-quote.ts'
import { type FreshQuote, requote } from './requote.ts'
import { unpaidCode } from './unpaid-order.ts'

export type DispatchOutcome =
  | {
      readonly is: 'shipment'
      readonly how: 'made' | 'under_way' | 'known_before' | 'planned'
      readonly shipment: Shipment
    }
  | {
      readonly is: 'nobody_took_it'
      readonly shipment: Shipment
      readonly attempts: readonly StoredAttempt[]
      /** Every carrier that was asked would take it once its account is funded. */
      readonly isForMoney: boolean
    }
  | { readonly is: 'reference_conflict'; readonly shipmentId: string }
  | { readonly is: 'quote_expired'; readonly expiredAt: string; readonly fresh: FreshQuote | undefined }
  | Exclude<QuoteUse, { is: 'quote_expired' }>
  | { readonly is: 'time_in_past'; readonly field: string }
  | Exclude<CreateShipmentOutcome, { is: 'created' }>
  | Exclude<ResolveRouteOutcome, { is: 'resolved' }>

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
  const invalidField = findInvalidInstant(context, { scheduleAt: input.scheduleAt })
  if (invalidField !== undefined) return { is: 'time_in_past', field: invalidField }
  const isDryRun = call.isDryRun || input.dryRun
  const prepared = await prepare(call, input)
  if (prepared.is !== 'prepared') return (await meetTwin(call, input, requestHash)) ?? prepared
  let planned: ShipmentWithAttempts | undefined
  const written = await writeDown({ ...call, isDryRun }, async (work) => {
    const made = await write(work, { call, input, requestHash, prepared })
    // Nothing of a dry run is kept, so it is seen before the end of its transaction.
    if (made.is === 'created' && isDryRun) planned = await findShipment(work.trx, made.shipment)
    return made
  })
  if (written.is === 'known') return meetAgain(call, written, requestHash)
  if (written.is !== 'created') {
    const met = await meetTwin(call, input, requestHash)
    if (met !== undefined) return met
    if (written.is !== 'quote_expired') return written
    const { expiredAt, quote } = written
    const terms = {
      offerId: input.offerId,
      rules: rulesOf(failoverFor(input), quote.serviceLevels),
      proof: requestedProof(input.proof),
    }
    return { is: 'quote_expired', expiredAt, fresh: isDryRun ? undefined : await requote(call, quote, terms) }
  }
  const { shipment } = written
  if (planned !== undefined) {
    const how = input.dryRun ? 'planned' : 'made'
    return { is: 'shipment', how, shipment: showShipment(context, tenant, planned) }
  }
  if (shipment.status === 'dispatching') {
    await continueDispatch({ context, tenant, actor, id: shipment.id }, untilMs, shipment)
  }
  return outcomeOf(call, shipment.id)
}

/** What stands in its way may be its own twin, which was made since it was looked for, or while it waited for a lock. */
async function meetTwin(call: LogisticsCall, { reference }: DispatchInput, requestHash: string) {
  const twin = await findShipmentByReference(call.context.database, call.tenant.merchantId, reference)
  return twin && meetAgain(call, twin, requestHash)
}

async function outcomeOf({ context, tenant }: LogisticsCall, id: Shipment['id']): Promise<DispatchOutcome> {
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  if (whole === undefined) throw new Error(`Shipment ${id} is gone.`)
  const record = showShipment(context, tenant, whole)
  if (record.status === 'failed') {
    const { attempts } = whole
    const judged = attempts.filter(({ state, outcomeCode }) => state !== 'skipped' || outcomeCode === unpaidCode)
    const isForMoney = judged.length > 0 && judged.every(({ outcomeCode }) => outcomeCode === unpaidCode)
    return { is: 'nobody_took_it', shipment: record, attempts, isForMoney }
  }
  return { is: 'shipment', how: isOpen(record.status) ? 'under_way' : 'made', shipment: record }
}

function isOpen(status: ShipmentStatus): boolean {
  return status === 'dispatching' || status === 'cancelling'
}

async function writeDown(
  { context, tenant, actor, isDryRun }: LogisticsCall,
  run: (work: Work<'order.status_changed'>) => Promise<Written>,
): Promise<Written> {
  const mutation = {
    tenant,
    actor,
    action: 'shipment.dispatch',
    resourceType: 'shipment',
    resourceId: (written: Written) => (written.is === 'created' ? written.shipment.id : undefined),
    emits: ['order.status_changed'],
    isDryRun,
  } as const
  return mutate(context, mutation, async (work: Work<'order.status_changed'>) => {
    const outcome = await run(work)
    return outcome.is === 'created' ? outcome : work.abort(outcome)
  })
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
      readonly route: ResolvedRoute | undefined
      readonly given: RequestedPlaces
      readonly expectedPrice: ExpectedPrice | undefined
    }
  | AlreadyDispatched
  | Exclude<ResolveRouteOutcome, { is: 'resolved' }>

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
      route: undefined,
      expectedPrice: undefined,
      given: { pickup: pickup?.place, dropoff: dropoff?.place },
    }
  }
  const resolved = await resolveRoute(context, tenant, routeInputOf(input))
  if (resolved.is !== 'resolved') return asAlreadyDispatched(resolved, input)
  const given = { pickup: undefined, dropoff: undefined }
  const { route } = resolved
  // A scheduled shipment is offered when it is time: an offer of now would not hold until then. But it says what it may cost.
  if (input.scheduleAt !== undefined) {
    const pickupAt = normaliseInstant(input.scheduleAt)
    const { expectedPrice } = await quoteSchedule(context, tenant, { input, route, pickupAt, deliverBy: null })
    return { is: 'prepared', quote: undefined, route, given, expectedPrice }
  }
  const quote = await makeQuote(call, route, {
    carriers: input.carriers ?? input.failover?.carriers,
    proof: requestedProof(input.proof),
  })
  return { is: 'prepared', quote, route, given, expectedPrice: undefined }
}

function routeInputOf({ pickup, dropoff, parcels, orderId, items, serviceLevels: levels, vehicle }: DispatchInput) {
  return { pickup, dropoff, parcels, orderId, items, serviceLevels: levels, vehicle }
}

type Written =
  | CreateShipmentOutcome
  | { readonly is: 'known'; readonly id: Shipment['id']; readonly requestHash: string }
  | QuoteUse

interface Wish {
  readonly call: LogisticsCall
  readonly input: DispatchInput
  readonly requestHash: string
  readonly prepared: Extract<Prepared, { is: 'prepared' }>
}

async function write(
  work: Work<'order.status_changed'>,
  { call, input, requestHash, prepared }: Wish,
): Promise<Written> {
  // The first of two equal requests has made it by now.
  const known = await findShipmentByReference(work.trx, work.merchantId, input.reference)
  if (known !== undefined) return { is: 'known', ...known }
  const common = {
    reference: input.reference,
    requestHash,
    failover: failoverFor(input),
    proof: input.proof,
    undeliverableAction: input.undeliverableAction,
    allowAdditional: input.allowAdditional,
    confirmOrder: input.confirmOrder,
    areItemsNamed: input.items !== undefined,
    metadata: input.metadata ?? {},
    dispatchAt: input.scheduleAt === undefined ? null : normaliseInstant(input.scheduleAt),
    scheduledPickupAt: null,
  } as const
  const { quote, route } = prepared
  const { quoteId, offerId, orderId, items } = input
  if (quoteId !== undefined) {
    return dispatchQuote(
      work,
      { ...call.context, tenant: call.tenant },
      { quoteId, offerId, orderId, items, given: prepared.given, terms: common },
    )
  }
  if (route === undefined) throw new Error('A dispatch without a quote says what goes where.')
  // Kept like any other, for what it tells of demand and prices.
  if (quote !== undefined) {
    insertQuote(work.trx, quote.quote, quote.offers)
    useQuote(work.trx, { merchantId: work.merchantId, id: quote.quote.id }, work.now)
  }
  return createShipment(work, {
    ...common,
    quoteId: quote?.quote.id ?? null,
    route,
    offers: quote?.offers.map(plannedOf),
    expectedPrice: prepared.expectedPrice,
    firstOfferId: undefined,
    surgeSnapshotId: quote?.quote.surge?.snapshotId ?? null,
  })
}
