import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { endpointIds } from '../support/answers.ts'
import { type ReplyBody, useApi } from '../support/api.ts'
import { arrange } from '../support/contract/operation.ts'
import { openShop, placeOrder, type Shop } from '../support/shop.ts'

const api = useApi()
let shop: Shop
let order: ReplyBody
let createdMs = 0

beforeAll(async () => {
  shop = await openShop(api().context)
  createdMs = api().clock.nowMs()
  await placeOrder(api(), shop, { priceKobo: 2_000_000 })
  order = (await get('/orders')).body.data[0]
})

const get = (path: string) => api().send('GET', `/api/v1${path}`, { token: shop.token })

test('spec 2: a listed order has exactly the seven fields of the specification’s table', () => {
  expect(Object.keys(order).sort()).toEqual(
    ['createdAt', 'currency', 'customer', 'id', 'number', 'status', 'totalKobo'].sort(),
  )
})

test('spec 2: Order.id is the opaque string that identifies the record', async () => {
  expect(typeof order.id).toBe('string')
  expect((await get(`/orders/${order.id}`)).body.id).toBe(order.id)
})

test('spec 2: Order.number is a fixed prefix followed by an alphanumeric code', async () => {
  const other = await placeOrder(api(), shop)
  const pattern = /^(ORD-)[0-9A-Z]+$/
  expect([order.number, other.number]).toEqual([expect.stringMatching(pattern), expect.stringMatching(pattern)])
  expect(other.number).not.toBe(order.number)
})

test('spec 2: Order.status is the state of the order, such as processing', () => {
  expect(order.status).toBe('processing')
})

test('spec 2: Order.totalKobo is the integer total in kobo', () => {
  expect(order.totalKobo).toBe(2_000_000)
})

test('spec 2: Order.currency is NGN', () => {
  expect(order.currency).toBe('NGN')
})

test('spec 2: Order.createdAt is an ISO 8601 UTC timestamp with milliseconds', () => {
  expect(order.createdAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  expect(Date.parse(order.createdAt)).toBe(createdMs)
})

test('spec 2: Order.customer has the strings name and email', () => {
  expect(order.customer).toEqual({ name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' })
})

test('spec 2: pagination.cursor is an opaque string, and null on the final page', async () => {
  await placeOrder(api(), shop)
  const first = (await get('/orders?limit=1')).body.pagination
  expect(first.cursor).toEqual(expect.any(String))
  expect((await get('/orders?limit=100')).body.pagination.cursor).toBeNull()
})

test('spec 2: pagination.limit is the page size that was applied', async () => {
  expect((await get('/orders?limit=7')).body.pagination.limit).toBe(7)
  expect((await get('/orders')).body.pagination.limit).toBe(25)
})

test('spec 2: pagination.hasMore is true while further pages exist', async () => {
  await placeOrder(api(), shop)
  const { body } = await get('/orders?limit=100')
  const all = body.data.length
  expect(body.pagination.hasMore).toBe(false)
  expect((await get(`/orders?limit=${all}`)).body.pagination.hasMore).toBe(false)
  expect((await get(`/orders?limit=${all - 1}`)).body.pagination.hasMore).toBe(true)
})

test.for(
  endpointIds.filter((id) => endpoints[id].kind === 'list'),
)('spec 2: the operation %s returns an object with an array in data and an object of three fields in pagination', async (id) => {
  const reply = await (await arrange(api(), id, shop)).send({ token: shop.token })
  expect(reply.status).toBe(200)
  expect(Object.keys(reply.body).sort()).toEqual(['data', 'pagination'])
  expect(Array.isArray(reply.body.data)).toBe(true)
  expect(Object.keys(reply.body.pagination).sort()).toEqual(['cursor', 'hasMore', 'limit'])
})

test('spec 2: a refund request has the fields orderId, amountKobo and reason', async () => {
  const { id: orderId } = await placeOrder(api(), shop)
  const body = { orderId, amountKobo: 1_000, reason: 'damaged' }
  const send = (sent: object) => api().send('POST', '/api/v1/refunds', { token: shop.token, body: sent })
  expect((await send(body)).body).toMatchObject(body)
  for (const field of Object.keys(body)) {
    const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
    expect((await send(rest)).status, field).toBe(400)
  }
})

test.for([
  'colour_faded_2',
  'too small',
  'changed.mind',
  'Wrong-Size',
])('spec 2: the reason of a refund may be any code that the merchant chooses, such as “%s”', async (reason) => {
  const { id: orderId } = await placeOrder(api(), shop)
  const body = { orderId, amountKobo: 1_000, reason }
  const reply = await api().send('POST', '/api/v1/refunds', { token: shop.token, body })
  expect([reply.status, reply.body.reason]).toEqual([201, reason])
})
