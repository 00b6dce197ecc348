import { sql } from 'kysely'
import type pg from 'pg'
import { checking } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { isPrivilegeMissing } from '../core/faults.ts'
import { withClient } from '../core/server-client.ts'
import { reading } from '../core/statement.ts'
import { isContracting, listMigrationNames, migrationFolder } from './migration-files.ts'

/** Error: the schema of the database does not fit this release. The message is for the operator. */
export class SchemaError extends Error {}

export type SchemaState =
  | { readonly is: 'current' }
  /** Migrations that this release needs are missing. */
  | { readonly is: 'too_old'; readonly pending: readonly [string, ...string[]] }
  /** A migration of a later release has removed a part of the schema that this release needs. */
  | { readonly is: 'too_new'; readonly migration: string }
  /** `commerce distribute` is running, or was interrupted. Some tables lack their foreign keys. */
  | { readonly is: 'half_distributed' }

/**
 * Name of the table with the foreign keys that an unfinished `commerce distribute` must add again. The command creates
 * the table at its start and drops it at its end, so the table is not part of the migrated schema.
 */
export const distributionRecord = 'distribution_foreign_keys'

/** Compares the schema of a database with this release, on a connection of its own. */
export function findSchemaState(connectionString: string, signal?: AbortSignal): Promise<SchemaState> {
  return withClient(connectionString, signal, async (client) =>
    stateOf(await listMigrationNames(migrationFolder), await findSchema(client)),
  )
}

const executedNames = reading<object>()(
  'list_executed_migrations',
  () => sql<{ name: string }>`select name from kysely_migration`,
)

const isHalfDistributed = checking<object>()(
  'is_half_distributed',
  () => sql`select 1 where to_regclass(${distributionRecord}) is not null`,
)

/** Compares the schema of a database with this release, on a connection of the pool. */
export async function readSchemaState(database: ReadDb): Promise<SchemaState> {
  const [names, rows, isHalf] = await Promise.all([
    listMigrationNames(migrationFolder),
    database.read(executedNames, {}),
    isHalfDistributed(database, {}),
  ])
  return stateOf(names, { executed: rows.map(({ name }) => name), isHalfDistributed: isHalf })
}

/** Throws a SchemaError unless the schema of the database fits this release. */
export async function requireMigrated(connectionString: string, signal: AbortSignal | undefined): Promise<void> {
  requireCurrent(await requirePrivileges(() => findSchemaState(connectionString, signal)))
}

/** Throws a SchemaError unless the schema fits this release. */
export function requireCurrent(state: SchemaState): void {
  switch (state.is) {
    case 'current':
      return
    case 'too_old': {
      const [first, ...others] = state.pending
      const which = others.length === 0 ? `migration ${first}` : `${others.length + 1} migrations, from ${first} on`
      throw new SchemaError(
        `The database lacks ${which}. Run \`npm run -s commerce -- migrate\`, or set MIGRATE=always to migrate the database at each start.`,
      )
    }
    case 'too_new':
      throw tooNew(state.migration)
    case 'half_distributed':
      throw halfDistributed()
  }
}

/**
 * Throws a SchemaError if the database cannot be migrated: a later release has removed what this release needs, or a
 * distribution of the database is unfinished. An unfinished distribution has removed foreign keys, which a migration
 * may need.
 */
export function requireMigratable(names: readonly string[], schema: Schema): void {
  const state = stateOf(names, schema)
  if (state.is === 'too_new') throw tooNew(state.migration)
  if (state.is === 'half_distributed') throw halfDistributed()
}

function halfDistributed(): SchemaError {
  return new SchemaError(
    'The distribution of the database has not finished. Wait for `commerce distribute`, or run `npm run -s commerce -- distribute --apply` again if it was interrupted.',
  )
}

function tooNew(migration: string): SchemaError {
  return new SchemaError(
    `The database has migration ${migration} of a later release, which removed parts that this release needs. Start that release, or restore a backup from before the migration.`,
  )
}

interface Schema {
  readonly executed: readonly string[]
  readonly isHalfDistributed: boolean
}

function stateOf(names: readonly string[], { executed, isHalfDistributed }: Schema): SchemaState {
  if (isHalfDistributed) return { is: 'half_distributed' }
  const known = new Set(names)
  const migration = executed.find((name) => isContracting(name) && !known.has(name))
  if (migration !== undefined) return { is: 'too_new', migration }
  const done = new Set(executed)
  const [first, ...others] = names.filter((name) => !done.has(name))
  return first === undefined ? { is: 'current' } : { is: 'too_old', pending: [first, ...others] }
}

/**
 * Returns the executed migrations, and whether the distribution of the schema over the database nodes was interrupted.
 */
export async function findSchema(db: pg.Pool | pg.Client): Promise<Schema> {
  const { rows } = await db.query(`select to_regclass('${distributionRecord}') as record`)
  return { executed: await findExecuted(db), isHalfDistributed: rows[0]?.record !== null }
}

export async function findExecuted(db: pg.Pool | pg.Client): Promise<readonly string[]> {
  const { rows: found } = await db.query("select to_regclass('kysely_migration') as name")
  if (found[0]?.name === null) return []
  const { rows } = await db.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

async function requirePrivileges<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error
    throw new SchemaError(
      'The role of DATABASE_URL has no privileges. To grant the privileges, run `npm run -s commerce -- migrate` with DATABASE_OWNER_URL.',
      { cause: error },
    )
  }
}
