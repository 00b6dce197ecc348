import { type RawBuilder, sql } from 'kysely'

/**
 * SQL that rolls up observed durations. It selects the observations of a period, estimates the durations of censored
 * observations, and computes the quantiles.
 */

/** Period of the observations in days. Older ones are ignored, because a merchant's durations may have changed. */
export const observationDays = 60

/**
 * Imputes a duration for a censored observation, of which only an upper bound is known. The duration is drawn from the
 * part of the previous distribution below the bound. Ignoring censored observations would hide that a shop is always
 * ready early; using the bounds as durations would make the shop look slow. The draws are evenly spaced and
 * deterministic.
 */
export const imputedSeconds = sql`
  case
    when latest.is_censored then greatest(1, quantile_at(
      previous.seconds, share_below(previous.seconds, latest.seconds) * latest.probability
    ))
    else latest.seconds
  end`

/**
 * Adds the column `probability` to the observations. Its values are evenly spaced between 0 and 1. They are assigned in
 * an order that does not depend on the observed durations.
 */
export const withProbability = (newest: RawBuilder<unknown>) => sql`
  select
    newest.*,
    (
      row_number() over (
        partition by is_censored order by hashint8extended((extract(epoch from observed_at) * 1000)::bigint, 0)
      ) - 0.5
    ) / count(*) over (partition by is_censored) as probability
  from (${newest}) as newest`

/**
 * Weight of the prior median: it has the same influence on the estimate as six observations. The weight in
 * estimates/quantiles.ts is the same.
 */
const priorWeight = 6

/**
 * Spread of one merchant's durations, as a share of the spread of the prior distribution. The prior distribution has a
 * larger spread, because it also includes the differences between merchants.
 */
const merchantSpread = 1 / 2

/**
 * The previous distribution of a merchant's durations, from which censored observations are imputed. Its median is that
 * of the last roll-up, shrunk towards the prior. Its spread is half of the prior's spread. The spread is not taken from
 * the last roll-up, because repeated imputation would make it narrower each time.
 */
export const previousDistribution = (priors: Priors, merchantId: RawBuilder<unknown>) => sql`
  select array(
    select exp((ln(prior_seconds) - ln(prior.seconds[10])) * ${sql.lit(merchantSpread)} + coalesce(
      (stored.sample_size * ln(greatest(1, stored.seconds[10])) + ${sql.lit(priorWeight)} * ln(prior.seconds[10]))
        / (stored.sample_size + ${sql.lit(priorWeight)}),
      ln(prior.seconds[10])
    ))
    from unnest(prior.seconds) with ordinality as each (prior_seconds, step)
    order by step
  ) as seconds
  from (
    select case wanted.kind when 'prep' then ${priors.prep}::double precision[] else ${priors.lead}::double precision[] end as seconds
  ) as prior
  left join logistics_quantiles stored
    on stored.merchant_id = ${merchantId} and stored.kind = wanted.kind and stored.hour_bucket = -1`

/** The prior distribution of each kind of duration, as 19 quantiles in seconds. */
export interface Priors {
  readonly prep: readonly number[]
  readonly lead: readonly number[]
}

/**
 * Returns a query of the 19 quantiles of each group of cases. `cases` must return the columns of `grouping` and
 * `seconds`. The i-th of n sorted cases is the quantile i / (n + 1), because the next case falls into each gap with
 * equal probability. percentile_cont would use (i - 1) / (n - 1), so its argument is converted.
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
