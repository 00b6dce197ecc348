import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  cancelShipment,
  inOrder,
  openTestShop,
  pass,
  orderTo as placeOrderTo,
  plainPhone,
  post,
  readValidShipment,
} from '../../support/logistics/parcel-run.ts'
import { placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const orderTo = (phone?: string) => placeOrderTo(started(), shop, phone)

const send = (orderId: string, more: object = {}) =>
  post(started(), shop, 'dispatch', { reference: randomCode(12), orderId, pickup: pickupInputExample, ...more })
const orderStatus = async (id: string) =>
  (await started().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body.status

async function prepare(orderId: string): Promise<void> {
  const path = `/api/v1/orders/${orderId}/transition`
  const { status } = await started().send('POST', path, { token: shop.token, body: { to: 'processing' } })
  expect(status).toBe(200)
}

describe('dispatching an order', () => {
  test('the shipment of a dispatched order has the order’s address and recipient and the weight of each item', async () => {
    const api = started()
    const id = await orderTo()
    await select(
      api,
      `update product_variants set weight_grams = 1250
       where (merchant_id, id) in (select merchant_id, variant_id from order_items where order_id = $1)`,
      [id],
    )
    const { status, body } = await send(id)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({
      orderId: id,
      dropoff: { name: 'Bisi Ade', phone: plainPhone, line1: '12 Admiralty Way', state: 'Lagos' },
      parcels: [{ description: expect.stringContaining('Ankara maxi dress'), quantity: 1, weightGrams: 1250 }],
    })
  })

  test('concurrent dispatches of an order create one shipment; only allowAdditional or a cancellation permits another shipment', async () => {
    const id = await orderTo()
    const all = await Promise.all([1, 2, 3].map(() => send(id)))
    const [made, ...others] = all.filter(({ status }) => status === 201)
    expect(others).toEqual([])
    for (const reply of all.filter(({ status }) => status !== 201)) {
      answers('dispatchShipment', 'order_already_dispatched', reply)
      expect(reply.body.error.details).toEqual({ shipmentId: made?.body.id })
    }
    const parcels = [parcelExample]
    const extra = { allowAdditional: true, parcels, ...inOrder(['simulator-swift']) }
    const more = await send(id, extra)
    expect([more.status, more.body.items], more.text).toEqual([201, []])
    answers('dispatchShipment', 'nothing_to_ship', await send(id, { allowAdditional: true }))
    const third = await orderTo()
    const first = await send(third, inOrder(['simulator-steady']))
    expect((await cancelShipment(started(), shop, first.body.id)).status).toBe(200)
    expect((await send(third)).status).toBe(201)
  })

  test('concurrent identical dispatch requests for an order create one shipment, and all return that shipment', async () => {
    const id = await orderTo()
    const request = { reference: randomCode(12) }
    const all = await Promise.all([1, 2, 3, 4].map(() => send(id, request)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
  })

  test('the status of a dispatched order follows the status of its shipment until the delivery', async () => {
    const api = started()
    const id = await orderTo()
    await prepare(id)
    const { body } = await send(id, inOrder(['simulator-swift']))
    await pass(api, 120, 10)
    expect((await readValidShipment(api, shop, body.id)).status).toBe('picked_up')
    const under = await orderStatus(id)
    await pass(api, 240, 10)
    expect((await readValidShipment(api, shop, body.id)).status).toBe('delivered')
    expect([under, await orderStatus(id)]).toEqual(['shipped', 'delivered'])
  })

  test('a parcel that cannot be delivered is returned, and its order becomes returned', async () => {
    const api = started()
    const id = await orderTo('+2348035550800')
    await prepare(id)
    const { body } = await send(id, inOrder(['simulator-swift']))
    await pass(api, 600, 10)
    const shipment = await readValidShipment(api, shop, body.id)
    expect(shipment.status).toBe('returned')
    expect(shipment.attempts).toMatchObject([{ state: 'completed' }])
    expect(await orderStatus(id)).toBe('returned')
  })
})

describe('a pending order', () => {
  const orderOf = async (id: string) =>
    (await started().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body

  const unpaidTo = async (phone: string) => {
    const address = { recipientName: 'Bisi Ade', phone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
    return (await placeOrder(started(), shop, { isPaid: false, body: { shippingAddress: address } })).id
  }

  test('a pending order stays pending, and its expiry does not change, when no carrier accepts a dispatch with confirmOrder', async () => {
    const id = await unpaidTo('+2348035550111')
    const before = await orderOf(id)
    expect(before).toMatchObject({ status: 'pending', expiresAt: expect.any(String) })
    answers('dispatchShipment', 'no_carrier_available', await send(id, { confirmOrder: true }))
    const { status, expiresAt, confirmedAt, version } = await orderOf(id)
    expect({ status, expiresAt, confirmedAt, version }).toEqual({
      status: 'pending',
      expiresAt: before.expiresAt,
      confirmedAt: null,
      version: before.version,
    })
  })

  test('a dispatch with confirmOrder confirms the order even if only the second carrier accepts, and a scheduled dispatch confirms the order at once', async () => {
    const id = await unpaidTo('+2348035550100')
    const two = inOrder(['simulator-swift', 'simulator-steady'])
    expect((await send(id, { confirmOrder: true, ...two })).status).toBe(201)
    expect(await orderOf(id)).toMatchObject({ status: 'processing', expiresAt: null })
    const planned = await unpaidTo(plainPhone)
    const scheduleAt = new Date(started().clock.nowMs() + 3_600_000).toISOString()
    expect((await send(planned, { confirmOrder: true, scheduleAt })).status).toBe(201)
    expect(await orderOf(planned)).toMatchObject({ status: 'processing' })
  })
})
