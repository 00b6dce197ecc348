import { beforeAll, describe, expect, test } from 'vitest'
import { zoneExample } from '../../../registry/logistics/zones.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { publishSurge } from '../../../src/logistics/surge/publish-surge.ts'
import { surgeRules } from '../../../src/logistics/surge/surge-rules.ts'
import { insertSent } from '../../logistics/surge/signals.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { mintToken, openShop, type Shop } from '../../support/shop.ts'

const started = useApi()
const minuteMs = 60_000

let shop: Shop
let testToken = ''
beforeAll(async () => {
  const { context } = started()
  shop = await openShop(context)
  testToken = (await mintToken(context, { merchantId: shop.testMerchantId, mode: 'test' }, {})).token
})

const getSurge = (query: string, token = shop.token) =>
  started().send('GET', `/api/v1/logistics/surge${query}`, { token })

/**
 * Simulates ten minutes of an evening with few riders: every rider in Lekki is assigned half an hour after the request.
 */
async function rush() {
  const { database, clock } = started()
  const nowMs = clock.nowMs()
  // The shipments belong to many merchants, because the surge limits the weight of a single merchant.
  const others = await Promise.all(Array.from({ length: 9 }, () => openShop(started().context)))
  const shops = [shop, ...others]
  const sent = Array.from({ length: 40 }, (_, index) => {
    const assignedMs = nowMs - index * 10_000
    return {
      merchantId: (shops[index % shops.length] ?? shop).merchantId,
      zoneId: 'lag-lekki-1',
      dispatchedMs: assignedMs - 30 * minuteMs,
      assignedMs,
      refusals: 2,
    }
  })
  await insertSent(database, sent)
  for (let minute = 0; minute < 11; minute++) {
    await publishSurge({ database, clock }, surgeRules)
    clock.advance(minuteMs)
  }
}

describe('getSurge before the first publication', () => {
  test('before the first publication of surge multipliers, getSurge returns a multiplier of 1 with no demand samples', async () => {
    const { status, body } = await getSurge('?zone=lag-lekki-1')
    expect(status).toBe(200)
    expect(body).toEqual({
      zoneId: 'lag-lekki-1',
      multiplier: 1,
      level: 'normal',
      surgeKobo: 0,
      referenceFareKobo: 200_000,
      appliesTo: ['rate_card'],
      basis: 'insufficient_data',
      computedAt: '2026-11-21T08:30:00.000Z',
      validUntil: '2026-11-21T08:35:00.000Z',
      trend: 'steady',
      factors: [],
      sampleSize: 0,
      cap: 2,
      snapshotId: null,
    })
  })
})

describe('getSurge after many dispatches in a zone', () => {
  let earlier = 0
  beforeAll(async () => {
    earlier = started().clock.nowMs()
    await rush()
  })

  test('getSurge returns factors whose product is the multiplier, with Cache-Control: private, max-age=60', async () => {
    const { body, headers } = await getSurge('?zone=lag-lekki-1')
    expect(body).toMatchObject({ zoneId: 'lag-lekki-1', basis: 'observed', cap: 2, sampleSize: 130 })
    expect(body.multiplier).toBeGreaterThanOrEqual(1.2)
    expect(body.surgeKobo).toBe(Math.round(((body.multiplier - 1) * 200_000) / 5000) * 5000)
    expect(body.factors).toHaveLength(5)
    const product = body.factors.reduce((all: number, { factor }: { factor: number }) => all * factor, 1)
    expect(product.toFixed(2)).toBe(body.multiplier.toFixed(2))
    expect(headers.get('cache-control')).toBe('private, max-age=60')
  })

  test('getSurge returns the surge of the zone that contains a point', async () => {
    const { lat, lng } = zoneExample.centroid
    const byPoint = await getSurge(`?lat=${lat}&lng=${lng}`)
    expect(byPoint.body).toEqual((await getSurge('?zone=lag-lekki-1')).body)
  })

  test('getSurge returns the surge that was published at a given past time, for any UTC offset of that time', async () => {
    const first = await getSurge(`?zone=lag-lekki-1&at=${toTimestamp(earlier)}`)
    const now = await getSurge('?zone=lag-lekki-1')
    expect(first.body.snapshotId).not.toBe(now.body.snapshotId)
    expect(first.body).toMatchObject({ computedAt: '2026-11-21T08:30:00.000Z', validUntil: '2026-11-21T08:35:00.000Z' })
    const inLagos = await getSurge(`?zone=lag-lekki-1&at=${encodeURIComponent('2026-11-21T09:32:00+01:00')}`)
    expect(inLagos.body).toEqual(first.body)
    const before = await getSurge('?zone=lag-lekki-1&at=2026-11-20T00:00:00Z')
    expect(before.body).toMatchObject({ multiplier: 1, snapshotId: null })
  })

  test('getSurge returns no surge in test mode', async () => {
    expect((await getSurge('?zone=lag-lekki-1', testToken)).body).toMatchObject({ multiplier: 1, sampleSize: 0 })
  })

  test('listZones returns the surge in live mode only', async () => {
    const { body: surge } = await getSurge('?zone=lag-lekki-1')
    const listed = async (token: string) => {
      const { body } = await started().send('GET', '/api/v1/logistics/zones', { token })
      return body.data.find(({ id }: { id: string }) => id === 'lag-lekki-1').surgeMultiplier
    }
    expect(await listed(shop.token)).toBe(surge.multiplier)
    expect(await listed(testToken)).toBe(1)
  })

  test('without a running worker, the surge multiplier returns to 1 once two surge publications have been missed', async () => {
    const { body: before } = await getSurge('?zone=lag-lekki-1')
    started().clock.advance(Date.parse(before.validUntil) + 10 * minuteMs - 1 - started().clock.nowMs())
    expect((await getSurge('?zone=lag-lekki-1')).body).toEqual(before)
    started().clock.advance(1)
    expect((await getSurge('?zone=lag-lekki-1')).body).toMatchObject({ multiplier: 1, surgeKobo: 0, snapshotId: null })
  })
})

describe('getSurge for a zone without activity', () => {
  const zone = 'lag-epe'
  const slotMs = 5 * minuteMs
  let begunMs = 0

  /**
   * Publishes the surge multipliers every five minutes for an hour, which begins hours after the last activity. Each
   * publication is half a minute late, and one publication is skipped.
   */
  beforeAll(async () => {
    const { database, clock } = started()
    clock.advance(Math.ceil(clock.nowMs() / slotMs) * slotMs + 6 * 60 * minuteMs + minuteMs / 2 - clock.nowMs())
    begunMs = clock.nowMs()
    for (let publication = 0; publication <= 12; publication++) {
      if (publication > 0) clock.advance(slotMs)
      if (publication !== 8) await publishSurge({ database, clock }, surgeRules)
    }
  })

  test.for([
    0, 3, 4.5, 7, 21, 34, 46, 52, 60,
  ])('getSurge of a zone without activity returns, for minute %d, the surge that was published for the time slot of that minute', async (minute) => {
    const atMs = begunMs + minute * minuteMs
    const { body } = await getSurge(`?zone=${zone}&at=${toTimestamp(atMs)}`)
    const slot = Math.floor(atMs / slotMs) * slotMs
    expect(body).toMatchObject({ multiplier: 1, basis: 'insufficient_data', validUntil: toTimestamp(slot + slotMs) })
    expect(Date.parse(body.computedAt)).toBeGreaterThanOrEqual(slot)
    expect(Date.parse(body.computedAt)).toBeLessThanOrEqual(atMs)
  })

  test('for a time slot without a publication, getSurge of a zone without activity returns the surge of the previous slot', async () => {
    const { body } = await getSurge(`?zone=${zone}&at=${toTimestamp(begunMs + 41 * minuteMs)}`)
    const end = begunMs - minuteMs / 2 + 8 * slotMs
    expect(body.validUntil).toBe(toTimestamp(end))
    expect(Date.parse(body.computedAt)).toBeLessThan(end)
  })

  test('if one surge publication is missed, the surge of an hour without activity is stored in two rows, one before and one after the gap', async () => {
    const { rows } = await started().database.pool.query(
      "select slot_at from surge_snapshots where zone_id = $1 and book = 'live' and published_at >= $2",
      [zone, toTimestamp(begunMs)],
    )
    expect(rows).toHaveLength(2)
  })
})

describe('errors of getSurge', () => {
  test.for(['lag-atlantis', 'a-b'])('getSurge returns zone_not_found for %s', async (zone) => {
    answers('getSurge', 'zone_not_found', await getSurge(`?zone=${zone}`))
  })

  test('getSurge returns zone_not_found for an inactive zone', async () => {
    await started().database.pool.query("update delivery_zones set active = false where id = 'lag-epe'")
    answers('getSurge', 'zone_not_found', await getSurge('?zone=lag-epe'))
  })

  test.for([
    ['in the sea', '?lat=6.2&lng=3.4'],
    ['in another part of Nigeria', '?lat=12.0&lng=8.52'],
    ['abroad', '?lat=51.5&lng=-0.12'],
    ['with its coordinates swapped', '?lat=3.4723&lng=6.4474'],
  ])('getSurge returns outside_coverage for a point %s', async ([, query]) => {
    const reply = await getSurge(query ?? '')
    answers('getSurge', 'outside_coverage', reply)
    expect(reply.body.error.details).toEqual({ place: 'point' })
  })

  test.for(['2026-12-31T00:00:00Z', '2026-08-01T00:00:00Z'])('getSurge returns surge_not_found for %s', async (at) => {
    answers('getSurge', 'surge_not_found', await getSurge(`?zone=lag-lekki-1&at=${at}`))
  })

  test.for([
    ['neither a zone nor a point', '', ['query.zone required']],
    ['both', '?zone=lag-lekki-1&lat=6.4&lng=3.4', ['query.zone invalid_value']],
    ['a latitude only', '?lat=6.4', ['query.lng required']],
    ['a longitude only', '?lng=3.4', ['query.lat required']],
    ['a zone and a longitude', '?zone=lag-lekki-1&lng=3.4', ['query.zone invalid_value']],
    ['a malformed zone id', '?zone=Lekki', ['query.zone invalid_format']],
    ['hexadecimal degrees', '?lat=0x6&lng=3.4', ['query.lat invalid_format']],
    ['a latitude above 90', '?lat=96&lng=3.4', ['query.lat too_big']],
    ['an empty latitude', '?lat=&lng=3.4', ['query.lat invalid_format']],
    ['a malformed time', '?zone=lag-lekki-1&at=yesterday', ['query.at invalid_format']],
    ['30 February', '?zone=lag-lekki-1&at=2026-02-30T00:00:00Z', ['query.at invalid_value']],
  ] as const)('getSurge returns validation_failed for %s', async ([, query, expected]) => {
    const reply = await getSurge(query)
    answers('getSurge', 'validation_failed', reply)
    const problems = reply.body.error.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
    expect(problems).toEqual(expected)
  })
})
