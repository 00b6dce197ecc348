import { beforeAll, describe, expect, test } from 'vitest'
import { parcelInputExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { newReturnId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { type ReturnToShip, returnToShip, setPickup } from '../../support/commerce/return-to-ship.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  cancelShipment,
  getShipment,
  inOrder,
  openTestShop,
  orderTo,
  pass,
  post,
} from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi({ sendsCallbacks: true })

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
  await setPickup(started(), shop)
})

const open = (more: Parameters<typeof returnToShip>[2] = {}) => returnToShip(started(), shop, more)

const quote = (body: object) => post(started(), shop, 'quote', body)

const dispatch = (body: object) =>
  post(started(), shop, 'dispatch', { reference: randomCode(12), ...inOrder(['simulator-swift']), ...body })

async function dispatched({ id: returnId }: ReturnToShip, more: object = {}): Promise<string> {
  const { status, body, text } = await dispatch({ returnId, ...more })
  expect(status, text).toBe(201)
  return body.id
}

const listed = async (query: string): Promise<ReplyBody[]> =>
  (await started().send('GET', `/api/v1/logistics/shipments?${query}`, { token: shop.token })).body.data

const problemsOf = async (returnId: string) =>
  (
    await select(
      started(),
      `select kind from notifications where data ->> 'returnId' = $1 and resolved_at is null order by id`,
      [returnId],
    )
  ).map(({ kind }) => kind)

describe('a quote for a return', () => {
  test('a quote for a return has the delivery address of the order as its pickup and the merchant’s pickup address as its dropoff', async () => {
    const { id: returnId } = await open()
    const { status, body, text } = await quote({ returnId })
    expect(status, text).toBe(200)
    expect(body).toMatchObject({
      returnId,
      orderId: null,
      items: [],
      codAmountKobo: null,
      pickup: { name: 'Bisi Ade', line1: '12 Admiralty Way' },
      dropoff: { name: pickupInputExample.name, line1: pickupInputExample.line1 },
    })
    expect(body.offers.length).toBeGreaterThan(0)
  })

  test('the dispatch of a quote for a return creates a shipment of this return', async () => {
    const found = await open()
    const { body: quoted } = await quote({ returnId: found.id })
    const { version } = await found.read()
    const shipmentId = await dispatched(found, { quoteId: quoted.id })
    const { body } = await getShipment(started(), shop, shipmentId)
    expect(body).toMatchObject({ returnId: found.id, orderId: null, items: [], quoteId: quoted.id })
    expect(body.parcels).toMatchObject([{ quantity: 1 }])
    const read = await found.read()
    expect(read).toMatchObject({ status: 'approved', shipments: [{ id: shipmentId, status: 'awaiting_courier' }] })
    expect(read.version).toBeGreaterThan(version)
  })

  test('a quote for a return cannot be dispatched for another return or for an order, and a quote for an order cannot be dispatched for a return', async () => {
    const [found, other] = [await open(), await open()]
    const { body: quoted } = await quote({ returnId: found.id })
    const orderId = await orderTo(started(), shop)
    const { body: ofOrder } = await quote({ orderId })
    for (const [request, field] of [
      [{ quoteId: quoted.id, returnId: other.id }, 'returnId'],
      [{ quoteId: quoted.id, orderId }, 'orderId'],
      [{ quoteId: ofOrder.id, returnId: other.id }, 'returnId'],
    ] as const) {
      const reply = await dispatch(request)
      answers('dispatchShipment', 'quote_mismatch', reply)
      expect(reply.body.error.details).toEqual({ field })
    }
    expect((await other.read()).shipments).toEqual([])
  })

  test('an expired quote for a return is replaced by a quote for the same return', async () => {
    const found = await open()
    const { body: quoted } = await quote({ returnId: found.id })
    started().clock.advance(3_600_000)
    const { status, body } = await dispatch({ quoteId: quoted.id, returnId: found.id })
    expect(status).toBe(409)
    await dispatched(found, { quoteId: body.error.details.quoteId })
    expect((await found.read()).shipments).toHaveLength(1)
  })
})

describe('a rejected request for a return', () => {
  test.for([
    ['orderId', 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k'],
    ['items', []],
    ['codAmountKobo', 100],
  ] as const)('a quote or dispatch for a return returns 400 validation_failed with %s, because a return shipment contains all units of the return and collects no cash', async ([
    name,
    value,
  ]) => {
    const { id: returnId } = await open()
    for (const reply of [
      await quote({ returnId, [name]: value, parcels: [parcelInputExample] }),
      await dispatch({ returnId, [name]: value, parcels: [parcelInputExample] }),
    ]) {
      expect(reply).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } })
      expect(reply.text).toContain('Must not be sent with `returnId`.')
      expect(reply.body.error.errors[0].fix).toBe('Leave the field out.')
    }
  })

  test('a quote or dispatch for an unknown return returns 404 return_not_found', async () => {
    const returnId = newReturnId(0)
    answers('createQuote', 'return_not_found', await quote({ returnId }))
    answers('dispatchShipment', 'return_not_found', await dispatch({ returnId }))
  })

  test('a quote or dispatch for a return that is not approved returns 409 return_not_dispatchable', async () => {
    const found = await open({ status: 'requested' })
    const refused = async () => {
      const reply = await quote({ returnId: found.id })
      answers('createQuote', 'return_not_dispatchable', reply)
      answers('dispatchShipment', 'return_not_dispatchable', await dispatch({ returnId: found.id }))
      return reply.body.error.details
    }
    expect(await refused()).toEqual({ status: 'requested', shipmentId: null })
    await found.move('approved')
    await found.move('in_transit')
    expect(await refused()).toEqual({ status: 'in_transit', shipmentId: null })
    await found.move('closed')
    expect(await refused()).toEqual({ status: 'closed', shipmentId: null })
  })

  test('dispatchShipment returns return_not_dispatchable for a quote whose return was closed', async () => {
    const found = await open()
    const { body: quoted } = await quote({ returnId: found.id })
    await found.move('closed')
    const reply = await dispatch({ quoteId: quoted.id })
    answers('dispatchShipment', 'return_not_dispatchable', reply)
    expect((await found.read()).shipments).toEqual([])
  })

  test('the error for a return shipment without an address names the pickup if the order has no delivery address, and otherwise the dropoff', async () => {
    const found = await open({ body: { shippingAddress: undefined } })
    const reply = await quote({ returnId: found.id })
    answers('createQuote', 'order_not_shippable', reply)
    expect(reply.body.error.details).toEqual({ missing: ['pickup'] })
    const other = await openTestShop(started())
    const { id: returnId } = await returnToShip(started(), other)
    const missing = await post(started(), other, 'quote', { returnId })
    answers('createQuote', 'pickup_missing', missing)
    expect(missing.body.error.message).toContain('`dropoff`')
    const sent = await post(started(), other, 'quote', { returnId, dropoff: pickupInputExample })
    expect(sent.status, sent.text).toBe(200)
  })
})

describe('a second shipment of a return', () => {
  test('a second dispatch of a return is rejected with the id of the active shipment until this shipment is cancelled', async () => {
    const found = await open()
    const first = await dispatched(found)
    const reply = await dispatch({ returnId: found.id })
    answers('dispatchShipment', 'return_not_dispatchable', reply)
    expect(reply.body.error.details).toEqual({ status: 'approved', shipmentId: first })
    expect((await cancelShipment(started(), shop, first)).status).toBe(200)
    expect(await found.read()).toMatchObject({
      status: 'approved',
      allowedTransitions: ['in_transit', 'received', 'closed'],
    })
    started().clock.advance(1000)
    const second = await dispatched(found)
    expect((await found.read()).shipments.map(({ id }: ReplyBody) => id)).toEqual([first, second])
    expect((await listed(`returnId=${found.id}`)).map(({ id }) => id)).toEqual([second, first])
  })

  test('only one of three concurrent dispatches of a return creates a shipment', async () => {
    const found = await open()
    const replies = await Promise.all([1, 2, 3].map(() => dispatch({ returnId: found.id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await found.read()).shipments).toHaveLength(1)
  })

  test('a repeated dispatch with the same reference returns the same shipment', async () => {
    const found = await open()
    const reference = randomCode(12)
    const id = await dispatched(found, { reference })
    expect(await dispatch({ returnId: found.id, reference })).toMatchObject({ status: 200, body: { id } })
  })
})

describe('the status of a return with a shipment', () => {
  test('a return whose shipment was delivered stays in transit, and its order stays unchanged, until the merchant receives the units', async () => {
    const api = started()
    const found = await open()
    const before = await found.readOrder()
    const id = await dispatched(found)
    expect((await found.move('closed')).body.error.details).toMatchObject({
      from: 'approved',
      allowed: ['received'],
    })
    await pass(api, 600)
    expect((await getShipment(api, shop, id)).body.status).toBe('delivered')
    expect(await found.read()).toMatchObject({
      status: 'in_transit',
      receivedAt: null,
      items: [{ restockedQuantity: 0, writtenOffQuantity: 0 }],
      shipments: [{ id, status: 'delivered' }],
      allowedTransitions: ['received', 'closed'],
    })
    expect(await problemsOf(found.id)).toEqual(['return.arrived'])
    const after = await found.readOrder()
    expect(after).toEqual(before)
    expect(await listed(`orderId=${found.orderId}`)).toEqual([])
    const events = await eventsOf(api, shop.merchantId, 'return.status_changed')
    const moves = events.filter(({ data }) => data.return.id === found.id).map(({ data }) => [data.from, data.to])
    expect(moves).toEqual([
      ['requested', 'approved'],
      ['approved', 'in_transit'],
    ])
    const arrival = (await eventsOf(api, shop.merchantId, 'shipment.status_changed')).filter(
      ({ data }) => data.returnId === found.id && data.to === 'delivered',
    )
    expect(arrival).toHaveLength(1)
    expect((await found.receive()).status).toBe(200)
    expect(await problemsOf(found.id)).toEqual(['return.unsettled'])
    expect(await found.readOrder()).toMatchObject({ status: 'returned', shipments: [] })
  })

  test('if a carrier refuses the shipment of a return, the service requests the next carrier', async () => {
    const api = started()
    const found = await open()
    const busy = { ...dropoffInputExample, phone: `${dispatchPhonePrefix}100` }
    const id = await dispatched(found, { dropoff: busy, ...inOrder(['simulator-swift', 'simulator-steady']) })
    const { body } = await getShipment(api, shop, id)
    expect(attemptsOf(body)).toMatchObject([
      ['swift', 'refused', 'couriers_busy'],
      ['steady', 'accepted', 'accepted'],
    ])
    expect((await found.read()).shipments).toMatchObject([{ id, status: 'awaiting_courier' }])
  })

  test.for([
    [['simulator-swift', 'simulator-steady']],
    [['simulator-swift']],
  ] as const)('if the units of a return were received before the carrier cancels the shipment, no other carrier is requested: %j', async ([
    carriers,
  ]) => {
    const api = started()
    const found = await open()
    const cancels = { ...dropoffInputExample, phone: `${dispatchPhonePrefix}600` }
    const id = await dispatched(found, { dropoff: cancels, ...inOrder(carriers) })
    expect((await found.receive()).status).toBe(200)
    await pass(api, 600)
    const { body } = await getShipment(api, shop, id)
    expect(body).toMatchObject({
      status: 'cancelled',
      statusReason: { code: 'return_ended' },
      attempts: [{ carrier: 'simulator-swift' }],
      exceptions: [],
    })
    expect(await found.read()).toMatchObject({ status: 'received', shipments: [{ id, status: 'cancelled' }] })
  })

  test('if no carrier accepts a return shipment, the return stays approved; a later accepted shipment resolves the exception dispatch_failed', async () => {
    const found = await open()
    const busy = { ...dropoffInputExample, phone: `${dispatchPhonePrefix}111` }
    const reply = await dispatch({ returnId: found.id, dropoff: busy })
    answers('dispatchShipment', 'no_carrier_available', reply)
    const { shipmentId } = reply.body.error.details
    expect(await found.read()).toMatchObject({ status: 'approved', shipments: [{ id: shipmentId, status: 'failed' }] })
    const exceptions = async () => (await getShipment(started(), shop, shipmentId)).body.exceptions
    expect(await exceptions()).toMatchObject([
      { code: 'dispatch_failed', resolvedAt: null, message: expect.stringContaining('units of the return') },
    ])
    await dispatched(found)
    expect(await exceptions()).toMatchObject([{ code: 'dispatch_failed', resolvedAt: expect.any(String) }])
  })
})

describe('a scheduled return shipment', () => {
  test('a scheduled return shipment is dispatched at its time; until then, the return can be neither closed, received nor dispatched again', async () => {
    const found = await open()
    const scheduleAt = new Date(started().clock.nowMs() + 3_600_000).toISOString()
    const id = await dispatched(found, { scheduleAt })
    expect(await found.read()).toMatchObject({
      status: 'approved',
      shipments: [{ id, status: 'scheduled' }],
      allowedTransitions: [],
    })
    answers('transitionReturn', 'invalid_transition', await found.move('closed'))
    answers('receiveReturn', 'invalid_transition', await found.receive())
    answers('dispatchShipment', 'return_not_dispatchable', await dispatch({ returnId: found.id }))
    await pass(started(), 3_600 + 600, 60)
    expect(await found.read()).toMatchObject({ status: 'in_transit', shipments: [{ id, status: 'delivered' }] })
  })

  test('createPredictiveSchedule schedules a rider for a return only if the request states when the parcel is ready', async () => {
    const found = await open()
    const schedule = (more: object) =>
      post(started(), shop, 'predictive-schedule', { reference: randomCode(12), returnId: found.id, ...more })
    expect((await schedule({})).body.error).toMatchObject({ code: 'validation_failed' })
    const reply = await schedule({ prepMinutes: { p50: 40, p90: 70 } })
    expect(reply.status, reply.text).toBe(201)
    expect(reply.body).toMatchObject({ returnId: found.id, orderId: null, items: [] })
    expect((await found.read()).shipments).toEqual([{ id: reply.body.shipmentId, status: 'scheduled' }])
    answers('createPredictiveSchedule', 'return_not_dispatchable', await schedule({ prepMinutes: { p50: 1, p90: 2 } }))
    const unknown = await schedule({ returnId: newReturnId(0), prepMinutes: { p50: 1, p90: 2 } })
    answers('createPredictiveSchedule', 'return_not_found', unknown)
  })
})

test('a dry run of a dispatch of a return shows the plan and stores nothing', async () => {
  const found = await open()
  const { version } = await found.read()
  const { status, body } = await dispatch({ returnId: found.id, dryRun: true })
  expect([status, body.returnId]).toEqual([200, found.id])
  expect(await found.read()).toMatchObject({ version, shipments: [] })
})
