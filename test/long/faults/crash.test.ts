import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../../../scripts/faults/invariants.ts'
import { addEndpoint, contextOf, emit, openMerchant } from '../../../scripts/faults/merchants.ts'
import { forkWorker } from '../../../scripts/faults/processes.ts'
import { openReceivers } from '../../../scripts/faults/receivers.ts'
import { openTormentor } from '../../../scripts/faults/tormentor.ts'
import { prepareDatabase } from '../../../scripts/prepare-database.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { type EmbeddedPostgres, openEmbedded } from '../../../src/store/embedded/embedded.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

/** A separate durable PostgreSQL server for this file, configured as in production. */
let folder: string
let postgres: EmbeddedPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-crash-'))
  await chmod(folder, 0o711)
  postgres = await openEmbedded({ dataDirectory: folder })
  await prepareDatabase(postgres)
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const merchants = 20
const events = 3_000

/**
 * A crash of PostgreSQL may lose claims of deliveries, because the commits of claims do not wait for the disk. The
 * claimed deliveries are then sent again with the same attempt number.
 */
const mayBreak = 'a delivery is received at most once for each attempt'

test('all 3,000 events that are emitted while the database is killed repeatedly are delivered', async () => {
  const { connectionString, ownerConnectionString, adminConnectionString } = postgres
  const { crash } = await openTormentor(folder, adminConnectionString)
  const receivers = await openReceivers()
  const database = openDatabase({ connectionString })
  const workers = [forkWorker(), forkWorker()]
  try {
    for (let merchant = 0; merchant < merchants; merchant++) {
      const tenant = await openMerchant(database)
      const path = `/${merchant}`
      await addEndpoint(database, tenant, receivers.url + path)
      // Response delay of the webhook receiver: long enough that some crashes happen between the claim of a delivery
      // and its result.
      receivers.answers.set(path, (response) => setTimeout(() => response.end(), 20))
      await emit(contextOf(database), tenant, events / merchants)
    }
    for (const worker of workers) await worker.start({ connectionString })
    const crashes = 5
    for (let count = 1; count <= crashes; count++) {
      const share = (count * events) / (crashes + 1)
      await waitUntil(() => receivers.receipts.length >= share, { timeout: 120_000, interval: 5 })
      await crash()
    }
    const left = `select from webhook_deliveries where status <> 'succeeded' limit 1`
    await waitFor(async () => expect((await database.pool.query(left)).rowCount).toBe(0), {
      timeout: 120_000,
      interval: 100,
    })
    for (const worker of workers) expect(worker.hasEnded(), worker.log()).toBe(false)
    expect(new Set(receivers.receipts.map(({ eventId }) => eventId)).size).toBe(events)
    const blamed = `select from webhook_endpoints where consecutive_failures > 0 or status <> 'enabled'`
    expect((await database.pool.query(blamed)).rowCount).toBe(0)
    const violations = await findViolations(ownerConnectionString, { receivers, nowMs: Date.now() })
    expect(violations.filter((violation) => !JSON.stringify(violation).includes(mayBreak))).toEqual([])
    console.log(`${receivers.receipts.length - events} of ${events} events were received twice.`)
  } finally {
    for (const worker of workers) worker.signal('SIGKILL')
    receivers.close()
    await database.close()
  }
}, 240_000)
