import { expect, test } from 'vitest'
import { cancelReplay } from '../../../src/access/cancel-replay.ts'
import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import type { ReplayRequest } from '../../../src/access/replay-since.ts'
import { sendTestEvent } from '../../../src/access/send-test-event.ts'
import { lowestIdAt } from '../../../src/base/ids.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { replayWebhooks } from '../../../src/webhooks/replay-webhooks.ts'
import { sweep } from '../../../src/worker/sweeper.ts'
import { asOwner, useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, operator } from '../shop.ts'
import { openReplayShop } from './replay-shop.ts'

const opened = useDatabase()
const minute = 60_000

test('a bulk replay sends an endpoint’s deliveries again in chunks, in order, with their original ids and bytes', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emitMany(230)
  await shop.deliver(endpoint)
  const first = new Map(receiver.received.map(({ headers, rawBody }) => [headers['webhook-id'], rawBody]))
  expect(first.size).toBe(230)
  receiver.received.length = 0
  const outcome = await shop.replay({ endpointId: endpoint.endpointId, statuses: ['succeeded'] })
  expect(outcome).toMatchObject({ is: 'started', since: shop.begunAt, until: shop.now(), statuses: ['succeeded'] })
  shop.clock.advance(minute)
  const chunks = []
  for (const expected of [100, 100, 30]) {
    chunks.push(await shop.step())
    expect(await shop.deliver(endpoint)).toEqual({ attempts: expected, nextDueAt: undefined })
    shop.clock.advance(5_000)
  }
  expect(chunks).toEqual([100, 100, 30])
  expect(only(await shop.list())).toMatchObject({ status: 'running', queued: 230, succeeded: 230 })
  expect(await shop.step()).toBe(0)
  expect(only(await shop.list())).toMatchObject({ status: 'done', queued: 230, waiting: 0, completedAt: shop.now() })
  expect(receiver.received).toHaveLength(230)
  const second = new Map(receiver.received.map(({ headers, rawBody }) => [headers['webhook-id'], rawBody]))
  expect(second).toEqual(first)
  const originals = (await shop.originals()).map(({ id }) => id)
  expect((await shop.replays()).map(({ replayOf }) => replayOf)).toEqual(originals)
})

test('by default, a bulk replay sends skipped deliveries and deliveries whose retries all failed, and then sets their status to succeeded', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emitMany(1)
  await shop.failForGood((await shop.all()).map(({ id }) => id))
  await shop.disable(endpoint)
  await shop.emitMany(2)
  await shop.enable(endpoint)
  expect(await shop.replay(endpoint)).toMatchObject({ is: 'started', statuses: ['failed', 'skipped'] })
  await shop.finish(endpoint)
  expect(receiver.received).toHaveLength(3)
  expect((await shop.all()).map((each) => each.status)).toEqual(Array(6).fill('succeeded'))
  expect(shop.nudged.at(-1)).toBe(endpoint.endpointId)
})

test('a bulk replay to a disabled endpoint makes one attempt for each webhook delivery, without retries and without counting failures', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(8)
  await shop.replay(endpoint)
  await shop.finish(endpoint)
  expect(receiver.received).toHaveLength(8)
  expect(only(await shop.list())).toMatchObject({ status: 'done', queued: 8, succeeded: 0, failed: 8 })
  expect((await shop.originals()).map((each) => each.status)).toEqual(Array(8).fill('skipped'))
  expect((await shop.replays()).every((each) => each.attemptCount === 1 && each.nextAttemptAt === null)).toBe(true)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'disabled', consecutiveFailures: 0 })
})

test('a bulk replay queues each original webhook delivery once, and at most one chunk at a time, even with several workers', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(150)
  await shop.replay(endpoint)
  shop.clock.advance(minute)
  await Promise.all(Array.from({ length: 6 }, shop.step))
  expect(await shop.replays()).toHaveLength(100)
  await shop.deliver(endpoint)
  shop.clock.advance(1)
  await Promise.all(Array.from({ length: 6 }, shop.step))
  await shop.finish(endpoint)
  const replayed = (await shop.replays()).map(({ replayOf }) => replayOf)
  expect(replayed).toEqual((await shop.originals()).map(({ id }) => id))
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(150)
  expect(receiver.received).toHaveLength(150)
})

test('a bulk replay queues either a whole chunk or nothing when a worker dies', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(130)
  await shop.replay(endpoint)
  shop.clock.advance(minute)
  await asOwner(
    opened(),
    `create function die() returns trigger language plpgsql as $$ begin raise 'The worker died.'; end $$;
    create trigger dies before update on webhook_bulk_replays for each row execute function die()`,
  )
  await expect(shop.step()).rejects.toThrow('The worker died.')
  await asOwner(opened(), 'drop trigger dies on webhook_bulk_replays')
  expect(await shop.replays()).toEqual([])
  const dying = { ...shop.context, nudge: () => expect.fail('The worker died.') }
  await expect(replayWebhooks(dying, shop.merchantId)).rejects.toThrow('The worker died.')
  expect(await shop.replays()).toHaveLength(100)
  expect(await shop.step()).toBe(0)
  await shop.finish(endpoint)
  expect(receiver.received).toHaveLength(130)
  expect(new Set((await shop.replays()).map(({ replayOf }) => replayOf)).size).toBe(130)
})

test('cancelling a bulk replay skips its unsent replays, lets those in flight finish, and queues no further replays', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(120)
  const started = await shop.replay(endpoint)
  if (started.is !== 'started') throw new Error(started.is)
  shop.clock.advance(minute)
  await shop.step()
  const held: (() => void)[] = []
  receiver.answer = (_, response) => held.push(() => response.writeHead(200).end())
  const delivering = shop.deliver(endpoint)
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const cancelled = await cancelReplay(shop.context, operator, shop.tenant, started.id)
  receiver.answer = status(200)
  for (const answer of held) answer()
  await delivering
  const sent = receiver.received.length
  expect(sent).toBeLessThan(100)
  expect(cancelled).toEqual({ is: 'cancelled', queued: 100, skipped: 100 - sent })
  expect(await shop.step()).toBe(0)
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 0, nextDueAt: undefined })
  expect(only(await shop.list())).toMatchObject({ status: 'cancelled', queued: 100, succeeded: sent, waiting: 0 })
  expect(await cancelReplay(shop.context, operator, shop.tenant, started.id)).toEqual({ is: 'already_over' })
  expect(only(await shop.audits('webhook_replay.cancel'))).toMatchObject({
    resourceId: started.id,
    changes: { status: ['running', 'cancelled'], skippedDeliveries: [0, 100 - sent] },
  })
  // A complete bulk replay does not block the next one: the endpoint accepts another request for a replay at once.
  expect(await shop.replay(endpoint)).toMatchObject({ is: 'started' })
})

test('a replay whose worker dies while sending it is not sent again after its bulk replay was cancelled', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(3)
  const started = await shop.replay(endpoint)
  if (started.is !== 'started') throw new Error(started.is)
  shop.clock.advance(minute)
  await shop.step()
  const { database, workerId } = shop.pumpContext
  const caps = { room: 1, merchantCap: 1, endpointCap: 1 }
  await claimDeliveries(database, { lanes: [endpoint], workerId, now: shop.now(), ...caps })
  const cancelled = await cancelReplay(shop.context, operator, shop.tenant, started.id)
  expect(cancelled).toEqual({ is: 'cancelled', queued: 3, skipped: 2 })
  shop.clock.advance(minute)
  await sweep(shop.sweepContext)
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 0, nextDueAt: undefined })
  expect(receiver.received).toEqual([])
  expect((await shop.replays()).map((each) => each.status)).toEqual(['skipped', 'skipped', 'skipped'])
  expect(only(await shop.list())).toMatchObject({ status: 'cancelled', waiting: 0 })
})

test('a bulk replay sends only webhook deliveries of the requested endpoint, period and statuses, and no replays or samples', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  const other = await shop.addEndpoint('http://127.0.0.1:1/')
  await shop.disable(other)
  await shop.emitMany(1)
  await shop.deliver(endpoint)
  await shop.disable(endpoint)
  await shop.emitMany(1)
  const since = shop.now()
  await shop.emitMany(2)
  await sendTestEvent(shop.context, operator, shop.tenant, { endpointId: endpoint.endpointId, kind: 'order.created' })
  await shop.deliver(endpoint)
  const until = shop.now()
  shop.clock.advance(1)
  await shop.emitMany(1)
  const mine = (await shop.originals()).filter(({ endpointId }) => endpointId === endpoint.endpointId)
  expect(mine.map((each) => each.status)).toEqual(['succeeded', 'skipped', 'skipped', 'skipped', 'skipped'])
  const inRange = mine.slice(2, 4).map(({ id }) => id)
  await shop.failForGood(inRange.slice(1))
  const replayed = async (request: Partial<ReplayRequest>) => {
    const before = (await shop.replays()).length
    await shop.replay({ endpointId: endpoint.endpointId, ...request })
    await shop.finish(endpoint)
    return (await shop.replays()).slice(before).map(({ replayOf }) => replayOf)
  }
  const ids = mine.map(({ id }) => id)
  expect(await replayed({ since, until, statuses: ['failed'] })).toEqual(inRange.slice(1))
  expect(await replayed({ since, until })).toEqual(inRange.slice(0, 1))
  expect(await replayed({ statuses: ['succeeded'], until })).toEqual([ids[0], ...inRange])
  expect(await replayed({ statuses: ['skipped', 'succeeded', 'skipped'] })).toEqual(ids)
})

test('a bulk replay does not include webhook deliveries that still have a scheduled retry', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  await shop.emit()
  expect((await shop.all()).map((each) => each.status).toSorted()).toEqual(['failed', 'pending'])
  shop.clock.advance(minute / 2)
  await shop.replay(endpoint)
  shop.clock.advance(minute / 4)
  expect(await shop.step()).toBe(0)
  await shop.disable(endpoint)
  expect(only(await shop.list())).toMatchObject({ status: 'done', queued: 0 })
})

test('a new event during a bulk replay waits for at most one chunk of replays', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(250)
  await shop.enable(endpoint, true)
  receiver.received.length = 0
  // The result of the replay must not depend on the number of sweeps before the first delivery is sent.
  for (let looks = 0; looks < 4; looks++) await shop.step()
  shop.clock.advance(1)
  await shop.emit()
  const live = (await shop.originals()).at(-1)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 101 })
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toContain(live?.eventId)
  expect(only(await shop.list())).toMatchObject({ status: 'running', queued: 100 })
})

test('a bulk replay waits for open transactions that may still commit deliveries with earlier ids', async () => {
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emit()
  shop.clock.advance(10)
  await shop.replay(endpoint)
  expect(await shop.step()).toBe(0)
  expect(only(await shop.list())).toMatchObject({ status: 'running', queued: 0 })
  shop.clock.advance(minute)
  expect(await shop.step()).toBe(1)
})

test('a bulk replay finds the few webhook deliveries of its endpoint among thousands of deliveries of another endpoint', async () => {
  const { pool } = opened().database
  const shop = await openReplayShop(opened().database)
  const receiver = await openReceiver()
  const busy = await shop.addEndpoint('http://127.0.0.1:1/', ['order.created'])
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.disable(endpoint)
  await shop.emitMany(1)
  await pool.query(
    `insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, status, created_at, completed_at)
     select $1, left($2, 18) || lpad(number::text, 12, '0'), 'evt', $3, 'skipped', $4, $4
     from generate_series(1, 12000) as number`,
    [shop.merchantId, lowestIdAt('dlv', shop.clock.nowMs()), busy.endpointId, shop.now()],
  )
  shop.clock.advance(1)
  await shop.emitMany(1)
  await shop.replay(endpoint)
  shop.clock.advance(minute)
  expect(await shop.step()).toBe(2)
  await shop.finish(endpoint)
  expect(receiver.received).toHaveLength(2)
})

test('a bulk replay ends when its endpoint is deleted', async () => {
  const shop = await openReplayShop(opened().database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
  await shop.disable(endpoint)
  await shop.emitMany(150)
  await shop.replay(endpoint)
  shop.clock.advance(minute)
  await shop.step()
  await deleteWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  expect(await shop.step()).toBe(0)
  expect(only(await shop.list())).toMatchObject({
    status: 'cancelled',
    queued: 100,
    waiting: 0,
    completedAt: shop.now(),
  })
})
