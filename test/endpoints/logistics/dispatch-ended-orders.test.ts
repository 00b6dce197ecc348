import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { untilWaiting } from '../../support/database-locks.ts'
import {
  attemptsOf,
  getShipment,
  inOrder,
  openTestShop,
  ordersOf,
  pass,
  orderTo as placeOrderTo,
  post,
  readValidShipment,
  ridersOf,
} from '../../support/logistics/parcel-run.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const orderTo = (phone?: string) => placeOrderTo(started(), shop, phone)

const request = (orderId: string, more: object = {}) => ({ orderId, pickup: pickupInputExample, ...more })
const named = (orderId: string, more: object = {}) => request(orderId, { reference: randomCode(12), ...more })
const dispatch = (orderId: string, more: object = {}) => post(started(), shop, 'dispatch', named(orderId, more))

function move(orderId: string, ...states: string[]): Promise<Reply[]> {
  return states.reduce<Promise<Reply[]>>(async (before, to) => {
    const path = `/api/v1/orders/${orderId}/transition`
    return [...(await before), await started().send('POST', path, { token: shop.token, body: { to } })]
  }, Promise.resolve([]))
}

async function cancel(orderId: string): Promise<void> {
  const path = `/api/v1/orders/${orderId}/cancel`
  const reply = await started().send('POST', path, { token: shop.token, body: { reason: 'customer' } })
  expect(reply.status, reply.text).toBe(200)
}

describe('409 order_not_dispatchable', () => {
  test('a quote, a dispatch and a schedule return 409 order_not_dispatchable for a cancelled order', async () => {
    const id = await orderTo()
    await cancel(id)
    answers('createQuote', 'order_not_dispatchable', await post(started(), shop, 'quote', request(id)))
    const reply = await dispatch(id)
    answers('dispatchShipment', 'order_not_dispatchable', reply)
    expect(reply.body.error.details).toEqual({ status: 'cancelled' })
    const planned = await post(started(), shop, 'predictive-schedule', named(id))
    answers('createPredictiveSchedule', 'order_not_dispatchable', planned)
  })

  test('dispatchShipment returns 409 order_not_dispatchable for a returned order, even if the request names the parcels', async () => {
    const id = await orderTo()
    await move(id, 'processing', 'shipped', 'returned')
    const parcels = [{ description: 'A dress', weightGrams: 500, valueKobo: 1_000 }]
    const reply = await dispatch(id, { parcels })
    expect(reply.body.error.details).toEqual({ status: 'returned' })
  })

  test('dispatchShipment returns 409 order_not_dispatchable for an order that was cancelled after its quote', async () => {
    const id = await orderTo()
    const { body } = await post(started(), shop, 'quote', request(id))
    await cancel(id)
    const reply = await post(started(), shop, 'dispatch', { reference: randomCode(12), quoteId: body.id })
    answers('dispatchShipment', 'order_not_dispatchable', reply)
  })

  test('after a concurrent dispatch and cancellation, the cancelled order has no rider', async () => {
    const id = await orderTo()
    const [reply] = await Promise.all([dispatch(id, { scheduleAt: inAnHour() }), cancel(id)])
    await pass(started(), 10)
    if (reply.status === 201) {
      expect((await readValidShipment(started(), shop, reply.body.id)).status).toBe('cancelled')
    } else {
      answers('dispatchShipment', 'order_not_dispatchable', reply)
    }
  })
})

describe('409 nothing_to_ship', () => {
  test('dispatchShipment returns 409 nothing_to_ship for a shipped order, unless the request contains parcels', async () => {
    const id = await orderTo()
    await move(id, 'processing', 'shipped')
    answers('createQuote', 'nothing_to_ship', await post(started(), shop, 'quote', request(id)))
    answers('dispatchShipment', 'nothing_to_ship', await dispatch(id))
    const planned = await post(started(), shop, 'predictive-schedule', named(id))
    answers('createPredictiveSchedule', 'nothing_to_ship', planned)
    const parcels = [{ description: 'A replacement', weightGrams: 500, valueKobo: 1_000 }]
    expect((await dispatch(id, { parcels })).status).toBe(201)
  })

  const parcels = [{ description: 'A dress', weightGrams: 500, valueKobo: 1_000 }]

  async function paidOrder() {
    const api = started()
    const id = await orderTo()
    const path = `/api/v1/orders/${id}`
    const send = (to: string, body: object) => api.send('POST', to, { token: shop.token, body })
    const { body: order } = await api.send('GET', path, { token: shop.token })
    const [{ id: itemId, quantity }] = order.items
    const refund = async (more: object) => {
      const body = { orderId: id, amountKobo: order.totalKobo, reason: 'other', ...more }
      const reply = await send('/api/v1/refunds', body)
      expect(reply.status, reply.text).toBe(201)
    }
    return { id, itemId, quantity, refund }
  }

  const refunds = {
    'an amount only': () => ({}),
    'every unit': (itemId: string, quantity: number) => ({ items: [{ itemId, quantity }], amountKobo: 1 }),
    'every unit, restocked': (itemId: string, quantity: number) => ({
      items: [{ itemId, quantity, restock: true }],
      amountKobo: 1,
    }),
  }

  test.for(
    Object.entries(refunds),
  )('a quote, a schedule and each kind of dispatch of an order return 409 nothing_to_ship after a refund of %s', async ([
    ,
    itemsOf,
  ]) => {
    const { id, itemId, quantity, refund } = await paidOrder()
    const { body: quote } = await post(started(), shop, 'quote', request(id))
    await refund(itemsOf(itemId, quantity))
    answers('createQuote', 'nothing_to_ship', await post(started(), shop, 'quote', request(id)))
    const planned = await post(started(), shop, 'predictive-schedule', named(id))
    answers('createPredictiveSchedule', 'nothing_to_ship', planned)
    const forms = [
      {},
      { items: [{ itemId, quantity: 1 }] },
      { parcels },
      { parcels, items: [] },
      { parcels, items: [], allowAdditional: true },
      { scheduleAt: inAnHour() },
    ]
    for (const form of forms) answers('dispatchShipment', 'nothing_to_ship', await dispatch(id, form))
    const quoted = await post(started(), shop, 'dispatch', { reference: randomCode(12), quoteId: quote.id })
    answers('dispatchShipment', 'nothing_to_ship', quoted)
    expect(await select(started(), 'select id from shipments where order_id = $1', [id])).toEqual([])
  })

  test('a shipment leaves out a refunded unit even if the unit was not restocked, and a dispatch that names this unit is rejected', async () => {
    const { id, itemId, refund } = await paidOrder()
    await select(
      started(),
      `update order_items set quantity = 3, subtotal_kobo = unit_price_kobo * 3, total_kobo = total_kobo + unit_price_kobo * 2
       where order_id = $1`,
      [id],
    )
    await refund({ items: [{ itemId, quantity: 1 }], amountKobo: 1 })
    const named3 = await dispatch(id, { items: [{ itemId, quantity: 3 }] })
    answers('dispatchShipment', 'order_items_unavailable', named3)
    expect(named3.body.error.details).toEqual({ items: [{ itemId, requested: 3, available: 2 }] })
    const { status, body } = await dispatch(id)
    expect([status, body.items]).toEqual([201, [{ itemId, quantity: 2 }]])
  })

  test('dispatchShipment does not return 409 nothing_to_ship while some units of the order are still unsent', async () => {
    const id = await orderTo()
    await select(
      started(),
      `update order_items set quantity = 3, fulfilled_quantity = 1, subtotal_kobo = unit_price_kobo * 3,
         total_kobo = total_kobo + unit_price_kobo * 2
       where order_id = $1`,
      [id],
    )
    const { status, body } = await dispatch(id)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.parcels).toMatchObject([{ quantity: 2 }])
  })
})

const inAnHour = () => new Date(started().clock.nowMs() + 3_600_000).toISOString()

describe('cancelling an order', () => {
  test('after an order is cancelled, the worker cancels the scheduled shipment of the order without any request to a carrier', async () => {
    const api = started()
    const id = await orderTo()
    const { body } = await post(api, shop, 'predictive-schedule', named(id, { prepMinutes: { p50: 60, p90: 90 } }))
    await cancel(id)
    const marked = (await getShipment(api, shop, body.shipmentId)).body
    expect(marked.cancellation).toMatchObject({ requestedAt: expect.any(String), reason: 'other' })
    await pass(api, 5)
    const ended = await readValidShipment(api, shop, body.shipmentId)
    expect(ended).toMatchObject({ status: 'cancelled', attempts: [], statusReason: { code: 'order_cancelled' } })
    expect(ended.cancellation).toMatchObject({ feeKobo: 0 })
    expect(ended.version).toBeGreaterThan(marked.version)
    const rows = await select(
      api,
      "select actor_type, changes from audit_log where action = 'shipment.cancel' and resource_id = $1",
      [body.shipmentId],
    )
    expect(rows).toEqual([{ actor_type: 'system', changes: { status: ['scheduled', 'cancelled'] } }])
    await pass(api, 7_200, 600)
    expect(await ordersOf(api, body.shipmentId)).toEqual([])
  })

  test('cancelling an order cancels a shipment whose dispatch attempt has an unknown outcome', async () => {
    const api = started()
    const id = await orderTo('+2348035550300')
    const reply = await dispatch(id, inOrder(['simulator-steady']))
    const { status, body, headers } = reply
    expect([status, body.status], reply.text).toEqual([202, 'dispatching'])
    expect(headers.get('location')).toBe(`/api/v1/logistics/shipments/${body.id}`)
    await cancel(id)
    await pass(api, 300, 10)
    const ended = await readValidShipment(api, shop, body.id)
    expect(ended).toMatchObject({ status: 'cancelled', statusReason: { code: 'order_cancelled' } })
    expect(await ridersOf(api, body.id)).toEqual([])
  })

  test('cancelling an order leaves an accepted shipment with its carrier and raises the exception order_cancelled', async () => {
    const api = started()
    const id = await orderTo()
    const { body } = await dispatch(id, inOrder(['simulator-swift']))
    await cancel(id)
    const { body: shipment, headers } = await getShipment(api, shop, body.id)
    expect(shipment).toMatchObject({ status: body.status, exceptions: [{ code: 'order_cancelled' }] })
    expect(headers.get('etag')).toContain(`"v${body.version + 1}-`)
    expect(await ridersOf(api, body.id)).toEqual(['swift'])
    await post(api, shop, `shipments/${body.id}/cancel`, { reason: 'other' })
    const { body: ended } = await getShipment(api, shop, body.id)
    expect(ended).toMatchObject({
      status: 'cancelled',
      exceptions: [{ code: 'order_cancelled', resolvedAt: expect.stringMatching(/Z$/) }],
    })
  })

  test('cancelling an order prevents failover to another carrier when the shipment’s carrier cancels', async () => {
    const api = started()
    const id = await orderTo('+2348035550600')
    const { body } = await dispatch(id, inOrder(['simulator-swift', 'simulator-steady']))
    expect(body.carrier).toMatchObject({ code: 'simulator-swift' })
    await cancel(id)
    await pass(api, 600, 10)
    const ended = await readValidShipment(api, shop, body.id)
    expect(ended).toMatchObject({ status: 'cancelled', statusReason: { code: 'order_cancelled' } })
    expect(ended.attempts.map(({ carrier }: { carrier: string }) => carrier)).toEqual(['simulator-swift'])
    expect(await ridersOf(api, body.id)).toEqual([])
  })

  test('after the merchant’s order is cancelled, the service cancels a carrier order that was accepted late, even if this order has progressed further than the newer carrier order', async () => {
    const api = started()
    const id = await orderTo('+2348035550970')
    const steadyNext = inOrder(['simulator-swift', 'simulator-steady'], { assignTimeoutSeconds: 3600 })
    const { body } = await dispatch(id, steadyNext)
    await pass(api, 60)
    await cancel(id)
    // At the first check after the late acceptance, the carrier order that was accepted late has a rider, but can still
    // be cancelled.
    await pass(api, 70, 70)
    const found = await readValidShipment(api, shop, body.id)
    expect(attemptsOf(found)).toEqual([
      ['swift', 'late_cancelled', 'late_acceptance'],
      ['steady', 'accepted', 'accepted'],
    ])
    expect(found.carrier.code).toBe('simulator-steady')
    expect(found.exceptions).toContainEqual(expect.objectContaining({ code: 'order_cancelled', resolvedAt: null }))
    expect(await ridersOf(api, body.id)).toEqual(['steady'])
  })

  test('if an order is cancelled before its carrier has responded, and the carrier then rejects the cancellation, the shipment gets the exception order_cancelled', async () => {
    const api = started()
    const id = await orderTo('+2348035550200')
    const { body } = await dispatch(id, inOrder(['simulator-saver']))
    await cancel(id)
    await pass(api, 10)
    expect((await getShipment(api, shop, body.id)).body.status).toBe('cancelling')
    const number = "select number from simulated_orders where reference like $1 || '-%'"
    const [order] = await select(api, number, [body.id])
    const key = { merchantId: shop.merchantId, id: ShipmentId.parse(body.id) }
    await applyUpdate(api, shop, key, { status: 'awaiting_courier' }, { carrierReference: order.number })
    await pass(api, 60, 10)
    const kept = await readValidShipment(api, shop, body.id)
    expect(kept.status).toMatch(/^(awaiting_courier|courier_assigned|at_pickup)$/)
    expect(kept.exceptions).toContainEqual(expect.objectContaining({ code: 'order_cancelled', resolvedAt: null }))
  })

  test('cancelling an order raises order_cancelled while its shipment is cancelling, because the carrier may reject the cancellation', async () => {
    const api = started()
    const id = await orderTo('+2348035550200')
    const { body } = await dispatch(id, inOrder(['simulator-saver']))
    const path = `shipments/${body.id}/cancel`
    expect((await post(api, shop, path, { reason: 'other' })).body.status).toBe('cancelling')
    await cancel(id)
    expect((await getShipment(api, shop, body.id)).body.exceptions).toMatchObject([{ code: 'order_cancelled' }])
  })

  test('cancelling an order waits for a concurrent dispatch of its shipment and cancels the shipment', async () => {
    const api = started()
    const id = await orderTo()
    const { body } = await dispatch(id, inOrder(['simulator-swift']))
    const other = await api.database.pool.connect()
    await other.query('begin')
    await other.query("update shipments set status = 'dispatching' where id = $1", [body.id])
    const cancelled = cancel(id)
    await untilWaiting(api, 1)
    await other.query('commit')
    other.release()
    await cancelled
    const { body: marked } = await getShipment(api, shop, body.id)
    expect(marked.cancellation).toMatchObject({ requestedAt: expect.any(String), reason: 'other' })
  })

  test('a dry run of cancelling an order does not change its shipments', async () => {
    const api = started()
    const id = await orderTo()
    const { body } = await dispatch(id, { scheduleAt: inAnHour() })
    const headers = { 'Service-Dry-Run': 'true' }
    const path = `/api/v1/orders/${id}/cancel`
    await api.send('POST', path, { token: shop.token, body: { reason: 'customer' }, headers })
    expect((await getShipment(api, shop, body.id)).body).toEqual(body)
  })
})
