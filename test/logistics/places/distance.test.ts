import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Point } from '../../../registry/logistics/place.ts'
import { metersToZone, roadMeters, straightMeters } from '../../../src/logistics/places/distance.ts'
import type { ZoneOutline } from '../../../src/store/logistics/places/zones.ts'

const point = fc.record({
  lat: fc.double({ min: 4, max: 14.5, noNaN: true }),
  lng: fc.double({ min: 2.5, max: 15, noNaN: true }),
})

describe('straightMeters', () => {
  test('straightMeters returns 111.2 km for a degree of latitude, and 111.2 km times the cosine of the latitude for a degree of longitude', () => {
    expect(straightMeters({ lat: 6, lng: 3 }, { lat: 7, lng: 3 })).toBeCloseTo(111_195, -1)
    expect(straightMeters({ lat: 9, lng: 7 }, { lat: 9, lng: 8 })).toBeCloseTo(109_826, -2)
  })

  test('straightMeters is a metric: symmetric, zero for equal points, and within the triangle inequality', () => {
    fc.assert(
      fc.property(point, point, point, (one, two, three) => {
        expect(straightMeters(one, one)).toBe(0)
        expect(straightMeters(one, two)).toBeCloseTo(straightMeters(two, one), 6)
        expect(straightMeters(one, two)).toBeLessThanOrEqual(
          straightMeters(one, three) + straightMeters(three, two) + 1e-6,
        )
      }),
    )
  })

  test('straightMeters returns a finite distance for antipodal points', () => {
    expect(straightMeters({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBeCloseTo(Math.PI * 6_371_009, 0)
  })
})

test('the estimated road distance is longer than the straight line, and is a whole number of metres', () => {
  fc.assert(
    fc.property(point, point, (one, two) => {
      const meters = roadMeters(one, two)
      expect(Number.isInteger(meters)).toBe(true)
      expect(meters).toBeGreaterThanOrEqual(Math.floor(straightMeters(one, two)))
      expect(meters).toBeLessThanOrEqual(straightMeters(one, two) * 2 + 1)
    }),
  )
})

describe('metersToZone', () => {
  const square: ZoneOutline = {
    id: 'square',
    state: 'Lagos',
    bbox: [3, 6, 3.1, 6.1],
    geometry: {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [3, 6],
            [3.1, 6],
            [3.1, 6.1],
            [3, 6.1],
            [3, 6],
          ],
        ],
      ],
    },
  }

  test.for<[string, Point, number]>([
    ['inside', { lat: 6.05, lng: 3.05 }, 0],
    ['south of a border', { lat: 5.99, lng: 3.05 }, 1112],
    ['beside a corner', { lat: 6.11, lng: 3.11 }, 1568],
    ['on a border of the other zone', { lat: 6.1, lng: 3.05 }, 1],
  ])('metersToZone returns the distance from a point to the zone: %s', ([, from, meters]) => {
    expect(metersToZone(from, square)).toBeGreaterThanOrEqual(meters - 2)
    expect(metersToZone(from, square)).toBeLessThanOrEqual(meters + 2)
    expect(metersToZone(from, square) === 0).toBe(meters === 0)
  })

  test('metersToZone returns the distance to the nearest point of the zone, and its error is at most 0.1 % of the distance plus 1 m', () => {
    const unit = fc.double({ min: 0, max: 0.1, noNaN: true })
    const around = fc.record({
      lat: fc.double({ min: 5.9, max: 6.2, noNaN: true }),
      lng: fc.double({ min: 2.9, max: 3.2, noNaN: true }),
    })
    fc.assert(
      fc.property(around, unit, unit, (from, up, right) => {
        const meters = metersToZone(from, square)
        expect(meters).toBeLessThanOrEqual(straightMeters(from, { lat: 6 + up, lng: 3 + right }) * 1.001 + 1)
        const nearest = { lat: Math.min(6.1, Math.max(6, from.lat)), lng: Math.min(3.1, Math.max(3, from.lng)) }
        if (meters > 0) expect(meters).toBeGreaterThanOrEqual(straightMeters(from, nearest) * 0.999 - 1)
      }),
    )
  })
})
