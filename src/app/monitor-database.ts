import { clockCheck, databaseCheck, deliveriesCheck, embeddedServerCheck, schemaCheck } from '../management/checks.ts'
import type { Health } from '../management/health.ts'
import { type Database, openDatabase } from '../store/core/database.ts'
import type { DatabaseClock } from '../store/core/database-clock.ts'
import type { DatabaseRoles } from '../store/core/service-role.ts'
import { type Stops, within } from './stops.ts'

interface Monitored {
  readonly database: Database
  readonly clock: Pick<DatabaseClock, 'latest'>
  readonly health: Health
  readonly stops: Stops
}

/** A server that takes longer for a trivial statement does not respond in time to requests either. */
const answerMs = 3_000

/** Closing one connection takes milliseconds unless the server is unreachable. */
const closeMs = 1_000

/** Adds the checks of the database. They have one connection of their own, so a busy pool does not delay them. */
export function monitorDatabase(
  { connectionString, directConnectionString, isRunning }: DatabaseRoles & { readonly isRunning?: () => boolean },
  { database, clock, health, stops }: Monitored,
): void {
  const own = openDatabase({ connectionString, directConnectionString, maxConnections: 1 })
  stops.add(() => within(closeMs, own.close()))
  health.add(databaseCheck(own.within(answerMs)))
  health.add(schemaCheck(own.within(answerMs)))
  health.add(clockCheck(clock))
  health.add(deliveriesCheck(database.within(answerMs)))
  if (isRunning !== undefined) health.add(embeddedServerCheck(isRunning))
  // Ends the checks before the connections close, so that a stop logs no failed checks.
  stops.add(async () => health.stop())
}
