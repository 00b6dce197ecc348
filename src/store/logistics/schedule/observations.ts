import { sql } from 'kysely'
import { MerchantId, type Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { hourBucketStarts } from '../../core/hour-buckets.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { build, reading, writing } from '../../core/statement.ts'

/**
 * What finished shipments teach. A rider who waits sees when the parcel is ready; one who finds it ready knows only that it
 * was so before. That is kept as what it is, a bound: taken for the time itself, the riders’ own arrivals would teach that
 * parcels are ready when riders arrive, and each next rider would be sent later than the last.
 */

/** Handing over takes so long at a busy counter. A rider who stays longer is waiting for the parcel. */
const handoverSeconds = 180

/** What took longer lay there, or was forgotten: it says nothing about how long things take. */
const longestSeconds = 2 * 24 * 3600

/** A worker that was away for a week makes up for all of it. */
const lookBackDays = 7

/** A fraction of a second’s work at once. */
const batch = 500

/** Lagos keeps its hour all year. */
const bucketStarts = sql`array[${sql.join(hourBucketStarts.map((hour) => sql.lit(hour)))}]`

const observe = writing<{ now: Timestamp }>()(
  'observe_shipments',
  (p) => sql<{ shipments: number }>`
    with ended as (
      select
        shipments.merchant_id, shipments.id, coalesce(shipments.carrier, '') as carrier, pickup_zone_id, dropoff_zone_id,
        shipments.dispatched_at, picked_up_at, shipments.delivered_at,
        coalesce(orders.confirmed_at, schedule_predictions.made_at) as begun_at,
        (
          select min(occurred_at)
          from shipment_events event
          where event.merchant_id = shipments.merchant_id and event.shipment_id = shipments.id
            and event.status = 'at_pickup' and event.is_applied
            -- The rider who came before may have left again.
            and event.occurred_at >= coalesce(shipments.accepted_at, shipments.dispatched_at)
        ) as arrived_at
      from shipments
      left join orders on orders.merchant_id = shipments.merchant_id and orders.id = shipments.order_id
      left join schedule_predictions
        on schedule_predictions.merchant_id = shipments.merchant_id and schedule_predictions.shipment_id = shipments.id
      where shipments.ended_at > ${p.now}::timestamptz - make_interval(days => ${sql.lit(lookBackDays)})
        and picked_up_at is not null and shipments.dispatched_at is not null
        and not exists (
          select
          from logistics_observations seen
          where seen.merchant_id = shipments.merchant_id and seen.shipment_id = shipments.id
        )
      order by shipments.ended_at
      limit ${sql.lit(batch)}
    ),
    known as (
      select ended.*, arrived_at < picked_up_at - make_interval(secs => ${sql.lit(handoverSeconds)}) is true as has_waited
      from ended
    ),
    took as (
      select known.*, kind, from_at, to_at, is_censored, extract(epoch from to_at - from_at)::double precision as seconds
      from known
      cross join lateral (
        values
          ('prep', begun_at, case when has_waited then picked_up_at else coalesce(arrived_at, picked_up_at) end, not has_waited),
          ('lead', dispatched_at, coalesce(arrived_at, picked_up_at), arrived_at is null),
          ('travel', picked_up_at, delivered_at, false)
      ) as stretch (kind, from_at, to_at, is_censored)
      -- Each leaves at least this row, so that nobody looks again.
      where kind = 'lead' or (from_at is not null and to_at is not null)
    ),
    observed as (
      insert into logistics_observations (
        merchant_id, shipment_id, kind, carrier, zone_from, zone_to, hour_bucket, seconds, is_censored, is_inferred,
        observed_at, recorded_at
      )
      select
        merchant_id, id, kind, carrier, pickup_zone_id, dropoff_zone_id,
        width_bucket(extract(hour from from_at at time zone 'Africa/Lagos')::integer, ${bucketStarts}),
        case when seconds > 0 and seconds <= ${sql.lit(longestSeconds)} then seconds end, is_censored,
        kind <> 'travel' and arrived_at is null, to_at, ${p.now}::timestamptz
      from took
      on conflict do nothing
      returning shipment_id
    ),
    settled as (
      update schedule_predictions
      set
        dispatched_at = known.dispatched_at,
        ready_at = case when known.has_waited then known.picked_up_at end,
        ready_by_at = case when not known.has_waited then coalesce(known.arrived_at, known.picked_up_at) end,
        arrived_at = known.arrived_at,
        completed_at = ${p.now}::timestamptz
      from known
      where schedule_predictions.merchant_id = known.merchant_id and schedule_predictions.shipment_id = known.id
    )
    select count(distinct shipment_id) as shipments from observed`,
)

/** Keeps what the shipments took that have ended since the last time, of all merchants, and says how many there were. */
export async function observeShipments(database: Database, now: Timestamp): Promise<number> {
  let total = 0
  for (;;) {
    const [seen] = await retryConflicts(() => database.run(observe, { now }))
    const shipments = seen?.shipments ?? 0
    total += shipments
    if (shipments < batch) return total
  }
}

/** A run that ended half-way is made up for by the next, an hour later. */
const recentHours = 2

const listObserved = reading<{ now: Timestamp }>()('list_observed_merchants', (p) =>
  build
    .selectFrom('logistics_observations')
    .where('recorded_at', '>', sql<Timestamp>`${p.now}::timestamptz - make_interval(hours => ${sql.lit(recentHours)})`)
    .select('merchant_id as merchantId')
    .distinct(),
)

/** Of whom something was seen lately. */
export async function listObservedMerchants(db: ReadDb, now: Timestamp): Promise<readonly MerchantId[]> {
  return (await db.read(listObserved, { now })).map(({ merchantId }) => MerchantId.parse(merchantId))
}

/** Beyond what is learnt from, they are of use to nobody. */
const retentionDays = 90

const deleteBatch = 5000

const deleteOld = writing<{ now: Timestamp }>()(
  'delete_observations',
  (p) => sql<{ kind: string }>`
    delete from logistics_observations
    where (merchant_id, shipment_id, kind) in (
      select merchant_id, shipment_id, kind
      from logistics_observations
      where recorded_at < ${p.now}::timestamptz - make_interval(days => ${sql.lit(retentionDays)})
      order by recorded_at
      limit ${sql.lit(deleteBatch)}
    )
    returning kind`,
)

export async function deleteOldObservations(database: Database, now: Timestamp): Promise<void> {
  for (;;) {
    if ((await database.run(deleteOld, { now })).length < deleteBatch) return
  }
}
