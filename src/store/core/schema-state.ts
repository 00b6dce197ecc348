import { sql } from 'kysely'
import type pg from 'pg'
import type { ReadDb } from './database.ts'
import { isPrivilegeMissing } from './faults.ts'
import { isContracting, listMigrationNames, migrationFolder } from './migration-files.ts'
import { withClient } from './server-client.ts'
import { reading } from './statement.ts'

/** Error: the schema of the database does not fit this release. The message is for the operator. */
export class SchemaError extends Error {}

/** How the schema of a database compares with the migrations of this release. */
export type SchemaState =
  | { readonly is: 'current' }
  /** Migrations that this release needs are missing. */
  | { readonly is: 'too_old'; readonly pending: readonly [string, ...string[]] }
  /** A migration of a later release has removed what this release needs. */
  | { readonly is: 'too_new'; readonly migration: string }

/** Compares the schema of a database with this release, on a connection of its own. */
export function findSchemaState(connectionString: string, signal?: AbortSignal): Promise<SchemaState> {
  return withClient(connectionString, signal, async (client) =>
    stateOf(await listMigrationNames(migrationFolder), await findExecuted(client)),
  )
}

const executedNames = reading<object>()(
  'list_executed_migrations',
  () => sql<{ name: string }>`select name from kysely_migration`,
)

/** Compares the schema of a database with this release, on a connection of the pool. */
export async function readSchemaState(database: ReadDb): Promise<SchemaState> {
  const [names, rows] = await Promise.all([listMigrationNames(migrationFolder), database.read(executedNames, {})])
  return stateOf(
    names,
    rows.map(({ name }) => name),
  )
}

/** Throws a SchemaError unless the schema of the database fits this release. */
export async function requireMigrated(connectionString: string, signal: AbortSignal | undefined): Promise<void> {
  const state = await requirePrivileges(() => findSchemaState(connectionString, signal))
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
  }
}

/** Throws a SchemaError if a later release has removed what this release needs. */
export function requireNotTooNew(names: readonly string[], executed: readonly string[]): void {
  const state = stateOf(names, executed)
  if (state.is === 'too_new') throw tooNew(state.migration)
}

function tooNew(migration: string): SchemaError {
  return new SchemaError(
    `The database has migration ${migration} of a later release, which removed parts that this release needs. Start that release, or restore a backup from before the migration.`,
  )
}

function stateOf(names: readonly string[], executed: readonly string[]): SchemaState {
  const known = new Set(names)
  const migration = executed.find((name) => isContracting(name) && !known.has(name))
  if (migration !== undefined) return { is: 'too_new', migration }
  const done = new Set(executed)
  const [first, ...others] = names.filter((name) => !done.has(name))
  return first === undefined ? { is: 'current' } : { is: 'too_old', pending: [first, ...others] }
}

/** Returns the names of the executed migrations, in order. */
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
      'The role of DATABASE_URL has no privileges. Run `npm run -s commerce -- migrate` with DATABASE_OWNER_URL, which grants them.',
      { cause: error },
    )
  }
}
