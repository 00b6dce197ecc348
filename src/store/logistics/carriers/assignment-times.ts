import { sql } from 'kysely'
import type { ShipmentStatus } from '../../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import { bookkeep } from '../../core/bookkeeping.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { daySlices, type Slice } from '../../core/day-slices.ts'
import { build, reading, writing } from '../../core/statement.ts'

/** Times from the acceptance of an order to the assignment of a rider, by carrier, over all merchants. */

/**
 * Number of past days whose rider assignment times are used, equal to the number of days for the reliability of
 * carriers.
 */
const windowDays = 60

/**
 * Statuses that a shipment reaches only after a rider was assigned. If a carrier does not report its riders, the first
 * of these statuses is treated as the assignment.
 */
const riderStatuses: readonly ShipmentStatus[] = [
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'at_dropoff',
]

export const makeGatheredTimes = writing<object>()(
  'make_gathered_times',
  () => sql`
    create temporary table gathered_times (
      carrier text not null, zone_id text not null, is_on_demand boolean not null, seconds double precision not null
    )
    on commit drop`,
)

/**
 * Collects the times that carriers took to assign a rider, measured by this service’s clock like the assignment
 * timeout. If an attempt was replaced before it had a rider, its time is treated as infinite. Otherwise, each timeout
 * would remove the longest times from the samples from which the next timeout is computed, and the timeouts would
 * shrink to zero. Attempts with a merchant’s own timeout are excluded, because slow assignments could not be observed.
 */
export const gatherAssignmentTimes = writing<Slice & { statuses: readonly string[] }>()(
  'gather_assignment_times',
  (p) => sql`
    insert into gathered_times (carrier, zone_id, is_on_demand, seconds)
    select
      attempt.carrier, shipment.pickup_zone_id, attempt.offer ->> 'serviceLevel' = 'on_demand',
      case
        when attempt.state = 'superseded' then 'infinity'
        else greatest(0, extract(epoch from seen.at - attempt.resolved_at))::double precision
      end
    from dispatch_attempts attempt
    join shipments shipment on shipment.merchant_id = attempt.merchant_id and shipment.id = attempt.shipment_id
    left join lateral (
      select min(received_at) as at
      from shipment_events event
      where event.merchant_id = attempt.merchant_id and event.shipment_id = attempt.shipment_id
        and event.attempt_number = attempt.number and event.is_applied
        and event.status = any(${p.statuses}::text[])
    ) seen on attempt.state <> 'superseded'
    where attempt.started_at > ${p.after}::timestamptz
      and attempt.started_at <= coalesce(${p.until}::timestamptz, 'infinity')
      and (
        attempt.state in ('accepted', 'completed')
        or (attempt.state = 'superseded' and attempt.outcome_code = 'no_courier_assigned')
      )
      and shipment.failover ->> 'assignTimeoutSeconds' is null
      and shipment.pickup_zone_id is not null
      -- An attempt that still waits for its rider has no time yet.
      and (attempt.state = 'superseded' or (seen.at is not null and attempt.resolved_at is not null))`,
)

const listCarriers = reading<object>()(
  'list_gathered_carriers',
  () => sql<{ carrier: string }>`
    select carrier from gathered_times
    union
    select carrier from carrier_assignment_times
    order by carrier`,
)

const rollUp = writing<{ carrier: string; now: Timestamp }>()(
  'roll_up_assignment_times',
  (p) => sql`
    with rolled as (
      select
        carrier, zone_id, is_on_demand, count(*)::integer as sample_size,
        percentile_disc(0.95) within group (order by seconds) as p95_seconds
      from gathered_times
      where carrier = ${p.carrier}
      group by carrier, zone_id, is_on_demand
    ),
    deleted as (
      delete from carrier_assignment_times known
      where known.carrier = ${p.carrier}
        and not exists (
          select
          from rolled
          where rolled.zone_id = known.zone_id and rolled.is_on_demand = known.is_on_demand
        )
    )
    insert into carrier_assignment_times (carrier, zone_id, is_on_demand, sample_size, p95_seconds, rolled_up_at)
    select carrier, zone_id, is_on_demand, sample_size, nullif(p95_seconds, 'infinity'), ${p.now}::timestamptz
    from rolled
    order by zone_id, is_on_demand
    on conflict (carrier, zone_id, is_on_demand) do update
    set
      sample_size = excluded.sample_size, p95_seconds = excluded.p95_seconds, rolled_up_at = excluded.rolled_up_at`,
)

/** Each carrier is rolled up separately, because a percentile is computed from all times of the carrier at once. */
export function rollUpAssignmentTimes(database: Database, now: Timestamp): Promise<void> {
  return bookkeep(database, async (trx) => {
    await trx.write(makeGatheredTimes, {})
    for (const slice of daySlices(now, windowDays)) {
      await trx.write(gatherAssignmentTimes, { ...slice, statuses: riderStatuses })
    }
    for (const { carrier } of await trx.read(listCarriers, {})) await trx.write(rollUp, { carrier, now })
  })
}

export interface AssignmentKey {
  readonly carrier: string
  readonly zoneId: string
  readonly isOnDemand: boolean
}

export interface AssignmentTimes {
  readonly sampleSize: number
  readonly p95Seconds: number | null
}

export const assignmentTimesOf = reading<AssignmentKey>()('find_assignment_times', (p) =>
  build
    .selectFrom('carrier_assignment_times')
    .where('carrier', '=', p.carrier)
    .where('zoneId', '=', p.zoneId)
    .where('isOnDemand', '=', p.isOnDemand)
    .select(['sampleSize', 'p95Seconds']),
)

/** Undefined without samples. */
export async function findAssignmentTimes(db: ReadDb, key: AssignmentKey): Promise<AssignmentTimes | undefined> {
  return (await db.read(assignmentTimesOf, key))[0]
}
