import type { Schedule, ScheduleInput } from '../../../registry/logistics/schedule.ts'
import type { ScheduleId, ShipmentId, Timestamp } from '../../../registry/values/vocabulary.ts'
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
import { momentsOf } from '../moments.ts'
import { type ResolvedRoute, type ResolveRouteOutcome, resolveRoute } from '../parcels/resolve-route.ts'
import { type ExpectedPrice, failoverFor } from '../quotes/failover-rules.ts'
import { quoteSchedule } from '../quotes/quote-schedule.ts'
import { findInvalidInstant, type LogisticsCall } from '../quotes/quote-shipment.ts'
import { planSchedule } from './plan-schedule.ts'

export type ScheduleOutcome =
  | { readonly is: 'schedule'; readonly how: 'made' | 'known_before' | 'planned'; readonly schedule: Schedule }
  | { readonly is: 'reference_conflict'; readonly shipmentId: string }
  | { readonly is: 'time_in_past'; readonly field: string }
  | Exclude<CreateShipmentOutcome, { is: 'created' | 'ceiling_too_low' }>
  | Exclude<ResolveRouteOutcome, { is: 'resolved' }>

/** Makes a shipment for whose rider a carrier is called when the parcel is about to be ready. */
export async function scheduleRider(
  call: LogisticsCall,
  input: ScheduleInput,
  requestHash: string,
): Promise<ScheduleOutcome> {
  const { context, tenant } = call
  const { reference } = input
  const known = reference && (await findShipmentByReference(context.database, tenant.merchantId, reference))
  if (known) return meetAgain(call, known, requestHash)
  const field = findInvalidInstant(context, { readyAt: input.readyAt, deliverBy: input.deliverBy })
  if (field !== undefined) return { is: 'time_in_past', field }
  const { pickup, dropoff, parcels, orderId, items, serviceLevels, vehicle } = input
  const routeInput = { pickup, dropoff, parcels, orderId, items, serviceLevels, vehicle }
  const resolved = await resolveRoute(context, tenant, routeInput)
  // What stands in its way may be its own twin, which was made since it was looked for, or while it waited for a lock.
  const orTwin = async (refused: ScheduleOutcome): Promise<ScheduleOutcome> => {
    const twin = reference && (await findShipmentByReference(context.database, tenant.merchantId, reference))
    return twin ? meetAgain(call, twin, requestHash) : refused
  }
  if (resolved.is !== 'resolved') return orTwin(asAlreadyDispatched(resolved, input))
  const planned = await plan(call, input, resolved.route)
  const isDryRun = call.isDryRun || input.dryRun
  const written = await writeDown({ ...call, isDryRun }, { input, requestHash, planned })
  switch (written.is) {
    case 'known':
      return meetAgain(call, written, requestHash)
    case 'made':
      return { is: 'schedule', how: input.dryRun ? 'planned' : 'made', schedule: recordOf(written, input.dryRun) }
    default:
      return orTwin(written)
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
  const [learnt, confirmedAt] = await Promise.all([
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
  const planned = planSchedule(request, learnt, now)
  const {
    quote,
    expectedPrice,
    warnings: doubts,
  } = await quoteSchedule(context, tenant, {
    input,
    route,
    pickupAt: planned.dispatchAt,
    deliverBy: request.deliverBy,
  })
  const served = withService(planned, { dropoffMinutes: quote?.dropoffMinutes ?? null }, request.deliverBy)
  const warnings = [...route.warnings, ...served.warnings, ...doubts]
  return { id: newScheduleId(nowMs), route, request, plan: { ...served, quote, warnings }, expectedPrice }
}

interface Wish {
  readonly input: ScheduleInput
  readonly requestHash: string
  readonly planned: Planned
}

interface Made {
  readonly is: 'made'
  readonly shipment: Pick<StoredShipment, 'id' | 'reference' | 'orderId' | 'items'>
  readonly prediction: StoredPrediction
}

type Unmade =
  | { readonly is: 'known'; readonly id: ShipmentId; readonly requestHash: string }
  | Exclude<CreateShipmentOutcome, { is: 'created' | 'ceiling_too_low' }>

async function writeDown({ context, tenant, actor, isDryRun }: LogisticsCall, wish: Wish): Promise<Made | Unmade> {
  const mutation = {
    tenant,
    actor,
    action: 'shipment.schedule',
    resourceType: 'schedule',
    resourceId: () => wish.planned.id,
    emits: ['order.status_changed'],
    isDryRun,
  } as const
  return mutate(context, mutation, async (work: Work<'order.status_changed'>) => {
    const outcome = await write(work, wish)
    return outcome.is === 'made' ? outcome : work.abort(outcome)
  })
}

async function write(
  work: Work<'order.status_changed'>,
  { input, requestHash, planned }: Wish,
): Promise<Made | Unmade> {
  const { route, request, plan: schedule, id, expectedPrice } = planned
  // A dry run without a name makes nothing that needs one.
  const reference = input.reference ?? id
  // The first of two equal requests has made it by now.
  const known = await findShipmentByReference(work.trx, work.merchantId, reference)
  if (known !== undefined) return { is: 'known', ...known }
  const created = await createShipment(work, {
    reference,
    requestHash,
    quoteId: null,
    route,
    areItemsNamed: input.items !== undefined,
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
    firstLookAt: schedule.replanAt ?? schedule.dispatchAt,
  })
  if (created.is === 'ceiling_too_low') throw new Error('Without offers none is too dear.')
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
  return { is: 'made', shipment, prediction }
}

/** What of a plan is held against what comes. */
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

/** The same reference names the same schedule, if it was made by the same request; a dispatch may have it, too. */
async function meetAgain(
  { context, tenant }: LogisticsCall,
  known: { readonly id: ShipmentId; readonly requestHash: string },
  requestHash: string,
): Promise<ScheduleOutcome> {
  const key = { merchantId: tenant.merchantId, id: known.id }
  const [whole, prediction] = await Promise.all([
    findShipment(context.database, key),
    findPrediction(context.database, { merchantId: tenant.merchantId, shipmentId: known.id }),
  ])
  if (known.requestHash !== requestHash || whole === undefined || prediction === undefined) {
    return { is: 'reference_conflict', shipmentId: known.id }
  }
  return { is: 'schedule', how: 'known_before', schedule: recordOf({ shipment: whole.shipment, prediction }, false) }
}

function recordOf({ shipment, prediction }: Omit<Made, 'is'>, isDryRun: boolean): Schedule {
  const { id, madeAt, replannedAt, schedule, request } = prediction
  const { lateProbability, criticalRatio, quote = null } = schedule
  return asRecord<Schedule>({
    ...schedule,
    id,
    reference: shipment.reference === id ? null : shipment.reference,
    shipmentId: isDryRun ? null : shipment.id,
    orderId: shipment.orderId,
    items: shipment.items,
    optimizeFor: request.optimizeFor,
    quote: shownQuote(quote, schedule.dispatchAt),
    lateProbability: lateProbability === null ? null : rounded(lateProbability),
    criticalRatio: rounded(criticalRatio),
    replanAt: replannedAt === null ? schedule.replanAt : null,
    createdAt: madeAt,
  })
}

/** Null as well where it was stored before it named its service level. */
function shownQuote(quote: ScheduledQuote | null, dispatchAt: Timestamp): Schedule['quote'] {
  if (quote?.serviceLevel === undefined) return null
  const { serviceLevel, dropoffMinutes = null, ...shown } = quote
  return asRecord<NonNullable<Schedule['quote']>>({
    ...shown,
    serviceLevel,
    dropoffEta: momentsOf(dispatchAt, dropoffMinutes),
  })
}

/** Nobody can tell a difference in the fourth digit. */
function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}
