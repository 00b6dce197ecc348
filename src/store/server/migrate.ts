import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { abortable, cutClient } from '../core/end-client.ts'
import { isContention, isPrivilegeMissing } from '../core/faults.ts'
import { openPool } from '../core/server-client.ts'
import { openServers } from '../core/servers.ts'
import { isConcurrent, listMigrationNames, migrationFiles, migrationFolder } from './migration-files.ts'
import { findExecuted, findSchema, requireMigratable, requireMigrated, SchemaError } from './schema-state.ts'
import { type DatabaseRoles, grantService } from './service-role.ts'

export interface AppliedMigration {
  readonly name: string
  readonly durationMs: number
}

export interface MigrateOptions {
  /** Only tests set this folder. */
  readonly folder?: URL
  /** Called after the commit of each migration. */
  readonly onApplied?: ((migration: AppliedMigration) => void) | undefined
  /** Aborts the migration. The server rolls back the transaction in progress. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Lock timeout in milliseconds of a migration. A statement that waits for a lock blocks all later statements, so it
 * times out before requests are noticeably delayed.
 */
const lockTimeoutMs = 500

/**
 * Delay before a migration is tried again. Requests that waited for the migration proceed during the delay. The delay
 * doubles with each attempt, up to five seconds.
 */
const firstDelayMs = 250
const delayMaxMs = 5_000

/**
 * Maximum number of attempts to apply a migration. These attempts take about two minutes. If another transaction blocks
 * the migration for longer, an operator must end that transaction.
 */
const attemptsMax = 30

/**
 * Interval between attempts to get the migration lock. It is much shorter than the start of a process. It is also long
 * enough that a waiting process sends few statements during a long index build.
 */
const lockPollMs = 250

/**
 * Applies the pending migrations of this release. Several processes may call this function concurrently: the first one
 * takes a lock and applies the migrations, and the others then find none to apply. Each migration is a transaction of
 * its own and is retried after a lock timeout; on an empty database, all migrations are one transaction. The service
 * itself rotates partitions; this function does not.
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<void> {
  const { folder = migrationFolder, onApplied = () => undefined, signal } = options
  const pool = openPool(openServers(connectionString), {
    // The migration uses only one connection, because the migration lock belongs to the session of that connection.
    // When the process dies during a statement, the lock lasts until that statement ends.
    max: 1,
    idleTimeoutMillis: 0,
    // With this Citus setting, a transaction may change a distributed table and then a reference table. Databases
    // without Citus ignore the setting.
    options: `-c lock_timeout=${lockTimeoutMs} -c citus.multi_shard_modify_mode=sequential`,
  })
  // Errors of idle connections are ignored, because the pool replaces a broken idle connection, and the failure of a
  // statement rejects its own promise.
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
      await lockMigrations(pool, signal)
      await withRetries(() => runFiles({ db, pool, folder, onApplied }), signal)
      // graphile-worker is loaded here, because a process without a worker uses it only to migrate.
      const { runMigrations } = await import('graphile-worker')
      await withRetries(() => runMigrations({ pgPool: pool }), signal)
    })
  } finally {
    await db.destroy()
    // The pool is ended explicitly, because Kysely ends it only if a migration has used it. An idle connection would
    // keep the process of a command alive for 10 s.
    if (!pool.ending) await pool.end()
  }
}

/** Applies pending migrations if the configuration allows it; otherwise throws SchemaError when migrations are pending. */
export async function prepareSchema(
  { migratesAtStart }: { readonly migratesAtStart: boolean },
  roles: DatabaseRoles,
  signal?: AbortSignal,
): Promise<void> {
  await (migratesAtStart ? migrateAndGrant(roles, { signal }) : requireMigrated(roles.connectionString, signal))
}

export async function migrateAndGrant(roles: DatabaseRoles, options: MigrateOptions = {}): Promise<void> {
  try {
    await migrate(roles.ownerConnectionString, options)
  } catch (error) {
    if (isPrivilegeMissing(error)) throw new SchemaError(deniedOf(roles), { cause: error })
    throw error
  }
  await withRetries(() => grantService(roles, options.signal), options.signal)
}

/**
 * Waits until no other process migrates. The migration lock ends with the connection. The function tries to get the
 * lock repeatedly. The Migrator of Kysely alone would wait for the lock in a statement. Such a statement holds a
 * snapshot, and a concurrent index build of the other process would wait for that snapshot.
 */
async function lockMigrations(pool: pg.Pool, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ isMine: boolean }>(
      `select pg_try_advisory_lock(${advisoryLocks.migrations}) as "isMine"`,
    )
    if (rows[0]?.isMine === true) return
    await wait(lockPollMs, undefined, { signal })
  }
}

interface Running {
  readonly db: Kysely<unknown>
  readonly pool: pg.Pool
  readonly folder: URL
  readonly onApplied: (migration: AppliedMigration) => void
}

async function runFiles({ db, pool, folder, onApplied }: Running): Promise<void> {
  const names = await listMigrationNames(folder)
  const schema = await findSchema(pool)
  requireMigratable(names, schema)
  const { executed } = schema
  let applied: AppliedMigration[] = []
  const migratorOf = (known: readonly string[]) =>
    new Migrator({
      db,
      provider: migrationFiles({ folder, executed: known, onRun: (migration) => applied.push(migration) }),
      // Executed migrations may be out of order, because a later release may have added a migration with a lower
      // number.
      allowUnorderedMigrations: true,
    })
  const run = async (migrating: Promise<{ error?: unknown }>) => {
    applied = []
    throwError(await migrating)
    for (const migration of applied) onApplied(migration)
  }
  if (executed.length === 0) return run(migratorOf(executed).migrateToLatest())
  // The executed migrations are read again each time, because each run of the migrator applies only one.
  for (let known = executed; ; known = await findExecuted(pool)) {
    const next = names.find((name) => !known.includes(name))
    if (next === undefined) return
    await run(migratorOf(known).migrateUp({ disableTransactions: isConcurrent(next) }))
  }
}

function throwError({ error }: { error?: unknown }): void {
  if (error !== undefined) throw error
}

/**
 * If no owner role is configured, the role of DATABASE_URL runs the migrations. In production, this role owns no
 * tables, so it cannot run them.
 */
function deniedOf({ connectionString, ownerConnectionString, directConnectionString }: DatabaseRoles): string {
  const isOwner = ownerConnectionString !== (directConnectionString ?? connectionString)
  return isOwner
    ? 'The role of DATABASE_OWNER_URL lacks a privilege to migrate. Set it to the role that owns the tables and the database.'
    : 'The role of DATABASE_URL may not migrate, because it does not own the tables. Set DATABASE_OWNER_URL to the URL of the same database with the role that owns the tables, such as postgres://commerce:…@127.0.0.1:5432/commerce.'
}

const lockRefused =
  'A migration waited two minutes for a lock. End the long-running transactions, which pg_stat_activity lists, then run the migration again.'

async function withRetries(work: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isContention(error)) throw error
      if (attempt >= attemptsMax) throw new SchemaError(lockRefused, { cause: error })
      await wait(Math.min(firstDelayMs * 2 ** (attempt - 1), delayMaxMs), undefined, { signal })
    }
  }
}
