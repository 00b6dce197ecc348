import { beforeAll, beforeEach, expect, test } from 'vitest'
import { dropoffInputExample } from '../../registry/logistics/quote-example.ts'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { listAudit } from '../../src/store/audit/audit-list.ts'
import { openWebhookShop, type WebhookShop } from '../dashboard/webhooks/webhook-shop.ts'
import { endpointIds } from '../support/answers.ts'
import { type ReplyBody, useApi, vault } from '../support/api.ts'
import { arrange } from '../support/contract/operation.ts'
import { openBrowser, signedIn } from '../support/dashboard.ts'
import { asSuperuser } from '../support/database-contents.ts'
import { openTestShop, parcelTo, plainPhone, post } from '../support/logistics/parcel-run.ts'
import { mintToken, operator, orderBody, placeOrder, stockVariant } from '../support/shop.ts'
import { openReceiver } from '../webhooks/receiver.ts'

const api = useApi()
let shop: WebhookShop
let operations: readonly { readonly method: string; readonly path: string; readonly of: ReplyBody }[]

beforeAll(async () => {
  const { body } = await api().send('GET', '/api/v1/openapi.json')
  operations = Object.entries<ReplyBody>(body.paths).flatMap(([path, item]) =>
    Object.entries<ReplyBody>(item).map(([method, of]) => ({ method, path, of })),
  )
})
beforeEach(async () => {
  shop = await openWebhookShop(api())
})

const get = (path: string) => api().send('GET', `/api/v1${path}`, { token: shop.token })

test('spec 1: the API has orders, products, customers, refunds and discounts', async () => {
  for (const path of ['/orders', '/products', '/customers', '/refunds', '/discounts']) {
    expect((await get(path)).status, path).toBe(200)
  }
})

test('spec 1: the API has operations for logistics: quotes, dispatch, tracking, cancellation, zones and surge', () => {
  const paths = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(paths).toEqual(
    expect.arrayContaining([
      'POST /logistics/quote',
      'POST /logistics/dispatch',
      'GET /logistics/shipments/{id}/track',
      'POST /logistics/shipments/{id}/cancel',
      'GET /logistics/zones',
      'GET /logistics/surge',
    ]),
  )
})

test('spec 1: a webhook endpoint with an https URL can be registered, and one with an http URL cannot', async () => {
  const production = { ...api().context, vault, policy: { allowsLoopback: false } }
  const register = (url: string) =>
    createWebhookEndpoint(production, operator, shop.tenant, { url, kinds: ['order.created'] })
  expect(await register('https://shop.example.com/hook')).toMatchObject({ is: 'created' })
  expect((await register('http://shop.example.com/hook')).is).not.toBe('created')
})

test.for(endpointIds)('spec 1: the operation %s expects and returns application/json', async (id) => {
  const { body, send, shop: caller } = await arrange(api(), id, shop)
  const headers = { 'Content-Type': 'text/plain' }
  if (body !== undefined) expect((await send({ token: caller.token, headers })).status).toBe(415)
  const reply = await send({ token: caller.token })
  expect(reply.status).toBeLessThan(300)
  expect(reply.headers.get('content-type')).toBe('application/json')
})

test('spec 1: error responses have the Content-Type application/json', async () => {
  const unknown = await api().send('GET', '/api/v1/orders', {})
  const replies = [unknown, await get('/orders?limit=0'), await get('/nothing')]
  expect(replies.map(({ status }) => status)).toEqual([401, 400, 404])
  expect(replies.map(({ headers }) => headers.get('content-type'))).toEqual(Array(3).fill('application/json'))
})

test('spec 1: amounts of money are integers in kobo', async () => {
  const { id } = await placeOrder(api(), shop, { priceKobo: 1_234_567 })
  const { body } = await get(`/orders/${id}`)
  expect(body.totalKobo).toBe(1_234_567)
  const refund = (amountKobo: number) =>
    api().send('POST', '/api/v1/refunds', { token: shop.token, body: { orderId: id, amountKobo, reason: 'damaged' } })
  expect((await refund(0.5)).status).toBe(400)
  expect((await refund(1)).status).toBe(201)
})

test('spec 1: the currency of an order, and every currency field of the API, is NGN', async () => {
  await placeOrder(api(), shop)
  expect((await get('/orders')).body.data[0].currency).toBe('NGN')
  const currencies = JSON.stringify(operations).matchAll(/"currency":\{[^{}]*\}/g)
  for (const [declared] of currencies) expect(declared).toContain('NGN')
})

test('spec 1: phone numbers have the +234 format', async () => {
  const { variantId } = await stockVariant(api(), shop.merchantId)
  const ordered = async (phone: string) => {
    const customer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone }
    const body = orderBody(variantId, { customer })
    return api().send('POST', '/api/v1/orders', { token: shop.token, body })
  }
  const created = await ordered('+2348031234567')
  expect(created.status).toBe(201)
  expect((await get(`/customers/${created.body.customer.id}`)).body.phone).toBe('+2348031234567')
  expect((await ordered('+14155550100')).status).toBe(400)
})

test('spec 1: all delivery zones are in the states of Lagos and the FCT (Abuja)', async () => {
  const { body } = await get('/logistics/zones?limit=100')
  const states = new Set(body.data.map(({ state }: ReplyBody) => state))
  expect(states).toEqual(new Set(['Lagos', 'FCT']))
})

test('spec 1: a delivery address that is sent without a state gets the state Lagos', async () => {
  const tester = await openTestShop(api())
  const dropoff = { ...dropoffInputExample, phone: plainPhone }
  expect(dropoff).not.toHaveProperty('state')
  const reply = await post(api(), tester, 'dispatch', { ...parcelTo(plainPhone), dropoff })
  expect(reply.body.dropoff.state).toBe('Lagos')
})

test('spec 1: lists have cursors and return the newest records first', async () => {
  const ids: string[] = []
  for (let count = 0; count < 3; count++) {
    ids.unshift((await placeOrder(api(), shop)).id)
    api().clock.advance(1)
  }
  const first = await get('/orders?limit=2')
  const second = await get(`/orders?limit=2&cursor=${first.body.pagination.cursor}`)
  expect([...first.body.data, ...second.body.data].map(({ id }: ReplyBody) => id)).toEqual(ids)
})

test('spec 1: tokens are sent as bearer tokens and have scopes', async () => {
  const { token } = await mintToken(api().context, shop.tenant, { scopes: ['orders:read'] })
  const withToken = (path: string) => api().send('GET', `/api/v1${path}`, { token })
  expect((await withToken('/orders')).status).toBe(200)
  expect((await withToken('/refunds')).status).toBe(403)
})

test('spec 1: every mutation is in the audit log, with the actor, the action, the time and the source IP', async () => {
  const order = await placeOrder(api(), shop)
  const rows = await listAudit(api().database, { merchantId: shop.merchantId, limit: 100 })
  expect(rows.find(({ action }) => action === 'order.create')).toMatchObject({
    actorType: 'token',
    actorId: shop.tokenId,
    resourceId: order.id,
    occurredAt: new Date(api().clock.nowMs()).toISOString(),
    sourceIp: '127.0.0.1',
  })
})

test('spec 1: rows of the audit log cannot be changed or deleted', async () => {
  await asSuperuser(api(), async (client) => {
    await expect(client.query("update audit_log set action = 'none'")).rejects.toThrow(/audit/i)
    await expect(client.query('delete from audit_log')).rejects.toThrow(/audit/i)
  })
  const { pool } = api().database
  await expect(pool.query("update audit_log set action = 'none'")).rejects.toThrow(/permission denied|audit/i)
})

test('spec 1: the audit log is queryable in the dashboard', async () => {
  const order = await placeOrder(api(), shop)
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const found = await viewer.get(`/dashboard/audit?resource=${order.id}`)
  expect(found.status).toBe(200)
  expect(found.text).toContain('order.create')
  expect((await openBrowser(api()).get('/dashboard/audit')).status).not.toBe(200)
})

test('spec 1: tokens and webhook endpoints are managed in the dashboard, not through the API', async () => {
  const managing = operations.filter(({ path }) => /token|webhook/.test(path))
  expect(managing).toEqual([])
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  expect((await owner.get('/dashboard/tokens/new')).status).toBe(200)
  expect((await owner.get('/dashboard/webhooks/new')).status).toBe(200)
})

test('spec 1: every path is relative to the base URL, which has the prefix /api/v1', async () => {
  const { body } = await get('/openapi.json')
  expect(body.servers).toMatchObject([{ url: '/api/v1' }])
  expect((await get('/orders')).status).toBe(200)
  expect((await fetch(`${api().url}/orders`)).status).toBe(404)
})

test('spec 1: the service sends signed events', async () => {
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url, '', ['order.created'])
  await placeOrder(api(), shop)
  await shop.deliver(endpoint)
  expect(receiver.received.map(({ headers }) => headers['service-signature'])).toEqual([
    expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
  ])
})
