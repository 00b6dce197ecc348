import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { build, writing } from '../core/statement.ts'

/** A limited key, and how far its arrival time moves in milliseconds. */
export interface RateCharge {
  readonly key: string
  readonly chargeMs: number
}

/**
 * The row that is inserted is the charge of a key whose quota is full; its distance from now is the charge of the others. The
 * rows are written in the order of their keys, so that two processes with the same keys do not deadlock.
 */
const charge = writing<{ keys: string[]; charges: number[] }>()(
  'charge_rate_limits',
  (p) => sql<{ key: string; aheadMs: number }>`
    insert into rate_limits as held (key, arrival_at)
    select key, statement_timestamp() + charge_ms * interval '1 millisecond'
    from unnest(${p.keys}::text[], ${p.charges}::float8[]) as charged (key, charge_ms)
    order by key
    on conflict (key) do update
    set arrival_at = greatest(held.arrival_at, statement_timestamp()) + (excluded.arrival_at - statement_timestamp())
    returning key, (extract(epoch from arrival_at - statement_timestamp()) * 1000)::float8 as "aheadMs"`,
)

const deleteIdle = writing<object>()('delete_idle_rate_limits', () =>
  build.deleteFrom('rate_limits').where('arrival_at', '<', sql<never>`statement_timestamp() - interval '1 hour'`),
)

/** Moves the arrival times of limited keys, by the database’s clock. Returns how far ahead of now each one is. */
export async function chargeRateLimits(
  database: Database,
  charges: readonly RateCharge[],
): Promise<ReadonlyMap<string, number>> {
  const args = { keys: charges.map(({ key }) => key), charges: charges.map(({ chargeMs }) => chargeMs) }
  const rows = await database.run(charge, args)
  return new Map(rows.map(({ key, aheadMs }) => [key, aheadMs]))
}

/** Deletes the keys whose quota has been full for an hour. They equal keys without a row. */
export async function deleteIdleRateLimits(database: Database): Promise<void> {
  await database.run(deleteIdle, {})
}
