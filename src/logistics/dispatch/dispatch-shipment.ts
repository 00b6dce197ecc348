import { type OrderMoveEvents, orderMoveEvents } from '../../../registry/kit/event.ts'
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
import { dispatchResponseMs } from '../shipments/leases.ts'
import { showShipment } from '../shipments/show-shipment.ts'
import { continueDispatch } from './continue-dispatch.ts'
import {
  type AlreadyDispatched,
  asAlreadyDispatched,
  type CreateShipmentOutcome,
  createShipment,
} from './create-shipment.ts'
import { dispatchQuote, plannedOf, type QuoteUse, type RequestedPlaces } from './dispatch-quote.ts'
import { type NewQuote, requote } from './requote.ts'
import { unpaidCode } from './unpaid-order.ts'

export type DispatchOutcome =
  | {
      readonly is: 'shipment'
      readonly how: 'created' | 'in_progress' | 'existing' | 'dry_run'
      readonly shipment: Shipment
    }
  | {
      readonly is: 'no_carrier_accepted'
      readonly shipment: Shipment
      readonly attempts: readonly StoredAttempt[]
      /**
       * Whether every requested carrier rejected the shipment only because the merchant's account at this carrier has
       * insufficient funds.
       */
      readonly isWalletInsufficient: boolean
    }
  | { readonly is: 'reference_conflict'; readonly shipmentId: string }
  | { readonly is: 'quote_expired'; readonly expiredAt: string; readonly newQuote: NewQuote | undefined }
  | Exclude<QuoteUse, { is: 'quote_expired' }>
  | { readonly is: 'time_in_past'; readonly field: string }
  | Exclude<CreateShipmentOutcome, { is: 'created' }>
  | Exclude<ResolveRouteOutcome, { is: 'resolved' }>

/**
 * Creates the shipment of a dispatch request, and requests carriers one after the other. Stops when a carrier accepts
 * the shipment, when no offer is left, or at the time limit for the response. A repeated request with the same
 * reference returns the existing shipment.
 */
export async function dispatchShipment(
  call: LogisticsCall,
  input: DispatchInput,
  requestHash: string,
): Promise<DispatchOutcome> {
  const { context, tenant, actor } = call
  const untilMs = context.clock.nowMs() + dispatchResponseMs
  const existing = await findShipmentByReference(context.database, tenant.merchantId, input.reference)
  if (existing !== undefined) return existingOutcome(call, existing, requestHash)
  const invalidField = findInvalidInstant(context, { scheduleAt: input.scheduleAt })
  if (invalidField !== undefined) return { is: 'time_in_past', field: invalidField }
  const isDryRun = call.isDryRun || input.dryRun
  const prepared = await prepare(call, input)
  if (prepared.is !== 'prepared') return (await findExistingOutcome(call, input, requestHash)) ?? prepared
  let preview: ShipmentWithAttempts | undefined
  const written = await mutateShipment({ ...call, isDryRun }, async (work) => {
    const inserted = await insertDispatch(work, { call, input, requestHash, prepared })
    // The rollback of a dry run removes its shipment, so the shipment must be read within the transaction.
    if (inserted.is === 'created' && isDryRun) preview = await findShipment(work.trx, inserted.shipment)
    return inserted
  })
  if (written.is === 'existing') return existingOutcome(call, written, requestHash)
  if (written.is !== 'created') {
    const existingShipment = await findExistingOutcome(call, input, requestHash)
    if (existingShipment !== undefined) return existingShipment
    return written.is === 'quote_expired' ? expiredOutcome({ ...call, isDryRun }, input, written) : written
  }
  const { shipment } = written
  if (preview !== undefined) {
    const how = input.dryRun ? 'dry_run' : 'created'
    return { is: 'shipment', how, shipment: showShipment(context, tenant, preview) }
  }
  if (shipment.status === 'dispatching') {
    await continueDispatch({ context, tenant, actor, id: shipment.id }, untilMs, shipment)
  }
  return outcomeOf(call, shipment.id)
}

/**
 * Returns `quote_expired`, with a new quote on the same terms if a carrier still makes an offer. A dry run requests no
 * new quote.
 */
async function expiredOutcome(
  call: LogisticsCall,
  input: DispatchInput,
  { expiredAt, quote }: Extract<QuoteUse, { is: 'quote_expired' }>,
): Promise<DispatchOutcome> {
  const terms = {
    offerId: input.offerId,
    rules: rulesOf(failoverFor(input), quote.serviceLevels),
    proof: requestedProof(input.proof),
  }
  return { is: 'quote_expired', expiredAt, newQuote: call.isDryRun ? undefined : await requote(call, quote, terms) }
}

/**
 * A concurrent request may have created a shipment with the requested reference since the first lookup. Undefined if no
 * shipment has this reference.
 */
async function findExistingOutcome(call: LogisticsCall, { reference }: DispatchInput, requestHash: string) {
  const concurrent = await findShipmentByReference(call.context.database, call.tenant.merchantId, reference)
  return concurrent && existingOutcome(call, concurrent, requestHash)
}

async function outcomeOf({ context, tenant }: LogisticsCall, id: Shipment['id']): Promise<DispatchOutcome> {
  const found = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  if (found === undefined) throw new Error(`Shipment ${id} is gone.`)
  const record = showShipment(context, tenant, found)
  if (record.status === 'failed') {
    const { attempts } = found
    const requested = attempts.filter(({ state, outcomeCode }) => state !== 'skipped' || outcomeCode === unpaidCode)
    const isWalletInsufficient =
      requested.length > 0 && requested.every(({ outcomeCode }) => outcomeCode === unpaidCode)
    return { is: 'no_carrier_accepted', shipment: record, attempts, isWalletInsufficient }
  }
  return { is: 'shipment', how: isInProgress(record.status) ? 'in_progress' : 'created', shipment: record }
}

function isInProgress(status: ShipmentStatus): boolean {
  return status === 'dispatching' || status === 'cancelling'
}

async function mutateShipment(
  { context, tenant, actor, isDryRun }: LogisticsCall,
  run: (work: Work<OrderMoveEvents>) => Promise<Written>,
): Promise<Written> {
  const mutation = {
    tenant,
    actor,
    action: 'shipment.dispatch',
    resourceType: 'shipment',
    resourceId: (written: Written) => (written.is === 'created' ? written.shipment.id : undefined),
    emits: orderMoveEvents,
    isDryRun,
  } as const
  return mutate(context, mutation, async (work: Work<OrderMoveEvents>) => {
    const outcome = await run(work)
    return outcome.is === 'created' ? outcome : work.abort(outcome)
  })
}

/**
 * Returns the outcome of a repeated dispatch request: the stored response to the first request, or the shipment that it
 * created.
 */
async function existingOutcome(
  call: LogisticsCall,
  existing: { readonly id: Shipment['id']; readonly requestHash: string },
  requestHash: string,
): Promise<DispatchOutcome> {
  if (existing.requestHash !== requestHash) return { is: 'reference_conflict', shipmentId: existing.id }
  const outcome = await outcomeOf(call, existing.id)
  return outcome.is === 'shipment' ? { ...outcome, how: 'existing' } : outcome
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

/**
 * Does the work that must precede the transaction, such as requests to carriers. Determines the pickup and the dropoff.
 * Without a quote, also requests the offers of an immediate dispatch, or determines the expected price of a scheduled
 * one.
 */
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
  // The offers for a scheduled shipment are requested when the shipment is due, because current offers would expire.
  // Until then the API shows an expected price.
  if (input.scheduleAt !== undefined) {
    const pickupAt = normaliseInstant(input.scheduleAt)
    const scheduled = { input, route, codAmountKobo: input.codAmountKobo ?? null, pickupAt, deliverBy: null }
    const { expectedPrice } = await quoteSchedule(context, tenant, scheduled)
    return { is: 'prepared', quote: undefined, route, given, expectedPrice }
  }
  const quote = await makeQuote(call, route, {
    carriers: input.carriers ?? input.failover?.carriers,
    codAmountKobo: input.codAmountKobo ?? null,
    proof: requestedProof(input.proof),
  })
  return { is: 'prepared', quote, route, given, expectedPrice: undefined }
}

function routeInputOf({ pickup, dropoff, parcels, orderId, returnId, items, serviceLevels, vehicle }: DispatchInput) {
  return { pickup, dropoff, parcels, orderId, returnId, items, serviceLevels, vehicle }
}

type Written =
  | CreateShipmentOutcome
  | { readonly is: 'existing'; readonly id: Shipment['id']; readonly requestHash: string }
  | QuoteUse

interface DispatchRequest {
  readonly call: LogisticsCall
  readonly input: DispatchInput
  readonly requestHash: string
  readonly prepared: Extract<Prepared, { is: 'prepared' }>
}

async function insertDispatch(
  work: Work<OrderMoveEvents>,
  { call, input, requestHash, prepared }: DispatchRequest,
): Promise<Written> {
  // A concurrent request with the same reference may have created a shipment after this request last searched for one.
  const existing = await findShipmentByReference(work.trx, work.merchantId, input.reference)
  if (existing !== undefined) return { is: 'existing', ...existing }
  const common = {
    reference: input.reference,
    requestHash,
    failover: failoverFor(input),
    proof: input.proof,
    undeliverableAction: input.undeliverableAction,
    allowAdditional: input.allowAdditional,
    confirmOrder: input.confirmOrder,
    areItemsNamed: input.items !== undefined,
    isDropoffOfOrder: input.quoteId === undefined && input.dropoff === undefined,
    metadata: input.metadata ?? {},
    dispatchAt: input.scheduleAt === undefined ? null : normaliseInstant(input.scheduleAt),
    scheduledPickupAt: null,
  } as const
  const { quote, route } = prepared
  const { quoteId, offerId, orderId, returnId, items, codAmountKobo } = input
  if (quoteId !== undefined) {
    return dispatchQuote(
      work,
      { ...call.context, tenant: call.tenant },
      { quoteId, offerId, orderId, returnId, items, codAmountKobo, given: prepared.given, terms: common },
    )
  }
  if (route === undefined) throw new Error('A dispatch without a quote requires a pickup and a dropoff.')
  // The quote of this dispatch is stored like a quote that a merchant has requested, because the statistics of demand
  // and prices use the stored quotes.
  if (quote !== undefined) {
    insertQuote(work.trx, quote.quote, quote.offers)
    useQuote(work.trx, { merchantId: work.merchantId, id: quote.quote.id }, work.now)
  }
  return createShipment(work, {
    ...common,
    quoteId: quote?.quote.id ?? null,
    codAmountKobo: codAmountKobo ?? null,
    route,
    offers: quote?.offers.map(plannedOf),
    expectedPrice: prepared.expectedPrice,
    firstOfferId: undefined,
    surgeSnapshotId: quote?.quote.surge?.snapshotId ?? null,
  })
}
