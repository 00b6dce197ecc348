import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import type { ShipmentKey } from '../../../src/store/logistics/shipments/shipments.ts'
import { useApi } from '../../support/api.ts'
import { auditRows, contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { readShipment, type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate, minuteOf, openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** How carriers’ tracking updates are applied: once, in order, and never backwards. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const minute = (minutes: number) => minuteOf(started(), minutes)
const open = (options: ShipmentOptions = {}) => openTrackedShipment(started(), shop, options)

describe('a tracking update in order', () => {
  test('a tracking update changes the shipment’s status, emits one event and adds an audit row that names the source of the update', async () => {
    const otherShop = await openShop(started().context)
    const api = started()
    const key = await storeShipment(api, otherShop)
    for (const [status, minutes] of [
      ['courier_assigned', 1],
      ['at_pickup', 2],
      ['picked_up', 3],
      ['in_transit', 4],
      ['at_dropoff', 5],
      ['delivered', 6],
    ] as const) {
      expect(await applyUpdate(api, otherShop, key, { status, at: minute(minutes) })).toMatchObject({ is: 'moved' })
    }
    const { shipment, attempts, events } = await readShipment(api, key)
    expect(shipment).toMatchObject({
      status: 'delivered',
      version: 7,
      assignedAt: minute(1),
      pickedUpAt: minute(3),
      deliveredAt: minute(6),
      endedAt: minute(6),
      nextCheckAt: null,
    })
    expect(attempts).toMatchObject([{ state: 'completed' }])
    expect(events.map(({ status, isApplied }) => [status, isApplied])).toEqual([
      ['delivered', true],
      ['at_dropoff', true],
      ['in_transit', true],
      ['picked_up', true],
      ['at_pickup', true],
      ['courier_assigned', true],
    ])
    const emitted = await eventsOf(api, otherShop.merchantId, 'shipment.status_changed')
    expect(emitted.map(({ data }) => data.version).toSorted()).toEqual([2, 3, 4, 5, 6, 7])
    expect(emitted.find(({ data }) => data.to === 'delivered')?.data).toMatchObject({
      from: 'at_dropoff',
      to: 'delivered',
      occurredAt: minute(6),
      version: 7,
    })
    const audited = await auditRows(api, otherShop.merchantId)
    expect(audited).toHaveLength(6)
    // The audit row is found by its content and not by its id, because ids of the same millisecond have a random order.
    const first = audited.find(({ changes }) => JSON.stringify(changes).includes('"awaiting_courier"'))
    expect(first).toMatchObject({
      action: 'shipment.update',
      resource_id: key.id,
      actor_type: 'provider',
      source_ip: '192.0.2.7',
      changes: { status: ['awaiting_courier', 'courier_assigned'] },
    })
  })

  test.for<ShipmentStatus>([
    'picked_up',
    'in_transit',
    'at_dropoff',
    'delivered',
    'delivery_failed',
    'returning',
    'returned',
    'lost',
  ])('a tracking update may set the status to %s directly, and the skipped statuses get no timestamps', async (status) => {
    const { update, read } = await open()
    expect(await update(status, 5)).toMatchObject({ is: 'moved' })
    const { shipment } = await read()
    expect(shipment).toMatchObject({ status, assignedAt: null, pickedUpAt: status === 'picked_up' ? minute(5) : null })
  })

  test('a tracking update dated in the future is stored with the current time', async () => {
    const { api, update, read } = await open()
    await update('picked_up', 600)
    expect((await read()).shipment.pickedUpAt).toBe(toTimestamp(api.clock.nowMs()))
    // When the same tracking update arrives again, the service must recognise it.
    expect(await update('picked_up', 600)).toMatchObject({ is: 'unchanged' })
  })
})

describe('late and repeated updates', () => {
  test('a late tracking update is stored and does not change the shipment’s status', async () => {
    const { update, read } = await open()
    await update('picked_up', 3)
    expect(await update('courier_assigned', 1)).toMatchObject({ is: 'late' })
    const { shipment, events } = await read()
    expect(shipment).toMatchObject({ status: 'picked_up', version: 3 })
    expect(events[0]).toMatchObject({ status: 'courier_assigned', isApplied: false, occurredAt: minute(1) })
  })

  test.for<[string, readonly (readonly [ShipmentStatus, number | undefined])[]]>([
    ['the current status', [['picked_up', 3]]],
    ['the current status without a time', [['picked_up', undefined]]],
    ['an earlier status', [['courier_assigned', 1]]],
    ['an earlier status without a time', [['courier_assigned', undefined]]],
  ])('a repeated tracking update with %s writes nothing', async ([, again]) => {
    const { api, update } = await open()
    await update('courier_assigned', again[0]?.[1] === undefined ? undefined : 1)
    await update('picked_up', again[0]?.[1] === undefined ? undefined : 3)
    const before = await contentsOf(api)
    for (const [status, minutes] of [...again, ...again]) {
      expect(await update(status, minutes)).toMatchObject({ is: 'unchanged' })
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test('an out-of-order tracking update with the status at_dropoff does not replace the newer status in_transit', async () => {
    const { update, read } = await open({ status: 'picked_up' })
    await update('at_dropoff', 10)
    await update('delivery_failed', 12)
    await update('in_transit', 20)
    expect(await update('at_dropoff', 11)).toMatchObject({ is: 'late' })
    expect((await read()).shipment.status).toBe('in_transit')
    expect(await update('at_dropoff', 30)).toMatchObject({ is: 'moved' })
  })

  test('a tracking update that reports an earlier status and has no time is not applied, and triggers a poll', async () => {
    const { api, update, read } = await open({ status: 'picked_up' })
    await update('at_dropoff')
    expect(await update('in_transit')).toMatchObject({ is: 'late' })
    const { shipment } = await read()
    expect(shipment).toMatchObject({ status: 'at_dropoff', nextCheckAt: toTimestamp(api.clock.nowMs()) })
  })

  test('a poll that started before the last callback does not set a shipment back to an earlier status', async () => {
    const { api, key, update, read } = await open({ status: 'picked_up' })
    await update('at_dropoff', 10)
    const poll = { source: 'poll', polledAt: minute(9) } as const
    expect(await applyUpdate(api, shop, key, { status: 'in_transit' }, poll)).toMatchObject({ is: 'late' })
    const later = { source: 'poll', polledAt: minute(11) } as const
    // The carrier has already reported this status, but with an earlier time.
    expect(await applyUpdate(api, shop, key, { status: 'in_transit' }, later)).toMatchObject({ is: 'moved' })
    expect((await read()).shipment.status).toBe('in_transit')
  })

  test('a tracking update does not change the status of a finished shipment', async () => {
    const { update, read } = await open({ status: 'in_transit' })
    await update('delivered', 5)
    for (const status of ['in_transit', 'cancelled', 'failed'] as const) {
      expect(await update(status, 9)).toMatchObject({ is: 'late' })
    }
    expect((await read()).shipment).toMatchObject({ status: 'delivered', exceptions: [] })
    for (const status of ['returned', 'lost'] as const) {
      expect(await update(status, 9)).toMatchObject({ is: 'late' })
    }
    expect((await read()).shipment.status).toBe('delivered')
  })
})

describe('an unknown carrier status', () => {
  test('an unknown carrier status is stored once and does not change the shipment’s status', async () => {
    const { update, read } = await open()
    expect(await update(undefined, 1, { carrierStatus: 'Sorted' })).toMatchObject({ is: 'noted' })
    expect(await update(undefined, 1, { carrierStatus: 'Sorted' })).toMatchObject({ is: 'unchanged' })
    const { shipment, events } = await read()
    expect(shipment.status).toBe('awaiting_courier')
    expect(events).toMatchObject([{ status: null, carrierStatus: 'Sorted', isApplied: true }])
  })

  test.for<ShipmentStatus>([
    'scheduled',
    'dispatching',
    'cancelling',
  ])('the status %s, which no carrier can report, is stored and does not change the shipment’s status', async (status) => {
    const { update, read } = await open({ status: 'courier_assigned' })
    expect(await update(status, 1)).toMatchObject({ is: 'noted' })
    expect((await read()).shipment.status).toBe('courier_assigned')
  })
})

describe('other fields of a tracking update', () => {
  const courier = { name: 'Musa', vehicle: 'bike', phone: undefined, plateLastFour: '42KJ' } as const

  test('a tracking update stores the rider, the estimate and the proof of delivery; the end of the shipment clears the rider', async () => {
    const { update, read } = await open()
    const dropoffAt = { p50: minute(50), p90: minute(70) }
    await update('courier_assigned', 1, { courier, dropoffAt })
    expect((await read()).shipment).toMatchObject({
      courier: { name: 'Musa', vehicle: 'bike', phone: null, plateLastFour: '42KJ' },
      deliveryEstimate: dropoffAt,
    })
    const proof = [{ type: 'photo', url: 'https://example.com/1', capturedAt: minute(9) }] as const
    await update('delivered', 9, { courier, proof })
    expect((await read()).shipment).toMatchObject({ courier: null, capturedProof: proof })
    // The second proof of delivery arrives later and is stored once. The unchanged rider is not stored again.
    const second = { type: 'signature', url: undefined, capturedAt: minute(9) } as const
    expect(await update('delivered', 9, { courier, proof: [...proof, second] })).toMatchObject({ is: 'noted' })
    expect(await update('delivered', 9, { courier, proof: [...proof, second] })).toMatchObject({ is: 'unchanged' })
    expect((await read()).shipment).toMatchObject({
      courier: null,
      capturedProof: [{}, { type: 'signature', url: null }],
    })
  })

  test('a tracking update that changes an estimate by less than a minute is ignored, and a larger change is stored without a timeline entry', async () => {
    const { api, update, read } = await open()
    const at = (seconds: number) => {
      const moment = toTimestamp(api.clock.nowMs() + seconds * 1000)
      return { dropoffAt: { p50: moment, p90: moment } }
    }
    await update('courier_assigned', 1, at(600))
    expect(await update('courier_assigned', 1, at(659))).toMatchObject({ is: 'unchanged' })
    expect(await update('courier_assigned', 1, at(660))).toMatchObject({ is: 'noted' })
    const { shipment, events } = await read()
    expect(shipment.version).toBe(3)
    expect(events).toHaveLength(1)
  })
})

describe('the position of the rider', () => {
  const at = (lat: number, lng: number, minutes: number) => ({
    position: { lat, lng, headingDegrees: 360, recordedAt: minute(minutes) },
  })
  const positionsOf = (key: ShipmentKey) =>
    select(
      started(),
      'select number, lat, lng, heading_degrees as heading from shipment_positions where shipment_id = $1 order by number',
      [key.id],
    )

  test('the positions of the rider are rounded and stored in order of time, without changing the shipment’s version or the audit log', async () => {
    const { api, key, update, read } = await open({ status: 'courier_assigned' })
    await update('courier_assigned', 1, at(6.123456, 3.987654, 1))
    const { shipment } = await read()
    const audited = await select(api, 'select count(*) from audit_log')
    expect(await update('courier_assigned', 1, at(6.2, 3.9, 2))).toMatchObject({ is: 'unchanged' })
    await update('courier_assigned', 1, at(6.3, 3.9, 2))
    await update('courier_assigned', 1, at(6.3, 3.9, 1.5))
    expect(await positionsOf(key)).toEqual([
      { number: 1, lat: 6.1235, lng: 3.9877, heading: 0 },
      { number: 2, lat: 6.2, lng: 3.9, heading: 0 },
    ])
    expect((await read()).shipment.version).toBe(shipment.version)
    expect(await select(api, 'select count(*) from audit_log')).toEqual(audited)
  })

  test.for<ShipmentStatus>([
    'awaiting_courier',
    'cancelling',
    'delivered',
    'cancelled',
  ])('the position of the rider is not stored while the shipment is %s', async (status) => {
    const { key, update } = await open({ status })
    await update(status, 1, at(6.2, 3.9, 1))
    expect(await positionsOf(key)).toEqual([])
  })

  test('the position of a rider of another dispatch attempt, or a position outside Nigeria, is not stored', async () => {
    const { api, key, update } = await open({
      status: 'courier_assigned',
      attempts: [{ state: 'superseded', resolvedAt: minute(50) }, {}],
    })
    await update('courier_assigned', 1, at(6.2, 3.9, 1))
    await applyUpdate(api, shop, key, { status: 'courier_assigned', ...at(0, 0, 1) }, { attemptNumber: 2 })
    expect(await positionsOf(key)).toEqual([])
  })
})

test('a tracking update of an unknown dispatch attempt writes nothing to the database', async () => {
  const { api, key } = await open()
  const before = await contentsOf(api)
  expect(await applyUpdate(api, shop, key, { status: 'picked_up' }, { attemptNumber: 2 })).toEqual({
    is: 'shipment_unknown',
  })
  expect(await contentsOf(api)).toEqual(before)
})
