import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '../../src/store/core/migrate.ts'

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
