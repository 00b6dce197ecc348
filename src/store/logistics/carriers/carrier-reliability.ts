import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import { bookkeep } from '../../core/bookkeeping.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { daySlices, type Slice } from '../../core/day-slices.ts'
import { build, reading, writing } from '../../core/statement.ts'

/** How the askings of the last weeks ended, by carrier, with those of one zone apart. */

/** Two months: what is older weighs next to nothing. */
const windowDays = 60

/** A fortnight halves the weight of what a carrier did. */
const halfLifeDays = 14

export interface CarrierRecord {
  readonly carrier: string
  readonly succeeded: number
  readonly failed: number
  readonly succeededHere: number
  readonly failedHere: number
}

const everywhere = ''

/** The merchant’s money or account stood in the way, or one order of two had to go, or it was never asked: none of it is the carrier’s. */
const blamelessCodes = [
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
 * What was called off by the merchant says nothing of the carrier, and neither does what was never sent; what the carrier gave
 * back does, and so does a yes that came when others had been asked.
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
        and coalesce(attempt.outcome_code, '') not in (${sql.join(blamelessCodes.map((code) => sql.lit(code)))})
    ) as ended
    group by zone_id, carrier`,
)

const rollUp = writing<{ now: Timestamp }>()(
  'roll_up_carrier_records',
  (p) => sql`
    with rolled as (
      select
        case when grouping(zone_id) = 1 then ${sql.lit(everywhere)} else zone_id end as zone_id, carrier,
        sum(succeeded) as succeeded, sum(failed) as failed
      from gathered_records
      group by grouping sets ((carrier), (carrier, zone_id))
      having grouping(zone_id) = 1 or zone_id is not null
    ),
    gone as (
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
    -- In one order, so that two that run at once do not deadlock.
    order by zone_id, carrier
    on conflict (zone_id, carrier) do update
    set succeeded = excluded.succeeded, failed = excluded.failed, rolled_up_at = excluded.rolled_up_at`,
)

/** Reckoned anew from the rows each time, so that a run that was missed or came twice leaves nothing behind. */
export function rollUpCarrierRecords(database: Database, now: Timestamp): Promise<void> {
  return bookkeep(database, async (trx) => {
    await trx.write(makeGatheredRecords, {})
    for (const slice of daySlices(now, windowDays)) await trx.write(gatherCarrierRecords, { ...slice, now })
    await trx.write(rollUp, { now })
  })
}

/** A weight goes on falling after the roll-up; of two together it falls alike, so they need not be rolled up to be right. */
export const carrierRecordList = reading<{ zoneId: string; now: Timestamp }>()('list_carrier_records', (p) => {
  const faded = sql`power(2, -extract(epoch from ${p.now}::timestamptz - rolled_up_at) / ${sql.lit(halfLifeDays * 86_400)})`
  const sum = (column: 'succeeded' | 'failed', zoneId: ReturnType<typeof sql> | string) =>
    sql<number>`coalesce(sum(${sql.ref(column)} * ${faded}) filter (where zone_id = ${zoneId}), 0)::double precision`
  const all = sql`${sql.lit(everywhere)}`
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
  // Of no zone, which is no zone’s name: what was done everywhere was done nowhere in particular.
  return db.read(carrierRecordList, { zoneId: zoneId ?? 'none', now })
}
