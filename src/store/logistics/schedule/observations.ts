import { sql } from 'kysely'
import { MerchantId, type ShipmentId, type Timestamp } from '../../../../registry/values/vocabulary.ts'
import { searchingAll } from '../../core/calls.ts'
import type { Database, SearchDb } from '../../core/database.ts'
import { deletingExpired } from '../../core/expired-rows.ts'
import { hourBucketStarts } from '../../core/hour-buckets.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { build, isOf, type MerchantCondition, searching, writing } from '../../core/statement.ts'

/**
 * Records preparation, lead and travel times of finished shipments. The ready time is known only if the rider waited
 * for the parcel. Otherwise the parcel was ready at some time before the rider came. Such an observation is censored:
 * the observed time is only an upper bound. If the bound were used as the ready time, later predictions would move
 * towards the arrival times of the riders, and each rider would come later than the one before.
 */

/** Maximum duration in seconds of a handover at a busy counter. A rider who stays longer is waiting for the parcel. */
const handoverMaxSeconds = 180

/**
 * Longest duration that is stored, in seconds. A longer duration is stored as null: the parcel was left waiting, so the
 * duration is not typical.
 */
const durationMaxSeconds = 2 * 24 * 3600

/**
 * Number of days after the end of a shipment in which its times are still recorded, so that a worker outage of a week
 * loses no observations.
 */
const windowDays = 7

/**
 * Maximum number of ended shipments that one read returns. A statement that records the observations of so many
 * shipments takes a fraction of a second.
 */
const batchSize = 500

/** The hours in Lagos at which the traffic periods start. */
const bucketStarts = sql`array[${sql.join(hourBucketStarts.map((hour) => sql.lit(hour)))}]`

const isUnobserved = (isIncluded: MerchantCondition) => sql`
  picked_up_at is not null and shipments.dispatched_at is not null
  and not exists (
    select
    from logistics_observations observation
    where ${isIncluded('observation.merchantId')}
      and observation.merchant_id = shipments.merchant_id and observation.shipment_id = shipments.id
  )`

const findUnobserved = searchingAll<{ now: Timestamp }>()(
  'find_unobserved_shipments',
  (p, isReachable) => sql<{ merchantId: MerchantId; id: ShipmentId }>`
    select merchant_id, id
    from shipments
    where ${isReachable('shipments.merchantId')}
      and shipments.ended_at > ${p.now}::timestamptz - make_interval(days => ${sql.lit(windowDays)})
      and ${isUnobserved(isReachable)}
    order by shipments.ended_at
    limit ${sql.lit(batchSize)}`,
)

const observe = writing<{ merchantId: MerchantId; ids: readonly ShipmentId[]; now: Timestamp }>()(
  'observe_shipments',
  (p) => sql<{ shipments: number }>`
    with ended as (
      select
        shipments.id, coalesce(shipments.carrier, '') as carrier, pickup_zone_id, dropoff_zone_id,
        shipments.dispatched_at, picked_up_at, shipments.delivered_at,
        -- The customer prepares the parcel of a return, so it says nothing about the shop.
        case when shipments.return_id is null then coalesce(orders.confirmed_at, schedule_predictions.made_at) end as begun_at,
        (
          select min(occurred_at)
          from shipment_events event
          where event.merchant_id = ${p.merchantId} and event.shipment_id = shipments.id
            and event.status = 'at_pickup' and event.is_applied
            -- Ignores the arrival of the rider of an earlier attempt.
            and event.occurred_at >= coalesce(shipments.accepted_at, shipments.dispatched_at)
        ) as arrived_at
      from shipments
      left join orders on orders.merchant_id = ${p.merchantId} and orders.id = shipments.order_id
      left join schedule_predictions
        on schedule_predictions.merchant_id = ${p.merchantId} and schedule_predictions.shipment_id = shipments.id
      where shipments.merchant_id = ${p.merchantId}
        and shipments.id = any(${p.ids}::text[])
        and ${isUnobserved(isOf(p.merchantId))}
    ),
    known as (
      select ended.*, arrived_at < picked_up_at - make_interval(secs => ${sql.lit(handoverMaxSeconds)}) is true as has_waited
      from ended
    ),
    durations as (
      select known.*, kind, from_at, to_at, is_censored, extract(epoch from to_at - from_at)::double precision as seconds
      from known
      cross join lateral (
        values
          ('prep', begun_at, case when has_waited then picked_up_at else coalesce(arrived_at, picked_up_at) end, not has_waited),
          ('lead', dispatched_at, coalesce(arrived_at, picked_up_at), arrived_at is null),
          ('travel', picked_up_at, delivered_at, false)
      ) as duration (kind, from_at, to_at, is_censored)
      -- Each shipment gets at least a row of kind lead, which marks it as recorded.
      where kind = 'lead' or (from_at is not null and to_at is not null)
    ),
    observed as (
      insert into logistics_observations (
        merchant_id, shipment_id, kind, carrier, zone_from, zone_to, hour_bucket, seconds, is_censored, is_inferred,
        observed_at, recorded_at
      )
      select
        ${p.merchantId}, id, kind, carrier, pickup_zone_id, dropoff_zone_id,
        width_bucket(extract(hour from from_at at time zone 'Africa/Lagos')::integer, ${bucketStarts}),
        case when seconds > 0 and seconds <= ${sql.lit(durationMaxSeconds)} then seconds end, is_censored,
        kind <> 'travel' and arrived_at is null, to_at, ${p.now}::timestamptz
      from durations
      on conflict do nothing
      returning shipment_id
    ),
    completed as (
      update schedule_predictions
      set
        dispatched_at = known.dispatched_at,
        ready_at = case when known.has_waited then known.picked_up_at end,
        ready_by_at = case when not known.has_waited then coalesce(known.arrived_at, known.picked_up_at) end,
        arrived_at = known.arrived_at,
        completed_at = ${p.now}::timestamptz
      from known
      where schedule_predictions.merchant_id = ${p.merchantId} and schedule_predictions.shipment_id = known.id
    )
    select count(distinct shipment_id) as shipments from observed`,
)

/**
 * Records the observations of all newly ended shipments, for one merchant after another, and returns the number of
 * shipments.
 */
export async function observeShipments(database: Database, now: Timestamp): Promise<number> {
  let total = 0
  for (;;) {
    const found = await findUnobserved(database, { now })
    let observed = 0
    for (const [merchantId, shipments] of Map.groupBy(found, (shipment) => shipment.merchantId)) {
      const ids = shipments.map(({ id }) => id)
      const [recorded] = await retryConflicts(() => database.run(observe, { merchantId, ids, now }))
      observed += recorded?.shipments ?? 0
    }
    total += observed
    if (found.length < batchSize || observed === 0) return total
  }
}

/**
 * Number of hours for which a recorded observation is treated as recent: twice the interval of the job that reads
 * recent observations. If a run of the job is interrupted, the next run therefore still reads the observations of the
 * interrupted run.
 */
const recentHours = 2

export const isRecent = (now: Timestamp) =>
  sql<boolean>`recorded_at > ${now}::timestamptz - make_interval(hours => ${sql.lit(recentHours)})`

const listObserved = searching<{ now: Timestamp }>()('list_observed_merchants', (p, isReachable) =>
  build
    .selectFrom('logistics_observations')
    .where(isReachable('merchantId'))
    .where(isRecent(p.now))
    .select('merchantId')
    .distinct(),
)

/** Returns the merchants for whose shipments an observed duration was recorded in the last two hours. */
export async function listObservedMerchants(db: SearchDb, now: Timestamp): Promise<readonly MerchantId[]> {
  return (await db.search(listObserved, { now })).map(({ merchantId }) => MerchantId.parse(merchantId))
}

/** Retention of observations in days. Quantiles use only the observations of the last 60 days. */
const retentionDays = 90

export const observationDeletion = deletingExpired<{ now: Timestamp }>()({
  label: 'delete_observations',
  table: 'logistics_observations',
  key: ['shipmentId', 'kind'],
  age: 'recorded_at',
  hasEnded: (p) => sql`recorded_at < ${p.now}::timestamptz - make_interval(days => ${sql.lit(retentionDays)})`,
  size: 5000,
})
