import { expect, test } from 'vitest'
import { type EventKind, eventKinds, isEventKind } from '../../../registry/kit/event.ts'
import { events } from '../../../registry/webhooks/webhooks.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { replayDelivery } from '../../../src/access/replay-delivery.ts'
import { sendTestEvent } from '../../../src/access/send-test-event.ts'
import { showSigningSecret } from '../../../src/access/show-signing-secret.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()
const minute = 60_000

test('creating a webhook endpoint returns the signing secret in plain text, and records the URL without its query in the audit log', async () => {
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/hook?key=abc', ['order.created', 'order.created'])
  expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await showSigningSecret(shop.context, endpoint)).toBe(endpoint.secret)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', kinds: ['order.created'] })
  expect(only(await shop.audits('webhook_endpoint.create'))).toMatchObject({
    changes: { url: [null, 'http://127.0.0.1:1/hook?…'], kinds: [null, ['order.created']] },
  })
})

test('creating a webhook endpoint rejects a forbidden URL and a request without event kinds', async () => {
  const shop = await openShop(opened().database)
  const create = (url: string, kinds: readonly 'order.created'[]) =>
    createWebhookEndpoint(shop.context, operator, shop.tenant, { url, kinds })
  expect(await create('http://10.0.0.1/', ['order.created'])).toMatchObject({ is: 'url_refused' })
  expect(await create('https://example.com/', [])).toEqual({ is: 'no_kinds' })
  expect(await shop.audits('webhook_endpoint.create')).toEqual([])
})

test('a test event is the documented example, is also sent to a disabled endpoint, and does not change the failure count', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  const request = { endpointId: endpoint.endpointId, kind: 'order.created' } as const
  const outcome = await sendTestEvent(shop.context, operator, shop.tenant, request)
  expect(outcome).toMatchObject({ is: 'queued' })
  expect(shop.nudged).toEqual([endpoint.endpointId])
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 1, nextDueAt: undefined })
  expect(JSON.parse(only(receiver.received).rawBody)).toMatchObject({
    event: 'order.created',
    test: true,
    mode: 'live',
    data: { order: { currency: 'NGN' } },
  })
  expect(only(await shop.deliveries())).toMatchObject({ trigger: 'test', status: 'failed', nextAttemptAt: null })
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 0 })
  expect(await shop.audits('webhook_endpoint.test')).toHaveLength(1)
})

test('a successful test event does not reset the endpoint’s failure count', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  receiver.answer = status(200)
  const request = { endpointId: endpoint.endpointId, kind: 'order.refunded' } as const
  await sendTestEvent(shop.context, operator, shop.tenant, request)
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(2)
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 1 })
})

test('a sample of every event kind can be sent, with an id that marks it as a sample', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  for (const kind of eventKinds) {
    await sendTestEvent(shop.context, operator, shop.tenant, { endpointId: endpoint.endpointId, kind })
  }
  await shop.deliver(endpoint)
  const sent = receiver.received.map(({ rawBody }) => JSON.parse(rawBody))
  expect(sent.map(({ event }) => event).toSorted()).toEqual(eventKinds.toSorted())
  for (const sample of sent) {
    expect(events[eventKindOf(sample.event)].envelope.parse(sample)).toMatchObject({ test: true })
    expect(sample.id).toMatch(/^evt_\w{18}testtest$/)
  }
  expect(new Set(sent.map(({ id }) => id)).size).toBe(eventKinds.length)
})

function eventKindOf(kind: string): EventKind {
  if (!isEventKind(kind)) throw new Error(`${kind} is no kind of event.`)
  return kind
}

test('a successful replay completes the original webhook delivery and resets the endpoint’s failure count', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const original = only(await shop.deliveries())
  // The clock advances, because ids of the same millisecond have a random order and the test reads the newest delivery
  // first.
  shop.clock.advance(1)
  receiver.answer = status(200)
  const outcome = await replayDelivery(shop.context, operator, shop.tenant, original.id)
  expect(outcome).toMatchObject({ is: 'queued', eventId: original.eventId, endpointId: endpoint.endpointId })
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 1, nextDueAt: undefined })
  const [first, second] = receiver.received
  expect(second?.rawBody).toBe(first?.rawBody)
  expect(await shop.deliveries()).toMatchObject([
    { trigger: 'replay', replayOf: original.id, status: 'succeeded', attemptCount: 1 },
    { id: original.id, status: 'succeeded', nextAttemptAt: null, attemptCount: 1 },
  ])
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 0 })
  expect(only(await shop.audits('webhook_delivery.replay'))).toMatchObject({ resourceId: original.id })
})

test('a failed replay is neither retried nor counted as a failure, and the retry of the original webhook delivery stays scheduled', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const original = only(await shop.deliveries())
  // The clock advances, because ids of the same millisecond have a random order and the test reads the newest delivery
  // first.
  shop.clock.advance(1)
  await replayDelivery(shop.context, operator, shop.tenant, original.id)
  await shop.deliver(endpoint)
  expect(await shop.deliveries()).toMatchObject([
    { trigger: 'replay', status: 'failed', nextAttemptAt: null },
    { id: original.id, status: 'failed', nextAttemptAt: original.nextAttemptAt },
  ])
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 1 })
  shop.clock.advance(minute)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
})

test('a replay of a webhook delivery that is itself a replay refers to the original delivery', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const original = only(await shop.deliveries())
  // The clock advances, because ids of the same millisecond have a random order and the test reads the newest delivery
  // first.
  shop.clock.advance(1)
  const replay = await replayDelivery(shop.context, operator, shop.tenant, original.id)
  if (replay.is === 'queued') await replayDelivery(shop.context, operator, shop.tenant, replay.deliveryId)
  expect((await shop.deliveries()).map(({ replayOf }) => replayOf)).toEqual([original.id, original.id, null])
})

test('a replay of a sample event or of another merchant’s webhook delivery is rejected', async () => {
  const shop = await openShop(opened().database)
  const other = await openShop(opened().database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
  const request = { endpointId: endpoint.endpointId, kind: 'order.created' } as const
  await sendTestEvent(shop.context, operator, shop.tenant, request)
  const sample = only(await shop.deliveries())
  expect(await replayDelivery(shop.context, operator, shop.tenant, sample.id)).toEqual({ is: 'is_sample' })
  expect(await replayDelivery(shop.context, operator, other.tenant, sample.id)).toEqual({ is: 'delivery_unknown' })
  expect(await sendTestEvent(shop.context, operator, other.tenant, request)).toEqual({ is: 'endpoint_unknown' })
  expect(await shop.audits('webhook_delivery.replay')).toEqual([])
})
