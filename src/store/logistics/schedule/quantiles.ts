import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { build, reading, writing } from '../../core/statement.ts'
import {
  imputedSeconds,
  observationDays,
  type Priors,
  previousDistribution,
  quantilesOf,
  withProbability,
} from './quantile-cases.ts'

/**
 * Computes the quantiles of each merchant's observed durations by hour bucket. Reads the estimates of a merchant
 * together with the estimates that all merchants share.
 */

/** Maximum number of observations per roll-up, enough for 5% quantiles. Older observations are less representative. */
const latestOwn = 200

/**
 * Maximum number of observations read per kind. It exceeds `latestOwn`, because each hour bucket has only a part of the
 * observations.
 */
const latestRead = 400

/**
 * The merchant's latest observed durations of each kind (preparation and lead time), for the whole day and for each
 * hour bucket.
 */
const ownCases = (merchantId: MerchantId, now: Timestamp, priors: Priors) => sql`
  select kind, hour_bucket, seconds
  from (
    select
      latest.kind, part.hour_bucket, imputed.seconds,
      row_number() over (
        partition by latest.kind, part.hour_bucket order by observed_at desc
      ) as age
    from (values ('prep'), ('lead')) as wanted (kind)
    cross join lateral (${previousDistribution(priors, sql`${merchantId}`)}) as previous
    cross join lateral (${withProbability(sql`
      select *
      from logistics_observations
      where merchant_id = ${merchantId} and kind = wanted.kind
        and observed_at > ${now}::timestamptz - make_interval(days => ${sql.lit(observationDays)})
      order by observed_at desc
      limit ${sql.lit(latestRead)}
    `)}) as latest
    cross join lateral (select ${imputedSeconds} as seconds) as imputed
    cross join lateral (values (-1), (latest.hour_bucket)) as part (hour_bucket)
    where latest.seconds is not null
  ) as aged
  where age <= ${sql.lit(latestOwn)}`

const rollUpOwn = writing<{ merchantId: MerchantId; now: Timestamp } & Priors>()(
  'roll_up_quantiles',
  (p) => sql`
    insert into logistics_quantiles (merchant_id, kind, hour_bucket, sample_size, seconds, updated_at)
    select ${p.merchantId}, kind, hour_bucket, sample_size, seconds, ${p.now}::timestamptz
    from (${quantilesOf(ownCases(p.merchantId, p.now, p), ['kind', 'hourBucket'])}) as rolled
    on conflict (merchant_id, kind, hour_bucket)
    do update set sample_size = excluded.sample_size, seconds = excluded.seconds, updated_at = excluded.updated_at`,
)

export async function rollUpQuantiles(
  database: Database,
  merchantId: MerchantId,
  by: { readonly now: Timestamp; readonly priors: Priors },
): Promise<void> {
  await retryConflicts(() => database.run(rollUpOwn, { merchantId, now: by.now, ...by.priors }))
}

export type EstimateKind = 'prep' | 'lead' | 'travel'

/** Stored quantiles of durations in an hour bucket. The bucket -1 is the whole day. */
export interface StoredQuantiles {
  readonly kind: EstimateKind
  readonly hourBucket: number
  readonly count: number
  readonly seconds: readonly number[]
}

export interface StoredSharedQuantiles extends StoredQuantiles {
  /** The pickup zone of the quantiles. An empty text stands for all zones. */
  readonly zoneFrom: string
}

export interface StoredCalibration {
  readonly kind: 'ready' | 'arrival'
  readonly widening: number
  readonly coverage50: number
  readonly coverage90: number
  readonly count: number
}

export interface StoredEstimate {
  readonly own: readonly StoredQuantiles[]
  readonly shared: readonly StoredSharedQuantiles[]
  readonly calibrations: readonly StoredCalibration[]
}

interface EstimateKey {
  readonly merchantId: MerchantId
  readonly isSimulated: boolean
  readonly zoneFrom: string
  readonly zoneTo: string
}

const find = reading<EstimateKey>()('find_estimates', (p) =>
  build.selectNoFrom([
    sql<StoredEstimate['own']>`coalesce((
      select json_agg(json_build_object(
        'kind', kind, 'hourBucket', hour_bucket, 'count', sample_size, 'seconds', seconds
      ))
      from logistics_quantiles
      where merchant_id = ${p.merchantId}
    ), '[]')`.as('own'),
    sql<StoredEstimate['shared']>`coalesce((
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
    sql<StoredEstimate['calibrations']>`coalesce((
      select json_agg(json_build_object(
        'kind', kind, 'widening', widening, 'coverage50', coverage50, 'coverage90', coverage90, 'count', sample_size
      ))
      from schedule_calibrations
      where merchant_id = ${p.merchantId}
    ), '[]')`.as('calibrations'),
  ]),
)

/**
 * Returns all quantiles and calibrations of the merchant, and the shared quantiles that apply to the two zones. Each
 * list may be empty.
 */
export async function findEstimates(db: ReadDb, key: EstimateKey): Promise<StoredEstimate> {
  const [row] = await db.read(find, key)
  return row === undefined ? { own: [], shared: [], calibrations: [] } : asRecord<StoredEstimate>(row)
}
