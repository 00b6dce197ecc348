import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import { persist } from './bookkeeping.ts'
import type { Database, ReadDb } from './database.ts'
import { asRecord } from './json.ts'
import { build, reading, writing } from './statement.ts'

/** What was seen, rolled up: of each merchant by the hours of the day, and of all of them together by zones. */

/** Longer ago, a merchant may have been another shop. */
const learntDays = 60

/** As many as tell one case in twenty; further back it says more about then than about now. */
const latestOwn = 200

/** Enough to find those of every part of the day among them. */
const latestLooked = 400

/** So that in what merchants have in common the busiest of them does not drown the others. */
const latestShared = 20

/** Likewise, for every zone and part of the day. */
const latestSharedLooked = 60

/** Of two, each would know the other’s times by knowing their own. */
const leastMerchants = 3

/**
 * The quantiles of what is partly known as a bound only (Kaplan and Meier’s estimate, which looks from the longest down,
 * because the bounds are upper ones). Without bounds it is the plain share of the sorted cases. The i-th of n cases stands for the
 * share i / (n + 1), as the next case, which is what is foretold, falls between two of them as often as between any others. `cases` has
 * the columns of `grouping`, seconds and is_censored.
 */
function quantilesOf(cases: RawBuilder<unknown>, grouping: readonly string[]): RawBuilder<unknown> {
  const keys = sql.join(grouping.map((column) => sql.ref(column)))
  return sql`
    with ranked as (
      select
        ${keys}, seconds, is_censored,
        row_number() over (partition by ${keys} order by seconds, is_censored desc) as rank,
        count(*) over (partition by ${keys}) as total
      from (${cases}) as cases
    ),
    placed as (
      select
        ${keys}, seconds, is_censored,
        exp(coalesce(sum(case when is_censored then 0 else ln(1 - 1.0 / greatest(rank, 2)) end) over (
          partition by ${keys} order by rank desc rows between unbounded preceding and 1 preceding
        ), 0))::double precision * total / (total + 1) as share
      from ranked
    ),
    steps as (
      select
        ${keys}, seconds, share,
        lead(seconds) over (partition by ${keys} order by share) as next_seconds,
        lead(share) over (partition by ${keys} order by share) as next_share,
        min(seconds) over (partition by ${keys}) as least,
        count(*) over (partition by ${keys}) as sample_size
      from placed
      where not is_censored
    ),
    at_shares as (
      select
        ${keys}, step, max(sample_size) as sample_size,
        coalesce(
          max(
            case
              when next_share is null then seconds
              else seconds + (next_seconds - seconds) * (step / 20.0 - share) / (next_share - share)
            end
          ) filter (where share <= step / 20.0 and (next_share is null or next_share > step / 20.0)),
          max(least)
        ) as seconds
      from steps
      cross join generate_series(1, 19) as step
      group by ${keys}, step
    )
    select ${keys}, max(sample_size)::integer as sample_size, array_agg(seconds order by step) as seconds
    from at_shares
    group by ${keys}`
}

/** Of each kind, the whole day and every part of it: as many of the latest as count. */
const ownCases = (merchantIds: readonly MerchantId[], now: Timestamp) => sql`
  select merchant_id, kind, hour_bucket, seconds, is_censored
  from (
    select
      latest.merchant_id, latest.kind, part.hour_bucket, seconds, is_censored,
      row_number() over (
        partition by latest.merchant_id, latest.kind, part.hour_bucket order by observed_at desc
      ) as age
    from unnest(${merchantIds}::text[]) as merchant (id)
    cross join (values ('prep'), ('lead')) as wanted (kind)
    cross join lateral (
      select *
      from logistics_observations
      where logistics_observations.merchant_id = merchant.id and logistics_observations.kind = wanted.kind
        and observed_at > ${now}::timestamptz - make_interval(days => ${sql.lit(learntDays)})
      order by observed_at desc
      limit ${sql.lit(latestLooked)}
    ) as latest
    cross join lateral (values (-1), (latest.hour_bucket)) as part (hour_bucket)
    where seconds is not null
  ) as aged
  where age <= ${sql.lit(latestOwn)}`

const rollUpOwn = writing<{ merchantIds: readonly MerchantId[]; now: Timestamp }>()(
  'roll_up_quantiles',
  (p) => sql`
    insert into logistics_quantiles (merchant_id, kind, hour_bucket, sample_size, seconds, updated_at)
    select merchant_id, kind, hour_bucket, sample_size, seconds, ${p.now}::timestamptz
    from (${quantilesOf(ownCases(p.merchantIds, p.now), ['merchant_id', 'kind', 'hour_bucket'])}) as rolled
    on conflict (merchant_id, kind, hour_bucket)
    do update set sample_size = excluded.sample_size, seconds = excluded.seconds, updated_at = excluded.updated_at`,
)

/** A way has two ends; how long preparing takes, and how far riders are, is of the place where the parcel is. */
const sharedCases = (now: Timestamp) => sql`
  select is_simulated, kind, zone_from, zone_to, hour_bucket, seconds, is_censored
  from (
    select *, count(*) filter (where age = 1) over (
      partition by is_simulated, kind, zone_from, zone_to, hour_bucket
    ) as merchants
    from (
      select
        mode = 'test' as is_simulated, latest.kind, place.zone_from, place.zone_to, part.hour_bucket, seconds, is_censored,
        row_number() over (
          partition by latest.merchant_id, latest.kind, place.zone_from, place.zone_to, part.hour_bucket order by observed_at desc
        ) as age
      from merchants
      cross join (values ('prep'), ('lead'), ('travel')) as wanted (kind)
      cross join lateral (
        select *
        from logistics_observations
        where logistics_observations.merchant_id = merchants.id and logistics_observations.kind = wanted.kind
          and observed_at > ${now}::timestamptz - make_interval(days => ${sql.lit(learntDays)})
        order by observed_at desc
        limit ${sql.lit(latestSharedLooked)}
      ) as latest
      cross join lateral (values (-1), (latest.hour_bucket)) as part (hour_bucket)
      cross join lateral (
        values
          (case when latest.kind <> 'travel' then '' end, ''),
          (latest.zone_from, case when latest.kind = 'travel' then latest.zone_to else '' end)
      ) as place (zone_from, zone_to)
      where seconds is not null and place.zone_from is not null and place.zone_to is not null
    ) as aged
    where age <= ${sql.lit(latestShared)}
  ) as counted
  where merchants >= ${sql.lit(leastMerchants)}`

const sharedKey = ['is_simulated', 'kind', 'zone_from', 'zone_to', 'hour_bucket']

const rollUpShared = writing<{ now: Timestamp }>()(
  'roll_up_shared_quantiles',
  (p) => sql`
    insert into shared_quantiles (
      is_simulated, kind, zone_from, zone_to, hour_bucket, sample_size, seconds, updated_at
    )
    select is_simulated, kind, zone_from, zone_to, hour_bucket, sample_size, seconds, ${p.now}::timestamptz
    from (${quantilesOf(sharedCases(p.now), sharedKey)}) as rolled
    on conflict (is_simulated, kind, zone_from, zone_to, hour_bucket)
    do update set sample_size = excluded.sample_size, seconds = excluded.seconds, updated_at = excluded.updated_at`,
)

/** Few enough that a statement stays far below its time limit. */
const merchantsAtOnce = 50

/** Of the merchants of whom something new was seen; and of all together, if there was anything new at all. */
export async function rollUpQuantiles(
  database: Database,
  merchantIds: readonly MerchantId[],
  now: Timestamp,
): Promise<void> {
  for (let start = 0; start < merchantIds.length; start += merchantsAtOnce) {
    const some = merchantIds.slice(start, start + merchantsAtOnce)
    await persist(() => database.run(rollUpOwn, { merchantIds: some, now }))
  }
  if (merchantIds.length > 0) await persist(() => database.run(rollUpShared, { now }))
}

export type LearntKind = 'prep' | 'lead' | 'travel'

/** Rolled-up quantiles as they are kept; -1 is the whole day. */
export interface KeptQuantiles {
  readonly kind: LearntKind
  readonly hourBucket: number
  readonly count: number
  readonly seconds: readonly number[]
}

export interface KeptSharedQuantiles extends KeptQuantiles {
  /** Empty is everywhere. */
  readonly zoneFrom: string
}

export interface KeptCalibration {
  readonly kind: 'ready' | 'arrival'
  readonly widening: number
  readonly coverage50: number
  readonly coverage90: number
  readonly count: number
}

/** All that is known that may bear on one shipment of one merchant. */
export interface Learnt {
  readonly own: readonly KeptQuantiles[]
  readonly shared: readonly KeptSharedQuantiles[]
  readonly calibrations: readonly KeptCalibration[]
}

interface LearntKey {
  readonly merchantId: MerchantId
  readonly isSimulated: boolean
  readonly zoneFrom: string
  readonly zoneTo: string
}

const find = reading<LearntKey>()('find_learnt', (p) =>
  build.selectNoFrom([
    sql<Learnt['own']>`coalesce((
      select json_agg(json_build_object(
        'kind', kind, 'hourBucket', hour_bucket, 'count', sample_size, 'seconds', seconds
      ))
      from logistics_quantiles
      where merchant_id = ${p.merchantId}
    ), '[]')`.as('own'),
    sql<Learnt['shared']>`coalesce((
      select json_agg(json_build_object(
        'kind', kind, 'zoneFrom', zone_from, 'hourBucket', hour_bucket, 'count', sample_size, 'seconds', seconds
      ))
      from shared_quantiles
      where is_simulated = ${p.isSimulated}::boolean
        and (
          zone_to = '' and zone_from in ('', ${p.zoneFrom}::text)
          or kind = 'travel' and zone_from = ${p.zoneFrom}::text and zone_to = ${p.zoneTo}::text
        )
    ), '[]')`.as('shared'),
    sql<Learnt['calibrations']>`coalesce((
      select json_agg(json_build_object(
        'kind', kind, 'widening', widening, 'coverage50', coverage50, 'coverage90', coverage90, 'count', sample_size
      ))
      from schedule_calibrations
      where merchant_id = ${p.merchantId}
    ), '[]')`.as('calibrations'),
  ]),
)

export async function findLearnt(db: ReadDb, key: LearntKey): Promise<Learnt> {
  const [row] = await db.read(find, key)
  return row === undefined ? { own: [], shared: [], calibrations: [] } : asRecord<Learnt>(row)
}
