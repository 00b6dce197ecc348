import { sql } from 'kysely'
import type { ShipmentExceptionCode } from '../../../../registry/logistics/shipment-states.ts'
import { trackedEventsMax } from '../../../../registry/logistics/tracking.ts'
import type { MerchantId, OrderId, ShipmentId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { listing } from '../../core/calls.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { build, isOf, type MerchantCondition, reading, searching, writing } from '../../core/statement.ts'
import { cancelledStates, monitoredStates, type StoredShipment } from '../../tables/shipment.ts'
import type { AttemptKey } from './shipment-checks.ts'
import type { ShipmentKey, StoredShipmentEvent } from './shipments.ts'

type TrackedFields =
  | 'id'
  | 'status'
  | 'version'
  | 'carrier'
  | 'serviceLevel'
  | 'trackingUrl'
  | 'courier'
  | 'pickupEstimate'
  | 'deliveryEstimate'
  | 'pickedUpAt'
  | 'pickup'
  | 'dropoff'

export interface TrackedShipment extends Pick<StoredShipment, TrackedFields> {
  /** Sequence number of the latest rider position. */
  readonly positionNumber: number
  readonly position: StoredPosition | null
  /** Applied tracking events of the shipment, newest first. */
  readonly events: readonly TrackedEvent[]
}

interface TrackedEvent extends Pick<StoredShipmentEvent, 'description' | 'occurredAt'> {
  readonly status: StoredShipment['status']
}

export interface StoredPosition {
  readonly lat: number
  readonly lng: number
  readonly headingDegrees: number | null
  readonly source: 'callback' | 'poll'
  readonly recordedAt: Timestamp
  readonly receivedAt: Timestamp
}

const time = (column: string) => sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const positionNumber = (isIncluded: MerchantCondition) => sql<number>`coalesce((
  select max(number)
  from shipment_positions
  where ${isIncluded('merchantId')} and merchant_id = shipments.merchant_id and shipment_id = shipments.id
), 0)`

const track = reading<ShipmentKey>()('track_shipment', (p) =>
  build
    .selectFrom('shipments')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select([
      sql<TrackedShipment>`json_build_object(
        'id', id,
        'status', status,
        'version', version,
        'carrier', carrier,
        'serviceLevel', service_level,
        'trackingUrl', tracking_url,
        'courier', courier,
        'pickupEstimate', pickup_estimate,
        'deliveryEstimate', delivery_estimate,
        'pickedUpAt', ${time('pickedUpAt')},
        'pickup', pickup,
        'dropoff', dropoff,
        'positionNumber', ${positionNumber(isOf(p.merchantId))},
        'position', (
          select row_to_json(position)
          from (
            select
              lat, lng, heading_degrees as "headingDegrees", source, ${time('recordedAt')} as "recordedAt",
              ${time('receivedAt')} as "receivedAt"
            from shipment_positions
            join dispatch_attempts attempt
              on attempt.merchant_id = shipment_positions.merchant_id
              and attempt.shipment_id = shipment_positions.shipment_id
              and attempt.number = shipment_positions.attempt_number
              and attempt.state = 'accepted'
            where shipment_positions.merchant_id = ${p.merchantId}
              and shipment_positions.shipment_id = shipments.id
            order by shipment_positions.number desc
            limit 1
          ) position
        ),
        'events', coalesce((
          select json_agg(event order by event.number desc)
          from (
            select number, status, description, ${time('occurredAt')} as "occurredAt"
            from shipment_events
            where merchant_id = ${p.merchantId}
              and shipment_id = shipments.id
              and is_applied
              and status is not null
            order by number desc
            limit ${sql.lit(trackedEventsMax)}
          ) event
        ), '[]')
      )`.as('tracked'),
    ]),
)

/** Undefined when the merchant has no shipment with this id. */
export async function findTracked(db: ReadDb, key: ShipmentKey): Promise<TrackedShipment | undefined> {
  return (await db.read(track, key))[0]?.tracked
}

/** Change markers of a shipment. At least one of them changes with every visible change of the shipment. */
export interface ShipmentMark {
  readonly version: number
  readonly positionNumber: number
}

const marks = searching<{ merchantIds: readonly string[]; ids: readonly string[] }>()(
  'find_shipment_marks',
  (p, isReachable) => sql<ShipmentKey & ShipmentMark>`
    select
      shipments.merchant_id as "merchantId", shipments.id, version, ${positionNumber(isReachable)} as "positionNumber"
    from unnest(${p.merchantIds}::text[], ${p.ids}::text[]) as requested (merchant_id, id)
    join shipments
      on ${isReachable('shipments.merchantId')}
      and shipments.merchant_id = requested.merchant_id and shipments.id = requested.id`,
)

export function findShipmentMarks(
  database: Database,
  keys: readonly ShipmentKey[],
): Promise<readonly (ShipmentKey & ShipmentMark)[]> {
  return database.search(marks, { merchantIds: keys.map((key) => key.merchantId), ids: keys.map(({ id }) => id) })
}

/** Identifies an order at a carrier by the carrier’s reference or by this service’s reference. */
export interface CarrierOrder {
  readonly merchantId: MerchantId
  readonly carrier: string
  readonly carrierReference?: string | undefined
  readonly reference?: string | undefined
}

const findAttempt = reading<{
  merchantId: MerchantId
  carrier: string
  carrierReference: string | null
  reference: string | null
}>()('find_attempt_by_order', (p) =>
  build
    .selectFrom('dispatch_attempts')
    .where('merchantId', '=', p.merchantId)
    .where('carrier', '=', p.carrier)
    .where((where) =>
      where.or([where('reference', '=', p.reference), where('carrierReference', '=', p.carrierReference)]),
    )
    .select([sql<ShipmentId>`shipment_id`.as('shipmentId'), 'number'])
    // If this service’s reference and the carrier’s reference match different attempts, the attempt with this service’s
    // reference is returned, because only this reference is unique.
    .orderBy(sql`reference = ${p.reference}`, (order) => order.desc().nullsLast())
    .limit(1),
)

export async function findAttemptByOrder(
  db: ReadDb,
  { carrierReference, reference, ...of }: CarrierOrder,
): Promise<{ readonly shipmentId: ShipmentId; readonly number: number } | undefined> {
  return (
    await db.read(findAttempt, { ...of, carrierReference: carrierReference ?? null, reference: reference ?? null })
  )[0]
}

/** A stored tracking update of a dispatch attempt, with which a new update is compared. */
export interface PastUpdate {
  readonly status: StoredShipment['status'] | null
  readonly carrierStatus: string | null
  readonly isApplied: boolean
  readonly occurredAt: Timestamp
}

/**
 * Maximum number of earlier tracking updates that are read. A delivery has fewer updates, and carriers repeat only
 * recent updates.
 */
const pastUpdatesMax = 200

/** Newest first. The caller must hold the lock of the shipment. */
export const listPastUpdates = listing<{ merchantId: MerchantId; shipmentId: ShipmentId; attemptNumber: number }>()(
  'list_past_updates',
  (p) => sql<PastUpdate>`
    select status, carrier_status as "carrierStatus", is_applied as "isApplied", occurred_at as "occurredAt"
    from shipment_events
    where merchant_id = ${p.merchantId}
      and shipment_id = ${p.shipmentId}
      and attempt_number = ${p.attemptNumber}
      and source in ('callback', 'poll')
    order by number desc
    limit ${sql.lit(pastUpdatesMax)}`,
)

export type OrderShipment = Pick<StoredShipment, 'id' | 'status' | 'items' | 'itemsBooked'>

export interface ShipmentOfLockedOrder extends OrderShipment {
  readonly openExceptions: readonly ShipmentExceptionCode[]
}

const listOfOrder = reading<{ merchantId: MerchantId; orderId: OrderId }>()(
  'list_shipments_of_order',
  (p) => sql<ShipmentOfLockedOrder>`
    select
      id, status, items, items_booked as "itemsBooked",
      jsonb_path_query_array(exceptions, '$[*] ? (!exists(@.resolvedAt)).code') as "openExceptions"
    from shipments
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId}`,
)

/** Must be called under the lock of the order, so that a change of one shipment sees a concurrent change of another. */
export function listShipmentsOfOrder(
  trx: ReadDb,
  merchantId: MerchantId,
  orderId: OrderId,
): Promise<readonly ShipmentOfLockedOrder[]> {
  return trx.read(listOfOrder, { merchantId, orderId })
}

type DropoffOfOrder = Pick<StoredShipment, 'status' | 'dropoff'>

const dropoffsOfOrder = reading<{ merchantId: MerchantId; orderId: OrderId }>()('list_dropoffs_of_order', (p) =>
  build
    .selectFrom('shipments')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .select(['status', sql<StoredShipment['dropoff']>`dropoff`.as('dropoff')]),
)

/** Must be called under the lock of the order, so that it sees the shipment of a concurrent dispatch. */
export function listDropoffsOfOrder(
  trx: ReadDb,
  merchantId: MerchantId,
  orderId: OrderId,
): Promise<readonly DropoffOfOrder[]> {
  return trx.read(dropoffsOfOrder, { merchantId, orderId })
}

const advanceShipment = writing<ShipmentKey & { now: Timestamp }>()(
  'advance_shipment_check',
  (p) => sql`
    update shipments
    set next_check_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id} and next_check_at > ${p.now}::timestamptz`,
)

/** Makes the next check of a shipment due now if it is scheduled for a later time. */
export async function advanceShipmentCheck(database: Database, key: ShipmentKey, now: Timestamp): Promise<void> {
  await retryConflicts(() => database.run(advanceShipment, { ...key, now }))
}

const advanceAttempt = writing<AttemptKey & { now: Timestamp; until: Timestamp }>()(
  'advance_attempt_check',
  (p) => sql`
    update dispatch_attempts
    set next_check_at = ${p.now}::timestamptz, monitor_until = ${p.until}::timestamptz, checks = 0
    where merchant_id = ${p.merchantId}
      and shipment_id = ${p.id}
      and number = ${p.number}
      and state in (${sql.join(monitoredStates.map((state) => sql.lit(state)))})`,
)

/**
 * Makes the next check of an abandoned attempt due now, and sets the time until which the service monitors the attempt.
 */
export async function advanceAttemptCheck(
  database: Database,
  key: AttemptKey,
  { now, until }: { readonly now: Timestamp; readonly until: Timestamp },
): Promise<void> {
  await retryConflicts(() => database.run(advanceAttempt, { ...key, now, until }))
}

interface CancelledCheck {
  readonly now: Timestamp
  /** Minimum time between the cancellation and a check, and between two checks that callbacks cause. */
  readonly pauseSeconds: number
  /** Time for which the check is repeated if the carrier does not respond. */
  readonly retrySeconds: number
}

// The time of the latest check that a callback scheduled is `monitor_until` minus the time of the repetitions. While this
// check is due in the future, a further callback schedules no other one. A callback that arrives during a check schedules
// the next check, because the carrier may have responded before the event of the callback.
const scheduleCancelled = writing<AttemptKey & CancelledCheck>()(
  'schedule_cancelled_check',
  (p) => sql`
    with cancelled as (
      select
        resolved_at + make_interval(secs => ${p.pauseSeconds}) as trusted_at,
        monitor_until - make_interval(secs => ${p.retrySeconds}) as scheduled_at
      from dispatch_attempts
      where merchant_id = ${p.merchantId}
        and shipment_id = ${p.id}
        and number = ${p.number}
        and state in (${sql.join(cancelledStates.map((state) => sql.lit(state)))})
      for update
    ),
    due as (
      select
        case
          when scheduled_at > ${p.now}::timestamptz then scheduled_at
          else greatest(
            ${p.now}::timestamptz, trusted_at, scheduled_at + make_interval(secs => ${p.pauseSeconds})
          )
        end as at
      from cancelled
    )
    update dispatch_attempts
    set next_check_at = due.at, monitor_until = due.at + make_interval(secs => ${p.retrySeconds}), checks = 0
    from due
    where merchant_id = ${p.merchantId} and shipment_id = ${p.id} and number = ${p.number}`,
)

/** Schedules a check of a dispatch attempt whose order the carrier has cancelled. Any other attempt stays unchanged. */
export async function scheduleCancelledCheck(
  database: Database,
  key: AttemptKey,
  check: CancelledCheck,
): Promise<void> {
  await retryConflicts(() => database.run(scheduleCancelled, { ...key, ...check }))
}
