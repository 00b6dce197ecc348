import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openTemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { openMetrics } from '../../src/management/metrics/registry.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { readBacklog, readTableSizes } from '../../src/store/metrics/backlog.ts'
import { migrateAndGrant } from '../../src/store/server/migrate.ts'
import { useApi } from '../support/api.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { openShop } from '../support/shop.ts'
import { openShop as openEndpointShop } from '../webhooks/shop.ts'

/** The metrics (gauges) of due work that waits for a worker, and of write-ahead log that is not archived. */

const opened = useDatabase()
const started = useApi({ opened })

/** Returns the gauges of the database backlog whose names start with `beginning`, with their labels. */
async function gauges(beginning: string, database = opened().database): Promise<Readonly<Record<string, number>>> {
  const { setBacklog, scrape } = openMetrics({ role: 'all', version: '1.0.0' })
  setBacklog(await readBacklog(database))
  const samples = (await scrape()).body.split('\n').filter((line) => line.startsWith(beginning))
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

test('the metric for the age of the oldest ready job counts neither scheduled nor failed jobs', async () => {
  const add = (name: string, at: string) =>
    opened().database.pool.query(`select graphile_worker.add_job($1, run_at => now() + $2::interval)`, [name, at])
  await add('replay_webhooks', '-20 minutes')
  await add('replay_webhooks', '-5 minutes')
  await add('seal_audit', '1 hour')
  await add('apply_callbacks', '-2 hours')
  await asOwner(
    opened(),
    `update graphile_worker._private_jobs job set attempts = max_attempts
      from graphile_worker._private_tasks task
      where task.id = job.task_id and task.identifier = 'apply_callbacks'`,
  )
  const ages = await gauges('commerce_oldest_ready_job_seconds')
  expect(ages).toEqual({
    'commerce_oldest_ready_job_seconds{task="replay_webhooks"}': expect.closeTo(1_200, -2),
    'commerce_oldest_ready_job_seconds{task="seal_audit"}': 0,
    'commerce_oldest_ready_job_seconds{task="apply_callbacks"}': 0,
  })
  expect(await gauges('commerce_jobs_failed')).toMatchObject({ 'commerce_jobs_failed{task="apply_callbacks"}': 1 })
})

test('on a distributed database, the metric for the age of the oldest due delivery has a value for each node that responds', async () => {
  const { database } = opened()
  const [late, other] = [await openEndpointShop(database), await openEndpointShop(database)]
  await late.addEndpoint('http://127.0.0.1:1/')
  await late.emit()
  await database.pool.query(
    "update webhook_deliveries set next_attempt_at = now() - interval '10 minutes' where merchant_id = $1",
    [late.merchantId],
  )
  const nodes = [
    { name: 'one', merchants: [late.merchantId] },
    { name: 'two', merchants: [other.merchantId] },
  ]
  const age = 'commerce_database_node_oldest_due_delivery_seconds'
  expect(await gauges(age)).toEqual({})
  onTestFinished(() => database.reachability.set({ reachable: [], unreachable: [], nodes: [] }))
  database.reachability.set({ reachable: [late.merchantId, other.merchantId], unreachable: [], nodes })
  expect(await gauges(age)).toEqual({ [`${age}{node="one"}`]: expect.closeTo(600, -2), [`${age}{node="two"}`]: 0 })
  database.reachability.set({ reachable: [other.merchantId], unreachable: [late.merchantId], nodes })
  expect(await gauges(age)).toEqual({ [`${age}{node="two"}`]: 0 })
})

test('the metric for the age of the oldest due refund is 0 while no refund is due for a check', async () => {
  const api = started()
  const { refund } = await paidByPaystack(api, await openShop(api.context))
  const { id } = (await refund(100)).body
  const checkAt = (at: string) =>
    opened().database.pool.query('update refunds set next_check_at = now() + $2::interval where id = $1', [id, at])
  await checkAt('10 minutes')
  expect(await gauges('commerce_oldest_due_refund')).toEqual({ commerce_oldest_due_refund_seconds: 0 })
  await checkAt('-30 minutes')
  expect(await gauges('commerce_oldest_due_refund')).toEqual({
    commerce_oldest_due_refund_seconds: expect.closeTo(1_800, -2),
  })
})

test('a failed archive command of PostgreSQL is reported until a WAL segment is archived; a server without archiving is not reported', {
  timeout: 180_000,
}, async () => {
  // The PostgreSQL servers of the tests archive no write-ahead log, so both gauges are 0.
  const names = ['commerce_wal_archive_failing', 'commerce_wal_archived_age_seconds'] as const
  expect(await gauges('commerce_wal_')).toEqual({ [names[0]]: 0, [names[1]]: 0 })
  const postgres = await openTemporaryPostgres({ name: 'archive', durability: 'durable' })
  onTestFinished(postgres.stop)
  await migrateAndGrant(postgres)
  const database = openDatabase({ connectionString: postgres.connectionString })
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  onTestFinished(async () => {
    await admin.end()
    await database.close()
  })
  /** Archives the write-ahead log with a shell command, as an operator's server does. */
  const archiveWith = async (command: string) => {
    await admin.query(`alter system set archive_command = '${command}'`)
    await admin.query('select pg_reload_conf()')
    await admin.query('create table if not exists written (id integer)')
    await admin.query('insert into written values (1)')
    await admin.query('select pg_switch_wal()')
  }
  const isFailing = async () => (await gauges('commerce_wal_', database))[names[0]]
  await archiveWith('true')
  await expect.poll(async () => (await gauges('commerce_wal_', database))[names[1]]).toBeLessThan(60)
  expect(await isFailing()).toBe(0)
  await archiveWith('false')
  await expect.poll(isFailing).toBe(1)
  await archiveWith('true')
  await expect.poll(isFailing).toBe(0)
})

test('the metrics contain the size of every table; the size of a partitioned table includes its partitions', async () => {
  const { database } = opened()
  const { setTableSizes, scrape } = openMetrics({ role: 'all', version: '1.0.0' })
  setTableSizes(await readTableSizes(database))
  const { body } = await scrape()
  const sizes = new Map(
    [...body.matchAll(/^commerce_table_bytes\{table="(\w+)"\} (\d+)$/gm)].map(([, table, size]) => [
      table,
      Number(size),
    ]),
  )
  const schema = await readFile('generated/schema.sql', 'utf8')
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table]) => table)
  expect(tables).toContain('audit_log')
  expect(tables.filter((table) => !((sizes.get(table) ?? 0) > 0))).toEqual([])
  expect(sizes.get('_private_jobs')).toBeGreaterThan(0)
  const partitions = await database.pool.query<{ size: string }>(
    `select sum(pg_total_relation_size(inhrelid)) as size from pg_inherits where inhparent = 'webhook_deliveries'::regclass`,
  )
  expect(sizes.get('webhook_deliveries')).toBe(Number(partitions.rows[0]?.size))
})

/**
 * Tables with a few rows for each merchant, member, webhook endpoint, carrier or zone. Such tables do not grow with
 * time.
 */
const constant = [
  ...['merchants', 'users', 'members', 'passkeys', 'notification_positions', 'notification_preferences'],
  ...['service_keys', 'webhook_endpoints', 'webhook_subscriptions'],
  ...['payment_provider_keys', 'carrier_accounts', 'carrier_call_windows', 'carrier_records'],
  ...['carrier_assignment_times', 'unknown_carrier_statuses', 'delivery_zones', 'surge_states'],
  ...['logistics_quantiles', 'shared_quantiles', 'schedule_calibrations'],
  ...['encryption_keys', 'encryption_key_holders', 'test_clocks'],
]

test('the Operations guide lists every table that grows with time, and states when the rows of each table are deleted', async () => {
  const schema = await readFile('generated/schema.sql', 'utf8')
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table)
  const guide = await readFile('registry/guides/operations.md', 'utf8')
  const [, section = ''] = /\n## Data retention\n([\s\S]*?)\n## /.exec(guide) ?? []
  const listed = [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  expect(listed.toSorted()).toEqual(tables.filter((table) => !constant.includes(table)).toSorted())
})

test('the list of growing tables in the Operations guide contains every table whose rows can never be deleted', async () => {
  const schema = await readFile('generated/schema.sql', 'utf8')
  const trigger =
    /^CREATE TRIGGER \w+ BEFORE DELETE OR UPDATE ON public\.(\w+) FOR EACH ROW EXECUTE FUNCTION refuse_change\(\)/gm
  const appended = [...schema.matchAll(trigger)].map(([, table = '']) => table)
  expect(appended).toContain('audit_log')
  expect(appended.filter((table) => constant.includes(table))).toEqual([])
})
