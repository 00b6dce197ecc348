import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { addEndpoint, contextOf, emit, openMerchant } from '../../scripts/faults/merchants.ts'
import { monitorDatabase } from '../../src/app/monitor-database.ts'
import { openStops } from '../../src/app/stops.ts'
import { silentLog } from '../../src/base/log.ts'
import { clockCheck, databaseCheck, deliveriesCheck, schemaCheck, workerCheck } from '../../src/management/checks.ts'
import { openHealth } from '../../src/management/health.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { openDiskSpace, requireDiskSpace } from '../../src/store/server/disk-space.ts'
import { distributionRecord } from '../../src/store/server/schema-state.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait-for.ts'

const opened = useDatabase()
const passed = { is: 'passed' }

test('the schema check fails while the database lacks a migration, and ignores migrations of later releases', async () => {
  const check = schemaCheck(opened().database)
  await asOwner(opened(), `insert into kysely_migration (name, timestamp) values ('9999_later', 'now')`)
  expect(await check.run()).toEqual(passed)
  await asOwner(opened(), `update kysely_migration set name = '9998_later' where name = '0043_sub_carriers'`)
  expect(await check.run()).toEqual({ is: 'failed', detail: 'The database lacks 1 migration(s) of this release.' })
  await asOwner(opened(), `update kysely_migration set name = '0043_sub_carriers' where name = '9998_later'`)
  expect(await check.run()).toEqual(passed)
})

test('the schema check fails after a later release has removed something from the schema', async () => {
  const name = '9997_drop_all.contract'
  await asOwner(opened(), `insert into kysely_migration (name, timestamp) values ($1, 'now')`, [name])
  expect(await schemaCheck(opened().database).run()).toEqual({
    is: 'failed',
    detail: 'A later release has removed parts of the schema that this release needs.',
  })
  await asOwner(opened(), 'delete from kysely_migration where name = $1', [name])
})

test('the schema check fails while the distribution of the database is unfinished', async () => {
  await asOwner(opened(), `create table ${distributionRecord} (name text)`)
  expect(await schemaCheck(opened().database).run()).toEqual({
    is: 'failed',
    detail: 'The distribution of the database has not finished.',
  })
  await asOwner(opened(), `drop table ${distributionRecord}`)
  expect(await schemaCheck(opened().database).run()).toEqual(passed)
})

test('the database check fails from the first SQL statement that finds the disk full until the server has space again', async () => {
  const database = openDatabase({ connectionString: opened().connectionString })
  onTestFinished(database.close)
  // Whether the simulated disk is still full. The test sets it, because only root can fill the disk of a server.
  let isFull = true
  const full = Object.assign(new pg.DatabaseError('No space left on device', 0, 'error'), { code: '53100' })
  const check = databaseCheck(
    database,
    openDiskSpace(database.pool, async () => {
      if (isFull) throw full
    }),
  )
  expect(await check.run()).toEqual(passed)
  const raising = `do $$ begin raise exception using errcode = 'disk_full'; end $$`
  await expect(database.pool.query(raising)).rejects.toThrow('disk_full')
  expect(await check.run()).toEqual({ is: 'failed', detail: 'The disk of the database server is full.' })
  isFull = false
  expect(await check.run()).toEqual(passed)
})

test('the check for disk space makes the database server write a temporary file, fails if the server rejects the file, and leaves no file behind', async () => {
  const client = new pg.Client({ connectionString: opened().superuserConnectionString })
  await client.connect()
  onTestFinished(() => client.end())
  await requireDiskSpace(client)
  // The health check writes a temporary file that is larger than this limit of 64 kB, so the server rejects the file.
  await client.query(`set temp_file_limit = '64kB'`)
  await expect(requireDiskSpace(client)).rejects.toThrow('temp_file_limit')
  const { rows } = await client.query('select from pg_ls_tmpdir()')
  expect(rows).toEqual([])
})

test('the database checks pass while requests use every connection of their pool', async () => {
  const { connectionString } = opened()
  const database = openDatabase({ connectionString, maxConnections: 1 })
  const client = await database.connect()
  const health = openHealth(silentLog)
  const stops = openStops(silentLog, 25_000)
  onTestFinished(async () => {
    client.release()
    await stops.stop()
    await database.close()
  })
  health.markStarted()
  await monitorDatabase(
    { connectionString, ownerConnectionString: connectionString },
    { database, health, stops, metrics: { setNodes: () => undefined } },
  )
  await waitFor(() => expect(health.readiness().status).toBe('ready'))
  // The test waits longer than the time limit of a health check.
  await wait(4_000)
  const ok = (name: string) => ({ name, status: 'ok' })
  expect(health.readiness().checks).toEqual([ok('process'), ok('database'), ok('schema'), ok('deliveries')])
})

test('a webhook delivery that has been due for more than five minutes causes a warning', async () => {
  const { database } = opened()
  const check = deliveriesCheck(database)
  expect(await check.run()).toEqual(passed)
  const tenant = await openMerchant(database)
  await addEndpoint(database, tenant, 'http://127.0.0.1:1')
  await emit(contextOf(database), tenant, 1)
  const dueFor = (interval: string) =>
    database.pool.query(`update webhook_deliveries set next_attempt_at = now() - interval '${interval}'`)
  await dueFor('4 minutes')
  expect(await check.run()).toEqual(passed)
  await dueFor('1 hour')
  expect(await check.run()).toEqual({
    is: 'warned',
    detail: expect.stringMatching(/^The oldest due delivery has waited for 36\d\d s, the threshold is 300 s\.$/),
  })
})

test('the health check for a backlog of deliveries warns when the database cannot be reached', async () => {
  const unreachable = openDatabase({ connectionString: 'postgres://x:y@127.0.0.1:1/z' })
  onTestFinished(unreachable.close)
  const health = openHealth(silentLog)
  onTestFinished(health.stop)
  health.markStarted()
  health.add(deliveriesCheck(unreachable))
  const detail = 'The database cannot be reached.'
  const backlog = { name: 'deliveries', status: 'warning', detail }
  await waitFor(() => expect(health.readiness()).toMatchObject({ status: 'ready', checks: [{}, backlog] }))
})

test('the health check of a stuck worker fails in a worker process, and only warns in a process that also serves requests', async () => {
  const stuckMs = 121_000
  expect(await workerCheck('worker', () => 5_000).run()).toEqual(passed)
  expect(await workerCheck('worker', () => stuckMs).run()).toEqual({
    is: 'failed',
    detail: 'The worker has not completed a sweep for 121 s.',
  })
  expect(await workerCheck('all', () => stuckMs).run()).toMatchObject({ is: 'warned' })
})

test('the clock check fails when the process’s clock differs from the database’s clock by more than the limit', async () => {
  const at = (skewMs: number, isWithinLimit: boolean) => ({ compare: () => ({ nowMs: 0, skewMs, isWithinLimit }) })
  expect(await clockCheck(at(1_000, true)).run()).toEqual(passed)
  expect(await clockCheck(at(-90_000, false)).run()).toEqual({
    is: 'failed',
    detail: 'The clock of this process differs from the database’s by -90 s.',
  })
})
