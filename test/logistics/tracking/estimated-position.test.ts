import { describe, expect, test } from 'vitest'
import { Place, pickupExample } from '../../../registry/logistics/place.ts'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { ShipmentId, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { estimatedPosition } from '../../../src/logistics/tracking/estimated-position.ts'
import type { TrackedShipment } from '../../../src/store/logistics/shipments/tracking.ts'

/**
 * Estimated positions of a rider on the way from 6.4, 3.4 to 6.5, 3.5, when the carrier has reported no current
 * position.
 */

const startMs = Date.parse('2026-11-21T09:00:00Z')
const at = (minutes: number): Timestamp => toTimestamp(startMs + minutes * 60_000)
const place = (lat: number, lng: number, precisionMeters = 10) =>
  Place.parse({ ...pickupExample, location: { lat, lng }, precisionMeters })
const seenAt = (lat: number, lng: number, minutes: number) => ({
  lat,
  lng,
  headingDegrees: null,
  source: 'poll' as const,
  recordedAt: at(minutes),
  receivedAt: at(minutes),
})

function tracked(more: Partial<TrackedShipment> = {}): TrackedShipment {
  return {
    id: ShipmentId.parse('shp_01jd3f8q6hf5n8v1zr4c7e2m9k'),
    status: 'in_transit',
    version: 1,
    carrier: 'simulator-swift',
    serviceLevel: 'on_demand',
    trackingUrl: null,
    courier: null,
    pickupEstimate: { p50: at(0), p90: at(10) },
    deliveryEstimate: { p50: at(40), p90: at(60) },
    pickedUpAt: at(0),
    pickup: place(6.4, 3.4),
    dropoff: place(6.5, 3.5),
    positionNumber: 0,
    position: null,
    events: [],
    ...more,
  }
}

test('an estimated rider position moves in a straight line from the pickup, in proportion to the time', () => {
  const whole = { basis: 'pickup', since: at(0), confidence: 'low' } as const
  expect(estimatedPosition(tracked(), at(10))).toEqual({ ...whole, at: at(10), lat: 6.425, lng: 3.425 })
  expect(estimatedPosition(tracked(), at(30))).toEqual({ ...whole, at: at(30), lat: 6.475, lng: 3.475 })
})

test('an estimated rider position starts at the last reported position, with medium confidence for five minutes and low confidence afterwards', () => {
  const position = seenAt(6.45, 3.42, 20)
  const whole = { basis: 'last_position', since: at(20) } as const
  const known = tracked({ position })
  expect(estimatedPosition(known, at(25))).toEqual({
    ...whole,
    at: at(25),
    lat: 6.4625,
    lng: 3.44,
    confidence: 'medium',
  })
  expect(estimatedPosition(known, at(30))).toMatchObject({ ...whole, lat: 6.475, lng: 3.46, confidence: 'low' })
})

test('an estimated rider position after the pickup ignores positions reported before the pickup', () => {
  expect(estimatedPosition(tracked({ position: seenAt(6.3, 3.3, -5) }), at(20))).toMatchObject({ basis: 'pickup' })
})

test('an estimated rider position before the pickup moves towards the pickup', () => {
  const going = tracked({ status: 'courier_assigned', pickedUpAt: null, position: seenAt(6.3, 3.3, -20) })
  expect(estimatedPosition(going, at(-10))).toMatchObject({ lat: 6.35, lng: 3.35, basis: 'last_position' })
  expect(estimatedPosition({ ...going, position: null }, at(-10))).toBeNull()
})

describe('shipments without an estimated position', () => {
  test.for<[string, Partial<TrackedShipment>]>([
    ['without an expected arrival', { deliveryEstimate: null }],
    ['without knowing when it was fetched', { pickedUpAt: null }],
    ['for a dropoff known only by its area', { dropoff: place(6.5, 3.5, 1500) }],
    ['for a pickup known only by its area', { pickup: place(6.4, 3.4, 1500) }],
    ['for a service through hubs', { serviceLevel: 'next_day' }],
    ['for an unknown service level', { serviceLevel: null }],
  ])('there is no estimated rider position %s', ([, more]) => {
    expect(estimatedPosition(tracked(), at(20))).not.toBeNull()
    expect(estimatedPosition(tracked(more), at(20))).toBeNull()
  })

  test.for<ShipmentStatus>([
    'awaiting_courier',
    'at_pickup',
    'at_dropoff',
    'delivery_failed',
    'returning',
    'delivered',
  ])('there is no estimated rider position in the shipment status %s', (status) => {
    expect(estimatedPosition(tracked({ status }), at(20))).toBeNull()
  })

  test('there is no estimated rider position after the estimated arrival or before the departure', () => {
    expect(estimatedPosition(tracked(), at(39.9))).not.toBeNull()
    expect(estimatedPosition(tracked(), at(40))).toBeNull()
    expect(estimatedPosition(tracked(), at(-1))).toBeNull()
  })
})
