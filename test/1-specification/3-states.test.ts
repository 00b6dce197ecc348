import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import type { EndpointKey } from '../../src/store/webhooks/endpoints.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { openWebhookShop, type WebhookShop } from '../dashboard/webhooks/webhook-shop.ts'
import { roomyDeadlineMs } from '../outbound/outbound.ts'
import { useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { eventsOf } from '../support/database-contents.ts'
import { placeOrder } from '../support/shop.ts'
import { type Answer, openReceiver, status } from '../webhooks/receiver.ts'
import { only } from '../webhooks/shop.ts'

/** Section 3 of the specification: states and transitions, above all of webhook deliveries and endpoints. */

const api = useApi()
let shop: WebhookShop

beforeEach(async () => {
  shop = await openWebhookShop(api())
})

const minuteMs = 60_000
const inMinutes = (minutes: number) => new Date(api().clock.nowMs() + minutes * minuteMs).toISOString()
const failedWithRetry = () => ({ status: 'failed', nextAttemptAt: inMinutes(1) })

/** Returns the delivery after its first attempt. */
async function deliveryTo(answer: Answer) {
  const receiver = await openReceiver(answer)
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  return only(await shop.deliveries())
}

async function failTimes(endpoint: EndpointKey, times: number) {
  for (let count = 0; count < times; count++) {
    // The tests expect the latest delivery first in the list. The order of deliveries of the same millisecond is
    // random.
    api().clock.advance(1)
    await shop.emit()
    await shop.deliver(endpoint)
  }
}

/** Sends one event to a webhook receiver that responds with 200 after the given time. Returns the delivery. */
async function deliveryAnsweredAfter(ms: number) {
  let nowMs = 0
  const outbound = openSafeFetch({ allowsLoopback: true }, { nowMs: () => nowMs })
  onTestFinished(() => outbound.close())
  const receiver = await openReceiver((_, response) => {
    nowMs = ms
    response.end()
  })
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint, { fetch: outbound.fetch })
  return only(await shop.deliveries())
}

test('spec 3: processing is a state of an order', async () => {
  const { id } = await placeOrder(api(), shop)
  const { body } = await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })
  expect(body.status).toBe('processing')
})

test('spec 3: a change of an order’s status emits the event order.status_changed', async () => {
  const { id } = await placeOrder(api(), shop)
  expect(await eventsOf(api(), shop.merchantId, 'order.status_changed')).toMatchObject([
    { event: 'order.status_changed', data: { orderId: id, to: 'processing' } },
  ])
})

test.for([
  200, 201, 202, 204, 299,
])('spec 3: a response with the status %i marks the webhook delivery succeeded', async (code) => {
  expect(await deliveryTo(status(code))).toMatchObject({ status: 'succeeded', nextAttemptAt: null })
})

test('spec 3: a 2xx response after exactly ten seconds marks the webhook delivery succeeded', async () => {
  expect(await deliveryAnsweredAfter(10_000)).toMatchObject({ status: 'succeeded', nextAttemptAt: null })
})

test('spec 3: a 2xx status within ten seconds marks the webhook delivery succeeded, even if the response body ends later', async () => {
  const receiver = await openReceiver((_, response) => void response.writeHead(200).write('to be continued'))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint, { deadlineMs: roomyDeadlineMs })
  expect(only(await shop.deliveries())).toMatchObject({ status: 'succeeded', lastHttpStatus: 200 })
})

test.for([
  300, 302, 400, 404, 410, 429, 500, 503,
])('spec 3: a response with the status %i marks the webhook delivery failed and schedules a retry', async (code) => {
  expect(await deliveryTo(status(code))).toMatchObject(failedWithRetry())
})

test('spec 3: a 2xx response after more than ten seconds marks the webhook delivery failed and schedules a retry', async () => {
  expect(await deliveryAnsweredAfter(10_001)).toMatchObject({ ...failedWithRetry(), lastErrorCode: 'timeout' })
})

test('spec 3: a webhook delivery is marked failed and scheduled for a retry if the receiver does not respond within ten seconds', async () => {
  const { promise: isReached, resolve: reach } = Promise.withResolvers<undefined>()
  const receiver = await openReceiver(() => reach(undefined))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const delivered = shop.deliver(endpoint)
  await isReached
  vi.advanceTimersByTime(9_999)
  expect(only(await shop.deliveries())).toMatchObject({ status: 'pending' })
  vi.advanceTimersByTime(1)
  await delivered
  expect(only(await shop.deliveries())).toMatchObject({ ...failedWithRetry(), lastErrorCode: 'timeout' })
})

test('spec 3: a closed connection marks the webhook delivery failed and schedules a retry', async () => {
  expect(await deliveryTo((_, response) => response.destroy())).toMatchObject(failedWithRetry())
})

test('spec 3: a failed webhook delivery is retried after 1 min, 5 min, 30 min, 2 h, 12 h and 24 h, and has no further retry', async () => {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const { id } = only(await shop.deliveries())
  const delivery = async () => only((await shop.deliveries()).filter((each) => each.id === id))
  const attempts = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === firstId).length
  await shop.deliver(endpoint)
  const firstId = receiver.received[0]?.headers['webhook-id']
  for (const [index, minutes] of [1, 5, 30, 2 * 60, 12 * 60, 24 * 60].entries()) {
    expect(await delivery()).toMatchObject({ status: 'failed', nextAttemptAt: inMinutes(minutes) })
    // Between two failing deliveries, a delivery of another event succeeds, so that repeated failures do not disable
    // the endpoint.
    receiver.answer = status(200)
    await shop.emit()
    api().clock.advance(minutes * minuteMs - 1)
    await shop.deliver(endpoint)
    expect(attempts()).toBe(index + 1)
    receiver.answer = status(500)
    api().clock.advance(1)
    await shop.deliver(endpoint)
    expect(attempts()).toBe(index + 2)
  }
  expect(await delivery()).toMatchObject({ status: 'failed', attemptCount: 7, nextAttemptAt: null })
})

test('spec 3: six consecutive failed deliveries disable the webhook endpoint', async () => {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let failures = 1; failures <= 6; failures++) {
    expect(only(await shop.endpoints()).status).toBe('enabled')
    await shop.emit()
    await shop.deliver(endpoint)
  }
  expect(only(await shop.endpoints())).toMatchObject({ status: 'disabled', disabledReason: 'consecutive_failures' })
  await shop.emit()
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(6)
})

test('spec 3: six failed deliveries disable the webhook endpoint, even if several of them were in flight together', async () => {
  const waiting: (() => void)[] = []
  const receiver = await openReceiver((_, response) => {
    waiting.push(() => response.writeHead(500).end())
    if (waiting.length >= 4) for (const respond of waiting.splice(0)) respond()
  })
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 8; count++) await shop.emit()
  await shop.deliver(endpoint, { rules: standardRules })
  expect(only(await shop.endpoints())).toMatchObject({ status: 'enabled', consecutiveFailures: 4 })
  receiver.answer = status(500)
  await shop.deliver(endpoint)
  api().clock.advance(30_000)
  await shop.deliver(endpoint)
  api().clock.advance(32_000)
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(6)
  expect(only(await shop.endpoints())).toMatchObject({ status: 'disabled', consecutiveFailures: 6 })
})

test('spec 3: a successful delivery between failed deliveries keeps the endpoint enabled', async () => {
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  for (const code of [500, 500, 500, 500, 500, 200, 500, 500, 500, 500, 500]) {
    receiver.answer = status(code)
    await shop.emit()
    await shop.deliver(endpoint)
  }
  expect(only(await shop.endpoints())).toMatchObject({ status: 'enabled', consecutiveFailures: 5 })
})

test('spec 3: a failed test event or replay is not retried, and is not counted towards the six failures that disable an endpoint', async () => {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  await failTimes(endpoint, 5)
  const [{ id: original } = { id: 'none' }] = await shop.deliveries()
  const endpointPage = `/dashboard/webhooks/${endpoint.endpointId}`
  const deliveryPage = `/dashboard/deliveries/${original}`
  for (const [page, action] of [
    [endpointPage, `${endpointPage}/test`],
    [deliveryPage, `${deliveryPage}/replay`],
  ] as const) {
    api().clock.advance(1)
    const { location } = await owner.submit(page, action, { kind: 'inventory.low_stock' })
    await shop.deliver(endpoint)
    const delivery = (await shop.deliveries()).find(({ id }) => location?.includes(id))
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 1, nextAttemptAt: null })
  }
  expect(receiver.received).toHaveLength(7)
  expect(only(await shop.endpoints())).toMatchObject({ status: 'enabled', consecutiveFailures: 5 })
  await failTimes(endpoint, 1)
  expect(only(await shop.endpoints())).toMatchObject({ status: 'disabled', consecutiveFailures: 6 })
})

test('spec 3: a successful replay between failed deliveries keeps the endpoint enabled', async () => {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  await failTimes(endpoint, 5)
  receiver.answer = status(200)
  const [{ id } = { id: 'none' }] = await shop.deliveries()
  await owner.submit(`/dashboard/deliveries/${id}`, `/dashboard/deliveries/${id}/replay`)
  await shop.deliver(endpoint)
  receiver.answer = status(500)
  await failTimes(endpoint, 5)
  expect(only(await shop.endpoints())).toMatchObject({ status: 'enabled', consecutiveFailures: 5 })
})

test('spec 3: the failed delivery that disables its endpoint is marked failed, and is retried only after the endpoint is enabled again', async () => {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  await failTimes(endpoint, 6)
  const [sixth] = await shop.deliveries()
  const attempts = async () => (await shop.deliveries()).find(({ id }) => id === sixth?.id)?.attemptCount
  expect((await owner.get(`/dashboard/deliveries/${sixth?.id}`)).text).toMatch(/>failed<.*>held</s)
  api().clock.advance(24 * 60 * minuteMs)
  await shop.deliver(endpoint)
  expect(await attempts()).toBe(1)
  receiver.answer = status(200)
  const page = `/dashboard/webhooks/${endpoint.endpointId}`
  expect((await owner.submit(page, `${page}/enable`)).status).toBe(303)
  await shop.deliver(endpoint)
  expect(await attempts()).toBe(2)
})

test('spec 3: a disabled webhook endpoint raises a notification in the dashboard', async () => {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const title = 'Webhook endpoint disabled'
  const titles = async () => (await owner.get('/dashboard/notifications')).text.split(title).length - 1
  const before = await titles()
  for (let count = 0; count < 6; count++) {
    await shop.emit()
    await shop.deliver(endpoint)
  }
  expect(await titles()).toBe(before + 1)
})

test('spec 3: a webhook delivery can be replayed in the dashboard', async () => {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  receiver.answer = status(200)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const page = `/dashboard/deliveries/${only(await shop.deliveries()).id}`
  expect((await owner.submit(page, `${page}/replay`)).status).toBe(303)
  await shop.deliver(endpoint)
  const [first, replayed] = receiver.received
  expect(replayed?.rawBody).toBe(first?.rawBody)
  expect((await shop.deliveries()).map((delivery) => delivery.status)).toEqual(['succeeded', 'succeeded'])
})
