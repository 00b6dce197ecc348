import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { migrate } from '../../src/store/core/migrate.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

/** A release without the migrations that the database has. */
async function release(files: Readonly<Record<string, string>>): Promise<{ folder: URL }> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return { folder: pathToFileURL(`${folder}/`) }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const isExecuted = async (name: string) =>
  (await opened().database.pool.query('select from kysely_migration where name = $1', [name])).rowCount === 1

test('an alter statement that waits for an open transaction blocks no reader for a second, and succeeds after it', async () => {
  const { ownerConnectionString } = opened()
  const sql = 'alter table merchants add column tried_out boolean not null default false;'
  const { folder } = await release({ '9001_tried_out.sql': sql })
  const blocker = await connect(opened().connectionString)
  await blocker.query('begin')
  await blocker.query('select from merchants')
  const migrating = migrate(ownerConnectionString, { folder })
  let isDone = false
  void migrating.then(() => (isDone = true))
  const reader = await connect(opened().connectionString)
  const waitsMs: number[] = []
  // Long enough for several attempts of the alter statement.
  const untilMs = performance.now() + 3_000
  while (performance.now() < untilMs) {
    const startedMs = performance.now()
    await reader.query('select from merchants')
    waitsMs.push(performance.now() - startedMs)
  }
  expect(isDone).toBe(false)
  // Some readers queued behind the alter statement, each for at most its lock timeout and a busy machine’s scheduling
  // delay.
  expect(Math.max(...waitsMs)).toBeGreaterThan(100)
  expect(Math.max(...waitsMs)).toBeLessThan(2_000)
  await blocker.query('commit')
  await migrating
  expect(await isExecuted('9001_tried_out')).toBe(true)
})

test('a release without the migrations of a later one runs on its schema, and adds one with a lower number', async () => {
  const { folder } = await release({ '0001_zero.sql': 'create table zero (id integer)' })
  await migrate(opened().ownerConnectionString, { folder })
  await migrate(opened().ownerConnectionString, { folder })
  expect(await isExecuted('0001_zero')).toBe(true)
  expect(await isExecuted('9001_tried_out')).toBe(true)
})

test('a failed migration is rolled back, and those before it stay', async () => {
  const { folder } = await release({
    '9101_good.sql': 'create table good (id integer)',
    '9102_bad.sql': 'create table half (id integer); select 1/0',
  })
  await expect(migrate(opened().ownerConnectionString, { folder })).rejects.toThrow('division by zero')
  expect([await isExecuted('9101_good'), await isExecuted('9102_bad')]).toEqual([true, false])
  const { rows } = await opened().database.pool.query("select to_regclass('half') as half, to_regclass('good') as good")
  expect(rows).toEqual([{ half: null, good: 'good' }])
})

test('the index of a .concurrent migration is built while another transaction writes to its table', async () => {
  const sql = `drop index concurrently if exists merchants_by_name;
    create index concurrently merchants_by_name on merchants (name);`
  const { folder } = await release({ '9201_by_name.concurrent.sql': sql })
  const writer = await connect(opened().connectionString)
  await writer.query('begin')
  await writer.query("update merchants set name = name where id = 'none'")
  const migrating = migrate(opened().ownerConnectionString, { folder })
  const owner = await connect(opened().ownerConnectionString)
  const building = `select from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'
    and datname = current_database()`
  await vi.waitUntil(async () => (await owner.query(building)).rowCount === 1, { timeout: 120_000 })
  // The index waits for the writer; a second writer does not wait for the index.
  await opened().database.pool.query("update merchants set name = name where id = 'none'")
  await writer.query('commit')
  await migrating
  const { rows } = await opened().database.pool.query(
    "select indisvalid from pg_index where indexrelid = 'merchants_by_name'::regclass",
  )
  expect(rows).toEqual([{ indisvalid: true }])
})
