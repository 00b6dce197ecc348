import type { Config } from '../base/config.ts'
import { clockCheck } from '../management/checks.ts'
import { type Database, openDatabase } from '../store/core/database.ts'
import { createPartitions } from '../store/partitions/partitions.ts'
import type { DatabaseClock } from '../store/server/database-clock.ts'
import { requireSameDatabase } from '../store/server/database-identity.ts'
import { prepareSchema } from '../store/server/migrate.ts'
import { requirePooledSettings } from '../store/server/pooled-settings.ts'
import { DatabaseError, requireWritable } from '../store/server/usable.ts'
import { reportPartitions } from '../worker/report-partitions.ts'
import type { FoundDatabase } from './find-database.ts'
import { monitorDatabase } from './monitor-database.ts'
import { openClock } from './open-clock.ts'
import { orWithout, type Startup, whenPermitted } from './start-step.ts'
import { closeMs, within } from './stops.ts'
import { warnIfUnsafe } from './warn-if-unsafe.ts'

export interface ConnectedDatabase {
  readonly database: Database
  readonly clock: DatabaseClock
}

/**
 * Prepares the schema, and opens the connections and the clock of the database. Rejects if the configuration does not
 * fit the database.
 */
export async function connectDatabase(
  roles: FoundDatabase,
  config: Config,
  startup: Startup,
): Promise<ConnectedDatabase> {
  const { log, stops, stopping, health, metrics, work } = startup
  const { connectionString, directConnectionString } = roles
  await requireWritable(connectionString, stopping)
  await whenPermitted({ name: 'start.schema', work, stopping }, () => prepareSchema(config, roles, stopping))
  stopping.throwIfAborted()
  const database = openDatabase({
    connectionString,
    directConnectionString,
    onError: (error) => log.warn({ err: error }, 'A database connection was lost.'),
  })
  stops.add(() => within(closeMs, database.close()))
  await monitorDatabase(roles, { database, health, stops, metrics })
  await requireUsable(database, { config, isPooled: directConnectionString !== undefined })
  const clock = await openClock(database, log)
  stops.add(async () => clock.stop())
  health.add(clockCheck(clock))
  metrics.readFrom({ pool: database.pool, clockSkewMs: () => clock.compare().skewMs })
  metrics.startDatabaseGauges(database)
  await orWithout(
    { log, stopping, without: 'Database partitions could not be created. Workers try again every hour.' },
    async () => reportPartitions(log, await createPartitions(database.sessionPool, clock.nowMs(), stopping)),
  )
  await orWithout({ log, stopping, without: 'The settings of the database server could not be checked.' }, () =>
    warnIfUnsafe(database, roles, { config, log }),
  )
  return { database, clock }
}

/** Rejects with a DatabaseError if the configured standbys or connection pooler cannot be used with the database. */
async function requireUsable(
  database: Database,
  { config, isPooled }: { readonly config: Config; readonly isPooled: boolean },
): Promise<void> {
  // Standbys cannot be used with a distributed database: the SQL statement that checks whether a standby has replayed a
  // merchant's writes cannot run on a distributed database.
  if (config.databaseReadUrl !== undefined && database.reachability.isDistributed())
    throw new DatabaseError('The database is distributed, so standbys cannot serve its reads. Unset DATABASE_READ_URL.')
  if (!isPooled) return
  await requireSameDatabase(database)
  await requirePooledSettings(database)
}
