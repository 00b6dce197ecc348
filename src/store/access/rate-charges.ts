import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { runInBatches } from '../core/run-in-batches.ts'
import { writing } from '../core/statement.ts'

/**
 * A charge to a rate limit. `chargeMs` is the time by which the charge moves the theoretical arrival time (GCRA) of the
 * limit. `ageMs` is the time since the first request of the charge was accepted. `windowMs` is the window of the limit.
 */
export interface RateCharge {
  readonly key: string
  readonly chargeMs: number
  readonly ageMs: number
  readonly windowMs: number
}

/**
 * A charge inserts a row for a rate-limit key that has none. The arrival time in the new row counts from the first
 * request of the charge, because the quota of the key was unused until then. For any other key, the charge moves the
 * arrival time in the existing row. An arrival time more than two windows ahead is from an earlier limit with a longer
 * window, or from an outage of the database. It is reduced to two windows, so that the key is not blocked for longer
 * than one window of its present limit. The rows are written in the order of their keys, so that two processes with the
 * same keys do not deadlock.
 */
const charge = writing<{ keys: string[]; charges: number[]; ages: number[]; windows: string }>()(
  'charge_rate_limits',
  (p) => sql<{ key: string; aheadMs: number }>`
    insert into rate_limits as held (key, charge_ms, arrival_at)
    select key, charge_ms, statement_timestamp() + (charge_ms - age_ms) * interval '1 millisecond'
    from unnest(${p.keys}::text[], ${p.charges}::float8[], ${p.ages}::float8[]) as charged (key, charge_ms, age_ms)
    order by key
    on conflict (key) do update
    set charge_ms = excluded.charge_ms,
      arrival_at = greatest(
        least(
          held.arrival_at,
          statement_timestamp()
          + 2 * (${p.windows}::jsonb ->> excluded.key)::float8 * interval '1 millisecond'
        ) + excluded.charge_ms * interval '1 millisecond',
        excluded.arrival_at
      )
    returning key, (extract(epoch from arrival_at - statement_timestamp()) * 1000)::float8 as ahead_ms`,
)

/**
 * Maximum number of rate-limit rows deleted per statement. PostgreSQL deletes 5,000 short rows in a fraction of a
 * second, so a request that updates one of these rows does not wait long for its lock.
 */
const batch = 5_000

/** The deletion skips a row that a concurrent charge has locked, because its rate limit is in use. */
const deleteIdle = writing<object>()(
  'delete_idle_rate_limits',
  () => sql<{ key: string }>`
    delete from rate_limits
    where key in (
      select key
      from rate_limits
      where arrival_at < statement_timestamp() - interval '1 hour'
      limit ${sql.lit(batch)}
      for update skip locked
    )
    returning key`,
)

/**
 * Moves the theoretical arrival times (GCRA) of rate-limit keys. The current time is read from the database’s clock.
 * Returns how far each arrival time is in the future.
 */
export async function chargeRateLimits(
  database: Database,
  charges: readonly RateCharge[],
): Promise<ReadonlyMap<string, number>> {
  const args = {
    keys: charges.map(({ key }) => key),
    charges: charges.map(({ chargeMs }) => chargeMs),
    ages: charges.map(({ ageMs }) => ageMs),
    // PostgreSQL finds a key's window in a JSON object without reading the windows of all other keys.
    windows: JSON.stringify(Object.fromEntries(charges.map(({ key, windowMs }) => [key, windowMs]))),
  }
  const rows = await database.run(charge, args)
  return new Map(rows.map(({ key, aheadMs }) => [key, aheadMs]))
}

/**
 * Registers this process as running. The process repeats the registration every two seconds. A process that has missed
 * several registrations is treated as ended.
 */
const register = writing<{ process: string }>()(
  'register_rate_limit_process',
  (p) => sql<{ processes: number }>`
    with own as (
      insert into rate_limit_processes as held (id, counted_at)
      values (${p.process}, statement_timestamp())
      on conflict (id) do update set counted_at = excluded.counted_at
    )
    select 1 + count(*)::int as processes
    from rate_limit_processes
    where id <> ${p.process} and counted_at > statement_timestamp() - interval '10 seconds'`,
)

const deleteEnded = writing<object>()(
  'delete_ended_rate_limit_processes',
  () => sql<{ id: string }>`
    delete from rate_limit_processes
    where counted_at < statement_timestamp() - interval '1 hour'
    returning id`,
)

/**
 * Registers a process, and returns the number of processes that registered within the last ten seconds, including this
 * one.
 */
export async function countRateLimitProcesses(database: Database, process: string): Promise<number> {
  const [row] = await database.run(register, { process })
  return row?.processes ?? 1
}

/** Deletes the rows of processes that have ended. The rate limits are divided among the processes whose rows remain. */
export async function deleteEndedRateLimitProcesses(database: Database): Promise<void> {
  await database.run(deleteEnded, {})
}

/**
 * Deletes the rate-limit rows whose quota has been full for an hour. A key without a row has a full quota too. Returns
 * the number of deleted rows.
 */
export function deleteIdleRateLimits(database: Database): Promise<number> {
  return runInBatches(database, { statement: deleteIdle, args: {}, size: batch })
}
