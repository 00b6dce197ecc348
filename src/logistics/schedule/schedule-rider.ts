import { type OrderMoveEvents, orderMoveEvents } from '../../../registry/kit/event.ts'
import type { Schedule } from '../../../registry/logistics/schedule.ts'
import type { ScheduleInput } from '../../../registry/logistics/schedules.ts'
import type { ScheduleId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant, toTimestamp } from '../../base/clock.ts'
import { newScheduleId } from '../../base/records.ts'
import { asRecord } from '../../store/core/json.ts'
import { mutate, type Work } from '../../store/core/mutation.ts'
import {
  findConfirmation,
  findPrediction,
  insertPrediction,
  type StoredPrediction,
} from '../../store/logistics/schedule/predictions.ts'
import { findEstimates } from '../../store/logistics/schedule/quantiles.ts'
import { findShipment, findShipmentByReference } from '../../store/logistics/shipments/shipments.ts'
import type { ScheduledQuote, SchedulePlan, ScheduleRequest } from '../../store/tables/schedule.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import { asAlreadyDispatched, type CreateShipmentOutcome, createShipment } from '../dispatch/create-shipment.ts'
import { withService } from '../estimates/service-times.ts'
import { momentsOf, notBefore } from '../moments.ts'
import { type ResolvedRoute, type ResolveRouteOutcome, resolveRoute } from '../parcels/resolve-route.ts'
import { type ExpectedPrice, failoverFor } from '../quotes/failover-rules.ts'
import { quoteSchedule } from '../quotes/quote-schedule.ts'
import { findInvalidInstant, type LogisticsCall } from '../quotes/quote-shipment.ts'
import { planSchedule } from './plan-schedule.ts'

export type ScheduleOutcome =
  | { readonly is: 'schedule'; readonly how: 'created' | 'existing' | 'dry_run'; readonly schedule: Schedule }
  | { readonly is: 'reference_conflict'; readonly shipmentId: string }
  | { readonly is: 'time_in_past'; readonly field: string }
  | Exclude<CreateShipmentOutcome, { is: 'created' | 'ceiling_too_low' | 'cod_exceeds_due' }>
  | Exclude<ResolveRouteOutcome, { is: 'resolved' }>

/**
 * Creates a scheduled shipment. Its rider is requested early enough to arrive when the parcel is ready. If a shipment
 * with the same reference exists and the request is the same, returns the existing schedule.
 */
export async function scheduleRider(
  call: LogisticsCall,
  input: ScheduleInput,
  requestHash: string,
): Promise<ScheduleOutcome> {
  const { context, tenant } = call
  const { reference } = input
  const existing = reference && (await findShipmentByReference(context.database, tenant.merchantId, reference))
  if (existing) return existingSchedule(call, existing, requestHash)
  const field = findInvalidInstant(context, { readyAt: input.readyAt, deliverBy: input.deliverBy })
  if (field !== undefined) return { is: 'time_in_past', field }
  const { pickup, dropoff, parcels, orderId, returnId, items, serviceLevels, vehicle } = input
  const routeInput = { pickup, dropoff, parcels, orderId, returnId, items, serviceLevels, vehicle }
  const resolved = await resolveRoute(context, tenant, routeInput)
  // The request may have been refused because a concurrent request with the same reference has created the shipment.
  const orExisting = async (refused: ScheduleOutcome): Promise<ScheduleOutcome> => {
    const concurrent = reference && (await findShipmentByReference(context.database, tenant.merchantId, reference))
    return concurrent ? existingSchedule(call, concurrent, requestHash) : refused
  }
  if (resolved.is !== 'resolved') return orExisting(asAlreadyDispatched(resolved, input))
  const planned = await plan(call, input, resolved.route)
  const isDryRun = call.isDryRun || input.dryRun
  const stored = await storeSchedule({ ...call, isDryRun }, { input, requestHash, planned })
  switch (stored.is) {
    case 'existing':
      return existingSchedule(call, stored, requestHash)
    case 'created':
      return { is: 'schedule', how: input.dryRun ? 'dry_run' : 'created', schedule: recordOf(stored, input.dryRun) }
    default:
      return orExisting(stored)
  }
}

interface Planned {
  readonly id: ScheduleId
  readonly route: ResolvedRoute
  readonly request: ScheduleRequest
  readonly plan: SchedulePlan
  readonly expectedPrice: ExpectedPrice | undefined
}

async function plan({ context, tenant }: LogisticsCall, input: ScheduleInput, route: ResolvedRoute): Promise<Planned> {
  const nowMs = context.clock.nowMs()
  const now = toTimestamp(nowMs)
  const [estimates, confirmedAt] = await Promise.all([
    findEstimates(context.database, {
      merchantId: tenant.merchantId,
      isSimulated: tenant.mode === 'test',
      zoneFrom: route.pickup.zoneId ?? '',
      zoneTo: route.dropoff.zoneId ?? '',
    }),
    route.orderId === null ? null : findConfirmation(context.database, tenant.merchantId, route.orderId),
  ])
  const request: ScheduleRequest = {
    begunAt: confirmedAt ?? now,
    askedAt: now,
    readyAt: input.readyAt === undefined ? null : normaliseInstant(input.readyAt),
    prepMinutes: input.prepMinutes ?? null,
    deliverBy: input.deliverBy === undefined ? null : normaliseInstant(input.deliverBy),
    optimizeFor: input.optimizeFor,
    distanceMeters: route.distanceMeters,
    pickupState: route.pickup.state,
  }
  const planned = planSchedule(request, estimates, now)
  const {
    quote,
    expectedPrice,
    warnings: doubts,
  } = await quoteSchedule(context, tenant, {
    input,
    route,
    codAmountKobo: null,
    pickupAt: planned.dispatchAt,
    deliverBy: request.deliverBy,
  })
  const served = withService(planned, { dropoffMinutes: quote?.dropoffMinutes ?? null }, request.deliverBy)
  const warnings = [...route.warnings, ...served.warnings, ...doubts]
  return { id: newScheduleId(nowMs), route, request, plan: { ...served, quote, warnings }, expectedPrice }
}

interface UnstoredSchedule {
  readonly input: ScheduleInput
  readonly requestHash: string
  readonly planned: Planned
}

interface CreatedSchedule {
  readonly is: 'created'
  readonly shipment: Pick<StoredShipment, 'id' | 'reference' | 'orderId' | 'returnId' | 'items'>
  readonly prediction: StoredPrediction
}

type NotCreated =
  | { readonly is: 'existing'; readonly id: ShipmentId; readonly requestHash: string }
  | Exclude<CreateShipmentOutcome, { is: 'created' | 'ceiling_too_low' | 'cod_exceeds_due' }>

async function storeSchedule(
  { context, tenant, actor, isDryRun }: LogisticsCall,
  unstored: UnstoredSchedule,
): Promise<CreatedSchedule | NotCreated> {
  const mutation = {
    tenant,
    actor,
    action: 'shipment.schedule',
    resourceType: 'schedule',
    resourceId: () => unstored.planned.id,
    emits: orderMoveEvents,
    isDryRun,
  } as const
  return mutate(context, mutation, async (work: Work<OrderMoveEvents>) => {
    const outcome = await insertSchedule(work, unstored)
    return outcome.is === 'created' ? outcome : work.abort(outcome)
  })
}

async function insertSchedule(
  work: Work<OrderMoveEvents>,
  { input, requestHash, planned }: UnstoredSchedule,
): Promise<CreatedSchedule | NotCreated> {
  const { route, request, plan: schedule, id, expectedPrice } = planned
  // Only a dry run may omit the reference. The shipment of a dry run is not committed, so its own id serves as the
  // reference.
  const reference = input.reference ?? id
  // A concurrent request with the same reference may have committed its shipment since this request last searched for
  // it.
  const existing = await findShipmentByReference(work.trx, work.merchantId, reference)
  if (existing !== undefined) return { is: 'existing', ...existing }
  const created = await createShipment(work, {
    reference,
    requestHash,
    quoteId: null,
    codAmountKobo: null,
    route,
    areItemsNamed: input.items !== undefined,
    isDropoffOfOrder: input.dropoff === undefined,
    offers: undefined,
    firstOfferId: undefined,
    expectedPrice,
    surgeSnapshotId: null,
    failover: failoverFor(input),
    proof: input.proof,
    undeliverableAction: input.undeliverableAction,
    allowAdditional: input.allowAdditional,
    confirmOrder: input.confirmOrder,
    metadata: input.metadata ?? {},
    dispatchAt: schedule.dispatchAt,
    scheduledPickupAt: schedule.scheduledPickupAt,
    firstCheckAt: schedule.replanAt ?? schedule.dispatchAt,
  })
  if (created.is === 'ceiling_too_low' || created.is === 'cod_exceeds_due')
    throw new Error(
      'A schedule is created without offers and without cash, so neither a price ceiling nor an amount due can be exceeded.',
    )
  if (created.is !== 'created') return created
  const { shipment } = created
  const prediction: StoredPrediction = {
    ...predictionOf(schedule),
    merchantId: work.merchantId,
    id,
    shipmentId: shipment.id,
    madeAt: work.now,
    request,
    replannedAt: null,
  }
  insertPrediction(work.trx, prediction)
  return { is: 'created', shipment, prediction }
}

/** Returns the fields of a schedule that are later compared with the actual times. */
export function predictionOf(schedule: SchedulePlan) {
  return {
    basis: schedule.confidence.basis,
    dispatchAt: schedule.dispatchAt,
    readyP50At: schedule.readyAt.p50,
    readyP90At: schedule.readyAt.p90,
    arrivalP50At: schedule.riderArrival.p50,
    arrivalP90At: schedule.riderArrival.p90,
    schedule,
  }
}

/** Returns a conflict if the reference belongs to a different request or to a dispatch. */
async function existingSchedule(
  { context, tenant }: LogisticsCall,
  existing: { readonly id: ShipmentId; readonly requestHash: string },
  requestHash: string,
): Promise<ScheduleOutcome> {
  const key = { merchantId: tenant.merchantId, id: existing.id }
  const [found, prediction] = await Promise.all([
    findShipment(context.database, key),
    findPrediction(context.database, { merchantId: tenant.merchantId, shipmentId: existing.id }),
  ])
  if (existing.requestHash !== requestHash || found === undefined || prediction === undefined) {
    return { is: 'reference_conflict', shipmentId: existing.id }
  }
  return { is: 'schedule', how: 'existing', schedule: recordOf({ shipment: found.shipment, prediction }, false) }
}

function recordOf({ shipment, prediction }: Omit<CreatedSchedule, 'is'>, isDryRun: boolean): Schedule {
  const { id, madeAt, replannedAt, schedule, request } = prediction
  const { lateProbability, criticalRatio, quote = null } = schedule
  return asRecord<Schedule>({
    ...schedule,
    id,
    reference: shipment.reference === id ? null : shipment.reference,
    shipmentId: isDryRun ? null : shipment.id,
    orderId: shipment.orderId,
    returnId: shipment.returnId,
    items: shipment.items,
    optimizeFor: request.optimizeFor,
    quote: shownQuote(quote, schedule),
    lateProbability: lateProbability === null ? null : rounded(lateProbability),
    criticalRatio: rounded(criticalRatio),
    replanAt: replannedAt === null ? schedule.replanAt : null,
    createdAt: madeAt,
  })
}

/** Null for a quote that an earlier release stored without a service level. */
function shownQuote(
  quote: ScheduledQuote | null,
  { dispatchAt, riderArrival, readyAt }: SchedulePlan,
): Schedule['quote'] {
  if (quote?.serviceLevel === undefined) return null
  const { serviceLevel, dropoffMinutes = null, ...shown } = quote
  const dropoffEta = momentsOf(dispatchAt, dropoffMinutes)
  return asRecord<NonNullable<Schedule['quote']>>({
    ...shown,
    serviceLevel,
    // The carrier's delivery estimate assumes that a rider leaves at once with a parcel that is ready. The estimated
    // delivery is therefore never earlier than the rider's arrival or the ready time.
    dropoffEta: dropoffEta && notBefore(dropoffEta, riderArrival, readyAt),
  })
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}
