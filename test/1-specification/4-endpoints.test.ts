import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { parcelExample } from '../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { type ReplyBody, useApi } from '../support/api.ts'
import { arrange, statusOf, writes } from '../support/contract/operation.ts'
import { eventsOf } from '../support/database-contents.ts'
import {
  attemptsOf,
  cancelShipment,
  getShipment,
  inOrder,
  openTestShop,
  parcelTo,
  plainPhone,
  post,
} from '../support/logistics/parcel-run.ts'
import { scheduleBody, schedulePath } from '../support/logistics/schedule.ts'
import { openShop, placeOrder, type Shop, stockVariant } from '../support/shop.ts'

const api = useApi()
let shop: Shop
let tester: Shop

beforeAll(async () => {
  shop = await openShop(api().context)
  tester = await openTestShop(api())
})

const get = (path: string) => api().send('GET', `/api/v1${path}`, { token: shop.token })

describe('spec 4.1: GET /orders', () => {
  test('spec 4.1: the limit of GET /orders is 25 by default and 100 at most', async () => {
    expect((await get('/orders')).body.pagination.limit).toBe(25)
    expect((await get('/orders?limit=100')).body.pagination.limit).toBe(100)
    expect((await get('/orders?limit=101')).status).toBe(400)
  })

  test('spec 4.1: GET /orders returns 200 with the list envelope of orders', async () => {
    const order = await placeOrder(api(), shop)
    const reply = await get('/orders?limit=1')
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ data: [{ id: order.id }], pagination: { limit: 1 } })
  })

  test('spec 4.1: a client that follows each cursor until hasMore is false gets every order once', async () => {
    const merchant = await openShop(api().context)
    const placed: string[] = []
    for (let count = 0; count < 5; count++) {
      placed.unshift((await placeOrder(api(), merchant)).id)
      api().clock.advance(1)
    }
    const seen: string[] = []
    for (let query = '?limit=2', hasMore = true; hasMore; ) {
      const { body } = await api().send('GET', `/api/v1/orders${query}`, { token: merchant.token })
      seen.push(...body.data.map(({ id }: ReplyBody) => id))
      hasMore = body.pagination.hasMore
      query = `?limit=2&cursor=${body.pagination.cursor}`
    }
    expect(seen).toEqual(placed)
  })
})

test('spec 4.2: GET /products returns the catalogue and its prices', async () => {
  const { productId, variantId } = await stockVariant(api(), shop.merchantId, { priceKobo: 1_850_000 })
  const { status, body } = await get('/products')
  expect(status).toBe(200)
  const product = body.data.find(({ id }: ReplyBody) => id === productId)
  expect(product.variants).toMatchObject([{ id: variantId, priceKobo: 1_850_000 }])
})

describe('spec 4.5: POST /refunds', () => {
  async function open() {
    const merchant = await openShop(api().context)
    const order = await placeOrder(api(), merchant, { priceKobo: 1_000_000 })
    const body = { orderId: order.id, amountKobo: 100_000, reason: 'damaged' }
    const refund = (headers: Readonly<Record<string, string>> = {}, more: object = {}) =>
      api().send('POST', '/api/v1/refunds', { token: merchant.token, body: { ...body, ...more }, headers })
    const count = async () => (await eventsOf(api(), merchant.merchantId, 'order.refunded')).length
    return { body, refund, count }
  }
  const key = { 'Idempotency-Key': 'refund-1042' }

  test('spec 4.5: POST /refunds with orderId, amountKobo and reason returns a refund', async () => {
    const { body, refund } = await open()
    expect((await refund()).body).toMatchObject({ id: expect.any(String), ...body })
  })

  test('spec 4.5: the Idempotency-Key of POST /refunds is optional', async () => {
    const { refund, count } = await open()
    expect([(await refund()).status, (await refund()).status]).toEqual([201, 201])
    expect(await count()).toBe(2)
  })

  test('spec 4.5: a refund request repeated with the same Idempotency-Key and body within 24 hours returns the original response and creates no second refund', async () => {
    const { refund, count } = await open()
    const first = await refund(key)
    api().clock.advance(24 * 60 * 60 * 1000 - 1)
    const second = await refund(key)
    expect({ status: second.status, text: second.text }).toEqual({ status: first.status, text: first.text })
    expect(await count()).toBe(1)
  })

  test('spec 4.5: a refund request with a used Idempotency-Key and a different body returns 409 idempotency_conflict', async () => {
    const { refund, count } = await open()
    await refund(key)
    const reply = await refund(key, { amountKobo: 200_000 })
    expect([reply.status, reply.body.error.code]).toEqual([409, 'idempotency_conflict'])
    expect(await count()).toBe(1)
  })

  test('spec 4.5: no operation except POST /refunds honours the Idempotency-Key', () => {
    const honouring = Object.values(endpoints).filter((endpoint) => Reflect.get(endpoint, 'idempotency') === 'honoured')
    expect(honouring.map(({ id }) => id)).toEqual(['createRefund'])
  })
})

describe('spec 4.6: logistics', () => {
  const dispatched = async (more: object = {}): Promise<ReplyBody> => {
    const { status, body } = await post(api(), tester, 'dispatch', parcelTo(plainPhone, more))
    expect(status).toBe(201)
    return body
  }

  test('spec 4.6: POST /logistics/quote quotes a shipment', async () => {
    const dropoff = { ...dropoffInputExample, phone: plainPhone }
    const request = { pickup: pickupInputExample, dropoff, parcels: [parcelExample] }
    const { status, body } = await post(api(), tester, 'quote', request)
    expect(status).toBe(200)
    expect(body.offers.length).toBeGreaterThan(0)
    for (const { priceKobo } of body.offers) expect(priceKobo).toBeGreaterThan(0)
  })

  test('spec 4.6: POST /logistics/dispatch dispatches a shipment', async () => {
    expect(await dispatched()).toMatchObject({ status: 'awaiting_courier' })
  })

  test('spec 4.6: POST /logistics/dispatch fails over to the next carrier when the first carrier rejects', async () => {
    // The digits of the phone number make the first simulated carrier reject the request for a rider.
    const order = inOrder(['simulator-steady', 'simulator-swift', 'simulator-saver'])
    const { status, body } = await post(api(), tester, 'dispatch', parcelTo('+2348035550100', order))
    expect(status).toBe(201)
    expect(attemptsOf(body).map(([carrier, state]) => [carrier, state])).toEqual([
      ['steady', 'refused'],
      ['swift', 'accepted'],
    ])
  })

  test('spec 4.6: GET /logistics/shipments/{id} gets a shipment', async () => {
    const shipment = await dispatched()
    const reply = await getShipment(api(), tester, shipment.id)
    expect([reply.status, reply.body]).toEqual([200, shipment])
  })

  test('spec 4.6: POST /logistics/shipments/{id}/cancel cancels a shipment', async () => {
    const { id } = await dispatched()
    const reply = await cancelShipment(api(), tester, id)
    expect([reply.status, reply.body.status]).toEqual([200, 'cancelled'])
  })

  test('spec 4.6: GET /logistics/shipments/{id}/track tracks a shipment', async () => {
    const { id } = await dispatched()
    const { status, body } = await api().send('GET', `/api/v1/logistics/shipments/${id}/track`, { token: tester.token })
    expect([status, body.status]).toEqual([200, 'awaiting_courier'])
  })

  test('spec 4.6: POST /logistics/predictive-schedule schedules a just-in-time rider', async () => {
    const { token } = tester
    const { status, body } = await api().send('POST', schedulePath, { token, body: scheduleBody() })
    expect(status).toBe(201)
    expect(Date.parse(body.dispatchAt)).toBeLessThan(Date.parse(body.readyAt.p90))
  })

  test('spec 4.6: POST /logistics/predictive-schedule is marked beta', async () => {
    const { body } = await get('/openapi.json')
    expect(body.paths['/logistics/predictive-schedule'].post['x-stability']).toBe('beta')
  })

  test('spec 4.6: GET /logistics/surge returns the surge multiplier of a zone', async () => {
    const { status, body } = await get('/logistics/surge?zone=lag-lekki-1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ zoneId: 'lag-lekki-1', multiplier: 1 })
  })

  test('spec 4.6: GET /logistics/zones lists the active delivery zones', async () => {
    const { status, body } = await get('/logistics/zones?limit=100')
    expect(status).toBe(200)
    expect(body.data.map(({ id }: ReplyBody) => id)).toContain('lag-lekki-1')
  })
})

test.for(
  writes.filter((id) => id !== 'createRefund'),
)('spec 4.7: the operation %s accepts an Idempotency-Key and ignores it without an error', async (id) => {
  const headers = { 'Idempotency-Key': 'the-same' }
  for (let count = 0; count < 2; count++) {
    const of = await arrange(api(), id, shop)
    const reply = await of.send({ token: of.shop.token, headers })
    expect(reply.status, reply.text).toBe(statusOf(id))
    expect(reply.headers.get('idempotent-replayed')).toBeNull()
  }
})

test('spec 4.8: GET /openapi.json returns an OpenAPI 3.1 document that describes the API', async () => {
  const { status, body } = await get('/openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toMatch(/^3\.1\.\d+$/)
  expect(body.paths['/orders'].get).toBeDefined()
})
