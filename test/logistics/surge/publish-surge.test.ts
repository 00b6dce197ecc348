import { beforeEach, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { stoppedClock, toTimestamp } from '../../../src/base/clock.ts'
import { currentSurge } from '../../../src/logistics/surge/current-surge.ts'
import { deleteOldSurge, publishSurge } from '../../../src/logistics/surge/publish-surge.ts'
import { showSurge } from '../../../src/logistics/surge/show-surge.ts'
import { surgeRules } from '../../../src/logistics/surge/surge-rules.ts'
import { useDatabase } from '../../support/database.ts'
import { operator } from '../../support/shop.ts'
import { insertQuoted, insertSent, type Sent } from './signals.ts'

const opened = useDatabase()
const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs

/** A Saturday evening, ten seconds past a publication; each test has one of its own, too far on to see those before. */
let startMs = Date.UTC(2026, 10, 21, 17, 30, 10)
let clock = stoppedClock(startMs)
interface Merchant {
  readonly live: MerchantId
  readonly test: MerchantId
}
let merchants: readonly Merchant[] = []
let merchant: Merchant

beforeEach(async () => {
  startMs += 5 * weekMs
  clock = stoppedClock(startMs)
  const { database } = opened()
  await database.pool.query('delete from surge_snapshots')
  await database.pool.query('delete from surge_states')
  merchants = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { id, testId } = await createMerchant({ database, clock, nudge: () => undefined }, operator, 'Adire Lagos')
      return { live: id, test: testId }
    }),
  )
  merchant = inTurn(0)
})

const context = () => ({ database: opened().database, clock })
const at = (ms: number) => toTimestamp(startMs + ms)
const tick = () => publishSurge(context(), surgeRules)

async function tickEachMinute(minutes: number) {
  for (let minute = 0; minute < minutes; minute++) {
    clock.advance(minuteMs)
    await tick()
  }
}

function inTurn(index: number): Merchant {
  const found = merchants[index % merchants.length]
  if (found === undefined) throw new Error('There is no merchant.')
  return found
}

/** Riders in the zone who took so long, in the minutes before now, for one merchant after the other. */
function slowRiders(
  count: number,
  more: Partial<Sent> & { readonly seconds: number; readonly mode?: 'live' | 'test' },
): Sent[] {
  const { seconds, mode = 'live', ...rest } = more
  return Array.from({ length: count }, (_, index) => {
    const assignedMs = clock.nowMs() - index * 20_000
    const dispatchedMs = assignedMs - seconds * 1000
    return { merchantId: inTurn(index)[mode], zoneId: 'lag-lekki-1', dispatchedMs, assignedMs, ...rest }
  })
}

async function snapshots(zoneId = 'lag-lekki-1', book = 'live') {
  const { rows } = await opened().database.pool.query(
    'select * from surge_snapshots where zone_id = $1 and book = $2 order by slot_at',
    [zoneId, book],
  )
  return rows
}

const surgeOf = (mode: 'live' | 'test', zoneId = 'lag-lekki-1') =>
  currentSurge(opened().database, mode, zoneId, toTimestamp(clock.nowMs()))

describe('a tick', () => {
  test('publishes every zone in both books at once, and then not before the next slot of five minutes', async () => {
    expect(await tick()).toEqual({ is: 'done', published: 34, confirmed: 0 })
    for (let minute = 31; minute < 35; minute++) {
      clock.advance(minuteMs)
      expect(await tick()).toEqual({ is: 'done', published: 0, confirmed: 0 })
    }
    clock.advance(minuteMs)
    expect(await tick()).toEqual({ is: 'done', published: 0, confirmed: 34 })
    clock.advance(minuteMs)
    expect(await tick()).toEqual({ is: 'done', published: 0, confirmed: 0 })
  })

  test('confirms what a quiet zone has instead of repeating it', async () => {
    await tick()
    const [first] = await snapshots()
    clock.advance(5 * minuteMs)
    await tick()
    expect(await snapshots()).toEqual([
      { ...first, computed_at: at(5 * minuteMs), valid_until: at(10 * minuteMs - 10_000) },
    ])
  })

  test('raises a zone where riders take long, by no more than a fifth in each publication, and says why', async () => {
    await insertSent(opened().database, slowRiders(30, { seconds: 1500, refusals: 2 }))
    await tick()
    for (let publication = 0; publication < 3; publication++) {
      await insertSent(opened().database, slowRiders(15, { seconds: 1500, refusals: 2 }))
      await tickEachMinute(5)
    }
    const rows = await snapshots()
    const multipliers = rows.map((row) => row.multiplier)
    expect(multipliers.length).toBe(4)
    expect(multipliers.at(-1)).toBeGreaterThanOrEqual(1.4)
    for (const [index, row] of rows.entries()) {
      expect(row.multiplier - (multipliers[index - 1] ?? 1)).toBeLessThanOrEqual(0.2 + 1e-9)
      const product = row.factors.reduce((all: number, { factor }: { factor: number }) => all * factor, 1)
      expect(Number(product.toFixed(2))).toBe(row.multiplier)
      expect(row.surge_kobo).toBe(Math.round(((row.multiplier - 1) * 200_000) / 5_000) * 5_000)
    }
    expect(rows.at(-1).basis).toBe('observed')
    expect(rows.at(-1).sample_size).toBeGreaterThan(200)
    expect(rows[1].trend).toBe('rising')
  })

  test('leaves a zone plain where fewer than three things were seen, however bad they were', async () => {
    await insertSent(opened().database, slowRiders(1, { seconds: 2400 }))
    await tickEachMinute(6)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1, basis: 'insufficient_data', surge_kobo: 0 })
  })

  test('is moved by shipments that are still without a rider', async () => {
    await insertSent(opened().database, slowRiders(4, { seconds: 240 }))
    const dispatchedMs = clock.nowMs() - 30 * minuteMs
    await insertSent(
      opened().database,
      Array.from({ length: 20 }, (_, index) => ({
        merchantId: inTurn(index).live,
        zoneId: 'lag-lekki-1',
        dispatchedMs,
        assignedMs: null,
      })),
    )
    await tick()
    const [{ factors, inputs }] = await snapshots()
    expect(inputs.openShipments).toBe(20)
    expect(factors[0].observed).toBeGreaterThan(1000)
  })

  test('takes a carrier that named no rider in time for one that had none, from when that was known', async () => {
    const { database } = opened()
    const sent = slowRiders(6, { seconds: 300 })
    const ids = await insertSent(database, sent)
    await database.pool.query(
      `update dispatch_attempts
       set state = 'superseded', outcome_code = 'no_courier_assigned', resolved_at = $2
       where shipment_id = any($1)`,
      [ids, toTimestamp(clock.nowMs())],
    )
    await tick()
    const [{ factors }] = await snapshots()
    expect(factors[1]).toMatchObject({
      code: 'no_courier_rate',
      observed: Math.round(((6 + 4 * 0.08) / 10) * 1000) / 1000,
    })
  })

  test('goes by on-demand parcels only: one for tomorrow may wait', async () => {
    await insertSent(opened().database, slowRiders(30, { seconds: 1500, serviceLevel: 'next_day' }))
    await tick()
    expect((await snapshots())[0]).toMatchObject({ sample_size: 0, multiplier: 1 })
  })

  test('keeps test mode out of the live book, and live out of test', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3, mode: 'test' }))
    await tickEachMinute(6)
    expect((await surgeOf('test'))?.multiplier).toBeGreaterThan(1)
    expect(await surgeOf('live')).toMatchObject({ multiplier: 1, surgeKobo: 0 })
    expect((await snapshots()).every((row) => row.sample_size === 0)).toBe(true)
  })

  test('carries some of it to the neighbours, and nothing across the country', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    await insertSent(opened().database, slowRiders(8, { seconds: 240, zoneId: 'lag-island' }))
    await insertSent(opened().database, slowRiders(8, { seconds: 240, zoneId: 'lag-ikeja' }))
    await insertSent(opened().database, slowRiders(8, { seconds: 240, zoneId: 'abj-central' }))
    await tick()
    const spreadOf = async (zoneId: string) => (await snapshots(zoneId))[0].inputs.spread
    // Both are of the city, and one is next door.
    expect(await spreadOf('lag-island')).toBeGreaterThan((await spreadOf('lag-ikeja')) + 0.01)
    expect(await spreadOf('lag-island')).toBeLessThan(await spreadOf('lag-lekki-1'))
    expect(await spreadOf('abj-central')).toBe(1)
  })

  test('compares with the same hour of the last four weeks: a zone that is always slower is not short', async () => {
    const usual = [1, 2, 3, 4].flatMap((week) =>
      slowRiders(30, { seconds: 330 }).map((sent) => ({
        ...sent,
        dispatchedMs: sent.dispatchedMs - week * weekMs,
        assignedMs: (sent.assignedMs ?? 0) - week * weekMs,
      })),
    )
    await insertSent(opened().database, [...usual, ...slowRiders(30, { seconds: 330 })])
    await tick()
    const [{ factors }] = await snapshots()
    expect(factors[0].code).toBe('assignment_time')
    // Beside the constants it would be a tenth.
    expect(factors[0].factor).toBeLessThan(1.005)
    expect(factors[0].baseline).toBeGreaterThan(310)
    expect(factors[3].baseline).toBeGreaterThan(0)
  })

  test('goes by what live carriers ask over what the same carriers asked before', async () => {
    const asked = (kobo: number, createdMs: number) =>
      Array.from({ length: 12 }, (_, index) => ({
        merchantId: inTurn(index).live,
        zoneId: 'lag-lekki-1',
        createdMs: createdMs - index * 10_000,
        isUsed: index % 3 === 0,
        price: { carrier: 'chowdeck', kobo },
      }))
    for (const week of [1, 2, 3, 4]) await insertQuoted(opened().database, asked(300_000, startMs - week * weekMs))
    await insertQuoted(opened().database, asked(600_000, startMs))
    await tick()
    const [{ factors }] = await snapshots()
    const priced = factors[2]
    expect(priced).toMatchObject({ code: 'market_price', baseline: 1 })
    // Twelve sightings pulled by four towards none: most of the doubling.
    expect(priced.observed).toBeGreaterThan(1.6)
    expect(priced.observed).toBeLessThan(1.72)
  })

  test('a carrier nobody knows the usual price of says nothing', async () => {
    await insertQuoted(opened().database, [
      {
        merchantId: merchant.live,
        zoneId: 'lag-lekki-1',
        createdMs: startMs,
        isUsed: false,
        price: { carrier: 'chowdeck', kobo: 900_000 },
      },
    ])
    await tick()
    expect((await snapshots())[0].factors[2].factor).toBe(1)
  })
})

describe('one writer', () => {
  test('of eight ticks at once one at a time works, and each zone is published once', async () => {
    await insertSent(opened().database, slowRiders(10, { seconds: 600 }))
    const ticks = await Promise.all(Array.from({ length: 8 }, tick))
    const published = ticks.reduce((sum, outcome) => sum + (outcome.is === 'done' ? outcome.published : 0), 0)
    expect(published).toBe(34)
    expect(ticks.some((outcome) => outcome.is === 'elsewhere')).toBe(true)
    expect(await snapshots()).toHaveLength(1)
  })

  test('the database refuses a second publication in a slot', async () => {
    await tick()
    const copy = opened().database.pool.query(
      "insert into surge_snapshots select (json_populate_record(snapshot, json_build_object('id', 'sgs_00000000000000000000000000'))).* from surge_snapshots snapshot limit 1",
    )
    await expect(copy).rejects.toMatchObject({ constraint: 'surge_is_published_once_a_slot' })
  })
})

describe('after a time in which no worker ran', () => {
  test('nothing counts from two missed publications on, and the next tick publishes once, from the plain fare', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    await tickEachMinute(10)
    const before = await surgeOf('live')
    expect(before?.multiplier).toBeGreaterThan(1.2)
    clock.advance(10 * minuteMs)
    expect(await surgeOf('live')).toEqual(before)
    clock.advance(5 * minuteMs)
    expect(await surgeOf('live')).toEqual({ zoneId: 'lag-lekki-1', multiplier: 1, surgeKobo: 0, snapshotId: null })
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    const count = (await snapshots()).length
    await tick()
    const rows = await snapshots()
    expect(rows).toHaveLength(count + 1)
    expect(rows.at(-1).multiplier).toBe(1.2)
  })
})

describe('an operator', () => {
  const until = (minutes: number) => toTimestamp(clock.nowMs() + minutes * minuteMs)
  const said = { book: 'live', zoneId: null, city: null, multiplier: null, reason: 'Flood on the expressway' } as const

  test('freezes a city from the next publication until the time is over; the other book is untouched', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3, mode: 'test' }))
    await tickEachMinute(10)
    const outcome = await showSurge(context(), operator, {
      ...said,
      city: 'Lagos',
      kind: 'freeze',
      expiresAt: until(8),
    })
    expect(outcome).toMatchObject({ is: 'said', publishedAt: at(15 * minuteMs - 10_000) })
    expect((await surgeOf('live'))?.multiplier).toBeGreaterThan(1)
    await tickEachMinute(5)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1, basis: 'frozen' })
    expect((await surgeOf('test'))?.multiplier).toBeGreaterThan(1)
    const last = (await snapshots()).at(-1)
    expect(last.factors[0].factor).toBeGreaterThan(1)
    await tickEachMinute(5)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1.2, basis: 'observed' })
  })

  test('overrides one zone, and clears it again', async () => {
    const place = { ...said, zoneId: 'lag-lekki-1' }
    await showSurge(context(), operator, { ...place, kind: 'override', multiplier: 1.55, expiresAt: until(60) })
    await tick()
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1.55, basis: 'override', surge_kobo: 110_000 })
    expect((await snapshots('lag-lekki-2')).at(-1)).toMatchObject({ multiplier: 1 })
    clock.advance(minuteMs)
    await showSurge(context(), operator, { ...place, kind: 'clear', expiresAt: null })
    await tickEachMinute(5)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1, basis: 'insufficient_data' })
  })

  test('cannot speak of a place there is not', async () => {
    const outcome = await showSurge(context(), operator, { ...said, city: 'Kano', kind: 'freeze', expiresAt: until(8) })
    expect(outcome).toEqual({ is: 'place_unknown' })
  })

  test.for([
    "update surge_overrides set reason = ''",
    'delete from surge_overrides',
    'truncate surge_overrides',
  ])('leaves words that nobody may take back: %s', async (change) => {
    await showSurge(context(), operator, { ...said, city: 'Abuja', kind: 'clear', expiresAt: null })
    await expect(opened().database.pool.query(change)).rejects.toThrow(/permission denied/)
  })
})

test('what was published is thrown away a day after it can no longer be asked for', async () => {
  await tick()
  clock.advance(91 * 24 * 60 * minuteMs)
  await tick()
  expect(await deleteOldSurge(context())).toBe(0)
  clock.advance(10 * minuteMs)
  expect(await deleteOldSurge(context())).toBe(34)
  expect(await snapshots()).toHaveLength(1)
})

test('a place outside the zones has no surge', async () => {
  const now = toTimestamp(clock.nowMs())
  expect(await currentSurge(opened().database, 'live', null, now)).toBeNull()
  expect(await currentSurge(opened().database, 'live', 'kan-central', now)).toBeNull()
})
