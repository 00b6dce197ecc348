import { readdir, readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'
import { runConcurrentStatement } from './concurrent-statement.ts'

export const migrationFolder = new URL('../migrations/', import.meta.url)

/** Migrations with the suffix .concurrent run outside a transaction, which `create index concurrently` requires. */
const concurrentEnding = '.concurrent'

export function isConcurrent(name: string): boolean {
  return name.endsWith(concurrentEnding)
}

/**
 * Reports whether a migration has `.contract` in its name. Such a migration removes something that the previous release
 * uses. A release refuses a database to which a later release has applied a `.contract` migration. It tolerates all
 * other migrations of later releases.
 */
export function isContracting(name: string): boolean {
  return name.split('.').includes('contract')
}

export async function listMigrationNames(folder: URL): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  return names.map((name) => name.replace(/\.sql$/, '')).sort()
}

/** The comment line in a migration file that makes the migration linter accept an index build that blocks writes. */
const blockingMark = 'squawk-ignore-file require-concurrent-index-creation'

/**
 * Returns the migrations that build an index and thereby block writes to the table of the index. Such migrations exist
 * because PostgreSQL cannot build an index of a partitioned table concurrently.
 */
export async function listBlockingMigrations(folder: URL, names: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(names.map((name) => readFile(new URL(`${name}.sql`, folder), 'utf8')))
  return names.filter((_, index) => texts[index]?.includes(blockingMark))
}

interface Known {
  readonly folder: URL
  readonly executed: readonly string[]
  /** Called after each migration file has run, before the commit of its transaction. */
  readonly onRun: (migration: { readonly name: string; readonly durationMs: number }) => void
}

/**
 * Provides the migrations: plain SQL files, forward only, that depend on no code and so never change their meaning. An
 * executed migration that this release lacks belongs to a later release, which runs beside this one or was rolled back.
 * Such a migration is not an error, because each release keeps the schema that the previous release needs.
 */
export function migrationFiles({ folder, executed, onRun }: Known): MigrationProvider {
  return {
    async getMigrations() {
      const migrations: Record<string, Migration> = {}
      for (const name of executed) migrations[name] = { up: async () => undefined }
      for (const name of await listMigrationNames(folder)) {
        const text = await readFile(new URL(`${name}.sql`, folder), 'utf8')
        const up = executed.length === 0 ? runOnEmptyDatabase : isConcurrent(name) ? runConcurrently : runInTransaction
        migrations[name] = {
          up: async (db) => {
            const startedMs = performance.now()
            await up(db, text)
            onRun({ name, durationMs: Math.round(performance.now() - startedMs) })
          },
        }
      }
      return migrations
    },
  }
}

/**
 * Sends all statements of a migration file together. An empty database has no traffic that an index build could block,
 * so indexes are not built concurrently.
 */
async function runOnEmptyDatabase(db: Kysely<unknown>, text: string): Promise<void> {
  await sql.raw(text.replaceAll(/\bconcurrently\b/gi, '')).execute(db)
}

/**
 * Runs the statements of the text one by one. If they were sent as one text, a distributed database would forward the
 * whole text to its nodes.
 */
async function runInTransaction(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of statementsOf(text)) await sql.raw(statement).execute(db)
}

/**
 * Runs each statement outside a transaction. The locks of these statements block no reads or writes, so lock_timeout is
 * disabled.
 */
async function runConcurrently(db: Kysely<unknown>, text: string): Promise<void> {
  await sql.raw('set lock_timeout = 0').execute(db)
  try {
    for (const statement of statementsOf(text)) await runConcurrentStatement(db, statement)
  } finally {
    await sql.raw('reset lock_timeout').execute(db)
  }
}

/** Splits a migration file at the semicolons outside function bodies, texts and comments. */
export function statementsOf(text: string): readonly string[] {
  const statements = ['']
  let openTag: string | undefined
  for (const part of text.split(/(\$\w*\$|'[^']*'|--.*|;)/)) {
    if (part === ';' && openTag === undefined) statements.push('')
    else statements.push(`${statements.pop() ?? ''}${part}`)
    if (part === openTag) openTag = undefined
    else if (openTag === undefined && part.startsWith('$')) openTag = part
  }
  return statements.filter((statement) => statement.replaceAll(/--.*/g, '').trim() !== '')
}
