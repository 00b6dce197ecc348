import { beforeAll, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  inOrder,
  openTestShop,
  orderTo,
  pass,
  plainPhone,
  post,
  readValidShipment,
} from '../../support/logistics/parcel-run.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import type { Shop } from '../../support/shop.ts'

/** An order on hold stops the dispatch of its shipments only while no carrier has accepted them. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

async function move(orderId: string, to: string): Promise<void> {
  const path = `/api/v1/orders/${orderId}/transition`
  const reply = await started().send('POST', path, { token: shop.token, body: { to } })
  expect(reply.status, reply.text).toBe(200)
}

async function dispatched(phone: string, more: object = {}) {
  const api = started()
  const orderId = await orderTo(api, shop, phone)
  await move(orderId, 'processing')
  const body = { reference: randomCode(12), orderId, pickup: pickupInputExample, ...more }
  const reply = await post(api, shop, 'dispatch', body)
  expect(reply.status, reply.text).toBe(201)
  return { api, orderId, id: reply.body.id, read: () => readValidShipment(api, shop, reply.body.id) }
}

const inMinutes = (minutes: number) => new Date(started().clock.nowMs() + minutes * 60_000).toISOString()

test('a scheduled shipment whose order is on hold is dispatched only after the order is released from hold', async () => {
  const { api, orderId, read } = await dispatched(plainPhone, { scheduleAt: inMinutes(10) })
  await move(orderId, 'on_hold')
  await pass(api, 30 * 60, 300)
  expect(await read()).toMatchObject({ status: 'scheduled', attempts: [] })
  await move(orderId, 'processing')
  await pass(api, 5)
  expect(await read()).toMatchObject({ status: 'awaiting_courier', attempts: [{ state: 'accepted' }] })
})

test('a scheduled shipment is dispatched at its scheduled time if its order was on hold and was released before this time', async () => {
  const { api, orderId, read } = await dispatched(plainPhone, { scheduleAt: inMinutes(10) })
  await move(orderId, 'on_hold')
  await move(orderId, 'processing')
  await pass(api, 9 * 60, 60)
  expect(await read()).toMatchObject({ status: 'scheduled', attempts: [] })
  await pass(api, 90, 30)
  expect(await read()).toMatchObject({ attempts: [{ state: 'accepted' }] })
})

test('a shipment does not fail over to another carrier while its order is on hold', async () => {
  const carriers = inOrder(['simulator-swift', 'simulator-steady'])
  const { api, orderId, read } = await dispatched('+2348035550600', carriers)
  await move(orderId, 'on_hold')
  await pass(api, 20 * 60, 60)
  const held = await read()
  expect(held.status).toBe('dispatching')
  expect(attemptsOf(held)).toEqual([['swift', 'cancelled', 'carrier_cancelled']])
  await move(orderId, 'processing')
  await pass(api, 5)
  expect(attemptsOf(await read())).toMatchObject([
    ['swift', 'cancelled', 'carrier_cancelled'],
    ['steady', 'accepted', 'accepted'],
  ])
})

test('an accepted shipment continues while its order is on hold', async () => {
  const { api, orderId, read } = await dispatched(plainPhone, inOrder(['simulator-swift']))
  await move(orderId, 'on_hold')
  await pass(api, 120, 10)
  expect(await read()).toMatchObject({ status: 'picked_up', exceptions: [{ code: 'order_not_moved' }] })
})

test('if a pending order was put on hold before its carrier’s acceptance was known, the release from hold sets the order to processing', async () => {
  const api = started()
  const orderId = await orderTo(api, shop, '+2348035550200', { isPaid: false })
  const path = `/api/v1/orders/${orderId}`
  const order = async () => (await api.send('GET', path, { token: shop.token })).body
  const body = { reference: randomCode(12), orderId, pickup: pickupInputExample, confirmOrder: true }
  const { body: shipment } = await post(api, shop, 'dispatch', { ...body, ...inOrder(['simulator-saver']) })
  expect(attemptsOf(shipment)).toMatchObject([['saver', 'unknown', expect.anything()]])
  await move(orderId, 'on_hold')
  const held = await order()
  expect(held.allowedTransitions).toEqual(['pending', 'cancelled'])
  const number = "select number from simulated_orders where reference like $1 || '-%'"
  const [{ number: carrierReference }] = await select(api, number, [shipment.id])
  const key = { merchantId: shop.merchantId, id: ShipmentId.parse(shipment.id) }
  await applyUpdate(api, shop, key, { status: 'awaiting_courier' }, { carrierReference })
  await pass(api, 10)
  expect(attemptsOf(await readValidShipment(api, shop, shipment.id))).toEqual([['saver', 'accepted', 'accepted']])
  expect(await order()).toMatchObject({
    status: 'on_hold',
    version: held.version + 1,
    expiresAt: null,
    allowedTransitions: ['processing', 'cancelled'],
  })
  await move(orderId, 'processing')
  expect(await order()).toMatchObject({ status: 'processing', expiresAt: null, confirmedAt: expect.any(String) })
})
