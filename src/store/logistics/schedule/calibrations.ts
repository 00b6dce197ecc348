import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database } from '../../core/database.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { writing } from '../../core/statement.ts'

/** How often what was foretold held, and what follows for what is foretold next. */

/** As many as tell nine of ten from eight of ten in most cases, and few enough to follow a shop that changes. */
const judged = 50

/** What holds in fewer than 85 of a hundred cases promises too much, in more than 95 too little. */
const band = { least: 0.85, most: 0.95 } as const

/** Steps that halve a mistake of ten points in two or three turns; back in smaller ones, because too wide does less harm. */
const steps = { wider: 1.1, narrower: 0.95 } as const

/** Beyond these something else is wrong, and no width would mend it. */
const bounds = { least: 0.7, most: 1.6 } as const

/**
 * The latest that are settled, of whichever kind can be told: what the rider found ready may have been so long before, and
 * counts as foretold rightly, which it is in more than nine of ten cases where the rider came after the p90 of it. After
 * a step the next fifty are waited for, because the old ones were foretold with the old width.
 */
const calibrate = writing<{ merchantIds: readonly MerchantId[]; now: Timestamp }>()(
  'calibrate_schedules',
  (p) => sql`
    with told as (
      select merchant_id, kind, completed_at, is_by_p50, is_by_p90
      from unnest(${p.merchantIds}::text[]) as merchant (id)
      cross join lateral (
        select *
        from schedule_predictions
        where schedule_predictions.merchant_id = merchant.id and completed_at is not null
        order by completed_at desc
        limit ${sql.lit(2 * judged)}
      ) as settled
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
      select told.*, row_number() over (partition by merchant_id, kind order by completed_at desc) as age
      from told
    ),
    latest as (
      select
        aged.merchant_id, aged.kind, count(*)::integer as sample_size, avg(is_by_p50::integer)::double precision as coverage50,
        avg(is_by_p90::integer)::double precision as coverage90, coalesce(max(before.widening), 1) as widening,
        max(before.evaluated_at) as evaluated_at,
        count(*) filter (where before.evaluated_at is null or completed_at > before.evaluated_at) as fresh
      from aged
      left join schedule_calibrations before
        on before.merchant_id = aged.merchant_id and before.kind = aged.kind
      where age <= ${sql.lit(judged)}
      group by aged.merchant_id, aged.kind
    )
    insert into schedule_calibrations (merchant_id, kind, widening, coverage50, coverage90, sample_size, evaluated_at)
    select
      merchant_id, kind,
      case
        when fresh < ${sql.lit(judged)} then widening
        else greatest(${sql.lit(bounds.least)}, least(${sql.lit(bounds.most)}, widening * case
          when coverage90 < ${sql.lit(band.least)} then ${sql.lit(steps.wider)}
          when coverage90 > ${sql.lit(band.most)} then ${sql.lit(steps.narrower)}
          else 1
        end))
      end,
      coverage50, coverage90, sample_size,
      case when fresh < ${sql.lit(judged)} then evaluated_at else ${p.now}::timestamptz end
    from latest
    on conflict (merchant_id, kind) do update set
      widening = excluded.widening, coverage50 = excluded.coverage50, coverage90 = excluded.coverage90,
      sample_size = excluded.sample_size, evaluated_at = excluded.evaluated_at`,
)

export async function calibrateSchedules(
  database: Database,
  merchantIds: readonly MerchantId[],
  now: Timestamp,
): Promise<void> {
  await retryConflicts(() => database.run(calibrate, { merchantIds, now }))
}
