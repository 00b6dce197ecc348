import { type RawBuilder, sql } from 'kysely'

/** What was seen of how long things take, as it is rolled up: how far back, what stands for a bound, and the quantiles of it. */

/** Longer ago, a merchant may have been another shop. */
export const observationDays = 60

/**
 * Of one that is known by a bound only, a time below it: drawn from what was thought before, as far as that lies below the
 * bound. The bounds left out, a shop that is always ready first would never be known to be; taken for times, it would be
 * known to be slow. The draws are spread evenly rather than by chance, and are the same in every run.
 */
export const drawnSeconds = sql`
  case
    when latest.is_censored then greatest(1, quantile_at(
      before.learnt, share_below(before.learnt, latest.seconds) * latest.chance
    ))
    else latest.seconds
  end`

/** Chances that are spread evenly over the cases, in an order that has nothing to do with how long they took. */
export const withChance = (newest: RawBuilder<unknown>) => sql`
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
export const latestObservation = (priors: Priors, merchantId: RawBuilder<unknown>) => sql`
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
export function quantilesOf(cases: RawBuilder<unknown>, grouping: readonly string[]): RawBuilder<unknown> {
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
