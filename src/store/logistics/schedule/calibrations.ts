import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database } from '../../core/database.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { writing } from '../../core/statement.ts'

/** Compares past predictions with the actual times, and adjusts the width of later predictions. */

/**
 * Number of predictions per evaluation: enough to distinguish a coverage of 90% from 80%, and few enough to follow
 * changes.
 */
const sampleMax = 50

/**
 * Target range of the share of actual times below the predicted p90. If the share is below the range, the predicted
 * distributions are too narrow. If it is above the range, they are too wide.
 */
const coverageRange = { min: 0.85, max: 0.95 } as const

/**
 * Factors by which one adjustment changes the width of the predictions. Two or three adjustments halve a coverage error
 * of ten percentage points. Narrowing is slower, because wide predictions do less harm.
 */
const steps = { wider: 1.1, narrower: 0.95 } as const

/**
 * Limits of the factor by which predicted ranges are widened or narrowed. If predictions are still wrong at a limit,
 * the width of the ranges is not the cause.
 */
const wideningRange = { min: 0.7, max: 1.6 } as const

/**
 * Evaluates the latest completed predictions whose outcome is known. If a parcel was ready when the rider arrived, the
 * time when it became ready is unknown, and the prediction is assumed to be correct. After an adjustment of the
 * predicted time ranges, the next evaluation waits for 50 new predictions, because the ranges of earlier predictions
 * have another width.
 */
const calibrate = writing<{ merchantId: MerchantId; now: Timestamp }>()(
  'calibrate_schedules',
  (p) => sql`
    with outcomes as (
      select kind, completed_at, is_by_p50, is_by_p90
      from (
        select *
        from schedule_predictions
        where merchant_id = ${p.merchantId} and completed_at is not null
        order by completed_at desc
        limit ${sql.lit(2 * sampleMax)}
      ) as completed
      cross join lateral (
        values
          (
            'ready', coalesce(ready_at <= ready_p50_at, ready_by_at is not null),
            coalesce(ready_at <= ready_p90_at, ready_by_at is not null),
            basis <> 'stated' and coalesce(ready_at, ready_by_at) is not null
          ),
          ('arrival', arrived_at <= arrival_p50_at, arrived_at <= arrival_p90_at, arrived_at is not null)
      ) as outcome (kind, is_by_p50, is_by_p90, is_known)
      where is_known
    ),
    aged as (
      select outcomes.*, row_number() over (partition by kind order by completed_at desc) as age
      from outcomes
    ),
    latest as (
      select
        aged.kind, count(*)::integer as sample_size, avg(is_by_p50::integer)::double precision as coverage50,
        avg(is_by_p90::integer)::double precision as coverage90, coalesce(max(previous.widening), 1) as widening,
        max(previous.evaluated_at) as evaluated_at,
        count(*) filter (where previous.evaluated_at is null or completed_at > previous.evaluated_at) as fresh
      from aged
      left join schedule_calibrations previous
        on previous.merchant_id = ${p.merchantId} and previous.kind = aged.kind
      where age <= ${sql.lit(sampleMax)}
      group by aged.kind
    )
    insert into schedule_calibrations (merchant_id, kind, widening, coverage50, coverage90, sample_size, evaluated_at)
    select
      ${p.merchantId}, kind,
      case
        when fresh < ${sql.lit(sampleMax)} then widening
        else greatest(${sql.lit(wideningRange.min)}, least(${sql.lit(wideningRange.max)}, widening * case
          when coverage90 < ${sql.lit(coverageRange.min)} then ${sql.lit(steps.wider)}
          when coverage90 > ${sql.lit(coverageRange.max)} then ${sql.lit(steps.narrower)}
          else 1
        end))
      end,
      coverage50, coverage90, sample_size,
      case when fresh < ${sql.lit(sampleMax)} then evaluated_at else ${p.now}::timestamptz end
    from latest
    on conflict (merchant_id, kind) do update set
      widening = excluded.widening, coverage50 = excluded.coverage50, coverage90 = excluded.coverage90,
      sample_size = excluded.sample_size, evaluated_at = excluded.evaluated_at`,
)

export async function calibrateSchedules(database: Database, merchantId: MerchantId, now: Timestamp): Promise<void> {
  await retryConflicts(() => database.run(calibrate, { merchantId, now }))
}
