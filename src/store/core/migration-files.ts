import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'

export const migrationFolder = new URL('../migrations/', import.meta.url)

/** Builds or drops indexes beside running traffic, outside a transaction, which CONCURRENTLY demands. */
const concurrentEnding = '.concurrent'

export function isConcurrent(name: string): boolean {
  return name.endsWith(concurrentEnding)
}

/** The names of this release's migrations, in order. */
export async function listMigrationNames(folder: URL): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  return names.map((name) => name.replace(/\.sql$/, '')).sort()
}

interface Known {
  readonly folder: URL
  readonly executed: readonly string[]
}

/**
 * Plain SQL files, forward only: a file means the same for ever, whatever becomes of the code around it. Executed ones that
 * this release does not have belong to a later release, which runs beside this one or was rolled back: they are no
 * fault, because later releases keep what this one needs.
 */
export function migrationFiles({ folder, executed }: Known): MigrationProvider {
  return {
    async getMigrations() {
      const migrations: Record<string, Migration> = {}
      for (const name of executed) migrations[name] = { up: async () => undefined }
      for (const name of await listMigrationNames(folder)) {
        const text = await readFile(new URL(`${name}.sql`, folder), 'utf8')
        migrations[name] = executed.length === 0 || !isConcurrent(name) ? whole(text) : stepwise(text)
      }
      return migrations
    },
  }
}

/** In the migration's transaction. A new database has no traffic, so its indexes need not be built beside any. */
function whole(text: string): Migration {
  return { up: async (db) => void (await sql.raw(text.replaceAll(/\bconcurrently\b/gi, '')).execute(db)) }
}

/** Each statement by itself. These locks block no reads or writes, so they may be waited for. */
function stepwise(text: string): Migration {
  const statements = text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  return {
    up: async (db) => {
      await sql.raw('set lock_timeout = 0').execute(db)
      try {
        for (const statement of statements) await sql.raw(statement).execute(db)
      } finally {
        await sql.raw('reset lock_timeout').execute(db)
      }
    },
  }
}
