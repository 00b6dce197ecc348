import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { statusChanges } from '../../support/commerce/order-transitions.ts'
import { auditRows, eventsOf, select } from '../../support/database-contents.ts'
import { getShipment, inOrder, openTestShop, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { placeOrder, type Shop } from '../../support/shop.ts'

/** Orders that must be paid, paid on delivery or confirmed before they can be dispatched. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const dayMs = 24 * 3_600_000

const shippingAddress = { phone: plainPhone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }

const place = async (more: object = {}, isPaid = false) =>
  (await placeOrder(started(), shop, { isPaid, body: { shippingAddress, ...more } })).id

const request = (orderId: string, more: object = {}) => ({
  reference: randomCode(12),
  orderId,
  pickup: pickupInputExample,
  ...inOrder(['simulator-swift']),
  ...more,
})

const dispatch = (orderId: string, more: object = {}) => post(started(), shop, 'dispatch', request(orderId, more))
const schedule = (orderId: string, more: object = {}) =>
  post(started(), shop, 'predictive-schedule', request(orderId, more))

const read = async (id: string) => (await started().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body

const shipmentsOf = (orderId: string) => select(started(), 'select id from shipments where order_id = $1', [orderId])

describe('409 order_not_dispatchable', () => {
  test('a predictive schedule and a dispatch, with or without a quote, return 409 order_not_dispatchable for an unpaid pending order', async () => {
    const id = await place()
    const { body: quote } = await post(started(), shop, 'quote', { orderId: id, pickup: pickupInputExample })
    const quoted = { reference: randomCode(12), quoteId: quote.id }
    for (const reply of [await dispatch(id), await post(started(), shop, 'dispatch', quoted)]) {
      answers('dispatchShipment', 'order_not_dispatchable', reply)
      expect(reply.body.error.details).toEqual({ status: 'pending' })
    }
    answers('createPredictiveSchedule', 'order_not_dispatchable', await schedule(id))
    expect(await shipmentsOf(id)).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'pending', version: 1 })
  })

  test('dispatchShipment returns 409 order_not_dispatchable for a partially paid order', async () => {
    const id = await place()
    const payment = { amountKobo: 1, method: 'cash', reference: randomCode(12) }
    await started().send('POST', `/api/v1/orders/${id}/payments`, { token: shop.token, body: payment })
    answers('dispatchShipment', 'order_not_dispatchable', await dispatch(id))
  })

  test('dispatchShipment returns 409 order_not_dispatchable for an order on hold, even if it is paid and confirmOrder is sent', async () => {
    const id = await place({}, true)
    const path = `/api/v1/orders/${id}/transition`
    await started().send('POST', path, { token: shop.token, body: { to: 'on_hold' } })
    const reply = await dispatch(id, { confirmOrder: true })
    answers('dispatchShipment', 'order_not_dispatchable', reply)
    expect(reply.body.error.details).toEqual({ status: 'on_hold' })
  })
})

describe('a pending order', () => {
  test.for([
    ['with paymentMethod pay_on_delivery', { paymentMethod: 'pay_on_delivery' }, {}],
    ['with confirmOrder', {}, { confirmOrder: true }],
  ] as const)('the dispatch of a pending order %s changes the order to processing and records one status change', async ([
    ,
    order,
    more,
  ]) => {
    const id = await place(order)
    const { status, text, body } = await dispatch(id, more)
    expect(status, text).toBe(201)
    expect(await read(id)).toMatchObject({ status: 'processing', paymentStatus: 'unpaid', expiresAt: null })
    expect(await statusChanges(started(), id)).toMatchObject([
      { from: 'pending', to: 'processing', reason: 'dispatched', actor: 'token' },
    ])
    const events = await eventsOf(started(), shop.merchantId, 'order.status_changed')
    expect(events.filter(({ data }) => data.orderId === id)).toHaveLength(1)
    const audited = (await auditRows(started(), shop.merchantId)).filter((row) => row.resource_id === body.id)
    expect(audited.find(({ action }) => action === 'shipment.record_outcome')?.changes).toMatchObject({
      orderStatus: ['pending', 'processing'],
    })
  })

  test('a pending order becomes processing when a schedule with confirmOrder is created for it', async () => {
    const id = await place()
    const { status, text, body } = await schedule(id, { confirmOrder: true })
    expect(status, text).toBe(201)
    expect(await read(id)).toMatchObject({ status: 'processing' })
    expect((await getShipment(started(), shop, body.shipmentId)).body.status).toBe('scheduled')
  })

  test('a dry run of a dispatch with confirmOrder does not confirm a pending order', async () => {
    const id = await place()
    expect((await dispatch(id, { confirmOrder: true, dryRun: true })).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'pending' })
  })

  test('an unpaid order that the merchant confirmed can be dispatched', async () => {
    const id = await place()
    await started().send('POST', `/api/v1/orders/${id}/transition`, { token: shop.token, body: { to: 'processing' } })
    expect((await dispatch(id)).status).toBe(201)
  })
})

describe('an unpaid order', () => {
  test.for([
    'awaiting_courier',
    'in_transit',
    'delivered',
  ] as const)('an unpaid order with a shipment that is %s never expires', async (status) => {
    const id = await place()
    await storeShipment(started(), shop, { orderId: id, status, attempts: [] })
    started().clock.advance(10 * dayMs)
    await expireOrders(started().context)
    expect(await read(id)).toMatchObject({ status: 'pending' })
  })

  test.for([
    'cancelled',
    'failed',
    'returned',
    'lost',
  ] as const)('an unpaid order with a shipment that is %s expires', async (status) => {
    const id = await place()
    await storeShipment(started(), shop, { orderId: id, status, attempts: [] })
    started().clock.advance(10 * dayMs)
    await expireOrders(started().context)
    expect(await read(id)).toMatchObject({ status: 'cancelled', cancelReason: 'expired' })
  })

  test('an unpaid order that is dispatched at its expiry is either dispatched or cancelled, never both', async () => {
    const id = await place()
    started().clock.advance(2 * dayMs)
    const [reply] = await Promise.all([dispatch(id, { confirmOrder: true }), expireOrders(started().context)])
    const { status, shipments } = await read(id)
    expect([reply.status, status, shipments.length], reply.text).toEqual(
      reply.status === 201 ? [201, 'processing', 1] : [409, 'cancelled', 0],
    )
  })
})
