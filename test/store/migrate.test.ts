import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { loadModule, parseSync } from 'libpg-query'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '../../src/store/server/migrate.ts'
import { migrationFolder, statementsOf } from '../../src/store/server/migration-files.ts'

const name = `test_${randomUUID().replaceAll('-', '')}`

async function asAdmin(text: string) {
  const client = new pg.Client({ connectionString: inject('adminConnectionString') })
  await client.connect()
  await client.query(text)
  await client.end()
}

beforeAll(() => asAdmin(`create database ${name} owner commerce`))
afterAll(() => asAdmin(`drop database if exists ${name} with (force)`))

test('several processes can migrate the same empty database concurrently and repeatedly', async () => {
  const url = new URL(inject('templateOwnerConnectionString'))
  url.pathname = `/${name}`
  await Promise.all([migrate(url.href), migrate(url.href), migrate(url.href)])
  await migrate(url.href)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query('select name from kysely_migration order by name')
  await client.end()
  const files = await readdir(new URL('../../src/store/migrations/', import.meta.url))
  expect(rows.map((row) => `${row.name}.sql`)).toEqual(files.toSorted())
})

test('each migration is split into the statements that the parser of PostgreSQL finds in it', async () => {
  await loadModule()
  for (const file of await readdir(migrationFolder)) {
    const text = await readFile(new URL(file, migrationFolder), 'utf8')
    const trees = (parts: readonly string[]) =>
      parts.flatMap((part) => (parseSync(part).stmts ?? []).map(({ stmt }) => withoutPositions(stmt)))
    expect(trees(statementsOf(text)), file).toEqual(trees([text]))
    expect(statementsOf(text), file).toHaveLength(trees([text]).length)
  }
})

/** Returns a parse tree as text, without the positions in the parsed text. */
function withoutPositions(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) =>
    /(location|list_start|list_end)$/.test(key) ? undefined : value,
  )
}
