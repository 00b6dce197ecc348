import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dropoffExample, pickupExample } from '../../registry/logistics/place.ts'
import { mayShipmentMove } from '../../registry/logistics/shipment-states.ts'
import { testCarrierStatuses } from '../../registry/service/test-carriers.ts'
import { deliveryOutcomes, dispatchFaults } from '../../registry/service/test-phones.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { distanceKm } from '../../src/simulator/geometry.ts'
import { lifeOf, lifeUntil } from '../../src/simulator/life.ts'
import { positionOf, riderOf } from '../../src/simulator/rider.ts'
import { useDatabase } from '../support/database.ts'
import { granted, morningMs, noAccount, openSimulated, ordered, patient, statusOf, stepMsOf } from './simulated.ts'

const opened = useDatabase()

test.for([
  'simulator-swift',
  'simulator-steady',
  'simulator-saver',
] as const)('the simulated carrier %s assigns a rider who collects the parcel, travels in a straight line and delivers it', async (code) => {
  const { carriers, clock } = await openSimulated(opened().connectionString)
  const carrier = carriers[code]
  const name = await ordered(carrier)
  const stepMs = stepMsOf(carrier)
  const seen = []
  for (let half = 0; half <= 14; half++) {
    const { status, position, courier } = granted(await carrier.get(noAccount, name, patient()))
    seen.push({ status, position, courier })
    clock.advance(stepMs / 2)
  }
  const statuses = seen.map(({ status }) => status)
  expect(statuses).toEqual([
    ...['awaiting_courier', 'awaiting_courier', 'courier_assigned', 'courier_assigned', 'at_pickup', 'at_pickup'],
    ...['picked_up', 'picked_up', 'in_transit', 'in_transit', 'in_transit', 'in_transit', 'at_dropoff', 'at_dropoff'],
    'delivered',
  ])
  expect(seen[0]).toMatchObject({ position: undefined, courier: undefined })
  expect(seen[4]?.position).toMatchObject(pickupExample.location)
  const middle = seen[10]?.position
  expect(middle?.lat).toBeCloseTo((pickupExample.location.lat + dropoffExample.location.lat) / 2, 9)
  expect(middle?.lng).toBeCloseTo((pickupExample.location.lng + dropoffExample.location.lng) / 2, 9)
  expect(middle).toMatchObject({ headingDegrees: 69, recordedAt: toTimestamp(morningMs + 5 * stepMs) })
  expect(seen[12]?.position).toMatchObject({ ...dropoffExample.location, headingDegrees: undefined })
  expect(seen[14]?.position).toBeUndefined()
  expect(new Set(seen.slice(2).map(({ courier }) => courier?.name)).size).toBe(1)
})

test('a simulated carrier delivers at the expected time with a proof of delivery', async () => {
  const { carriers, clock } = await openSimulated(opened().connectionString)
  const carrier = carriers['simulator-swift']
  const name = await ordered(carrier)
  const get = async () => granted(await carrier.get(noAccount, name, patient()))
  const deliveredAt = toTimestamp(morningMs + 7 * 30_000)
  expect(await get()).toMatchObject({
    dropoffAt: { p50: deliveredAt, p90: toTimestamp(morningMs + 8 * 30_000) },
    proof: [],
  })
  clock.advance(3_600_000)
  expect(await get()).toMatchObject({
    status: 'delivered',
    carrierStatus: 'handed_over',
    at: deliveredAt,
    dropoffAt: undefined,
    proof: [{ type: 'photo', url: undefined, capturedAt: deliveredAt }],
  })
})

test('a simulated order keeps the step duration of the server that created the order, even on servers with another step duration', async () => {
  const { carriers, clock } = await openSimulated(opened().connectionString, { stepSeconds: 2 })
  const name = await ordered(carriers['simulator-swift'])
  const other = await openSimulated(opened().connectionString, { stepSeconds: 500, clock })
  clock.advance(14_000)
  expect(await statusOf(other.carriers['simulator-swift'], name)).toBe('delivered')
})

const order = fc
  .record({
    fault: fc.constantFrom(
      ...dispatchFaults.map(({ name }) => name),
      // After the pickup, a cancellation by the carrier does not change the status of the shipment. The outcome
      // `cancelled_in_transit` therefore has a step that is no status transition.
      ...deliveryOutcomes.map(({ name }) => name).filter((name) => name !== 'cancelled_in_transit'),
    ),
    stepMs: fc.integer({ min: 1, max: 3_600_000 }),
    acceptedMs: fc.integer({ min: morningMs, max: morningMs + 1e9 }),
    cancelledAfterMs: fc.option(fc.integer({ min: 0, max: 1e7 })),
    seed: fc.string(),
    pickupLatitude: fc.double({ min: 4, max: 14.5, noNaN: true }),
    pickupLongitude: fc.double({ min: 2.5, max: 15, noNaN: true }),
    dropoffLatitude: fc.double({ min: 4, max: 14.5, noNaN: true }),
    dropoffLongitude: fc.double({ min: 2.5, max: 15, noNaN: true }),
  })
  .map(({ acceptedMs, cancelledAfterMs, ...row }) => ({
    ...row,
    company: 'simulator-swift' as const,
    number: 'SW-0',
    reference: 'shp_0-1',
    service: 'now',
    vehicle: 'bike' as const,
    priceKobo: 0,
    hasPin: false,
    cashCollectedKobo: null,
    callbackUrl: null,
    callbackSecret: null,
    callbackDigits: '000',
    callbacksSent: 0,
    createdAt: toTimestamp(acceptedMs),
    acceptedAt: toTimestamp(acceptedMs),
    cancelledAt: cancelledAfterMs === null ? null : toTimestamp(acceptedMs + cancelledAfterMs),
    cancellationFeeKobo: null,
  }))

test('the steps of a simulated order depend only on the order and the time, and no step changes when time passes', () => {
  fc.assert(
    fc.property(order, fc.nat({ max: 1e8 }), fc.nat({ max: 1e8 }), (row, first, more) => {
      const earlyMs = Date.parse(row.acceptedAt) + first
      const early = lifeUntil(row, earlyMs)
      const late = lifeUntil({ ...row }, earlyMs + more)
      expect(late.slice(0, early.length)).toEqual(early)
      expect(positionOf({ ...row }, earlyMs)).toEqual(positionOf(row, earlyMs))
      expect(riderOf({ seed: row.seed })).toEqual(riderOf(row))
    }),
  )
})

test('the life cycle of a simulated order has no gaps, has each status once and uses only valid transitions', () => {
  fc.assert(
    fc.property(order, (row) => {
      const life = lifeOf({ ...row, cancelledAt: null }).map(({ status }) => testCarrierStatuses[status])
      expect(new Set(life).size).toBe(life.length)
      for (const [index, status] of life.entries()) {
        const before = life[index - 1]
        if (before !== undefined) expect(mayShipmentMove(before, status)).toBe(true)
      }
    }),
  )
})

test('the position of a simulated rider is either at most 2.6 km from the pickup, or between the pickup and the dropoff', () => {
  fc.assert(
    fc.property(order, fc.nat({ max: 1e7 }), (row, afterMs) => {
      const position = positionOf(row, Date.parse(row.acceptedAt) + afterMs)
      if (position === undefined) return
      const pickup = { lat: row.pickupLatitude, lng: row.pickupLongitude }
      const dropoff = { lat: row.dropoffLatitude, lng: row.dropoffLongitude }
      const isNearPickup = distanceKm(position, pickup) <= 2.6
      const between = (value: number, a: number, b: number) =>
        value >= Math.min(a, b) - 1e-9 && value <= Math.max(a, b) + 1e-9
      const isBetween = between(position.lat, pickup.lat, dropoff.lat) && between(position.lng, pickup.lng, dropoff.lng)
      expect(isNearPickup || isBetween).toBe(true)
    }),
  )
})

test('the simulator’s distances are exact for a degree of latitude and for a degree of longitude at any latitude', () => {
  const degreeKm = 111.195
  expect(distanceKm({ lat: 6, lng: 3 }, { lat: 7, lng: 3 })).toBeCloseTo(degreeKm, 2)
  expect(distanceKm({ lat: 9, lng: 7 }, { lat: 9, lng: 7.01 })).toBeCloseTo(
    (degreeKm / 100) * Math.cos((9 * Math.PI) / 180),
    3,
  )
})
