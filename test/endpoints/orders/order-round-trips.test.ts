import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { createApiServer } from '../../../src/http/server.ts'
import { openService } from '../../../src/http/service.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { paid } from '../../support/commerce/refund.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openRoundTripCounter, type RoundTripCounter } from '../../support/round-trips.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()

let counter: RoundTripCounter
let database: Database
let shop: Shop
let url: string
let close: () => Promise<unknown>

/**
 * Starts a second API server for the same database. A proxy between the two counts the server's round trips to
 * PostgreSQL.
 */
beforeAll(async () => {
  const { connectionString, clock, context } = started()
  counter = await openRoundTripCounter(connectionString)
  database = openDatabase({ connectionString: counter.connectionString, maxConnections: 1 })
  const server = createApiServer(await openService({ database, clock, nudge: () => undefined }, silentLog, 0))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port.')
  url = `http://127.0.0.1:${address.port}/api/v1`
  close = async () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  shop = await openShop(context)
  // Sends one request before the measurement, because the first request also looks up the token and records the token's
  // last use.
  expect((await post(await bodyOf(1))).status).toBe(201)
})

afterAll(async () => {
  await close()
  await database.close()
  await counter.close()
})

let buyers = 0

async function bodyOf(lines: number, more: object = {}) {
  const api = started()
  const stocked = await Promise.all(Array.from({ length: lines }, () => stockVariant(api, shop.merchantId)))
  const items = stocked.map(({ variantId }) => ({ variantId, quantity: 1 }))
  buyers += 1
  const customer = { name: 'Ngozi', email: `ngozi${buyers}@example.com` }
  const [first] = stocked
  if (first === undefined) throw new Error('An order has an item.')
  return orderBody(first.variantId, { items, customer, ...more })
}

function post(body: object, path = '/orders'): Promise<Response> {
  const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' }
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function tripsOf(body: object, path?: string): Promise<number> {
  const before = counter.roundTrips()
  const reply = await post(body, path)
  expect(reply.ok, await reply.text()).toBe(true)
  return counter.roundTrips() - before
}

describe('POST /orders', () => {
  test('createOrder takes two round trips to the database for an order with three items and a limited discount', async () => {
    const { code } = await discount(started(), shop, { usageLimit: 1000 })
    expect(await tripsOf(await bodyOf(3, { discountCodes: [code] }))).toBe(2)
  })

  test('createOrder takes three round trips to the database when the discount depends on the customer’s earlier orders', async () => {
    const more = { usageLimit: 1000, usageLimitPerCustomer: 1, firstOrderOnly: true }
    const { code } = await discount(started(), shop, more)
    expect(await tripsOf(await bodyOf(3, { discountCodes: [code] }))).toBe(3)
  })

  test('createOrder takes two round trips to the database even with a hundred items, three discounts and a large catalogue', async () => {
    const api = started()
    for (let made = 0; made < 20; made++) await discount(api, shop)
    const classes = ['order', 'product', 'shipping']
    const codes: string[] = []
    for (const usageLimit of [5, 6, 7]) {
      const { code } = await discount(api, shop, { usageLimit, combinesWith: classes })
      codes.push(code)
    }
    expect(await tripsOf(await bodyOf(100, { discountCodes: codes }))).toBe(2)
    expect(await tripsOf(await bodyOf(1))).toBe(2)
  })
})

describe('requests that change an order and its shipments, if it has any', () => {
  test('createRefund takes two round trips to the database for a refund without items', async () => {
    const { order } = await paid(started(), shop, [[10_000, 2]])
    const body = { orderId: order.id, amountKobo: 4_000, reason: 'damaged' }
    expect(await tripsOf(body, '/refunds')).toBe(2)
  })

  test('the transition of an order to shipped takes two round trips to the database, even if the order has a shipment', async () => {
    const bare = await orderAt(started(), shop, 'processing')
    expect(await tripsOf({ to: 'shipped' }, `/orders/${bare.id}/transition`)).toBe(2)
    const sent = await orderAt(started(), shop, 'processing')
    await storeShipment(started(), shop, { orderId: sent.id })
    expect(await tripsOf({ to: 'shipped' }, `/orders/${sent.id}/transition`)).toBe(2)
  })

  test('cancelOrder takes three round trips to the database for an order with a discount and a scheduled shipment', async () => {
    const { code } = await discount(started(), shop, { usageLimit: 1000 })
    const created = { token: shop.token, body: await bodyOf(1, { discountCodes: [code] }) }
    const { id } = (await started().send('POST', '/api/v1/orders', created)).body
    await storeShipment(started(), shop, { orderId: id, status: 'scheduled', attempts: [] })
    expect(await tripsOf({ reason: 'customer' }, `/orders/${id}/cancel`)).toBe(3)
  })
})
