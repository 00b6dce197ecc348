import { setTimeout as wait } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import type { ReadDb } from './database.ts'
import { abortable, cutClient, endClient } from './end-client.ts'
import { isContention, isPrivilegeMissing } from './faults.ts'
import { isConcurrent, listMigrationNames, migrationFiles, migrationFolder } from './migration-files.ts'
import { newClientOf, openPool } from './server-client.ts'
import { openServers } from './servers.ts'
import { type DatabaseRoles, grantService } from './service-role.ts'
import { reading } from './statement.ts'

interface MigrateOptions {
  /** For tests. */
  readonly folder?: URL
  /** Aborts the migration. The server rolls back the transaction in progress. */
  readonly signal?: AbortSignal | undefined
}

/** A statement that waits for a lock blocks all later statements, so it times out before requests are noticeably delayed. */
const lockTimeoutMs = 500

/** Blocked requests proceed between two attempts. The delay doubles up to five seconds. */
const firstDelayMs = 250
const delayMaxMs = 5_000

/** About two minutes of attempts. An operator must end a transaction that is open for longer. */
const attemptsMax = 30

/** The schema of the database lacks migrations that this release needs. The message is for the operator. */
export class SchemaError extends Error {}

/**
 * Applies the pending migrations of this release. Several processes may do so concurrently: Kysely's Migrator takes a
 * lock, and the later ones find nothing to do. Each migration is a transaction of its own and is retried after a lock
 * timeout. The service itself rotates partitions; this function does not.
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<void> {
  const { folder = migrationFolder, signal } = options
  const pool = openPool(openServers(connectionString), { max: 2, options: `-c lock_timeout=${lockTimeoutMs}` })
  // A failed statement rejects; the pool replaces a broken idle connection.
  pool.on('error', () => undefined)
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    clients.add(client)
    if (signal?.aborted) cutClient(client)
  })
  pool.on('remove', (client) => clients.delete(client))
  const cut = () => {
    for (const client of clients) cutClient(client)
  }
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await abortable(signal, cut, async () => {
      await withRetries(() => runFiles(db, pool, folder), signal)
      await withRetries(() => runMigrations({ pgPool: pool }), signal)
    })
  } finally {
    await db.destroy()
    // Kysely ends the pool only when a migration has used it. An idle connection would keep a command alive for 10 s.
    if (!pool.ending) await pool.end()
  }
}

/** Returns the names of the migrations of this release that the database lacks, in order. */
export async function findPendingMigrations(
  connectionString: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const client = newClientOf(connectionString)
  client.on('error', () => undefined)
  try {
    return await abortable(
      signal,
      () => cutClient(client),
      async () => {
        await client.connect()
        const executed = await findExecuted(client)
        return (await listMigrationNames(migrationFolder)).filter((name) => !executed.includes(name))
      },
    )
  } finally {
    await endClient(client)
  }
}

const executedNames = reading<object>()(
  'list_executed_migrations',
  () => sql<{ name: string }>`select name from kysely_migration`,
)

/** Returns the pending migrations like findPendingMigrations(), on a connection of the pool. */
export async function findPending(database: ReadDb): Promise<readonly string[]> {
  const [names, rows] = await Promise.all([listMigrationNames(migrationFolder), database.read(executedNames, {})])
  const executed = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !executed.has(name))
}

/** Applies pending migrations if the configuration allows it; otherwise throws SchemaError when migrations are pending. */
export async function prepareSchema(
  { migratesAtStart }: { readonly migratesAtStart: boolean },
  roles: DatabaseRoles,
  signal?: AbortSignal,
): Promise<void> {
  await (migratesAtStart ? migrateAndGrant(roles, signal) : requireMigrated(roles.connectionString, signal))
}

/** Applies pending migrations as the owner and grants the service its privileges. */
export async function migrateAndGrant(roles: DatabaseRoles, signal?: AbortSignal): Promise<void> {
  await migrate(roles.ownerConnectionString, { signal })
  await withRetries(() => grantService(roles, signal), signal)
}

async function requireMigrated(connectionString: string, signal: AbortSignal | undefined): Promise<void> {
  const [first, ...others] = await requirePrivileges(() => findPendingMigrations(connectionString, signal))
  if (first === undefined) return
  const which = others.length === 0 ? `migration ${first}` : `${others.length + 1} migrations, from ${first} on`
  throw new SchemaError(
    `The database lacks ${which}. Run \`npm run -s commerce -- migrate\`, or set MIGRATE=always to migrate at each start.`,
  )
}

async function requirePrivileges<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error
    throw new SchemaError(
      'The role of DATABASE_URL has no privileges. Run `npm run -s commerce -- migrate` with DATABASE_OWNER_URL, which grants them.',
      { cause: error },
    )
  }
}

async function runFiles(db: Kysely<unknown>, pool: pg.Pool, folder: URL): Promise<void> {
  const names = await listMigrationNames(folder)
  const executed = await findExecuted(pool)
  if (executed.length === 0) return throwError(await migratorOf(db, { folder, executed }).migrateToLatest())
  // The rows are read again each time, because another process may migrate as well.
  for (let known = executed; ; known = await findExecuted(pool)) {
    const next = names.find((name) => !known.includes(name))
    if (next === undefined) return
    const migrator = migratorOf(db, { folder, executed: known })
    throwError(await migrator.migrateUp({ disableTransactions: isConcurrent(next) }))
  }
}

function migratorOf(db: Kysely<unknown>, known: { folder: URL; executed: readonly string[] }): Migrator {
  // A later release may have added a migration with a lower number than one that was executed.
  return new Migrator({ db, provider: migrationFiles(known), allowUnorderedMigrations: true })
}

function throwError({ error }: { error?: unknown }): void {
  if (error !== undefined) throw error
}

async function findExecuted(db: pg.Pool | pg.Client): Promise<readonly string[]> {
  const { rows: found } = await db.query("select to_regclass('kysely_migration') as name")
  if (found[0]?.name === null) return []
  const { rows } = await db.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

async function withRetries(work: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attemptsMax || !isContention(error)) throw error
      await wait(Math.min(firstDelayMs * 2 ** (attempt - 1), delayMaxMs), undefined, { signal })
    }
  }
}
