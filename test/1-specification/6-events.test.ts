import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { EventKind } from '../../registry/kit/event.ts'
import { verifyWebhook } from '../../src/receiver/verify-webhook.ts'
import { openWebhookShop, type WebhookShop } from '../dashboard/webhooks/webhook-shop.ts'
import { type ReplyBody, useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { orderBody, placeOrder, stockVariant } from '../support/shop.ts'
import { openReceiver, type Received } from '../webhooks/receiver.ts'
import { only } from '../webhooks/shop.ts'

const api = useApi()
let shop: WebhookShop

beforeEach(async () => {
  shop = await openWebhookShop(api())
})

/**
 * Runs a function that changes a record. The change must cause exactly one delivery of the given event kind to a real
 * webhook receiver. Returns this delivery.
 */
async function receivedOf(kind: EventKind, change: () => Promise<unknown>): Promise<Received & { secret: string }> {
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url, '', [kind])
  await change()
  await shop.deliver(endpoint)
  return { ...only(receiver.received), secret: endpoint.secret }
}

const envelopeOf = ({ rawBody }: Received): ReplyBody => JSON.parse(rawBody)
const lowStock = () => receivedOf('inventory.low_stock', () => shop.emit())

function signatureOf({ headers }: Received): { seconds: number; v1: string } {
  const [, t, v1 = ''] = /^t=(\d+),v1=([^,]+)$/.exec(String(headers['service-signature'])) ?? []
  return { seconds: Number(t), v1 }
}

test('spec 6: an event is sent as a POST request with a JSON body', async () => {
  const { headers, rawBody, path } = await lowStock()
  expect(path).toMatch(/^\/hook/)
  expect(headers['content-type']).toBe('application/json')
  expect(JSON.parse(rawBody)).toBeTypeOf('object')
})

test('spec 6: an event is sent to each registered webhook endpoint', async () => {
  const receivers = [await openReceiver(), await openReceiver(), await openReceiver()]
  const endpoints = await Promise.all(receivers.map(({ url }) => shop.addEndpoint(url)))
  await shop.emit()
  for (const endpoint of endpoints) await shop.deliver(endpoint)
  const ids = receivers.map(({ received }) => envelopeOf(only(received)).id)
  expect(new Set(ids).size).toBe(1)
})

test('spec 6: an endpoint gets the event kinds that it subscribes to, and no others', async () => {
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url, '', ['order.created'])
  await placeOrder(api(), shop)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(receiver.received.map((delivery) => envelopeOf(delivery).event)).toEqual(['order.created'])
})

test.for([
  'order.created',
  'order.status_changed',
  'order.refunded',
  'inventory.low_stock',
])('spec 6: the dashboard sends a sample event of the kind %s on demand', async (kind) => {
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const page = `/dashboard/webhooks/${endpoint.endpointId}`
  expect((await owner.submit(page, `${page}/test`, { kind })).status).toBe(303)
  await shop.deliver(endpoint)
  expect(envelopeOf(only(receiver.received))).toMatchObject({ event: kind, test: true })
})

test('spec 6: order.created is sent when an order is created', async () => {
  let order: ReplyBody
  const received = await receivedOf('order.created', async () => {
    order = await placeOrder(api(), shop, { isPaid: false })
  })
  expect(envelopeOf(received)).toMatchObject({ event: 'order.created', data: { order: { id: order.id } } })
})

test('spec 6: order.status_changed is sent when the status of an order changes', async () => {
  const { id } = await placeOrder(api(), shop)
  const received = await receivedOf('order.status_changed', () =>
    api().send('POST', `/api/v1/orders/${id}/cancel`, { token: shop.token, body: { reason: 'customer' } }),
  )
  expect(envelopeOf(received)).toMatchObject({ event: 'order.status_changed', data: { orderId: id, to: 'cancelled' } })
})

test('spec 6: order.refunded is sent when an order is refunded', async () => {
  const { id } = await placeOrder(api(), shop)
  const body = { orderId: id, amountKobo: 1_000, reason: 'damaged' }
  const received = await receivedOf('order.refunded', () =>
    api().send('POST', '/api/v1/refunds', { token: shop.token, body }),
  )
  expect(envelopeOf(received)).toMatchObject({ event: 'order.refunded', data: { refund: { orderId: id } } })
})

test('spec 6: inventory.low_stock is sent when the stock of a product becomes low', async () => {
  const { variantId } = await stockVariant(api(), shop.merchantId, { onHand: 6, threshold: 5 })
  const received = await receivedOf('inventory.low_stock', () =>
    api().send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId) }),
  )
  expect(envelopeOf(received)).toMatchObject({ event: 'inventory.low_stock', data: { variantId } })
})

test('spec 6: the envelope of an event has the event kind in its field event and the identifier in its field id', async () => {
  expect(envelopeOf(await lowStock())).toMatchObject({
    event: 'inventory.low_stock',
    id: expect.stringMatching(/^evt_[0-9a-z]+$/),
  })
})

test('spec 6: the header Service-Signature has the form t=<unix_seconds>,v1=<hex>', async () => {
  const delivery = await lowStock()
  expect(delivery.headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]+$/)
  expect(signatureOf(delivery).seconds).toBe(Math.floor(api().clock.nowMs() / 1000))
})

test('spec 6: v1 in the signature is the HMAC-SHA256 of t, a full stop and the raw body, with the endpoint’s secret, in lowercase hex', async () => {
  const delivery = await lowStock()
  const { seconds, v1 } = signatureOf(delivery)
  const signed = Buffer.concat([Buffer.from(`${seconds}.`), Buffer.from(delivery.rawBody)])
  expect(v1).toBe(createHmac('sha256', delivery.secret).update(signed).digest('hex'))
  expect(v1).toMatch(/^[0-9a-f]{64}$/)
})

test('spec 6: the documented signature verifier accepts the received bytes of the body, and rejects the same JSON in another serialisation', async () => {
  const { rawBody, headers, secret } = await lowStock()
  const nowSeconds = Math.floor(api().clock.nowMs() / 1000)
  expect((await verifyWebhook({ rawBody, headers, secret, nowSeconds })).is).toBe('verified')
  const reserialized = JSON.stringify(JSON.parse(rawBody), null, 2)
  expect((await verifyWebhook({ rawBody: reserialized, headers, secret, nowSeconds })).is).toBe('mismatch')
})

test('spec 6: the documented signature verifier rejects a signature timestamp more than 300 seconds from its clock', async () => {
  const { rawBody, headers, secret } = await lowStock()
  const seconds = Math.floor(api().clock.nowMs() / 1000)
  const outcomes = [-301, -300, 300, 301].map(
    async (difference) => (await verifyWebhook({ rawBody, headers, secret, nowSeconds: seconds + difference })).is,
  )
  expect(await Promise.all(outcomes)).toEqual(['outside_tolerance', 'verified', 'verified', 'outside_tolerance'])
})
