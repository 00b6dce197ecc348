import { expect, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { bookkeep } from '../../../src/store/core/bookkeeping.ts'
import { mutate } from '../../../src/store/core/mutation.ts'
import { findTestClock, startAdvance, takeStep } from '../../../src/store/test-clock/test-clocks.ts'
import { openTestClocks } from '../../../src/worker/advance-test-clock.ts'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { asOwner } from '../../support/database.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { untilWaiting } from '../../support/database-locks.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'
import { openShop, operator, placeOrder, type Shop } from '../../support/shop.ts'
import {
  addEndpoint,
  advance,
  duringStep,
  readClock,
  requestAdvance,
  startClockWorker,
} from '../../support/test-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver, status } from '../../webhooks/receiver.ts'

const started = useApi()

const day = 86_400

test('advanceTestClock starts an advance, and a token of live mode is rejected', async () => {
  const api = started()
  const shop = await openTestShop(api)
  expect((await readClock(api, shop)).body).toEqual({
    ...{ id: shop.merchantId, status: 'idle' },
    ...{ advancedSeconds: 0, remainingSeconds: 0 },
  })
  const clock = { id: shop.merchantId, status: 'advancing', advancedSeconds: 0, remainingSeconds: day }
  expect((await requestAdvance(api, shop, day)).body).toEqual(clock)
  expect((await readClock(api, shop)).body).toEqual(clock)
  expect((await auditRows(api, shop.merchantId)).map(({ action, changes }) => ({ action, changes }))).toEqual([
    { action: 'test_clock.advance', changes: { remainingSeconds: [0, day] } },
  ])
  const live = await openShop(api.context)
  const before = await contentsOf(api)
  answers('advanceTestClock', 'test_mode_required', await requestAdvance(api, live, day))
  answers('getTestClock', 'test_mode_required', await readClock(api, live))
  expect(await contentsOf(api)).toEqual(before)
})

test.for([
  [0, 'validation_failed'],
  [-1, 'validation_failed'],
  [0.5, 'validation_failed'],
  ['3600', 'validation_failed'],
  [90 * day + 1, 'validation_failed'],
  [10 * 365 * day, 'validation_failed'],
] as const)('advanceTestClock rejects an advance by %s seconds with %s', async ([seconds, code]) => {
  const api = started()
  const reply = await requestAdvance(api, await openTestShop(api), seconds)
  expect([reply.status, reply.body.error.code]).toEqual([400, code])
})

test('if two advances of a test clock are requested concurrently, one starts, and the other is rejected with the remaining time of the first', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const replies = await Promise.all([requestAdvance(api, shop, day), requestAdvance(api, shop, day)])
  const [first, second] = replies.toSorted((one, other) => one.status - other.status)
  expect(first?.body).toMatchObject({ status: 'advancing', remainingSeconds: day })
  if (second === undefined) throw new Error('Two requests have two responses.')
  answers('advanceTestClock', 'test_clock_advancing', second)
  expect(second.body.error.details).toEqual({ remainingSeconds: day })
})

test('consecutive advances of the test clock add up, to at most ten years', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  await advance(api, shop, day)
  expect((await advance(api, shop, 90 * day)).body).toMatchObject({ advancedSeconds: 91 * day })
  await select(api, 'update test_clocks set advanced_ms = $2 where merchant_id = $1', [
    shop.merchantId,
    3560 * day * 1000 + 1,
  ])
  const reply = await requestAdvance(api, shop, 90 * day)
  answers('advanceTestClock', 'test_clock_limit_reached', reply)
  expect(reply.body.error.details).toEqual({ advancedSeconds: 3560 * day })
})

test.for([
  ['whose job was lost', "select graphile_worker.remove_job('advance_test_clock:' || $1)"],
  [
    'whose worker was killed',
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-killed'
     where key = 'advance_test_clock:' || $1`,
  ],
] as const)('a worker completes a test clock advance %s', async ([, change]) => {
  const api = started()
  const shop = await openTestShop(api)
  const { id } = await placeOrder(api, shop, { isPaid: false })
  await requestAdvance(api, shop, 2 * day)
  await select(api, change, [shop.merchantId])
  await startClockWorker(api)
  await waitFor(async () => expect((await readClock(api, shop)).body).toMatchObject({ status: 'idle' }))
  expect((await readClock(api, shop)).body).toMatchObject({ advancedSeconds: 2 * day })
  const { body: order } = await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })
  expect(order).toMatchObject({ status: 'cancelled' })
})

test('a test clock advance has at most a thousand steps, and all work that is due at its end is done after the last step', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { id } = await placeOrder(api, shop, { isPaid: false })
  await requestAdvance(api, shop, 2 * day)
  await select(api, 'update test_clocks set steps = 999 where merchant_id = $1', [shop.merchantId])
  await startClockWorker(api)
  await waitFor(async () => expect((await readClock(api, shop)).body).toMatchObject({ status: 'idle' }))
  const [clock] = await select(api, 'select steps from test_clocks where merchant_id = $1', [shop.merchantId])
  expect(clock).toEqual({ steps: 1000 })
  const { body: order } = await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })
  expect(Date.parse(order.cancelledAt) - Date.parse(order.createdAt)).toBe(2 * day * 1000)
})

test('if an advance of the test clock takes too long, the rest of the advance takes at most ten steps and still does all due work', async () => {
  const api = started()
  const shop = await openTestShop(api)
  for (let number = 0; number < 20; number++) {
    await placeOrder(api, shop, { isPaid: false })
    api.clock.advance(60_000)
  }
  await requestAdvance(api, shop, 2 * day)
  const advanceClock = openTestClocks({ ...api.payments, wake: () => undefined, exactForMs: 0 })
  await advanceClock(shop.merchantId)
  const clock = await findTestClock(api.database, shop.merchantId)
  expect(clock).toMatchObject({ isAdvancing: false, hasFailed: false, advancedMs: 2 * day * 1000 })
  expect(clock.steps).toBeLessThanOrEqual(11)
  const { body } = await api.send('GET', '/api/v1/orders', { token: shop.token })
  expect(body.data.map(({ status }: { status: string }) => status)).toEqual(Array(20).fill('cancelled'))
})

test('a step of a test clock advance ends at a due time even if another worker has made the previous step', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { id } = await placeOrder(api, shop, { isPaid: false })
  await requestAdvance(api, shop, 20 * day)
  const advanceClock = openTestClocks({ ...api.payments, wake: () => undefined, exactForMs: 0 })
  const { advancing } = await duringStep(api, shop, async () => {
    const advancing = advanceClock(shop.merchantId)
    await untilWaiting(api, 1)
    await select(api, 'update test_clocks set steps = steps + 1 where merchant_id = $1', [shop.merchantId])
    return { advancing }
  })
  await advancing
  const { body: order } = await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })
  expect(order.status).toBe('cancelled')
  expect(Date.parse(order.cancelledAt) - Date.parse(order.createdAt)).toBe(day * 1000)
})

test('a step of a test clock advance waits for the end of a running write operation of the merchant, and then moves all times of the merchant', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { id } = await placeOrder(api, shop, { isPaid: false })
  const createdMs = async () =>
    Date.parse((await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body.createdAt)
  const before = await createdMs()
  const reading = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const { tenant, merchantId } = shop
  const mutation = {
    tenant,
    actor: operator,
    action: 'order.update' as const,
    resourceType: 'order',
    resourceId: () => id,
  }
  const mutating = mutate(api.context, { ...mutation, emits: [] }, async ({ trx }) => {
    await findTestClock(trx, merchantId)
    reading.resolve()
    await released.promise
  })
  await reading.promise
  await requestAdvance(api, shop, 3600)
  await startClockWorker(api)
  await untilWaiting(api, 1)
  expect(await createdMs()).toBe(before)
  released.resolve()
  await mutating
  await waitFor(async () => expect((await readClock(api, shop)).body).toMatchObject({ status: 'idle' }))
  expect(await createdMs()).toBe(before - 3_600_000)
})

/** Returns the rows of the audit log about an advance: its start, then its end. */
const clockAuditOf = (api: TestApi, { merchantId }: Shop) =>
  select(
    api,
    `select action, actor_type as by, changes from audit_log
     where merchant_id = $1 and resource_type = 'test_clock' order by action`,
    [merchantId],
  )

test('the audit log states who started an advance, and that it ended', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  await advance(api, shop, day)
  expect(await clockAuditOf(api, shop)).toEqual([
    { action: 'test_clock.advance', by: 'token', changes: { remainingSeconds: [0, day] } },
    { action: 'test_clock.end_advance', by: 'system', changes: { status: ['advancing', 'idle'] } },
  ])
})

test('if a step of a test clock advance fails, the advance ends with the status failed and moves no times, and another advance can start', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { id } = await placeOrder(api, shop, { isPaid: false })
  const read = async () => (await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
  const before = await read()
  await asOwner(
    api,
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$;
     create trigger fail before update on orders for each row execute function fail()`,
  )
  await requestAdvance(api, shop, 3600)
  await startClockWorker(api)
  const failed = { status: 'failed', advancedSeconds: 0, remainingSeconds: 0 }
  await waitFor(async () => expect((await readClock(api, shop)).body).toMatchObject(failed))
  expect(await read()).toEqual(before)
  expect(await clockAuditOf(api, shop)).toEqual([
    { action: 'test_clock.advance', by: 'token', changes: { remainingSeconds: [0, 3600] } },
    {
      ...{ action: 'test_clock.end_advance', by: 'system' },
      changes: { status: ['advancing', 'failed'], remainingSeconds: [3600, 0] },
    },
  ])
  await asOwner(api, 'drop function fail cascade')
  expect((await advance(api, shop, 3600)).body).toMatchObject({ advancedSeconds: 3600 })
})

test('if a worker stops during a test clock advance, another worker completes the advance', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const answers: (() => void)[] = []
  const receiver = await openReceiver((_, response) => answers.push(() => response.writeHead(500).end()))
  const { secret } = await addEndpoint(api, shop, receiver.url)
  trustSecret(receiver.url, secret)
  await placeOrder(api, shop)
  await requestAdvance(api, shop, day)
  const first = await startClockWorker(api)
  await waitFor(() => expect(answers).toHaveLength(1))
  const stopped = first.stop()
  for (const answer of answers) answer()
  await stopped
  expect((await readClock(api, shop)).body).toMatchObject({ status: 'advancing', remainingSeconds: day })
  receiver.answer = status(500)
  await startClockWorker(api)
  await waitFor(async () => expect((await readClock(api, shop)).body).toMatchObject({ status: 'idle' }))
  expect((await readClock(api, shop)).body).toMatchObject({ advancedSeconds: day, remainingSeconds: 0 })
  expect(receiver.received).toHaveLength(6)
})

test('if two workers take the same step of a test clock advance, only one of them moves the clock', async () => {
  const api = started()
  const { merchantId } = await openTestShop(api)
  await bookkeep(api.database, (trx) => startAdvance(trx, { merchantId, spanMs: 5000 }))
  const step = () => bookkeep(api.database, (trx) => takeStep(trx, { merchantId, seenSteps: 0, stepMs: 2000 }))
  expect((await Promise.all([step(), step()])).toSorted()).toEqual([false, true])
  expect(await findTestClock(api.database, merchantId)).toMatchObject({ advancedMs: 2000, remainingMs: 3000, steps: 1 })
})
