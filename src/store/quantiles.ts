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
 * Of one that is known by a bound only, a time below it: drawn from what was thought before, as far as that lies below the
 * bound. The bounds left out, a shop that is always ready first would never be known to be; taken for times, it would be
 * known to be slow. The draws are spread evenly rather than by chance, and are the same in every run.
 */
const drawnSeconds = sql`
  case
    when latest.is_censored then greatest(1, quantile_at(
      before.learnt, share_below(before.learnt, latest.seconds) * latest.chance
    ))
    else latest.seconds
  end`

/** Chances that are spread evenly over the cases, in an order that has nothing to do with how long they took. */
const withChance = (newest: RawBuilder<unknown>) => sql`
  select
    newest.*,
    (
      row_number() over (
        partition by is_censored order by hashint8extended((extract(epoch from observed_at) * 1000)::bigint, 0)
      ) - 0.5
    ) / count(*) over (partition by is_censored) as chance
  from (${newest}) as newest`

/** So many of a merchant’s own cases weigh as much as what is taken for granted, as in what is foretold of them. */
const anchor = 6

/** What is taken for granted is as wide as all shops together; one shop is half as wide about its own middle. */
const ownWidth = 1 / 2

/**
 * What is thought before these cases are looked at: where the merchant’s own lay the last time, leaning on what is taken for
 * granted, and as wide as one shop is. Drawn from their own width they would be narrower each time, and drift to nothing.
 */
const lastLearnt = (priors: Priors, merchantId: RawBuilder<unknown>) => sql`
  select array(
    select exp((ln(usual) - ln(usually.seconds[10])) * ${sql.lit(ownWidth)} + coalesce(
      (kept.sample_size * ln(greatest(1, kept.seconds[10])) + ${sql.lit(anchor)} * ln(usually.seconds[10]))
        / (kept.sample_size + ${sql.lit(anchor)}),
      ln(usually.seconds[10])
    ))
    from unnest(usually.seconds) with ordinality as each (usual, step)
    order by step
  ) as learnt
  from (
    select case wanted.kind when 'prep' then ${priors.prep}::double precision[] else ${priors.lead}::double precision[] end as seconds
  ) as usually
  left join logistics_quantiles kept
    on kept.merchant_id = ${merchantId} and kept.kind = wanted.kind and kept.hour_bucket = -1`

/** Nineteen quantiles of each, in seconds. */
export interface Priors {
  readonly prep: readonly number[]
  readonly lead: readonly number[]
}

/**
 * The i-th of n sorted cases stands for the share i / (n + 1), because the next case, which is what is foretold, falls between two of
 * them as often as between any others. percentile_cont itself has it stand for (i - 1) / (n - 1). `cases` has the columns of
 * `grouping`, and seconds.
 */
function quantilesOf(cases: RawBuilder<unknown>, grouping: readonly string[]): RawBuilder<unknown> {
  const keys = sql.join(grouping.map((column) => sql.ref(column)))
  return sql`
    select
      ${keys}, sample_size::integer as sample_size,
      percentile_cont(array(
        select greatest(0, least(1, (step / 20.0 * (sample_size + 1) - 1) / greatest(1, sample_size - 1)))::double precision
        from generate_series(1, 19) as step
        order by step
      )) within group (order by seconds) as seconds
    from (select cases.*, count(*) over (partition by ${keys}) as sample_size from (${cases}) as cases) as counted
    group by ${keys}, sample_size`
}

/** Of each kind, the whole day and every part of it: as many of the latest as count. */
const ownCases = (merchantIds: readonly MerchantId[], now: Timestamp, priors: Priors) => sql`
  select merchant_id, kind, hour_bucket, seconds
  from (
    select
      latest.merchant_id, latest.kind, part.hour_bucket, drawn.seconds,
      row_number() over (
        partition by latest.merchant_id, latest.kind, part.hour_bucket order by observed_at desc
      ) as age
    from unnest(${merchantIds}::text[]) as merchant (id)
    cross join (values ('prep'), ('lead')) as wanted (kind)
    cross join lateral (${lastLearnt(priors, sql`merchant.id`)}) as before
    cross join lateral (${withChance(sql`
      select *
      from logistics_observations
      where logistics_observations.merchant_id = merchant.id and logistics_observations.kind = wanted.kind
        and observed_at > ${now}::timestamptz - make_interval(days => ${sql.lit(learntDays)})
      order by observed_at desc
      limit ${sql.lit(latestLooked)}
    `)}) as latest
    cross join lateral (select ${drawnSeconds} as seconds) as drawn
    cross join lateral (values (-1), (latest.hour_bucket)) as part (hour_bucket)
    where latest.seconds is not null
  ) as aged
  where age <= ${sql.lit(latestOwn)}`

const rollUpOwn = writing<{ merchantIds: readonly MerchantId[]; now: Timestamp } & Priors>()(
  'roll_up_quantiles',
  (p) => sql`
    insert into logistics_quantiles (merchant_id, kind, hour_bucket, sample_size, seconds, updated_at)
    select merchant_id, kind, hour_bucket, sample_size, seconds, ${p.now}::timestamptz
    from (${quantilesOf(ownCases(p.merchantIds, p.now, p), ['merchant_id', 'kind', 'hour_bucket'])}) as rolled
    on conflict (merchant_id, kind, hour_bucket)
    do update set sample_size = excluded.sample_size, seconds = excluded.seconds, updated_at = excluded.updated_at`,
)

/** A way has two ends; how long preparing takes, and how far riders are, is of the place where the parcel is. */
const sharedCases = (now: Timestamp, priors: Priors) => sql`
  select is_simulated, kind, zone_from, zone_to, hour_bucket, seconds
  from (
    select *, count(*) filter (where age = 1) over (
      partition by is_simulated, kind, zone_from, zone_to, hour_bucket
    ) as merchants
    from (
      select
        mode = 'test' as is_simulated, latest.kind, place.zone_from, place.zone_to, part.hour_bucket, drawn.seconds,
        row_number() over (
          partition by latest.merchant_id, latest.kind, place.zone_from, place.zone_to, part.hour_bucket order by observed_at desc
        ) as age
      from merchants
      cross join (values ('prep'), ('lead'), ('travel')) as wanted (kind)
      cross join lateral (${lastLearnt(priors, sql`merchants.id`)}) as before
      cross join lateral (${withChance(sql`
        select *
        from logistics_observations
        where logistics_observations.merchant_id = merchants.id and logistics_observations.kind = wanted.kind
          and observed_at > ${now}::timestamptz - make_interval(days => ${sql.lit(learntDays)})
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
      where latest.seconds is not null and place.zone_from is not null and place.zone_to is not null
    ) as aged
    where age <= ${sql.lit(latestShared)}
  ) as counted
  where merchants >= ${sql.lit(leastMerchants)}`

const sharedKey = ['is_simulated', 'kind', 'zone_from', 'zone_to', 'hour_bucket']

const rollUpShared = writing<{ now: Timestamp } & Priors>()(
  'roll_up_shared_quantiles',
  (p) => sql`
    insert into shared_quantiles (
      is_simulated, kind, zone_from, zone_to, hour_bucket, sample_size, seconds, updated_at
    )
    select is_simulated, kind, zone_from, zone_to, hour_bucket, sample_size, seconds, ${p.now}::timestamptz
    from (${quantilesOf(sharedCases(p.now, p), sharedKey)}) as rolled
    on conflict (is_simulated, kind, zone_from, zone_to, hour_bucket)
    do update set sample_size = excluded.sample_size, seconds = excluded.seconds, updated_at = excluded.updated_at`,
)

/** Few enough that a statement stays far below its time limit. */
const merchantsAtOnce = 50

/** Of the merchants of whom something new was seen; and of all together, if there was anything new at all. */
export async function rollUpQuantiles(
  database: Database,
  merchantIds: readonly MerchantId[],
  by: { readonly now: Timestamp; readonly priors: Priors },
): Promise<void> {
  const args = { now: by.now, ...by.priors }
  for (let start = 0; start < merchantIds.length; start += merchantsAtOnce) {
    const some = merchantIds.slice(start, start + merchantsAtOnce)
    await persist(() => database.run(rollUpOwn, { merchantIds: some, ...args }))
  }
  if (merchantIds.length > 0) await persist(() => database.run(rollUpShared, args))
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
