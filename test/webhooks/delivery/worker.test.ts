import { expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { createDueNotifier } from '../../../src/worker/due-notifier.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { sweep, sweepDeliveries } from '../../../src/worker/sweeper.ts'
import { useDatabase } from '../../support/database.ts'
import { openTestClock } from '../../support/database-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, openShop, policy, vault } from '../shop.ts'

const opened = useDatabase()

async function jobs() {
  const { pool } = opened().database
  return (
    await pool.query(
      "select key, run_at, locked_at from graphile_worker.jobs where key not like 'scheduled:%' order by key",
    )
  ).rows
}

async function startTestWorker() {
  const { database } = opened()
  const context = { database, clock: await openTestClock(database), nudge: () => undefined }
  const payments = { vault, paymentProviders: { urls: { paystack: 'http://127.0.0.1:1' } }, rules: standardRules }
  return startWorker({ ...context, ...payments, log: silentLog, policy })
}

test('the webhook worker delivers an event after the transaction that emitted the event has committed, and stops on request', async () => {
  const { database } = opened()
  const nudger = createDueNotifier(database, silentLog)
  const shop = await openShop(database, { nudge: nudger.nudge })
  const receiver = await openReceiver()
  await shop.addEndpoint(receiver.url)
  const worker = await startTestWorker()
  try {
    await shop.emit()
    await waitFor(() => expect(receiver.received).toHaveLength(1))
    await expect.poll(async () => only(await shop.deliveries()).status).toBe('succeeded')
  } finally {
    await nudger.flush()
    await worker.stop()
  }
  await worker.ended
  expect((await jobs()).filter(({ locked_at }) => locked_at !== null)).toEqual([])
})

test('the webhook worker sends webhook deliveries that became due before the worker started, and schedules their retries', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const worker = await startTestWorker()
  try {
    await waitFor(() => expect(receiver.received).toHaveLength(1))
    const retryAts = async () =>
      (await jobs()).filter(({ key }) => key === `retry:${endpoint.endpointId}`).map(({ run_at }) => run_at)
    await expect.poll(retryAts).toHaveLength(1)
    expect(await retryAts()).toEqual([only(await shop.deliveries()).nextAttemptAt])
  } finally {
    await worker.stop()
  }
})

test('the webhook worker finishes the webhook delivery attempt in flight before it stops', async () => {
  const shop = await openShop(opened().database)
  const answers: (() => void)[] = []
  const receiver = await openReceiver((_, response) => answers.push(() => response.end()))
  await shop.addEndpoint(receiver.url)
  await shop.emit()
  const worker = await startTestWorker()
  await waitFor(() => expect(answers).toHaveLength(1))
  const stopped = worker.stop()
  for (const answer of answers) answer()
  await stopped
  expect(only(await shop.deliveries())).toMatchObject({ status: 'succeeded', attemptCount: 1 })
})

test('a killed worker’s webhook delivery is sent again after its lease expires, and the killed worker’s late result is rejected', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const { merchantId, endpointId } = endpoint
  const caps = { room: 1, merchantCap: 1, endpointCap: 1 }
  const lanes = [{ merchantId, endpointId }]
  await claimDeliveries(database, { lanes, workerId: 'wrk_killed', now: shop.now(), ...caps })
  shop.clock.advance(30_000)
  await sweep(shop.sweepContext)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 0 })
  shop.clock.advance(1)
  await sweep(shop.sweepContext)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
  const delivery = only(await shop.deliveries())
  expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 1 })
  expect(await shop.attempts(delivery.id)).toMatchObject([
    { number: 1, outcome: 'aborted', errorCode: 'worker_lost' },
    { number: 2, outcome: 'succeeded' },
  ])
})

test('the delivery attempt of a killed worker is recorded even if the worker’s clock was behind the clock of the process that queued the delivery', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const endpoint = await shop.addEndpoint((await openReceiver()).url)
  await shop.emit()
  const now = toTimestamp(shop.clock.nowMs() - 20)
  const caps = { room: 1, merchantCap: 1, endpointCap: 1 }
  await claimDeliveries(database, { lanes: [endpoint], workerId: 'wrk_killed', now, ...caps })
  shop.clock.advance(30_001)
  await sweep(shop.sweepContext)
  await shop.deliver(endpoint)
  const delivery = only(await shop.deliveries())
  expect(await shop.attempts(delivery.id)).toMatchObject([
    { number: 1, outcome: 'aborted', errorCode: 'worker_lost' },
    { number: 2, outcome: 'succeeded' },
  ])
})

test('the result of a webhook delivery that arrives after the delivery’s lease expired is ignored', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  receiver.answer = async (_, response) => {
    receiver.answer = status(200)
    shop.clock.advance(31_000)
    await sweep(shop.sweepContext)
    response.writeHead(500).end()
  }
  await shop.deliver(endpoint)
  const delivery = only(await shop.deliveries())
  expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 1 })
  expect((await shop.attempts(delivery.id)).map(({ outcome }) => outcome)).toEqual(['aborted', 'succeeded'])
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 0 })
})

test('the sweeper suspends webhook deliveries that a transaction committed after their endpoint was disabled', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
  await shop.emit()
  const now = toTimestamp(shop.clock.nowMs())
  await database.pool.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'manual', disabled_at = $1 where id = $2`,
    [now, endpoint.endpointId],
  )
  await sweepDeliveries(shop.sweepContext)
  expect(only(await shop.deliveries())).toMatchObject({ status: 'held', nextAttemptAt: null })
})

test('after three workers in a row died while sending a webhook delivery, the delivery is postponed for an hour, and an error is logged', async () => {
  const { database } = opened()
  const errors: unknown[] = []
  const log = silentLog.child({})
  Object.assign(log, { error: (fields: unknown) => errors.push(fields) })
  const shop = await openShop(database, { log })
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const { merchantId, endpointId } = endpoint
  const caps = { room: 1, merchantCap: 1, endpointCap: 1 }
  for (let death = 0; death < 3; death++) {
    const claim = { lanes: [{ merchantId, endpointId }], workerId: 'wrk_killed', now: shop.now(), ...caps }
    expect((await claimDeliveries(database, claim)).lanes[0]?.deliveries).toHaveLength(1)
    shop.clock.advance(30_001)
    await sweep(shop.sweepContext)
  }
  const { id, nextAttemptAt } = only(await shop.deliveries())
  expect(nextAttemptAt).toBe(toTimestamp(shop.clock.nowMs() + 60 * 60_000))
  expect(errors).toEqual([{ deliveryIds: [id] }])
  shop.clock.advance(60 * 60_000)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
  expect(only(await shop.deliveries())).toMatchObject({ status: 'succeeded', attemptCount: 1 })
})
