import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { deletePositions } from '../../../src/logistics/tracking/delete-positions.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { carriersOf, testCarrier } from '../../support/logistics/carrier.ts'
import { type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

const started = useApi({ carriers: carriersOf(testCarrier('simulator-swift')) })

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const courier = { name: 'Musa', vehicle: 'bike', phone: undefined, plateLastFour: '42KJ' } as const

async function open(options: ShipmentOptions = {}) {
  const api = started()
  const key = await storeShipment(api, shop, options)
  const path = `/api/v1/logistics/shipments/${key.id}`
  const place = (lat = 6.123456, lng = 3.456789) => {
    const recordedAt = toTimestamp(api.clock.nowMs())
    return applyUpdate(api, shop, key, {
      status: options.status ?? 'awaiting_courier',
      position: { lat, lng, headingDegrees: 90, recordedAt },
    })
  }
  return {
    api,
    key,
    path,
    place,
    get: (headers = {}) => api.send('GET', path, { token: shop.token, headers }),
    track: (query = '', headers = {}) => api.send('GET', `${path}/track${query}`, { token: shop.token, headers }),
  }
}

describe('GET /logistics/shipments/{id}', () => {
  test('getShipment returns the complete shipment', async () => {
    const { api, key, get } = await open()
    await applyUpdate(api, shop, key, { status: 'courier_assigned', courier })
    const { body } = await get()
    expect(body).toMatchObject({
      id: key.id,
      status: 'courier_assigned',
      courier: { name: 'Musa' },
      carrier: { code: 'simulator-swift', name: 'Simulator Swift' },
      attempts: [{ number: 1, state: 'accepted' }],
      timeline: [{ status: 'courier_assigned', source: 'callback', applied: true, attemptNumber: 1 }],
      cancellation: { allowed: true, estimatedFeeKobo: 0 },
      version: 2,
    })
  })

  test('getShipment returns 304 until the shipment changes', async () => {
    const { api, key, get } = await open()
    const etag = (await get()).headers.get('etag') ?? ''
    expect((await get({ 'If-None-Match': etag })).status).toBe(304)
    await applyUpdate(api, shop, key, { status: 'courier_assigned' })
    expect((await get({ 'If-None-Match': etag })).status).toBe(200)
  })

  test('getShipment and trackShipment return 404 shipment_not_found for a shipment of another merchant', async () => {
    const { api, path } = await open()
    const other = await openShop(api.context)
    answers('getShipment', 'shipment_not_found', await api.send('GET', path, { token: other.token }))
    answers('trackShipment', 'shipment_not_found', await api.send('GET', `${path}/track`, { token: other.token }))
    const waiting = `${path}/track?wait=25&since=1`
    answers('trackShipment', 'shipment_not_found', await api.send('GET', waiting, { token: other.token }))
  })
})

describe('GET /logistics/shipments/{id}/track', () => {
  test('trackShipment returns the rider’s position, its age and the distance to the next stop', async () => {
    const { api, place, track } = await open({ status: 'in_transit', courier: { ...courier, phone: null } })
    await place()
    api.clock.advance(8_000)
    const { body, headers } = await track()
    expect(body).toMatchObject({
      status: 'in_transit',
      version: 2,
      positionNumber: 1,
      asOf: toTimestamp(api.clock.nowMs()),
      pollAfterSeconds: 20,
      live: true,
      position: { lat: 6.1235, lng: 3.4568, headingDegrees: 90, ageSeconds: 8, stale: false, source: 'callback' },
      courier: { name: 'Musa' },
      eta: null,
    })
    expect(body.distanceToNextStopMeters).toBeGreaterThan(30_000)
    expect(headers.get('etag')).toBe('W/"2.1"')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    api.clock.advance(60_000)
    const later = (await track()).body
    expect(later.position).toMatchObject({ ageSeconds: 68, stale: true })
    expect(later.live).toBe(false)
  })

  test('trackShipment returns an estimated rider position only after the last reported position has become stale', async () => {
    const inMinutes = (minutes: number) => toTimestamp(started().clock.nowMs() + minutes * 60_000)
    const { api, place, track } = await open({
      status: 'in_transit',
      pickedUpAt: inMinutes(-10),
      deliveryEstimate: { p50: inMinutes(20), p90: inMinutes(30) },
    })
    await place()
    expect((await track()).body).toMatchObject({ live: true, estimatedPosition: null })
    api.clock.advance(10 * 60_000)
    const { body } = await track()
    expect(body.estimatedPosition).toMatchObject({ basis: 'last_position', confidence: 'low', at: body.asOf })
    // The estimated position of the rider is halfway between 6.1235, 3.4568 and the dropoff at 6.4474, 3.4723.
    expect(body.estimatedPosition).toMatchObject({ lat: 6.2855, lng: 3.4646, since: body.position.recordedAt })
    expect(body.position).toMatchObject({ lat: 6.1235, lng: 3.4568, stale: true })
  })

  test.for<[ShipmentStatus, boolean]>([
    ['scheduled', false],
    ['dispatching', false],
    ['awaiting_courier', false],
    ['courier_assigned', true],
    ['at_pickup', true],
    ['picked_up', true],
    ['in_transit', true],
    ['at_dropoff', true],
    ['delivery_failed', true],
    ['returning', true],
    ['cancelling', false],
    ['delivered', false],
    ['returned', false],
    ['cancelled', false],
    ['failed', false],
    ['lost', false],
  ])('trackShipment of a shipment in the status %s returns the rider’s position and name: %s', async ([
    status,
    isShown,
  ]) => {
    const { api, key, track } = await open({ status, courier: { ...courier, phone: null } })
    // The test inserts the rider's position directly, because the service stores no position in some of the tested
    // statuses.
    await select(
      api,
      `insert into shipment_positions (merchant_id, shipment_id, number, attempt_number, lat, lng, source, recorded_at, received_at)
       values ($1, $2, 1, 1, 6.5, 3.4, 'poll', now(), now())`,
      [key.merchantId, key.id],
    )
    const { body } = await track()
    expect(body.position !== null).toBe(isShown)
    expect(body.courier !== null).toBe(isShown)
    expect(body.live).toBe(isShown)
  })

  test('trackShipment does not return the position of the rider of an earlier carrier', async () => {
    const { api, place, track, key } = await open({ status: 'courier_assigned' })
    await place()
    expect((await track()).body.position).not.toBeNull()
    await select(api, "update dispatch_attempts set state = 'superseded' where shipment_id = $1", [key.id])
    expect((await track()).body.position).toBeNull()
  })

  test('trackShipment returns the applied tracking events and pollAfterSeconds', async () => {
    const { api, key, track } = await open({ serviceLevel: 'next_day' })
    expect((await track()).body).toMatchObject({ pollAfterSeconds: 120, events: [] })
    await applyUpdate(api, shop, key, { status: 'picked_up' })
    await applyUpdate(api, shop, key, { status: 'courier_assigned' })
    expect((await track()).body.events).toMatchObject([
      { status: 'picked_up', description: 'The parcel was picked up.' },
    ])
    await applyUpdate(api, shop, key, { status: 'delivered' })
    expect((await track()).body).toMatchObject({ pollAfterSeconds: 0, eta: null, position: null })
  })

  test('the ETag of trackShipment changes with the rider’s position and with the shipment’s status', async () => {
    const { place, track } = await open({ status: 'in_transit' })
    const etag = (await track()).headers.get('etag') ?? ''
    expect((await track('', { 'If-None-Match': etag })).status).toBe(304)
    await place()
    const moved = await track('', { 'If-None-Match': etag })
    expect(moved.status).toBe(200)
    expect(moved.headers.get('etag')).toBe('W/"2.1"')
  })

  test.for([
    'wait=26',
    'wait=-1',
    'wait=1.5',
    'since=0',
    'since=x',
    'since=2147483648',
    'wait=',
  ])('trackShipment returns validation_failed for %s', async (query) => {
    const { track } = await open()
    const reply = await track(`?${query}`)
    answers('trackShipment', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: `query.${query.split('=')[0]}` }])
  })
})

describe('long poll of trackShipment', () => {
  test('a tracking request returns at once if its `since` is missing or differs from the shipment’s current version', async () => {
    const { place, track } = await open()
    const waiting = track('?wait=25&since=1').then(() => 'the long poll ended')
    const returned = async () => {
      expect((await track('?wait=25')).status).toBe(200)
      expect((await track('?wait=25&since=7')).status).toBe(200)
      expect((await track('?wait=25', { 'If-None-Match': 'W/"9.9"' })).status).toBe(200)
      expect((await track('?since=1')).status).toBe(200)
      return 'the others returned'
    }
    expect(await Promise.race([waiting, returned()])).toBe('the others returned')
    await place()
    expect(await waiting).toBe('the long poll ended')
  })

  test('a long poll of trackShipment returns when the shipment changes', async () => {
    const { api, key, track } = await open()
    const waiting = track('?wait=25&since=1')
    await waits(1)
    await applyUpdate(api, shop, key, { status: 'courier_assigned' })
    expect((await waiting).body).toMatchObject({ status: 'courier_assigned', version: 2 })
  })

  test('a long poll of trackShipment returns when a new rider position arrives', async () => {
    const { api, place, track } = await open({ status: 'in_transit' })
    // The first position of a rider also emits an event, which would end the long poll.
    await place()
    const waiting = track('?wait=25', { 'If-None-Match': 'W/"2.1"' })
    await waits(1)
    api.clock.advance(7_000)
    await place(6.2)
    const asOf = toTimestamp(api.clock.nowMs())
    const moved = await waiting
    expect(moved.headers.get('etag')).toBe('W/"2.2"')
    expect(moved.body).toMatchObject({
      positionNumber: 2,
      asOf,
      position: { recordedAt: asOf, ageSeconds: 0 },
    })
  })

  test('a long poll with the current ETag returns 304 when it times out, and a long poll with the current `since` returns 200 with the current version', async () => {
    const { track } = await open()
    const [unmodified, same] = await Promise.all([
      track('?wait=1', { 'If-None-Match': 'W/"1.0"' }),
      track('?wait=1&since=1'),
    ])
    expect(unmodified.status).toBe(304)
    expect(same).toMatchObject({ status: 200, body: { version: 1 } })
  })

  test('a long poll of trackShipment returns at once for a shipment in a final status', async () => {
    const { track } = await open({ status: 'delivered', attempts: [{ state: 'completed' }] })
    expect((await track('?wait=25', { 'If-None-Match': 'W/"1.0"' })).status).toBe(304)
  })

  test('a long poll holds no database connection, and its slot is freed when the client disconnects', async () => {
    const { api, key, path } = await open()
    const sockets = Array.from({ length: 30 }, () => {
      const socket = connect(api.port, '127.0.0.1')
      const target = `${path}/track?wait=25&since=1`
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`)
      return socket
    })
    await waits(30)
    // Each long poll reads the shipment once before it waits, and holds no database connection while it waits.
    const { pool } = api.database
    await waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), { interval: 5, timeout: 120_000 })
    expect(api.waiting()).toBe(30)
    for (const socket of sockets) socket.destroy()
    await waits(0)
    await applyUpdate(api, shop, key, { status: 'courier_assigned' })
  })

  async function waits(count: number): Promise<void> {
    await waitFor(() => expect(started().waiting()).toBe(count), { timeout: 120_000, interval: 5 })
  }
})

test('the rider positions of shipments are deleted after 30 days', async () => {
  const { api, place, track } = await open({ status: 'in_transit' })
  await place()
  api.clock.advance(30 * 86_400_000)
  await deletePositions(api.context)
  expect((await track()).body.positionNumber).toBe(1)
  api.clock.advance(1)
  await deletePositions(api.context)
  expect((await track()).body).toMatchObject({ positionNumber: 0, position: null })
})
