import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import { bookkeep } from '../../core/bookkeeping.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { daySlices, type Slice } from '../../core/day-slices.ts'
import { build, shortReading, writing } from '../../core/statement.ts'

/** Weighted outcomes of each carrier's dispatch attempts in the last weeks, both in total and in a single zone. */

/** Period of the reliability statistics in days. Older attempts would weigh almost nothing. */
const windowDays = 60

/** Half-life, in days, of the weight that a dispatch attempt has in the reliability of its carrier. */
const halfLifeDays = 14

export interface CarrierRecord {
  readonly carrier: string
  readonly succeeded: number
  readonly failed: number
  readonly succeededHere: number
  readonly failedHere: number
}

const allZones = ''

/**
 * Outcome codes that do not affect the reliability of a carrier: the merchant’s account or funds were the cause, the
 * service cancelled one of two duplicate orders, or no request was sent.
 */
const ignoredCodes = [
  'wallet_insufficient',
  'account_blocked',
  'quote_expired',
  'circuit_open',
  'not_sent',
  'duplicate',
] as const

export const makeGatheredRecords = writing<object>()(
  'make_gathered_records',
  () => sql`
    create temporary table gathered_records (
      zone_id text, carrier text not null, succeeded double precision not null, failed double precision not null
    )
    on commit drop`,
)

/**
 * Collects the weighted outcomes of attempts. Attempts that the merchant cancelled are ignored. A cancellation by the
 * carrier is treated as a failure, as is a late acceptance.
 */
export const gatherCarrierRecords = writing<Slice & { now: Timestamp }>()(
  'gather_carrier_records',
  (p) => sql`
    insert into gathered_records (zone_id, carrier, succeeded, failed)
    select
      zone_id, carrier, coalesce(sum(weight) filter (where is_succeeded), 0), coalesce(sum(weight) filter (where not is_succeeded), 0)
    from (
      select
        attempt.carrier, shipment.pickup_zone_id as zone_id, attempt.state in ('accepted', 'completed') as is_succeeded,
        power(2, -extract(epoch from ${p.now}::timestamptz - attempt.started_at) / ${sql.lit(halfLifeDays * 86_400)})
          as weight
      from dispatch_attempts attempt
      join shipments shipment on shipment.merchant_id = attempt.merchant_id and shipment.id = attempt.shipment_id
      where attempt.started_at > ${p.after}::timestamptz
        and attempt.started_at <= coalesce(${p.until}::timestamptz, 'infinity')
        and attempt.state in (
          'accepted', 'completed', 'refused', 'unavailable', 'not_found_at_carrier', 'abandoned', 'late_cancelled',
          'superseded', 'cancelled'
        )
        and (attempt.state <> 'cancelled' or attempt.outcome_code = 'carrier_cancelled')
        and coalesce(attempt.outcome_code, '') not in (${sql.join(ignoredCodes.map((code) => sql.lit(code)))})
    ) as ended
    group by zone_id, carrier`,
)

const rollUp = writing<{ now: Timestamp }>()(
  'roll_up_carrier_records',
  (p) => sql`
    with rolled as (
      select
        case when grouping(zone_id) = 1 then ${sql.lit(allZones)} else zone_id end as zone_id, carrier,
        sum(succeeded) as succeeded, sum(failed) as failed
      from gathered_records
      group by grouping sets ((carrier), (carrier, zone_id))
      having grouping(zone_id) = 1 or zone_id is not null
    ),
    deleted as (
      delete from carrier_records
      where not exists (
        select
        from rolled
        where rolled.zone_id = carrier_records.zone_id and rolled.carrier = carrier_records.carrier
      )
    )
    insert into carrier_records (zone_id, carrier, succeeded, failed, rolled_up_at)
    select zone_id, carrier, succeeded, failed, ${p.now}::timestamptz
    from rolled
    -- Ordered, so that two concurrent runs do not deadlock.
    order by zone_id, carrier
    on conflict (zone_id, carrier) do update
    set succeeded = excluded.succeeded, failed = excluded.failed, rolled_up_at = excluded.rolled_up_at`,
)

/**
 * Replaces the reliability records by those computed from the attempts, so that a missed or repeated run has no lasting
 * effect.
 */
export function rollUpCarrierRecords(database: Database, now: Timestamp): Promise<void> {
  return bookkeep(database, async (trx) => {
    await trx.write(makeGatheredRecords, {})
    for (const slice of daySlices(now, windowDays)) await trx.write(gatherCarrierRecords, { ...slice, now })
    await trx.write(rollUp, { now })
  })
}

/**
 * The roll-up stores sums of the attempts' weights. This query decays the sums by the time since the roll-up. All
 * weights decay at the same rate, so the ratio of successes to failures stays correct.
 */
export const carrierRecordList = shortReading<{ zoneId: string; now: Timestamp }>()('list_carrier_records', (p) => {
  const decayed = sql`power(2, -extract(epoch from ${p.now}::timestamptz - rolled_up_at) / ${sql.lit(halfLifeDays * 86_400)})`
  const sum = (column: 'succeeded' | 'failed', zoneId: ReturnType<typeof sql> | string) =>
    sql<number>`coalesce(sum(${sql.ref(column)} * ${decayed}) filter (where zone_id = ${zoneId}), 0)::double precision`
  const all = sql`${sql.lit(allZones)}`
  return build
    .selectFrom('carrier_records')
    .where(sql<boolean>`zone_id in (${all}, ${p.zoneId})`)
    .groupBy('carrier')
    .select([
      'carrier',
      sum('succeeded', all).as('succeeded'),
      sum('failed', all).as('failed'),
      sum('succeeded', p.zoneId).as('succeededHere'),
      sum('failed', p.zoneId).as('failedHere'),
    ])
})

export async function listCarrierRecords(
  db: ReadDb,
  zoneId: string | null,
  now: Timestamp,
): Promise<readonly CarrierRecord[]> {
  // Without a zone, the query uses the zone id `none`. No zone has this id, so the counts of the zone are then 0.
  return db.read(carrierRecordList, { zoneId: zoneId ?? 'none', now })
}
