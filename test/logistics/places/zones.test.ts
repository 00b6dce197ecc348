import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { fctAreas } from '../../../registry/values/gazetteer/areas-fct.ts'
import { lagosAreas } from '../../../registry/values/gazetteer/areas-lagos.ts'
import { fctLgas, lagosLgas } from '../../../registry/values/gazetteer/lgas.ts'
import { keyOf } from '../../../registry/values/gazetteer/spelling.ts'
import { stateCentres } from '../../../registry/values/gazetteer/state-centres.ts'
import { states } from '../../../registry/values/states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { createZoneCache } from '../../../src/logistics/places/cached-zones.ts'
import { straightMeters } from '../../../src/logistics/places/distance.ts'
import { isOnLand } from '../../../src/logistics/places/gazetteer/land.ts'
import { isInside } from '../../../src/logistics/places/gazetteer/polygon.ts'
import { spots } from '../../../src/logistics/places/gazetteer/spot.ts'
import { zoneOf } from '../../../src/logistics/places/zone-of.ts'
import { listZones, type StoredZone } from '../../../src/store/logistics/places/zones.ts'
import { useDatabase } from '../../support/database.ts'
import { select } from '../../support/database-contents.ts'

/** Tests the delivery zones that the migration inserts. */

const opened = useDatabase()

const now = toTimestamp(Date.UTC(2026, 10, 21, 8, 30))
const surge = { book: 'test', at: now, validAfter: now } as const

let zones: readonly StoredZone[]
beforeAll(async () => {
  zones = await listZones(opened().database, { surge }, { limit: 100, after: undefined })
})

type Corner = readonly [lng: number, lat: number]

function ringsOf(zone: StoredZone): readonly Corner[][] {
  return zone.geometry.coordinates.flat().map((ring) => ring.map(([lng = 0, lat = 0]): Corner => [lng, lat]))
}

interface Border {
  readonly from: Corner
  readonly to: Corner
}

function bordersOf(ring: readonly Corner[]): Border[] {
  return ring.slice(1).map((to, index) => ({ from: ring[index] ?? to, to }))
}

/** Returns twice the signed area of a triangle: positive when the corners turn left. */
function orientation([originLng, originLat]: Corner, [fromLng, fromLat]: Corner, [toLng, toLat]: Corner): number {
  return (fromLng - originLng) * (toLat - originLat) - (fromLat - originLat) * (toLng - originLng)
}

const isSame = ([lng, lat]: Corner, [otherLng, otherLat]: Corner) => lng === otherLng && lat === otherLat

/** Reports whether the borders of two zones touch at a point other than a common corner. */
function crosses(one: Border, other: Border): boolean {
  const shared = [one.from, one.to].filter((corner) => isSame(corner, other.from) || isSame(corner, other.to))
  if (shared.length > 0) return false
  const sides = [orientation(one.from, one.to, other.from), orientation(one.from, one.to, other.to)].map(Math.sign)
  const otherSides = [orientation(other.from, other.to, one.from), orientation(other.from, other.to, one.to)].map(
    Math.sign,
  )
  return sides[0] !== sides[1] && otherSides[0] !== otherSides[1]
}

const at = (lat: number, lng: number) => zoneOf({ lat, lng }, zones)?.id

describe('the outlines of the zones', () => {
  test('there are 17 delivery zones with outlines, 12 in Lagos and 5 in the FCT, all marked as drafts', () => {
    expect(zones.map(({ state }) => state).filter((state) => state === 'Lagos')).toHaveLength(12)
    expect(zones.map(({ state }) => state).filter((state) => state === 'FCT')).toHaveLength(5)
    expect(new Set(zones.map(({ boundaryStatus }) => boundaryStatus))).toEqual(new Set(['draft']))
  })

  test('the outlines of the delivery zones are closed, counter-clockwise, and without repeated corners', () => {
    for (const zone of zones) {
      for (const ring of ringsOf(zone)) {
        const borders = bordersOf(ring)
        expect(ring.at(-1), zone.id).toEqual(ring[0])
        expect(new Set(ring.slice(1).map(String)).size, zone.id).toBe(ring.length - 1)
        const doubledArea = borders.reduce((sum, { from, to }) => sum + orientation([0, 0], from, to), 0)
        expect(doubledArea, zone.id).toBeGreaterThan(0)
      }
    }
  })

  test('no outline of a delivery zone crosses itself or another zone’s outline', () => {
    const all = zones.flatMap((zone) =>
      ringsOf(zone)
        .flatMap(bordersOf)
        .map((border) => ({ zone: zone.id, border })),
    )
    const met = all.flatMap((one, index) =>
      all.slice(index + 1).flatMap((other) => (crosses(one.border, other.border) ? [[one, other]] : [])),
    )
    expect(met).toEqual([])
  })

  test('the outlines of the delivery zones do not overlap: no point of a fine grid is in two zones', () => {
    let found = 0
    for (const [south, west, north, east] of [
      [6.3, 2.65, 6.8, 4.45],
      [8.35, 6.7, 9.4, 7.7],
    ] as const) {
      for (let lat = south; lat < north; lat += 0.005) {
        for (let lng = west; lng < east; lng += 0.005) {
          const within = zones.filter(({ geometry }) => isInside({ lat, lng }, geometry.coordinates))
          expect(within.length, `${lat},${lng}`).toBeLessThanOrEqual(1)
          found += within.length
        }
      }
    }
    expect(found).toBeGreaterThan(20_000)
  })

  test('the outline of each delivery zone is in its bounding box and touches the box on all sides', () => {
    for (const zone of zones) {
      const corners = ringsOf(zone).flat()
      const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)]
      const sides = [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
      expect(zone.bbox, zone.id).toEqual(sides)
    }
  })

  test('the outline of each delivery zone contains the zone’s centroid', () => {
    for (const { id, centroid } of zones) expect(at(centroid.lat, centroid.lng)).toBe(id)
  })

  test('neighbouring zones share a border, and each lists the other as a neighbour', () => {
    const neighboursOf = new Map(zones.map(({ id, neighbours }) => [id, neighbours]))
    for (const { id, neighbours } of zones) {
      for (const other of neighbours) expect(neighboursOf.get(other), `${other} beside ${id}`).toContain(id)
    }
    const sides = zones.flatMap((zone) =>
      ringsOf(zone)
        .flatMap(bordersOf)
        .map(({ from, to }) => ({ id: zone.id, side: [String(from), String(to)].toSorted().join(' ') })),
    )
    const shared = [...Map.groupBy(sides, ({ side }) => side).values()].filter(({ length }) => length > 1)
    expect(shared.length).toBeGreaterThan(50)
    for (const [one, other, ...more] of shared) {
      expect(more).toEqual([])
      expect(neighboursOf.get(one?.id ?? '')).toContain(other?.id)
    }
  })

  test.for<[string, number, number, string | undefined]>([
    ['Tafawa Balewa Square', 6.447, 3.402, 'lag-island'],
    ['Bourdillon Road', 6.451, 3.44, 'lag-island'],
    ['Landmark Beach', 6.4225, 3.4435, 'lag-lekki-1'],
    ['Admiralty Way', 6.448, 3.472, 'lag-lekki-1'],
    ['Novare Mall in Sangotedo', 6.468, 3.63, 'lag-lekki-2'],
    ['the refinery at Lekki', 6.44, 3.99, 'lag-ibeju'],
    ['Epe town', 6.584, 3.984, 'lag-epe'],
    ['the National Stadium in Surulere', 6.4975, 3.3675, 'lag-mainland'],
    ['the University of Lagos', 6.516, 3.395, 'lag-mainland'],
    ['the international airport in Ikeja', 6.5774, 3.3212, 'lag-ikeja'],
    ['Computer Village', 6.5955, 3.342, 'lag-ikeja'],
    ['Gbagada General Hospital', 6.556, 3.391, 'lag-kosofe'],
    ['Ikotun market', 6.546, 3.267, 'lag-west'],
    ['Tin Can port', 6.437, 3.347, 'lag-apapa-festac'],
    ['the garage in Ikorodu', 6.616, 3.508, 'lag-ikorodu'],
    ['the Point of No Return’s town, Badagry', 6.415, 2.882, 'lag-badagry'],
    ['the National Mosque', 9.0605, 7.4895, 'abj-central'],
    ['Jabi Lake', 9.077, 7.422, 'abj-north-west'],
    ['the airport of Abuja', 9.0068, 7.2632, 'abj-south'],
    ['Nyanya bridge', 9.026, 7.567, 'abj-east'],
    ['the teaching hospital in Gwagwalada', 8.94, 7.08, 'abj-outer'],
    ['the Atlantic off Victoria Island', 6.3, 3.4, undefined],
    ['the Atlantic off Badagry', 6.35, 2.9, undefined],
    ['the middle of Lagos Lagoon', 6.5, 3.5, undefined],
    ['Lagos Lagoon off the University', 6.52, 3.45, undefined],
    ['Lekki Lagoon', 6.5, 4.12, undefined],
    ['Cotonou', 6.37, 2.43, undefined],
    ['Ibadan', 7.38, 3.9, undefined],
    ['Suleja, which is in Niger State', 9.18, 7.18, undefined],
  ])('the zone outlines assign known places to the correct delivery zones: %s', ([, lat, lng, zone]) => {
    expect(at(lat, lng)).toBe(zone)
  })
})

describe('the seed data of the zones', () => {
  test('seeding the zones a second time changes nothing, and keeps an operator’s corrections of the zones', async () => {
    const api = opened()
    const text = await readFile(new URL('../../../src/store/migrations/0023_zones.sql', import.meta.url), 'utf8')
    const seeds = text.slice(text.indexOf('insert into delivery_zones'))
    await select(
      api,
      "update delivery_zones set name = 'Lekki 1', boundary_status = 'checked' where id = 'lag-lekki-1'",
    )
    const before = await select(api, 'select * from delivery_zones order by id')
    await select(api, seeds)
    expect(await select(api, 'select * from delivery_zones order by id')).toEqual(before)
    expect(before).toHaveLength(17)
  })
})

describe('the gazetteer of areas', () => {
  const areas = { ...lagosAreas, ...fctAreas }

  test('the gazetteer contains Lekki, the 20 local government areas of Lagos and the 6 area councils of the FCT', () => {
    expect(lagosLgas).toHaveLength(21)
    expect(fctLgas).toHaveLength(6)
    for (const [name, lat, lng, zone] of [...lagosLgas, ...fctLgas])
      expect(at(lat, lng), name).toBe(zone ?? at(lat, lng))
    for (const [name, lat, lng] of [...lagosLgas, ...fctLgas]) expect(at(lat, lng), name).toBeDefined()
  })

  test('the gazetteer’s point of every area is inside the area’s zone', () => {
    const rows = Object.entries(areas).flatMap(([zone, all]) => all.map((row) => ({ zone, row })))
    expect(rows.length).toBeGreaterThan(80)
    for (const { zone, row } of rows) expect(at(row[1], row[2]), row[0]).toBe(zone)
  })

  test('the gazetteer maps every spelling of an area name to one area per state', () => {
    for (const [all, wide] of [
      [lagosAreas, lagosLgas],
      [fctAreas, fctLgas],
    ] as const) {
      const names = Object.values(all).flatMap((rows) => rows.map(([name, , , ...others]) => [name, ...others]))
      const wideNames = wide.map(([name, , , , ...others]) => [name, ...others])
      for (const groups of [names, wideNames]) {
        const keys = groups.flatMap((group) => [...new Set(group.map(keyOf))])
        expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
        expect(keys).not.toContain('')
      }
    }
    expect([...spots.keys()]).toEqual(['Lagos', 'FCT'])
  })

  test('the gazetteer contains the areas and local government areas that the zones list', () => {
    for (const { id, areas: listed, lgas, state } of zones) {
      const known = spots.get(state)
      for (const area of listed) {
        const spot = known?.get(`area ${keyOf(area)}`)
        expect(spot?.zoneId, `${area} of ${id}`).toBe(id)
      }
      for (const lga of lgas) expect([id, null], `${lga} of ${id}`).toContain(known?.get(`lga ${keyOf(lga)}`)?.zoneId)
    }
  })

  test('the gazetteer has a different centre for each of the 37 states, and each centre is on land', () => {
    expect(Object.keys(stateCentres)).toEqual([...states])
    for (const [state, [lat, lng, reach]] of Object.entries(stateCentres)) {
      expect(isOnLand({ lat, lng }), state).toBe(true)
      expect(reach, state).toBeLessThan(250)
      const middles = Object.values(stateCentres).map((other) =>
        straightMeters({ lat, lng }, { lat: other[0], lng: other[1] }),
      )
      expect(
        middles.filter((meters) => meters < 40_000),
        state,
      ).toHaveLength(1)
    }
  })

  test('in the gazetteer, no area is in water and no lagoon is a zone', () => {
    for (const [name, lat, lng] of Object.values(areas).flat()) {
      expect(isOnLand({ lat, lng }) || at(lat, lng) !== undefined, name).toBe(true)
    }
    for (let lat = 6.42; lat < 6.62; lat += 0.004) {
      for (let lng = 3.38; lng < 4.3; lng += 0.004) {
        const inZone = at(lat, lng) !== undefined
        if (inZone) expect(isOnLand({ lat, lng }), `${lat},${lng}`).toBe(true)
      }
    }
  })
})

describe('cached zones', () => {
  test('cached zones are reused for half a minute, and read again when the clock moves backwards', async () => {
    const api = opened()
    const known = createZoneCache()
    const first = await known(api.database, 1_000_000)
    await select(api, "update delivery_zones set active = false where id = 'lag-epe'")
    expect(await known(api.database, 1_029_999)).toBe(first)
    const second = await known(api.database, 1_030_000)
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id).filter((id) => id !== 'lag-epe'))
    await select(api, "update delivery_zones set active = true where id = 'lag-epe'")
    expect(await known(api.database, 1_029_999)).toEqual(first)
  })

  test('a failed read of the zones is not cached, so the next call reads them again', async () => {
    const known = createZoneCache()
    const broken = { read: () => Promise.reject(new Error('The connection broke.')) }
    await expect(known(broken, 0)).rejects.toThrow('The connection broke.')
    expect(await known(opened().database, 0)).toHaveLength(17)
  })
})
