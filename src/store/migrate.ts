import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'

const folder = new URL('migrations/', import.meta.url)

/** Plain SQL files, forward only: a file means the same for ever, whatever becomes of the code around it. */
const sqlFiles: MigrationProvider = {
  async getMigrations() {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
    const migrations: Record<string, Migration> = {}
    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8')
      migrations[name.replace(/\.sql$/, '')] = { up: async (db) => void (await sql.raw(text).execute(db)) }
    }
    return migrations
  },
}

/**
 * Brings the database to this version's schema. Several processes may do so at once: Kysely's Migrator takes a lock, and
 * those that come later find nothing left to do. Partitions are left to the service: a command must not rotate them.
 */
export async function migrate(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 2 })
  // A failed statement says so itself; an idle connection that breaks is replaced.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { error } = await new Migrator({ db, provider: sqlFiles }).migrateToLatest()
    if (error !== undefined) throw error
    await runMigrations({ pgPool: pool })
  } finally {
    await db.destroy()
  }
}
