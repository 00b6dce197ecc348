import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openTemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { openMetrics } from '../../src/management/metrics/registry.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { migrateAndGrant } from '../../src/store/core/migrate.ts'
import { readBacklog } from '../../src/store/metrics/backlog.ts'
import { useApi } from '../support/api.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

/** The gauges of work that no worker does, and of a write-ahead log that is not archived. */

const opened = useDatabase()
const started = useApi({ opened })

/** Returns the gauges of the database whose names begin like this, with their labels. */
async function gauges(beginning: string, database = opened().database): Promise<Readonly<Record<string, number>>> {
  const { setBacklog, scrape } = openMetrics({ role: 'all', version: '1.0.0' })
  setBacklog(await readBacklog(database))
  const samples = (await scrape()).body.split('\n').filter((line) => line.startsWith(beginning))
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

test('the age of the oldest ready job counts neither scheduled nor failed jobs', async () => {
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

test('the age of the oldest due refund is 0 until its next check is due', async () => {
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

test('an archive that fails is reported until a segment is archived, and a server without an archive never', {
  timeout: 180_000,
}, async () => {
  // The servers of the tests archive nothing.
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
  /** Archives with a command, as a server of an operator does. */
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
