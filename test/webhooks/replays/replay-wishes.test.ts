import { expect, test, vi } from 'vitest'
import { cancelReplay } from '../../../src/access/cancel-replay.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { createDueNotifier } from '../../../src/worker/due-notifier.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { sweep } from '../../../src/worker/sweeper.ts'
import { useDatabase } from '../../support/database.ts'
import { openTestClock } from '../../support/database-clock.ts'
import { openReceiver } from '../receiver.ts'
import { only, operator, policy, vault } from '../shop.ts'
import { openReplayShop } from './replay-shop.ts'

const opened = useDatabase()
const minute = 60_000
const day = 24 * 60 * minute

test('a wish that cannot be is refused, and leaves no trace', async () => {
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
  // The furthest there is, and an end ahead means now.
  const furthest = { endpointId, since: toTimestamp(nowMs - 14 * day), until: toTimestamp(nowMs + day) }
  expect(await shop.replay(furthest)).toMatchObject({ is: 'started', until: shop.now() })
})

test('of several wishes at once for one endpoint one begins, with its audit row; another endpoint has its own', async () => {
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
    resource_id: endpointId,
    actor_type: 'operator',
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

test('enabling says how many were skipped since, and sends them only when asked to', async () => {
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

test('what found the endpoint disabled is replayed, also when it began before the disabling or after the enabling', async () => {
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
  // Ids are made when a mutation begins, and what it finds is what others committed by then.
  await emitAt(-1_000)
  await emitAt(1_000)
  expect(await shop.enable(endpoint, true)).toMatchObject({ skipped: 2, replay: { is: 'started' } })
  shop.clock.advance(2_000)
  await shop.finish(endpoint)
  expect(receiver.received).toHaveLength(2)
})

test('enabling leaves a replay that runs alone, and goes back no more than fourteen days', async () => {
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

test('the wish calls for a worker and so does the pulse, until it is over', async () => {
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
  await sweep(shop.beatContext)
  expect(await isCalledFor()).toBe(false)
  await shop.replay(endpoint)
  expect(await isCalledFor()).toBe(true)
  await sweep(shop.beatContext)
  expect(await isCalledFor()).toBe(true)
  await shop.finish(endpoint)
  await sweep(shop.beatContext)
  expect(await isCalledFor()).toBe(false)
})

test('a worker carries a replay from the wish to the receiver', async () => {
  const { database, connectionString } = opened()
  const nudger = createDueNotifier(database, silentLog)
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  // The worker's clock is the real one, for which all of this must be a while ago.
  shop.clock.advance(-5 * minute)
  const since = shop.now()
  await shop.emitMany(3)
  await shop.replay({ endpointId: endpoint.endpointId, since })
  const context = { database, clock: await openTestClock(database), nudge: nudger.nudge }
  const payments = { vault, paystackUrl: 'http://127.0.0.1:1', rules: standardRules }
  const worker = await startWorker({ ...context, ...payments, connectionString, log: silentLog, policy })
  try {
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3), { timeout: 120_000 })
    await vi.waitFor(async () => expect(only(await shop.list())).toMatchObject({ status: 'done', succeeded: 3 }), {
      timeout: 120_000,
    })
  } finally {
    await nudger.flush()
    await worker.stop()
  }
})
