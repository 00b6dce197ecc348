import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newShipmentId } from '../../../src/base/records.ts'
import { openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  cancelShipment,
  getShipment,
  inOrder,
  openTestShop,
  ordersOf,
  parcelTo,
  pass,
  plainPhone,
  post,
  readValidShipment,
  ridersOf,
} from '../../support/logistics/parcel-run.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

beforeEach(() => {
  Object.assign(started().logistics, { breakers: openBreakers() })
})

async function dispatch(more: object, phone = plainPhone): Promise<ReplyBody> {
  const { status, body } = await post(started(), shop, 'dispatch', parcelTo(phone, more))
  expect([201, 202], JSON.stringify(body)).toContain(status)
  return body
}

const bySwift = () => dispatch(inOrder(['simulator-swift']))
const cancel = (id: string, more: object = {}) => cancelShipment(started(), shop, id, more)
const movesOf = async (id: string) =>
  (await eventsOf(started(), shop.merchantId, 'shipment.status_changed'))
    .map(({ data }) => data)
    .filter(({ shipmentId }) => shipmentId === id)
    .sort((a, b) => a.version - b.version)
    .map(({ to }) => to)
const actionsOn = async (id: string) =>
  (await select(started(), 'select action from audit_log where resource_id = $1 order by action', [id])).map(
    ({ action }) => action,
  )

const changesOf = async (id: string) =>
  (
    await select(started(), "select changes from audit_log where resource_id = $1 and action = 'shipment.cancel'", [id])
  ).map(({ changes }) => changes)

describe('200 responses of cancelShipment', () => {
  test('cancelShipment charges no fee if the carrier itself has already cancelled and no other carrier has accepted the shipment', async () => {
    const given = { status: 'at_pickup', carrier: 'simulator-saver' } as const
    const { id } = await storeShipment(started(), shop, { ...given, attempts: [{ state: 'cancelled' }] })
    const shown = await getShipment(started(), shop, id)
    expect(shown.body.cancellation).toMatchObject({ allowed: true, estimatedFeeKobo: 0 })
    const { status, body } = await cancel(id)
    expect([status, body.cancellation]).toMatchObject([200, { feeKobo: 0 }])
  })

  test('cancelShipment cancels without a fee and with a full refund before a rider is assigned', async () => {
    const { id, priceKobo } = await bySwift()
    const reply = await cancel(id, { reason: 'wrong_address', note: 'Another street.' })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      status: 'cancelled',
      statusReason: { code: 'cancelled_by_merchant' },
      cancellation: {
        status: 'cancelled',
        allowed: false,
        reason: 'wrong_address',
        note: 'Another street.',
        confirmedAt: reply.body.updatedAt,
        feeKobo: 0,
        refundKobo: priceKobo,
      },
    })
    expect(attemptsOf(reply.body)).toEqual([['swift', 'cancelled', 'cancelled']])
    expect(await ordersOf(started(), id)).toEqual([{ company: 'swift', isCancelled: true }])
    expect(await readValidShipment(started(), shop, id)).toEqual(reply.body)
    expect(await movesOf(id)).toEqual(['awaiting_courier', 'cancelling', 'cancelled'])
    expect(await actionsOn(id)).toEqual([
      'shipment.cancel',
      'shipment.confirm_cancellation',
      'shipment.dispatch',
      'shipment.record_outcome',
      'shipment.request_carrier',
    ])
    expect(await changesOf(id)).toEqual([
      { cancelReason: [null, 'wrong_address'], status: ['awaiting_courier', 'cancelling'] },
    ])
  })

  test('cancelShipment returns the same body when repeated, and stores nothing', async () => {
    const { id } = await bySwift()
    const first = await cancel(id)
    const before = await contentsOf(started())
    const again = await cancel(id, { reason: 'too_slow' })
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
    expect(await contentsOf(started())).toEqual(before)
  })

  test('five concurrent cancelShipment requests cancel the shipment once', async () => {
    const { id } = await bySwift()
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => cancel(id)))
    for (const { status } of all) expect([200, 202]).toContain(status)
    expect((await readValidShipment(started(), shop, id)).status).toBe('cancelled')
    expect(await movesOf(id)).toEqual(['awaiting_courier', 'cancelling', 'cancelled'])
  })

  test('cancelShipment cancels a scheduled shipment without any request to a carrier', async () => {
    const { id } = await dispatch({ scheduleAt: '2026-11-21T12:00:00Z' })
    const reply = await cancel(id)
    expect(reply).toMatchObject({
      status: 200,
      body: { status: 'cancelled', attempts: [], cancellation: { feeKobo: 0 } },
    })
    await pass(started(), 6 * 3600, 1800)
    expect(await ordersOf(started(), id)).toEqual([])
    expect(await movesOf(id)).toEqual(['cancelled'])
  })

  test('a dry run of cancelShipment returns the expected outcome, sends no request to a carrier and stores nothing', async () => {
    const { id } = await bySwift()
    const before = await contentsOf(started())
    const reply = await started().send('POST', `/api/v1/logistics/shipments/${id}/cancel`, {
      token: shop.token,
      body: { reason: 'customer_request' },
      headers: { 'Service-Dry-Run': 'true' },
    })
    expect(reply).toMatchObject({ status: 202, body: { status: 'cancelling' } })
    expect(await contentsOf(started())).toEqual(before)
    expect(await ridersOf(started(), id)).toEqual(['swift'])
  })
})

describe('202 responses of cancelShipment', () => {
  test('cancelShipment returns 202 while a dispatch attempt’s outcome is unknown; the carrier’s order is found and cancelled before a rider comes', async () => {
    const { id, status } = await dispatch(inOrder(['simulator-steady', 'simulator-swift']), '+2348035550200')
    expect(status).toBe('dispatching')
    const reply = await cancel(id)
    const asked = { status: 'cancelling', confirmedAt: null, note: null, feeKobo: null }
    expect(reply).toMatchObject({ status: 202, body: { status: 'cancelling', cancellation: asked } })
    await pass(started(), 60)
    const end = await readValidShipment(started(), shop, id)
    expect(end).toMatchObject({ status: 'cancelled', cancellation: { feeKobo: 0 } })
    expect(attemptsOf(end)).toEqual([['steady', 'cancelled', 'cancelled']])
    expect(await ridersOf(started(), id)).toEqual([])
    expect(await movesOf(id)).toEqual(['cancelling', 'cancelled'])
  })

  test('cancelShipment returns 202 while the outcome of a dispatch attempt is unknown; if the attempt created no order, no other carrier is called', async () => {
    const { id } = await dispatch(inOrder(['simulator-swift', 'simulator-steady']), '+2348035550300')
    expect((await cancel(id)).status).toBe(202)
    await pass(started(), 120)
    const end = await readValidShipment(started(), shop, id)
    expect(end.status).toBe('cancelled')
    expect(attemptsOf(end)).toEqual([['swift', 'not_found_at_carrier', 'order_not_found']])
    expect(await ordersOf(started(), id)).toEqual([])
  })
})

describe('404 shipment_not_found', () => {
  test('cancelShipment returns 404 shipment_not_found for an unknown id and for a shipment of another merchant', async () => {
    const { id } = await bySwift()
    const other = await openTestShop(started())
    answers('cancelShipment', 'shipment_not_found', await cancel(newShipmentId(0)))
    answers('cancelShipment', 'shipment_not_found', await cancelShipment(started(), other, id))
  })
})

describe('409 cancellation_fee_required', () => {
  test('after a rider is assigned, cancelShipment returns 409 cancellation_fee_required with the carrier’s current fee unless maxFeeKobo covers the fee', async () => {
    const { id, priceKobo } = await bySwift()
    // The carrier has assigned a rider, but the service has not received the tracking update about the rider yet.
    started().clock.advance(40_000)
    for (const more of [{}, { maxFeeKobo: 49_999 }]) {
      const reply = await cancel(id, more)
      answers('cancelShipment', 'cancellation_fee_required', reply)
      expect(reply.body.error.details).toEqual({ feeKobo: 50_000 })
    }
    const kept = await readValidShipment(started(), shop, id)
    expect(kept).toMatchObject({
      status: 'courier_assigned',
      cancellation: { allowed: true, estimatedFeeKobo: 50_000, requestedAt: null },
    })
    expect(await ridersOf(started(), id)).toEqual(['swift'])
    const { status, body } = await cancel(id, { maxFeeKobo: 50_000 })
    expect(await changesOf(id)).toMatchObject([
      { cancelReason: [null, 'customer_request'], cancelMaxFeeKobo: [null, 50_000] },
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      status: 'cancelled',
      attempts: [{ cancellationFeeKobo: 50_000 }],
      cancellation: { feeKobo: 50_000, refundKobo: priceKobo - 50_000 },
    })
    expect(await ridersOf(started(), id)).toEqual([])
  })
})

describe('409 shipment_not_cancellable', () => {
  test('cancelShipment returns 409 shipment_not_cancellable after the pickup, even if the carrier has not reported the pickup yet', async () => {
    const { id } = await bySwift()
    started().clock.advance(100_000)
    const reply = await cancel(id, { maxFeeKobo: 1_000_000 })
    answers('cancelShipment', 'shipment_not_cancellable', reply)
    expect(reply.body.error.details).toEqual({ status: 'picked_up' })
    await pass(started(), 600, 10)
    expect((await readValidShipment(started(), shop, id)).status).toBe('delivered')
    answers('cancelShipment', 'shipment_not_cancellable', await cancel(id))
  })

  test('cancelShipment returns 409 shipment_not_cancellable when the carrier does not support cancellation', async () => {
    const { id, cancellation } = await dispatch(inOrder(['simulator-saver']))
    expect(cancellation).toMatchObject({ status: null, allowed: false, estimatedFeeKobo: null })
    const before = await contentsOf(started())
    const reply = await cancel(id)
    answers('cancelShipment', 'shipment_not_cancellable', reply)
    expect(reply.body.error.details).toEqual({ status: 'awaiting_courier' })
    expect(await contentsOf(started())).toEqual(before)
  })

  test('cancelShipment returns 409 shipment_not_cancellable when no carrier accepted the shipment', async () => {
    const reply = await post(started(), shop, 'dispatch', parcelTo('+2348035550111', inOrder(['simulator-swift'])))
    const { shipmentId } = reply.body.error.details
    answers('cancelShipment', 'shipment_not_cancellable', await cancel(shipmentId))
  })
})

describe('412 version_conflict and 400 validation_failed', () => {
  test('cancelShipment returns 412 version_conflict when If-Match holds an older version', async () => {
    const { id, version } = await bySwift()
    const send = (ifMatch: string) =>
      started().send('POST', `/api/v1/logistics/shipments/${id}/cancel`, {
        token: shop.token,
        body: { reason: 'duplicate' },
        headers: { 'If-Match': ifMatch },
      })
    const stale = await send(`"v${version - 1}"`)
    expect(stale.status).toBe(412)
    expect(await ridersOf(started(), id)).toEqual(['swift'])
    expect((await send(`"v${version}"`)).status).toBe(200)
  })

  test.for([
    'scheduled',
    'dispatching',
  ] as const)('cancelShipment compares If-Match of a %s shipment with the shipment’s version, not with its order’s version', async (status) => {
    const api = started()
    const order = await orderAt(api, shop, 'processing')
    const { id } = await storeShipment(api, shop, { orderId: order.id, status, attempts: [] })
    const { version } = (await getShipment(api, shop, id)).body
    expect((await order.read()).version).not.toBe(version)
    const reply = await api.send('POST', `/api/v1/logistics/shipments/${id}/cancel`, {
      token: shop.token,
      body: { reason: 'duplicate' },
      headers: { 'If-Match': `"v${version}"` },
    })
    expect([reply.status, reply.body.status], reply.text).toEqual([200, 'cancelled'])
  })

  test.for<[string, object]>([
    ['an unknown reason', { reason: 'mood' }],
    ['a negative fee', { maxFeeKobo: -1 }],
    ['a note of 281 characters', { note: 'x'.repeat(281) }],
  ])('cancelShipment returns 400 validation_failed for %s', async ([, more]) => {
    const { id } = await bySwift()
    answers('cancelShipment', 'validation_failed', await cancel(id, more))
    expect((await readValidShipment(started(), shop, id)).status).toBe('awaiting_courier')
  })
})
