import { expect, test } from 'vitest'
import { cancelReplay } from '../../../src/access/cancel-replay.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { createDueNotifier } from '../../../src/worker/due-notifier.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { sweep } from '../../../src/worker/sweeper.ts'
import { useDatabase } from '../../support/database.ts'
import { openTestClock } from '../../support/database-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver } from '../receiver.ts'
import { only, operator, policy, vault } from '../shop.ts'
import { openReplayShop } from './replay-shop.ts'

const opened = useDatabase()
const minute = 60_000
const day = 24 * 60 * minute

test('an invalid request for a bulk replay is rejected and stores nothing', async () => {
  const shop = await openReplayShop(opened().database)
  const other = await openReplayShop(opened().database)
  const { endpointId } = await shop.addEndpoint('http://127.0.0.1:1/')
  shop.clock.advance(minute)
  const nowMs = shop.clock.nowMs()
  expect(await other.replay({ endpointId })).toEqual({ is: 'endpoint_unknown' })
  const tooFar = await shop.replay({ endpointId, since: toTimestamp(nowMs - 14 * day - 1) })
  expect(tooFar).toEqual({ is: 'too_far_back', earliest: toTimestamp(nowMs - 14 * day) })
  const empty = { is: 'range_is_empty' }
  expect(await shop.replay({ endpointId, since: shop.now() })).toEqual(empty)
  expect(await shop.replay({ endpointId, since: toTimestamp(nowMs + 1), until: toTimestamp(nowMs + 2) })).toEqual(empty)
  expect(await shop.replay({ endpointId, until: shop.begunAt })).toEqual(empty)
  expect(await shop.replay({ endpointId, statuses: [] })).toEqual({ is: 'no_statuses' })
  expect(await shop.list()).toEqual([])
  expect(await shop.audits('webhook_endpoint.replay')).toEqual([])
  // The maximum time range of a replay starts 14 days ago. The service replaces an end in the future with the current
  // time.
  const furthest = { endpointId, since: toTimestamp(nowMs - 14 * day), until: toTimestamp(nowMs + day) }
  expect(await shop.replay(furthest)).toMatchObject({ is: 'started', until: shop.now() })
})

test('only one of several concurrent requests for a bulk replay of an endpoint starts a replay, and only one audit row is written', async () => {
  const shop = await openReplayShop(opened().database)
  const other = await openReplayShop(opened().database)
  const { endpointId } = await shop.addEndpoint('http://127.0.0.1:1/')
  const second = await shop.addEndpoint('http://127.0.0.1:1/')
  shop.clock.advance(minute)
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => shop.replay({ endpointId })))
  expect(outcomes.map(({ is }) => is).toSorted()).toEqual([...Array(3).fill('already_running'), 'started'])
  const { id } = only(await shop.list())
  expect(outcomes).toContainEqual({ is: 'already_running', id })
  expect(only(await shop.audits('webhook_endpoint.replay'))).toMatchObject({
    resourceId: endpointId,
    actorType: 'operator',
    changes: {
      bulkReplay: [null, id],
      since: [null, shop.begunAt],
      until: [null, shop.now()],
      statuses: [null, ['failed', 'skipped']],
    },
  })
  expect(await cancelReplay(other.context, operator, other.tenant, id)).toEqual({ is: 'replay_unknown' })
  expect(await shop.replay(second)).toMatchObject({ is: 'started' })
})

test('enabling a webhook endpoint returns the number of skipped deliveries, and sends them only if the request asks for a replay', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(2)
  expect(await shop.enable(endpoint)).toEqual({
    is: 'enabled',
    resumed: 0,
    skipped: 2,
    replay: { is: 'not_requested' },
  })
  expect(await shop.list()).toEqual([])
  await shop.disable(endpoint)
  expect(await shop.enable(endpoint, true)).toMatchObject({ skipped: 0, replay: { is: 'nothing_skipped' } })
  shop.clock.advance(minute)
  await shop.disable(endpoint)
  await shop.emitMany(3)
  const enabled = await shop.enable(endpoint, true)
  const { id } = only(await shop.list())
  expect(enabled).toEqual({ is: 'enabled', resumed: 0, skipped: 3, replay: { is: 'started', id } })
  expect((await shop.audits('webhook_endpoint.enable'))[0]).toMatchObject({ changes: { bulkReplay: [null, id] } })
  await shop.finish(endpoint)
  expect(only(await shop.list())).toMatchObject({ status: 'done', succeeded: 3, statuses: ['skipped'] })
  const replayed = (await shop.replays()).map(({ replayOf }) => replayOf)
  expect(replayed).toEqual((await shop.originals()).slice(2).map(({ id: original }) => original))
})

test('a bulk replay includes webhook deliveries that were skipped because the endpoint was disabled, even if concurrent transactions created these deliveries', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  const emitAt = async (aheadMs: number) => {
    shop.clock.advance(aheadMs)
    await shop.emit()
    shop.clock.advance(-aheadMs)
  }
  shop.clock.advance(minute)
  await shop.disable(endpoint)
  // A record id contains the start time of its transaction. A delivery that is committed before the endpoint is enabled
  // may therefore have an id from before or after the start of the transaction that enables the endpoint.
  await emitAt(-1_000)
  await emitAt(1_000)
  expect(await shop.enable(endpoint, true)).toMatchObject({ skipped: 2, replay: { is: 'started' } })
  shop.clock.advance(2_000)
  await shop.finish(endpoint)
  expect(receiver.received).toHaveLength(2)
})

test('if a bulk replay runs when an endpoint is enabled with a replay, no second bulk replay starts, and the result states the number of deliveries that were skipped in the last fourteen days', async () => {
  const shop = await openReplayShop(opened().database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
  await shop.disable(endpoint)
  await shop.emitMany(1)
  shop.clock.advance(15 * day)
  await shop.emitMany(1)
  const since = toTimestamp(shop.clock.nowMs() - 60 * minute)
  const running = await shop.replay({ endpointId: endpoint.endpointId, since })
  if (running.is !== 'started') throw new Error(running.is)
  expect(await shop.enable(endpoint, true)).toMatchObject({
    is: 'enabled',
    skipped: 1,
    replay: { is: 'already_running', id: running.id },
  })
  expect(await shop.list()).toHaveLength(1)
})

test('a bulk replay queues a job when it is requested, and each sweep queues the job again until the replay is complete', async () => {
  const { pool } = opened().database
  const shop = await openReplayShop(opened().database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
  shop.clock.advance(minute)
  const key = `replay_webhooks:${shop.merchantId}`
  const isCalledFor = async () => {
    const { rowCount } = await pool.query('select from graphile_worker.jobs where key = $1', [key])
    await pool.query('select graphile_worker.remove_job($1)', [key])
    return rowCount === 1
  }
  await sweep(shop.sweepContext)
  expect(await isCalledFor()).toBe(false)
  await shop.replay(endpoint)
  expect(await isCalledFor()).toBe(true)
  await sweep(shop.sweepContext)
  expect(await isCalledFor()).toBe(true)
  await shop.finish(endpoint)
  await sweep(shop.sweepContext)
  expect(await isCalledFor()).toBe(false)
})

test('a real worker carries out a bulk replay from the request to the delivery at the receiver', async () => {
  const { database } = opened()
  const nudger = createDueNotifier(database, silentLog)
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  // The worker uses the system clock, so the times of all events must be in the past by the system clock.
  shop.clock.advance(-5 * minute)
  const since = shop.now()
  await shop.emitMany(3)
  await shop.replay({ endpointId: endpoint.endpointId, since })
  const context = { database, clock: await openTestClock(database), nudge: nudger.nudge }
  const payments = { vault, paymentProviders: { urls: { paystack: 'http://127.0.0.1:1' } }, rules: standardRules }
  const worker = await startWorker({ ...context, ...payments, log: silentLog, policy })
  try {
    await waitFor(() => expect(receiver.received).toHaveLength(3))
    await waitFor(async () => expect(only(await shop.list())).toMatchObject({ status: 'done', succeeded: 3 }))
  } finally {
    await nudger.flush()
    await worker.stop()
  }
})
