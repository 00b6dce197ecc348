import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import { connectCarrier } from '../../../src/access/connect-carrier.ts'
import { disconnectCarrier } from '../../../src/access/disconnect-carrier.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi, vault } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { mintToken, openShop, operator, type Shop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/logistics/zones'

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const list = (query = '') => started().send('GET', `${path}?${query}`, { token: shop.token })

const idsOf = ({ body }: { readonly body: ReplyBody }): string[] => body.data.map(({ id }: ReplyBody) => id)

/** The service caches zones for half a minute, so each test first waits until the cache has expired. */
beforeEach(() => started().clock.advance(30_000))

describe('200 responses of listZones', () => {
  test('listZones returns all 17 zones, newest first, then by descending id', async () => {
    const ids = idsOf(await list())
    expect(ids).toHaveLength(17)
    expect(ids).toEqual(ids.toSorted().reverse())
    await select(started(), "update delivery_zones set created_at = created_at + interval '1 day' where id = 'lag-epe'")
    expect(idsOf(await list())).toEqual(['lag-epe', ...ids.filter((id) => id !== 'lag-epe')])
    await select(started(), "update delivery_zones set created_at = created_at - interval '1 day' where id = 'lag-epe'")
  })

  test('listZones returns every field of a zone except its outline', async () => {
    const { body } = await list('state=Lagos&near=6.4474,3.4723')
    expect(body.data.find(({ id }: ReplyBody) => id === 'lag-lekki-1')).toEqual({
      id: 'lag-lekki-1',
      name: 'Oniru and Lekki Phase 1',
      state: 'Lagos',
      city: 'Lagos',
      lgas: ['Eti-Osa'],
      areas: ['Oniru', 'Lekki Phase 1'],
      centroid: { lat: 6.4363, lng: 3.4668 },
      bbox: [3.443, 6.417, 3.487, 6.461],
      geometry: null,
      boundaryStatus: 'draft',
      serviceLevels: ['on_demand', 'same_day', 'next_day', 'standard'],
      carriers: [],
      operatingHours: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '07:00', to: '21:00', tz: 'Africa/Lagos' },
        { days: ['sun'], from: '10:00', to: '19:00', tz: 'Africa/Lagos' },
      ],
      neighbours: ['lag-island', 'lag-lekki-2'],
      baseFareKobo: 200000,
      perKmKobo: 15000,
      includedMeters: 5000,
      perKgKobo: 10000,
      includedGrams: 5000,
      averageSpeedKmh: 18,
      surgeMultiplier: 1,
      distanceMeters: 0,
      active: true,
      createdAt: '2026-11-01T00:00:00.000Z',
      updatedAt: '2026-11-01T00:00:00.000Z',
    })
  })

  test('listZones returns the outline of each zone on every page when the query requests it', async () => {
    const { body } = await list('include=geometry&limit=1')
    const next = await list(`limit=100&cursor=${body.pagination.cursor}`)
    for (const { geometry } of [...body.data, ...next.body.data]) {
      expect(geometry.type).toBe('MultiPolygon')
      expect(geometry.coordinates[0][0].length).toBeGreaterThan(8)
    }
  })

  test('listZones returns the same zones to every merchant in both modes; in test mode, the zones name the simulated carriers', async () => {
    const api = started()
    const other = await openShop(api.context)
    expect((await api.send('GET', path, { token: other.token })).body).toEqual((await list()).body)
    const testTenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
    const { token } = await mintToken(api.context, testTenant, {})
    const { body } = await api.send('GET', path, { token })
    expect(body.data.map(({ id }: ReplyBody) => id)).toEqual(idsOf(await list()))
    for (const { carriers } of body.data) expect(carriers).toEqual([...testCarrierCodes])
  })

  test('in live mode, listZones returns for each zone only the carriers that the merchant has connected', async () => {
    const api = started()
    const other = await openShop(api.context)
    const connect = (carrier: ConnectableCarrier, credentials: Record<string, string>) =>
      connectCarrier({ ...api.context, vault, isProduction: false }, operator, other.tenant, { carrier, credentials })
    expect(await connect('chowdeck', { apiKey: 'key-of-a-shop' })).toMatchObject({ is: 'connected' })
    const carriersIn = async (state: string, token: string) => {
      const { body } = await api.send('GET', `${path}?state=${state}`, { token })
      return new Set(body.data.flatMap(({ carriers }: ReplyBody) => carriers))
    }
    expect(await carriersIn('Lagos', other.token)).toEqual(new Set(['chowdeck']))
    expect(await carriersIn('Lagos', shop.token)).toEqual(new Set())
    expect(await disconnectCarrier(api.context, operator, other.tenant, 'chowdeck')).toMatchObject({
      is: 'disconnected',
    })
    expect(await carriersIn('Lagos', other.token)).toEqual(new Set())
  })

  test.for<[string, string, readonly string[]]>([
    ['state', 'state=FCT', ['abj-south', 'abj-outer', 'abj-north-west', 'abj-east', 'abj-central']],
    ['a state without zones', 'state=Kano', []],
    ['a point in one and close to its neighbours', 'near=8.475,6.943', ['abj-outer']],
    ['a point in the sea far from all zones', 'near=6.2,3.4', []],
    ['a point far from all zones', 'near=12,8.52', []],
    ['a point outside the given state', 'near=6.4474,3.4723&state=FCT', []],
    ['a point without decimals', 'near=9,7&state=FCT', ['abj-outer']],
  ])('listZones filters by %s', async ([, query, ids]) => {
    expect(idsOf(await list(query))).toEqual(ids)
  })

  test('listZones with `near` returns the zones within 10 km and their distances, 0 for the zone that contains the point', async () => {
    const { body } = await list('near=6.4474,3.4723')
    const distances = new Map<string, number>(
      body.data.map(({ id, distanceMeters }: ReplyBody): [string, number] => [id, distanceMeters]),
    )
    expect([...distances.values()].filter((meters) => meters === 0)).toHaveLength(1)
    expect(distances.get('lag-lekki-1')).toBe(0)
    // At the latitude of the tested point, the neighbouring borders are at 3.4855° and 3.453° east: 1,460 m and 2,130 m
    // from the point, calculated on a plane.
    expect(distances.get('lag-lekki-2')).toBeGreaterThan(1400)
    expect(distances.get('lag-lekki-2')).toBeLessThan(1500)
    expect(distances.has('lag-mainland')).toBe(true)
    expect(distances.has('lag-ikorodu')).toBe(false)
    expect(Math.max(...distances.values())).toBeLessThanOrEqual(10_000)
    expect([...distances.keys()]).toEqual([...distances.keys()].toSorted().reverse())
  })

  test('listZones assigns a point on a border to exactly one zone', async () => {
    const { body } = await list('near=9.09,7.53')
    expect(body.data.filter(({ distanceMeters }: ReplyBody) => distanceMeters === 0)).toHaveLength(1)
    expect(body.data.filter(({ distanceMeters }: ReplyBody) => distanceMeters === 1)).toHaveLength(1)
  })

  test('listZones returns every zone once over all pages, even if a zone is added between the pages', async () => {
    const whole = idsOf(await list('near=6.55,3.37'))
    expect(whole.length).toBeGreaterThan(4)
    const seen: string[] = []
    let query = 'near=6.55,3.37&limit=2'
    for (;;) {
      const { body } = await list(query)
      seen.push(...body.data.map(({ id }: ReplyBody) => id))
      if (!body.pagination.hasMore) break
      query = `limit=1&cursor=${body.pagination.cursor}`
      await addZone(`lag-new-${seen.length}`)
      started().clock.advance(30_000)
    }
    await select(started(), "delete from delivery_zones where id like 'lag-new-%'")
    expect(seen).toEqual(whole)
  })

  test('listZones does not return an inactive zone, not even with `near` and a point in the zone', async () => {
    const api = started()
    await select(api, "update delivery_zones set active = false where id = 'abj-outer'")
    expect(idsOf(await list())).not.toContain('abj-outer')
    expect(idsOf(await list('near=8.475,6.943'))).toEqual([])
    await select(api, "update delivery_zones set active = true where id = 'abj-outer'")
  })
})

/** Adds a newer zone with the same outline as an existing one. */
async function addZone(id: string): Promise<void> {
  await select(
    started(),
    `insert into delivery_zones
     select (jsonb_populate_record(zone, jsonb_build_object('id', $1::text, 'created_at', now(), 'neighbours', '[]'::jsonb))).*
     from delivery_zones as zone where id = 'lag-ikeja'`,
    [id],
  )
}

describe('400 responses of listZones', () => {
  test.for<[string, string, string]>([
    ['a name instead of a point', 'near=Lekki', 'invalid_format'],
    ['a latitude only', 'near=6.4474', 'invalid_format'],
    ['three numbers', 'near=6.4474,3.4723,10', 'invalid_format'],
    ['a space between the numbers', 'near=6.4474,%203.4723', 'invalid_format'],
    ['a sign', 'near=-6.4474,3.4723', 'invalid_format'],
    ['an exponent', 'near=6e0,3.4', 'invalid_format'],
    ['the longitude first', 'near=3.4723,6.4474', 'invalid_value'],
    ['a point in another country', 'near=51.5,2.6', 'invalid_value'],
    ['nothing', 'near=', 'invalid_format'],
    ['an unknown state', 'state=Wakanda', 'invalid_enum_value'],
    ['a state in lower case', 'state=lagos', 'invalid_enum_value'],
    ['an unknown include', 'include=surge', 'invalid_enum_value'],
    ['a page size of 101', 'limit=101', 'too_big'],
  ])('listZones returns validation_failed for %s', async ([, query, code]) => {
    const reply = await list(query)
    answers('listZones', 'validation_failed', reply)
    expect(reply.status).toBe(400)
    expect(reply.body.error.errors).toMatchObject([{ code }])
  })

  test('listZones returns invalid_cursor when the filter differs from the filter of the first page', async () => {
    const { body } = await list('state=Lagos&limit=1')
    const cursor = `cursor=${body.pagination.cursor}`
    answers('listZones', 'cursor_filter_mismatch', await list(`${cursor}&state=FCT`))
    expect(idsOf(await list(`${cursor}&state=Lagos&limit=2`))).toHaveLength(2)
  })

  test('listZones returns invalid_cursor for a cursor of another merchant', async () => {
    const api = started()
    const { body } = await list('limit=1')
    const other = await openShop(api.context)
    const reply = await api.send('GET', `${path}?cursor=${body.pagination.cursor}`, { token: other.token })
    answers('listZones', 'invalid_cursor', reply)
  })
})
