import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/server/migrate.ts'
import { useDatabase } from '../support/database.ts'
import { waitUntil } from '../support/wait-for.ts'

const opened = useDatabase()

/** Creates the migrations of a new release that the database does not have yet. */
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

test('while an alter statement of a migration waits for a transaction, it blocks readers for under a second at a time, and later it succeeds', async () => {
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
  // The read requests continue for three seconds: long enough for several attempts of the migration's `alter table`.
  const untilMs = performance.now() + 3_000
  while (performance.now() < untilMs) {
    const startedMs = performance.now()
    await reader.query('select from merchants')
    waitsMs.push(performance.now() - startedMs)
  }
  expect(isDone).toBe(false)
  // Some reads waited behind the migration's alter statement until the statement reached its lock timeout. Without a
  // lock timeout, the loop of reads above would not end, because the blocking transaction commits only after the loop.
  expect(Math.max(...waitsMs)).toBeGreaterThan(100)
  await blocker.query('commit')
  await migrating
  expect(await isExecuted('9001_tried_out')).toBe(true)
})

test('on the database schema of a later release, a missing migration is applied even if its number is lower than that of an applied one', async () => {
  const { folder } = await release({ '0001_zero.sql': 'create table zero (id integer)' })
  await migrate(opened().ownerConnectionString, { folder })
  await migrate(opened().ownerConnectionString, { folder })
  expect(await isExecuted('0001_zero')).toBe(true)
  expect(await isExecuted('9001_tried_out')).toBe(true)
})

test('a failed migration is rolled back, and the migrations before it stay applied', async () => {
  const { folder } = await release({
    '9101_good.sql': 'create table good (id integer)',
    '9102_bad.sql': 'create table half (id integer); select 1/0',
  })
  await expect(migrate(opened().ownerConnectionString, { folder })).rejects.toThrow('division by zero')
  expect([await isExecuted('9101_good'), await isExecuted('9102_bad')]).toEqual([true, false])
  const { rows } = await opened().database.pool.query("select to_regclass('half') as half, to_regclass('good') as good")
  expect(rows).toEqual([{ half: null, good: 'good' }])
})

test('the statements of a migration run one after another, and a semicolon in a function body or a text ends no statement', async () => {
  const { folder } = await release({
    '9151_statements.sql': `
      -- The merchant's semicolon; it ends no statement.
      create table stamps as select statement_timestamp() as at, 'one; two' as note;
      create function add_stamp() returns void language plpgsql as $body$
      begin
        -- The body's comment; it ends nothing.
        insert into stamps values (statement_timestamp(), $$three; four$$);
      end
      $body$;
      select add_stamp();
      -- The end.`,
  })
  await migrate(opened().ownerConnectionString, { folder })
  const owner = await connect(opened().ownerConnectionString)
  const { rows } = await owner.query('select note from stamps order by at')
  expect(rows).toEqual([{ note: 'one; two' }, { note: 'three; four' }])
  // Statements of one query text have the same statement time, so two times prove that two query texts were sent.
  expect((await owner.query('select distinct at from stamps')).rows).toHaveLength(2)
})

/**
 * Starts a transaction that has written to the table of merchants. A concurrent build of an index on this table waits
 * for the end of the transaction.
 */
async function startWriter(): Promise<pg.Client> {
  const writer = await connect(opened().connectionString)
  await writer.query('begin')
  await writer.query("update merchants set name = name where id = 'none'")
  return writer
}

/**
 * Waits until the concurrent build of the index is blocked by a transaction. Returns the process id of the build's
 * session.
 */
async function findBuild(owner: pg.Client, index: string): Promise<number> {
  const building = `select pid from pg_stat_activity where query ~ $1 and wait_event_type = 'Lock'
    and datname = current_database() and pid <> pg_backend_pid()`
  return waitUntil(
    async () =>
      (await owner.query<{ pid: number }>(building, [`create index concurrently ${index}`])).rows[0]?.pid ?? false,
  )
}

async function findIndex(index: string): Promise<readonly object[]> {
  const query = 'select indexrelid as id, indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)'
  return (await opened().database.pool.query<object>(query, [index])).rows
}

test('the index of a .concurrent migration is built while another transaction writes to its table', async () => {
  const sql = `drop index concurrently if exists merchants_by_name;
    create index concurrently merchants_by_name on merchants (name);`
  const { folder } = await release({ '9201_by_name.concurrent.sql': sql })
  const writer = await startWriter()
  const migrating = migrate(opened().ownerConnectionString, { folder })
  await findBuild(await connect(opened().ownerConnectionString), 'merchants_by_name')
  // The index build waits for the open transaction, which has written to the table. A second writer must not have to
  // wait for the index build.
  await opened().database.pool.query("update merchants set name = name where id = 'none'")
  await writer.query('commit')
  await migrating
  expect(await findIndex('merchants_by_name')).toMatchObject([{ isValid: true }])
})

/** Wait in milliseconds: twice deadlock_timeout, the time after which PostgreSQL searches for a deadlock. */
const deadlockMs = 2_000

test('a process that waits for a migration in another process does not block that migration’s index build', async () => {
  const { folder } = await release({
    '9211_again.concurrent.sql': 'create index concurrently merchants_again on merchants (name);',
    '9212_after.sql': 'create table after_again (id integer);',
  })
  const writer = await startWriter()
  const first = migrate(opened().ownerConnectionString, { folder })
  await findBuild(await connect(opened().ownerConnectionString), 'merchants_again')
  const building = await findIndex('merchants_again')
  const second = migrate(opened().ownerConnectionString, { folder })
  await wait(deadlockMs)
  await writer.query('commit')
  await Promise.all([first, second])
  // The index is the same one that was being built, so the migration did not drop and rebuild it.
  expect(await findIndex('merchants_again')).toEqual(building.map((index) => ({ ...index, isValid: true })))
  expect([await isExecuted('9211_again.concurrent'), await isExecuted('9212_after')]).toEqual([true, true])
})

test('if the index build of a .concurrent migration was interrupted, the migration builds the index again', async () => {
  const { folder } = await release({
    '9221_broken.concurrent.sql': 'create index concurrently merchants_broken on merchants (name);',
  })
  const writer = await startWriter()
  const interrupted = expect(migrate(opened().ownerConnectionString, { folder })).rejects.toThrow()
  const owner = await connect(opened().ownerConnectionString)
  await owner.query('select pg_terminate_backend($1)', [await findBuild(owner, 'merchants_broken')])
  await interrupted
  expect(await findIndex('merchants_broken')).toMatchObject([{ isValid: false }])
  await writer.query('commit')
  await migrate(opened().ownerConnectionString, { folder })
  expect(await findIndex('merchants_broken')).toMatchObject([{ isValid: true }])
  expect(await isExecuted('9221_broken.concurrent')).toBe(true)
})

test('if a .concurrent migration was interrupted after building its index, the next run records the migration without rebuilding the index', async () => {
  const create = 'create index concurrently merchants_unrecorded on merchants (name)'
  const { folder } = await release({
    '9231_unrecorded.concurrent.sql': `-- The reason.\n${create};\ndrop index concurrently merchants_dropped;`,
  })
  const owner = await connect(opened().ownerConnectionString)
  await owner.query(create)
  const before = await findIndex('merchants_unrecorded')
  await migrate(opened().ownerConnectionString, { folder })
  expect(await findIndex('merchants_unrecorded')).toEqual(before)
  expect(await isExecuted('9231_unrecorded.concurrent')).toBe(true)
})
