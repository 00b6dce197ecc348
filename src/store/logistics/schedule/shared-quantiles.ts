import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { bookkeep } from '../../core/bookkeeping.ts'
import type { Database } from '../../core/database.ts'
import { merchantBatches } from '../../core/merchant-batches.ts'
import { searching, writing } from '../../core/statement.ts'
import { isRecent } from './observations.ts'
import {
  imputedSeconds,
  observationDays,
  type Priors,
  previousDistribution,
  quantilesOf,
  withProbability,
} from './quantile-cases.ts'

/**
 * Rolls up the observed durations of all merchants together, by zone and hour bucket. Quantiles need all durations of a
 * zone at once, so the durations are first copied into a temporary table, with one statement for each merchant.
 */

/**
 * Maximum number of durations of one merchant in a group (kind, pair of zones and hour bucket), so that large merchants
 * do not dominate the group.
 */
const latestShared = 20

/**
 * Maximum number of observations that are read per merchant and kind of duration: enough to include observations of
 * each zone and hour bucket.
 */
const latestSharedRead = 60

/**
 * Minimum number of merchants in a group. In a group of two, each merchant could infer the other's times by subtracting
 * its own.
 */
const merchantsMin = 3

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

/**
 * The index of the temporary table is created before the rows are inserted, so that each batch extends it and no
 * statement has to sort all rows.
 */
const indexTable = writing<object>()(
  'index_shared_cases',
  () => sql`create index on shared_cases (kind, zone_from, hour_bucket, is_simulated)`,
)

/**
 * The durations that one statement rolls up into quantiles: all durations of one kind, one pickup zone and one hour
 * bucket.
 */
interface Slice {
  readonly isSimulated: boolean
  readonly kind: string
  /** The pickup zone of the quantiles. An empty text stands for all zones. */
  readonly zoneFrom: string
  readonly hourBucket: number
}

/**
 * Lists the merchants that have stored quantiles, or observations that were recorded in the last two hours. Of the
 * quantiles, only the kind `lead` is searched, because every recorded shipment has a lead time. A search of all
 * observations would take long.
 */
const listMerchants = searching<{ now: Timestamp }>()(
  'list_merchants_with_observations',
  (p, isReachable) => sql<{ merchantId: MerchantId }>`
    select merchant_id
    from logistics_quantiles
    where ${isReachable('merchantId')} and kind = 'lead' and hour_bucket = -1
    union
    select merchant_id
    from logistics_observations
    where ${isReachable('merchantId')} and ${isRecent(p.now)}
    order by merchant_id`,
)

/**
 * Copies the observed durations of a merchant into the temporary table. Travel times depend on the pickup zone and the
 * dropoff zone; preparation and lead times only on the pickup zone.
 */
const gather = writing<{ merchantId: MerchantId; now: Timestamp } & Priors>()(
  'gather_shared_cases',
  (p) => sql<Slice>`
    with gathered as (
      insert into shared_cases (is_simulated, kind, zone_from, zone_to, hour_bucket, age, seconds)
      select is_simulated, kind, zone_from, zone_to, hour_bucket, age, seconds
      from (
        select
          mode = 'test' as is_simulated, latest.kind, place.zone_from, place.zone_to, part.hour_bucket, imputed.seconds,
          row_number() over (
            partition by latest.kind, place.zone_from, place.zone_to, part.hour_bucket order by observed_at desc
          ) as age
        from merchants
        cross join (values ('prep'), ('lead'), ('travel')) as wanted (kind)
        cross join lateral (${previousDistribution(p, sql`${p.merchantId}`)}) as previous
        cross join lateral (${withProbability(sql`
          select *
          from logistics_observations
          where merchant_id = ${p.merchantId} and kind = wanted.kind
            and observed_at > ${p.now}::timestamptz - make_interval(days => ${sql.lit(observationDays)})
          order by observed_at desc
          limit ${sql.lit(latestSharedRead)}
        `)}) as latest
        cross join lateral (select ${imputedSeconds} as seconds) as imputed
        cross join lateral (values (-1), (latest.hour_bucket)) as part (hour_bucket)
        cross join lateral (
          values
            (case when latest.kind <> 'travel' then '' end, ''),
            (latest.zone_from, case when latest.kind = 'travel' then latest.zone_to else '' end)
        ) as place (zone_from, zone_to)
        where merchants.id = ${p.merchantId}
          and latest.seconds is not null and place.zone_from is not null and place.zone_to is not null
      ) as aged
      where age <= ${sql.lit(latestShared)}
      returning is_simulated, kind, zone_from, hour_bucket
    )
    select distinct is_simulated, kind, zone_from, hour_bucket
    from gathered`,
)

const countTable = writing<object>()('count_shared_cases', () => sql`analyze shared_cases`)

const key = ['isSimulated', 'kind', 'zoneFrom', 'zoneTo', 'hourBucket']

/**
 * The observed durations of one kind, pickup zone and hour bucket. Dropoff zones with too few merchants are left out.
 * For each dropoff zone, each merchant has exactly one duration with `age` 1, so the count of these durations is the
 * count of merchants.
 */
const sharedCases = (p: Slice) => sql`
  select is_simulated, kind, zone_from, zone_to, hour_bucket, seconds
  from (
    select *, count(*) filter (where age = 1) over (partition by zone_to) as merchants
    from shared_cases
    where kind = ${p.kind} and zone_from = ${p.zoneFrom} and hour_bucket = ${p.hourBucket}::smallint
      and is_simulated = ${p.isSimulated}::boolean
  ) as counted
  where merchants >= ${sql.lit(merchantsMin)}`

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

/** Recomputes the shared quantiles of all merchants in one transaction. */
export function rollUpSharedQuantiles(
  database: Database,
  { now, priors }: { readonly now: Timestamp; readonly priors: Priors },
): Promise<void> {
  return bookkeep(database, async (trx) => {
    await trx.write(makeTable, {})
    await trx.write(indexTable, {})
    const merchantIds = (await trx.search(listMerchants, { now })).map(({ merchantId }) => merchantId)
    const slices = new Map<string, Slice>()
    for (const some of merchantBatches(merchantIds)) {
      // The statements of all merchants of a batch are sent to the database together.
      const gathered = await Promise.all(some.map((merchantId) => trx.write(gather, { merchantId, now, ...priors })))
      for (const slice of gathered.flat()) slices.set(nameOf(slice), slice)
    }
    await trx.write(countTable, {})
    // The groups of observations are rolled up in sorted order, so that concurrent runs do not deadlock.
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
