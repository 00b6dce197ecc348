import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Point } from '../../../registry/logistics/place.ts'
import { isInside } from '../../../src/logistics/places/gazetteer/polygon.ts'
import { zoneOf } from '../../../src/logistics/places/zone-of.ts'
import type { ZoneOutline } from '../../../src/store/logistics/places/zones.ts'

/** Returns a zone of one polygon. The first ring is its border, the others are its holes. */
function zone(id: string, ...rings: readonly (readonly [number, number])[][]): ZoneOutline {
  const coordinates = [rings.map((ring) => [...ring, ...ring.slice(0, 1)].map((position) => [...position]))]
  return { id, state: 'Lagos', bbox: [], geometry: { type: 'MultiPolygon', coordinates } }
}

const side = 4

interface Mesh {
  readonly corners: readonly (readonly [number, number])[]
  readonly zones: readonly ZoneOutline[]
}

/** A square that is split into irregular cells, with common corners. Every second cell has the opposite orientation. */
const mesh: fc.Arbitrary<Mesh> = fc
  .array(fc.tuple(fc.double({ min: -0.3, max: 0.3, noNaN: true }), fc.double({ min: -0.3, max: 0.3, noNaN: true })), {
    minLength: (side + 1) ** 2,
    maxLength: (side + 1) ** 2,
  })
  .map((shifts) => {
    const corners = shifts.map(([x, y], index): readonly [number, number] => {
      const [column, row] = [index % (side + 1), Math.floor(index / (side + 1))]
      const isRim = (place: number) => place === 0 || place === side
      return [3 + column + (isRim(column) ? 0 : x), 6 + row + (isRim(row) ? 0 : y)]
    })
    const corner = (index: number) => corners[index] ?? ([0, 0] as const)
    const zones = Array.from({ length: side ** 2 }, (_, cell) => {
      const start = Math.floor(cell / side) * (side + 1) + (cell % side)
      const ring = [corner(start), corner(start + 1), corner(start + side + 2), corner(start + side + 1)]
      return zone(`cell-${cell}`, cell % 2 === 0 ? ring : ring.toReversed())
    })
    return { corners, zones }
  })

/**
 * A random number below 1. It stays so far below 1 that a rounded coordinate is never outside the square that the zones
 * cover.
 */
const unit = fc.double({ min: 0, max: 0.999, noNaN: true })

function cellsWith(point: Point, zones: readonly ZoneOutline[]): string[] {
  return zones.filter(({ geometry }) => isInside(point, geometry.coordinates)).map(({ id }) => id)
}

describe('zones with shared borders', () => {
  test('zones with shared borders leave no gap and do not overlap: each point is in exactly one zone', () => {
    fc.assert(
      fc.property(mesh, unit, unit, ({ zones }, x, y) => {
        expect(cellsWith({ lat: 6 + y * side, lng: 3 + x * side }, zones)).toHaveLength(1)
      }),
      { numRuns: 500 },
    )
  })

  test('a corner that several adjacent zones share is in exactly one of these zones', () => {
    fc.assert(
      fc.property(mesh, ({ corners, zones }) => {
        for (const [index, [lng, lat]] of corners.entries()) {
          const isInTheField = index % (side + 1) < side && index < side * (side + 1)
          expect(cellsWith({ lat, lng }, zones)).toHaveLength(isInTheField ? 1 : 0)
        }
      }),
    )
  })

  test('every point on the shared border of zones is in exactly one of the zones, even if rounding moves the point off the border', () => {
    fc.assert(
      fc.property(mesh, unit, ({ zones }, share) => {
        for (const { geometry } of zones) {
          const ring = geometry.coordinates[0]?.[0] ?? []
          for (let index = 1; index < ring.length; index++) {
            const [fromLng = 0, fromLat = 0] = ring[index - 1] ?? []
            const [toLng = 0, toLat = 0] = ring[index] ?? []
            const point = { lat: fromLat + share * (toLat - fromLat), lng: fromLng + share * (toLng - fromLng) }
            const isOnTheRim = [3, 3 + side].includes(point.lng) || [6, 6 + side].includes(point.lat)
            if (!isOnTheRim) expect(cellsWith(point, zones)).toHaveLength(1)
          }
        }
      }),
    )
  })
})

describe('zoneOf', () => {
  const outer = [
    [3, 6],
    [4, 6],
    [4, 7],
    [3, 7],
  ] as const satisfies (readonly [number, number])[]
  const hole = [
    [3.4, 6.4],
    [3.4, 6.6],
    [3.6, 6.6],
    [3.6, 6.4],
  ] as const satisfies (readonly [number, number])[]

  test('zoneOf returns no zone for a point in a zone’s hole, unless another zone fills the hole', () => {
    const ring = zone('ring', [...outer], [...hole])
    expect(zoneOf({ lat: 6.5, lng: 3.5 }, [ring])).toBeUndefined()
    expect(zoneOf({ lat: 6.5, lng: 3.3 }, [ring])).toBe(ring)
    const filling = zone('filling', [...hole])
    expect(zoneOf({ lat: 6.5, lng: 3.5 }, [ring, filling])).toBe(filling)
    expect(zoneOf({ lat: 6.4, lng: 3.4 }, [ring, filling])).toBe(filling)
    expect(zoneOf({ lat: 6.6, lng: 3.5 }, [ring, filling])).toBe(ring)
  })

  test('zoneOf finds the zone of a point in any of the zone’s polygons', () => {
    const far = zone('far', [...outer])
    const near = zone(
      'near',
      outer.map(([lng, lat]): readonly [number, number] => [lng + 5, lat]),
    )
    const coordinates = [...far.geometry.coordinates, ...near.geometry.coordinates]
    const both = { ...far, geometry: { type: 'MultiPolygon' as const, coordinates } }
    expect(zoneOf({ lat: 6.5, lng: 3.5 }, [both])).toBe(both)
    expect(zoneOf({ lat: 6.5, lng: 8.5 }, [both])).toBe(both)
    expect(zoneOf({ lat: 6.5, lng: 6.5 }, [both])).toBeUndefined()
  })

  test('zoneOf returns the zone with the alphabetically first id of two overlapping zones, regardless of the order of its input', () => {
    const [one, other] = [zone('b', [...outer]), zone('a', [...outer])]
    expect(zoneOf({ lat: 6.5, lng: 3.5 }, [one, other])?.id).toBe('a')
    expect(zoneOf({ lat: 6.5, lng: 3.5 }, [other, one])?.id).toBe('a')
  })
})
