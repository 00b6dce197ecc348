import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { bookkeep } from '../../core/bookkeeping.ts'
import type { Database } from '../../core/database.ts'
import { merchantBatches } from '../../core/merchant-batches.ts'
import { reading, writing } from '../../core/statement.ts'
import {
  drawnSeconds,
  latestObservation,
  observationDays,
  type Priors,
  quantilesOf,
  withChance,
} from './quantile-cases.ts'

/**
 * What was seen of all merchants together, rolled up by zones. Quantiles need all cases of a zone at once, and there are the
 * more of them the more merchants there are, so no statement visits all: the cases of a few merchants at a time are
 * gathered in a table of the transaction, and rolled up from there by zones and parts of the day.
 */

/** So that in what merchants have in common the busiest of them does not drown the others. */
const latestShared = 20

/** Likewise, for every zone and part of the day. */
const latestSharedLooked = 60

/** Of two, each would know the other’s times by knowing their own. */
const leastMerchants = 3

const makeTable = writing<object>()(
  'make_shared_cases',
  () => sql`
    create temporary table shared_cases (
      is_simulated boolean not null,
      kind text collate "C" not null,
      zone_from text collate "C" not null,
      zone_to text collate "C" not null,
      hour_bucket smallint not null,
      age integer not null,
      seconds double precision not null
    )
    on commit drop`,
)

/** Made before the rows, so that it grows with each batch and no statement has to sort them all. */
const indexTable = writing<object>()(
  'index_shared_cases',
  () => sql`create index on shared_cases (kind, zone_from, hour_bucket, is_simulated)`,
)

/** What is rolled up at once. */
interface Slice {
  readonly isSimulated: boolean
  readonly kind: string
  /** Empty is everywhere. */
  readonly zoneFrom: string
  readonly hourBucket: number
}

/** Each shipment that taught anything taught how long its rider took. */
const listTaught = reading<{ now: Timestamp }>()(
  'list_taught_merchants',
  (p) => sql<{ id: MerchantId }>`
    select id
    from merchants
    where exists (
      select
      from logistics_observations seen
      where seen.merchant_id = merchants.id and seen.kind = 'lead'
        and seen.observed_at > ${p.now}::timestamptz - make_interval(days => ${sql.lit(observationDays)})
    )
    order by id`,
)

/** A way has two ends; how long preparing takes, and how far riders are, is of the place where the parcel is. */
const gather = writing<{ merchantIds: readonly MerchantId[]; now: Timestamp } & Priors>()(
  'gather_shared_cases',
  (p) => sql<Slice>`
    with gathered as (
      insert into shared_cases (is_simulated, kind, zone_from, zone_to, hour_bucket, age, seconds)
      select is_simulated, kind, zone_from, zone_to, hour_bucket, age, seconds
      from (
        select
          mode = 'test' as is_simulated, latest.kind, place.zone_from, place.zone_to, part.hour_bucket, drawn.seconds,
          row_number() over (
            partition by latest.merchant_id, latest.kind, place.zone_from, place.zone_to, part.hour_bucket order by observed_at desc
          ) as age
        from merchants
        cross join (values ('prep'), ('lead'), ('travel')) as wanted (kind)
        cross join lateral (${latestObservation(p, sql`merchants.id`)}) as before
        cross join lateral (${withChance(sql`
          select *
          from logistics_observations
          where logistics_observations.merchant_id = merchants.id and logistics_observations.kind = wanted.kind
            and observed_at > ${p.now}::timestamptz - make_interval(days => ${sql.lit(observationDays)})
          order by observed_at desc
          limit ${sql.lit(latestSharedLooked)}
        `)}) as latest
        cross join lateral (select ${drawnSeconds} as seconds) as drawn
        cross join lateral (values (-1), (latest.hour_bucket)) as part (hour_bucket)
        cross join lateral (
          values
            (case when latest.kind <> 'travel' then '' end, ''),
            (latest.zone_from, case when latest.kind = 'travel' then latest.zone_to else '' end)
        ) as place (zone_from, zone_to)
        where merchants.id = any(${p.merchantIds}::text[])
          and latest.seconds is not null and place.zone_from is not null and place.zone_to is not null
      ) as aged
      where age <= ${sql.lit(latestShared)}
      returning is_simulated, kind, zone_from, hour_bucket
    )
    select distinct is_simulated as "isSimulated", kind, zone_from as "zoneFrom", hour_bucket as "hourBucket"
    from gathered`,
)

const countTable = writing<object>()('count_shared_cases', () => sql`analyze shared_cases`)

const key = ['is_simulated', 'kind', 'zone_from', 'zone_to', 'hour_bucket']

/** Everyone who is counted has one latest case. */
const sharedCases = (p: Slice) => sql`
  select is_simulated, kind, zone_from, zone_to, hour_bucket, seconds
  from (
    select *, count(*) filter (where age = 1) over (partition by zone_to) as merchants
    from shared_cases
    where kind = ${p.kind} and zone_from = ${p.zoneFrom} and hour_bucket = ${p.hourBucket}::smallint
      and is_simulated = ${p.isSimulated}::boolean
  ) as counted
  where merchants >= ${sql.lit(leastMerchants)}`

const rollUp = writing<Slice & { now: Timestamp }>()(
  'roll_up_shared_quantiles',
  (p) => sql`
    insert into shared_quantiles (
      is_simulated, kind, zone_from, zone_to, hour_bucket, sample_size, seconds, updated_at
    )
    select is_simulated, kind, zone_from, zone_to, hour_bucket, sample_size, seconds, ${p.now}::timestamptz
    from (${quantilesOf(sharedCases(p), key)}) as rolled
    order by zone_to
    on conflict (is_simulated, kind, zone_from, zone_to, hour_bucket)
    do update set sample_size = excluded.sample_size, seconds = excluded.seconds, updated_at = excluded.updated_at`,
)

export function rollUpSharedQuantiles(
  database: Database,
  { now, priors }: { readonly now: Timestamp; readonly priors: Priors },
): Promise<void> {
  return bookkeep(database, async (trx) => {
    await trx.write(makeTable, {})
    await trx.write(indexTable, {})
    const merchantIds = (await trx.read(listTaught, { now })).map(({ id }) => id)
    const slices = new Map<string, Slice>()
    for (const some of merchantBatches(merchantIds)) {
      const gathered = await trx.write(gather, { merchantIds: some, now, ...priors })
      for (const slice of gathered) slices.set(nameOf(slice), slice)
    }
    await trx.write(countTable, {})
    // In one order, so that two that run at once do not deadlock.
    const names = [...slices.keys()].sort()
    for (const name of names) {
      const slice = slices.get(name)
      if (slice !== undefined) await trx.write(rollUp, { ...slice, now })
    }
  })
}

function nameOf({ isSimulated, kind, zoneFrom, hourBucket }: Slice): string {
  return `${isSimulated} ${kind} ${zoneFrom} ${hourBucket}`
}
