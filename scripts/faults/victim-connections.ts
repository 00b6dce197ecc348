import type { Database } from '../../src/store/core/database.ts'
import { until } from './until.ts'

/** Application name of the database connections of the worker that is killed. */
const victimName = 'victim'

export function asVictim(connectionString: string): string {
  const url = new URL(connectionString)
  url.searchParams.set('application_name', victimName)
  return url.href
}

/**
 * Waits until the database connections of the killed worker have ended. PostgreSQL first executes the statements that
 * the worker had already sent, so even a connection that seems idle may still claim deliveries.
 */
export async function waitForDisconnect(database: Database): Promise<void> {
  const connections = `select from pg_stat_activity where datname = current_database() and application_name = '${victimName}'`
  await until(
    async () => (await database.pool.query(connections)).rowCount === 0,
    'A connection of the killed worker did not end.',
  )
}
