import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { findViolations } from '../../../scripts/faults/invariants.ts'
import { addEndpoint, contextOf, emit, encryptionKey, openMerchant } from '../../../scripts/faults/merchants.ts'
import { endOf } from '../../../scripts/faults/processes.ts'
import { openReceivers } from '../../../scripts/faults/receivers.ts'
import { useDatabase } from '../../support/database.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

const opened = useDatabase()
const events = 900
const stops = 3

function startWorker() {
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      RUN: 'worker',
      // Webhook receivers have loopback addresses, because they are on this machine.
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      DATABASE_URL: opened().connectionString,
      LOG_LEVEL: 'silent',
      ENCRYPTION_KEY: encryptionKey.toString('base64'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { ended: endOf(child), signal: (name: 'SIGTERM' | 'SIGKILL') => child.kill(name) }
}

test('a worker that is stopped under load leaves no leases, and the next worker sends each remaining webhook delivery exactly once', async () => {
  const { database } = opened()
  const receivers = await openReceivers()
  const started: ReturnType<typeof startWorker>[] = []
  let gate = Promise.resolve()
  const start = () => {
    const worker = startWorker()
    started.push(worker)
    return worker
  }
  try {
    const tenant = await openMerchant(database)
    for (const path of ['/one', '/two', '/three']) {
      // The webhook receiver responds so slowly that some request is always in progress. While the test stops a worker,
      // the receiver sends no response until the test has sent the stop signal.
      receivers.answers.set(path, (response) => void setTimeout(() => gate.then(() => response.end()), 10))
      await addEndpoint(database, tenant, `${receivers.url}${path}`)
    }
    await emit(contextOf(database), tenant, events / 3)
    for (let stop = 0; stop < stops; stop++) {
      const worker = start()
      const enough = receivers.receipts.length + events / (stops + 2)
      await waitUntil(() => receivers.receipts.length >= enough, { timeout: 120_000, interval: 1 })
      const opening = Promise.withResolvers<void>()
      gate = opening.promise
      worker.signal('SIGTERM')
      opening.resolve()
      expect(await worker.ended).toBe(0)
      const held = await database.pool.query('select from webhook_leases')
      expect(held.rowCount).toBe(0)
      expect(receivers.receipts.length).toBeLessThan(events)
    }
    start()
    await waitUntil(() => receivers.receipts.length >= events)
    const open = `select from webhook_deliveries where status <> 'succeeded'`
    await waitFor(async () => expect((await database.pool.query(open)).rowCount).toBe(0))
    expect(receivers.receipts).toHaveLength(events)
    expect(await findViolations(opened().ownerConnectionString, { receivers, nowMs: Date.now() })).toEqual([])
  } finally {
    for (const worker of started) worker.signal('SIGKILL')
    receivers.close()
  }
})
