import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findViolations } from '../../scripts/faults/invariants.ts'
import { addEndpoint, contextOf, emit, openMerchant } from '../../scripts/faults/merchants.ts'
import { forkWorker } from '../../scripts/faults/processes.ts'
import { openReceivers } from '../../scripts/faults/receivers.ts'
import { openTormentor } from '../../scripts/faults/tormentor.ts'
import { openDatabase } from '../../src/store/database.ts'
import { type EmbeddedPostgres, openEmbedded } from '../../src/store/embedded.ts'
import { migrate } from '../../src/store/migrate.ts'

/** A server of its own, because what is done to it would disturb every other test. */
let folder: string
let postgres: EmbeddedPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-faults-'))
  await chmod(folder, 0o711)
  postgres = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
  await migrate(postgres.connectionString)
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const merchants = 20
const events = 10_000

test('10,000 events arrive while the database is restarted, cut off and frozen, and nobody is blamed for it', async () => {
  const { connectionString, adminConnectionString } = postgres
  const tormentor = await openTormentor(folder, adminConnectionString)
  const receivers = await openReceivers()
  const database = openDatabase({ connectionString })
  const worker = forkWorker()
  try {
    for (let merchant = 0; merchant < merchants; merchant++) {
      const tenant = await openMerchant(database)
      await addEndpoint(database, tenant, `${receivers.url}/${merchant}`)
      await emit(contextOf(database), tenant, events / merchants)
    }
    const startedMs = Date.now()
    await worker.start({ connectionString, logLevel: 'warn' })
    const faults = [
      tormentor.cut,
      tormentor.restart,
      tormentor.cut,
      () => tormentor.freeze(3_000),
      tormentor.restart,
      tormentor.cut,
    ]
    for (const [index, fault] of faults.entries()) {
      const share = ((index + 1) * events) / (faults.length + 2)
      await vi.waitUntil(() => worker.hasEnded() || receivers.receipts.length >= share, {
        timeout: 50_000,
        interval: 5,
      })
      console.log(Date.now() - startedMs, receivers.receipts.length)
      await fault()
    }
    const left = `select count(*)::integer as count from webhook_deliveries where status <> 'succeeded'`
    await vi.waitFor(
      async () => {
        const n = (await database.pool.query(left)).rows[0].count
        console.log(Date.now() - startedMs, receivers.receipts.length, n)
        expect(n).toEqual(0)
      },
      { timeout: 55_000, interval: 500 },
    )
    const seen = new Set(receivers.receipts.map(({ eventId }) => eventId))
    expect(seen.size).toBe(events)
    console.log(`${receivers.receipts.length - events} duplicates`, Date.now() - startedMs)
    expect(worker.hasEnded()).toBe(false)
    const blamed = await database.pool.query(
      'select from webhook_endpoints where consecutive_failures > 0 or epoch > 1',
    )
    expect(blamed.rowCount).toBe(0)
    expect(await findViolations(database.pool, { receivers, nowMs: Date.now() })).toEqual([])
  } finally {
    worker.signal('SIGKILL')
    await database.close()
    receivers.close()
  }
}, 120_000)
