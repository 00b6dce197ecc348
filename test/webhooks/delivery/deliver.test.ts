import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { events } from '../../../registry/webhooks/webhooks.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { openPump } from '../../../src/webhooks/pump.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { deliver, only, openShop, policy } from '../shop.ts'

const opened = useDatabase()
const minute = 60_000

test('a worker delivers an event with signatures that standard verifiers accept', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  expect(shop.nudged).toEqual([endpoint.endpointId])
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 1, nextDueAt: undefined })
  const { rawBody, headers } = only(receiver.received)
  const signature = z.string().parse(headers['service-signature'])
  expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  expect(Stripe.webhooks.constructEvent(rawBody, signature, endpoint.secret)).toMatchObject({
    event: 'inventory.low_stock',
  })
  const standard = z.record(z.string(), z.string()).parse({
    'webhook-id': headers['webhook-id'],
    'webhook-timestamp': headers['webhook-timestamp'],
    'webhook-signature': headers['webhook-signature'],
  })
  const envelope = events['inventory.low_stock'].envelope.parse(new Webhook(endpoint.secret).verify(rawBody, standard))
  expect(headers['webhook-id']).toBe(envelope.id)
  expect(headers['content-type']).toBe('application/json')
  expect(only(await shop.deliveries())).toMatchObject({
    eventId: envelope.id,
    status: 'succeeded',
    attemptCount: 1,
    lastHttpStatus: 200,
    completedAt: shop.now(),
  })
})

test('a worker whose clock is behind the clock of the process that queued a webhook delivery sends the delivery without waiting for a sweep', async () => {
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint((await openReceiver()).url)
  await shop.emit()
  const clock = { nowMs: () => shop.clock.nowMs() - 20 }
  expect(await shop.deliver(endpoint, { clock })).toEqual({ attempts: 1, nextDueAt: undefined })
})

test('a standard verifier rejects a webhook delivery with another secret or another body', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const { rawBody, headers } = only(receiver.received)
  const signature = z.string().parse(headers['service-signature'])
  expect(() => Stripe.webhooks.constructEvent(`${rawBody} `, signature, endpoint.secret)).toThrow()
  expect(() => Stripe.webhooks.constructEvent(rawBody, signature, `${endpoint.secret}x`)).toThrow()
})

test('a failed webhook delivery is retried after 1 m, 5 m, 30 m, 2 h, 12 h and 24 h, and then not again', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const failing = only(await shop.deliveries()).id
  const delivery = async () => only((await shop.deliveries()).filter(({ id }) => id === failing))
  for (const delayMs of [1, 5, 30, 2 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * minute)) {
    await shop.deliver(endpoint)
    const nextAttemptAt = new Date(shop.clock.nowMs() + delayMs).toISOString()
    expect(await delivery()).toMatchObject({ status: 'failed', nextAttemptAt, completedAt: null })
    // Between two failing deliveries, a delivery of another event succeeds, so that the failures do not disable the
    // endpoint.
    receiver.answer = status(204)
    await shop.emit()
    shop.clock.advance(delayMs - 1)
    expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1, nextDueAt: nextAttemptAt })
    expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
    receiver.answer = status(500)
    shop.clock.advance(1)
  }
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 1, nextDueAt: undefined })
  expect(await delivery()).toMatchObject({
    status: 'failed',
    attemptCount: 7,
    nextAttemptAt: null,
    completedAt: shop.now(),
  })
  expect((await shop.attempts(failing)).map(({ number, outcome }) => `${number} ${outcome}`)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((number) => `${number} failed`),
  )
  shop.clock.advance(48 * 60 * minute)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 0 })
})

test('a retried delivery has the same event id and bytes and a new signature', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(503))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  shop.clock.advance(minute)
  await shop.deliver(endpoint)
  const [first, second] = receiver.received
  expect(second?.rawBody).toBe(first?.rawBody)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.headers['service-signature']).not.toBe(first?.headers['service-signature'])
  expect(second?.headers['service-signature']).toContain(`t=${Math.floor(shop.clock.nowMs() / 1000)},`)
})

test('a webhook delivery attempt fails if the receiver responds with a redirect, and the redirect is not followed', async () => {
  const shop = await openShop(opened().database)
  const target = await openReceiver()
  const receiver = await openReceiver((_, response) => response.writeHead(302, { location: target.url }).end())
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(target.received).toHaveLength(0)
  expect(only(await shop.deliveries())).toMatchObject({ status: 'failed', lastHttpStatus: 302 })
})

test('a webhook delivery fails with a timeout when the receiver hangs', async () => {
  const shop = await openShop(opened().database, { deadlineMs: 100 })
  const receiver = await openReceiver(() => undefined)
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(only(await shop.deliveries())).toMatchObject({ status: 'failed', lastErrorCode: 'timeout' })
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 1 })
})

test('a webhook delivery fails when the address policy no longer allows the address of its endpoint', async () => {
  const strict = openSafeFetch({ allowsLoopback: false })
  const shop = await openShop(opened().database, { fetch: strict.fetch })
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(0)
  expect(only(await shop.deliveries())).toMatchObject({ status: 'failed', lastErrorCode: 'destination_refused' })
})

test('a webhook delivery attempt is stored with the response body', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver((_, response) => response.writeHead(422).end('no\0 such product'))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const { id } = only(await shop.deliveries())
  expect(only(await shop.attempts(id))).toMatchObject({
    number: 1,
    outcome: 'failed',
    httpStatus: 422,
    errorCode: null,
    responseBody: 'no such product',
    url: receiver.url,
  })
})

test('two workers send each delivery once, with at most four deliveries at a time per endpoint', async () => {
  const shop = await openShop(opened().database)
  let underWay = 0
  let most = 0
  const receiver = await openReceiver((_, response) => {
    underWay += 1
    most = Math.max(most, underWay)
    setImmediate(() => {
      underWay -= 1
      response.end()
    })
  })
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 30; count++) await shop.emit()
  await Promise.all([shop.deliver(endpoint), deliver({ ...shop.pumpContext, workerId: 'wrk_other' }, endpoint)])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
  expect(receiver.received).toHaveLength(30)
  expect(most).toBeLessThanOrEqual(4)
})

test('a failing endpoint gets only one delivery attempt at a time', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  let underWay = 0
  let most = 0
  receiver.answer = (_, response) => {
    underWay += 1
    most = Math.max(most, underWay)
    setImmediate(() => {
      underWay -= 1
      response.writeHead(500).end()
    })
  }
  for (let count = 0; count < 4; count++) await shop.emit()
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(5)
  expect(most).toBe(1)
})

test('a worker claims no webhook deliveries after its delivery loop was stopped', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const pump = openPump(shop.pumpContext)
  await pump.stop()
  pump.wake([endpoint])
  expect(only(await shop.deliveries())).toMatchObject({ status: 'pending', nextAttemptAt: shop.now() })
  expect(pump.attempts()).toBe(0)
})

test('a webhook delivery attempt that the service’s shutdown aborted is repeated and is not counted as a failure', async () => {
  const shop = await openShop(opened().database)
  const outbound = openSafeFetch(policy)
  const receiver = await openReceiver(() => undefined)
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const pump = openPump({ ...shop.pumpContext, fetch: outbound.fetch })
  pump.wake([endpoint])
  await expect.poll(() => receiver.received.length).toBe(1)
  const stopped = pump.stop()
  await outbound.close()
  await stopped
  const delivery = only(await shop.deliveries())
  expect(delivery).toMatchObject({ status: 'pending', attemptCount: 0, nextAttemptAt: shop.now() })
  expect(only(await shop.attempts(delivery.id))).toMatchObject({ outcome: 'aborted', errorCode: 'stopped' })
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 0 })
})
