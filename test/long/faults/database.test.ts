import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../../../scripts/faults/invariants.ts'
import { addEndpoint, contextOf, emit, openMerchant } from '../../../scripts/faults/merchants.ts'
import { forkWorker } from '../../../scripts/faults/processes.ts'
import { openReceivers } from '../../../scripts/faults/receivers.ts'
import { openTormentor } from '../../../scripts/faults/tormentor.ts'
import { prepareDatabase } from '../../../scripts/prepare-database.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { type EmbeddedPostgres, openEmbedded } from '../../../src/store/embedded/embedded.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { scheduleNextAttempts } from '../../../src/store/webhooks/next-attempts.ts'
import { createDueNotifier } from '../../../src/worker/due-notifier.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

/** A separate PostgreSQL server for this file, because the faults that it simulates would disturb every other test. */
let folder: string
let postgres: EmbeddedPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-faults-'))
  await chmod(folder, 0o711)
  postgres = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
  await prepareDatabase(postgres)
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const merchants = 20
const events = 4_000

test('none of 4,000 events during database restarts, disconnections and freezes is recorded as a failure of a webhook receiver', async () => {
  const { connectionString, ownerConnectionString, adminConnectionString } = postgres
  const tormentor = await openTormentor(folder, adminConnectionString)
  const receivers = await openReceivers()
  // The test opens its connection pool as the API does, so a broken connection does not affect the next request.
  const database = openDatabase({ connectionString })
  const nudger = createDueNotifier(database, silentLog)
  const worker = forkWorker()
  const endpoints: EndpointKey[] = []
  // Jobs and notifications arrive continuously, so that the faults of this test also interrupt the job queue and the
  // listener for notifications.
  let scheduling: Promise<void> | undefined
  const nudging = setInterval(() => {
    for (const { merchantId, endpointId } of endpoints) nudger.nudge(merchantId, [endpointId])
    scheduling = scheduleNextAttempts(database, endpoints).catch(() => undefined)
  }, 50)
  try {
    for (let merchant = 0; merchant < merchants; merchant++) {
      const tenant = await openMerchant(database)
      const { merchantId } = tenant
      endpoints.push({ merchantId, endpointId: await addEndpoint(database, tenant, `${receivers.url}/${merchant}`) })
      await emit(contextOf(database), tenant, events / merchants)
    }
    await worker.start({ connectionString })
    const { cut, restart, freeze } = tormentor
    const faults = [cut, restart, cut, () => freeze(() => wait(3_000)), restart, cut]
    for (const [index, fault] of faults.entries()) {
      const share = ((index + 1) * events) / (faults.length + 2)
      await waitUntil(() => worker.hasEnded() || receivers.receipts.length >= share, {
        timeout: 120_000,
        interval: 5,
      })
      await fault()
    }
    const left = `select from webhook_deliveries where status <> 'succeeded' limit 1`
    await waitFor(async () => expect((await database.pool.query(left)).rowCount).toBe(0), {
      timeout: 120_000,
      interval: 100,
    })
    // The worker recovers without a restart of its process.
    expect(worker.hasEnded(), worker.log()).toBe(false)
    expect(new Set(receivers.receipts.map(({ eventId }) => eventId)).size).toBe(events)
    const blamed = `select from webhook_endpoints where consecutive_failures > 0 or status <> 'enabled'`
    expect((await database.pool.query(blamed)).rowCount).toBe(0)
    expect(await findViolations(ownerConnectionString, { receivers, nowMs: Date.now() })).toEqual([])
    console.log(`${receivers.receipts.length - events} of ${events} events were received twice.`)
    // The job queue also runs jobs that are added after the recovery.
    clearInterval(nudging)
    await scheduling
    const waiting = `select from graphile_worker.jobs where key like 'retry:%' limit 1`
    await waitFor(async () => expect((await database.pool.query(waiting)).rowCount).toBe(0))
  } finally {
    clearInterval(nudging)
    worker.signal('SIGKILL')
    receivers.close()
    await Promise.all([nudger.flush(), scheduling])
    await database.close()
  }
})
