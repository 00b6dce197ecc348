import { describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { currentSurge } from '../../../src/logistics/surge/current-surge.ts'
import { deleteOldSurge } from '../../../src/logistics/surge/publish-surge.ts'
import { insertQuoted, insertSent } from './signals.ts'
import { minuteMs, useSurge, weekMs } from './use-surge.ts'

const { at, clock, context, merchantAt, opened, slowRiders, snapshots, startMs, surgeOf, tick, tickEachMinute } =
  useSurge()

describe('a surge run', () => {
  test('a surge run publishes the surge of every zone in live and test mode once per five-minute slot', async () => {
    expect(await tick()).toEqual({ is: 'computed', published: 34, confirmed: 0 })
    for (let minute = 31; minute < 35; minute++) {
      clock().advance(minuteMs)
      expect(await tick()).toEqual({ is: 'computed', published: 0, confirmed: 0 })
    }
    clock().advance(minuteMs)
    expect(await tick()).toEqual({ is: 'computed', published: 0, confirmed: 34 })
    clock().advance(minuteMs)
    expect(await tick()).toEqual({ is: 'computed', published: 0, confirmed: 0 })
  })

  test('a surge run extends the validity of the snapshot of a zone without observations instead of inserting a new snapshot', async () => {
    await tick()
    const [first] = await snapshots()
    clock().advance(5 * minuteMs)
    await tick()
    expect(await snapshots()).toEqual([
      { ...first, computed_at: at(5 * minuteMs), valid_until: at(10 * minuteMs - 10_000) },
    ])
  })

  test('a surge run raises the multiplier of a zone with long assignment times by at most 0.2 per publication, and stores the multiplier’s factors', async () => {
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

  test('a surge run publishes the basis insufficient_data for a zone with fewer than three samples', async () => {
    await insertSent(opened().database, slowRiders(1, { seconds: 2400 }))
    await tickEachMinute(6)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1, basis: 'insufficient_data', surge_kobo: 0 })
  })

  test('a surge run includes the waiting time of shipments without a rider', async () => {
    await insertSent(opened().database, slowRiders(4, { seconds: 240 }))
    const dispatchedMs = clock().nowMs() - 30 * minuteMs
    await insertSent(
      opened().database,
      Array.from({ length: 20 }, (_, index) => ({
        merchantId: merchantAt(index).live,
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

  test('a surge run counts a dispatch attempt that got no rider in time as an observed lack of riders at the time when the attempt ended', async () => {
    const { database } = opened()
    const sent = slowRiders(6, { seconds: 300 })
    const ids = await insertSent(database, sent)
    await database.pool.query(
      `update dispatch_attempts
       set state = 'superseded', outcome_code = 'no_courier_assigned', resolved_at = $2
       where shipment_id = any($1)`,
      [ids, toTimestamp(clock().nowMs())],
    )
    await tick()
    const [{ factors }] = await snapshots()
    expect(factors[1]).toMatchObject({
      code: 'no_courier_rate',
      observed: Math.round(((6 + 4 * 0.08) / 10) * 1000) / 1000,
    })
  })

  test('a surge run ignores next-day shipments', async () => {
    await insertSent(opened().database, slowRiders(30, { seconds: 1500, serviceLevel: 'next_day' }))
    await tick()
    expect((await snapshots())[0]).toMatchObject({ sample_size: 0, multiplier: 1 })
  })

  test('the live surge does not depend on shipments of test mode', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3, mode: 'test' }))
    await tickEachMinute(6)
    expect((await surgeOf('test'))?.multiplier).toBeGreaterThan(1)
    expect(await surgeOf('live')).toMatchObject({ multiplier: 1, surgeKobo: 0 })
    expect((await snapshots()).every((row) => row.sample_size === 0)).toBe(true)
  })

  test('a surge run raises the surge of a neighbouring zone more than the surge of a distant zone of the same city, and leaves other cities unchanged', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    await insertSent(opened().database, slowRiders(8, { seconds: 240, zoneId: 'lag-island' }))
    await insertSent(opened().database, slowRiders(8, { seconds: 240, zoneId: 'lag-ikeja' }))
    await insertSent(opened().database, slowRiders(8, { seconds: 240, zoneId: 'abj-central' }))
    await tick()
    const spreadOf = async (zoneId: string) => (await snapshots(zoneId))[0].inputs.spread
    // lag-island and lag-ikeja are in the same city as lag-lekki-1, the zone with the surge, but only lag-island
    // borders on it.
    expect(await spreadOf('lag-island')).toBeGreaterThan((await spreadOf('lag-ikeja')) + 0.01)
    expect(await spreadOf('lag-island')).toBeLessThan(await spreadOf('lag-lekki-1'))
    expect(await spreadOf('abj-central')).toBe(1)
  })

  test('a surge run compares observations with the same hour of the last four weeks', async () => {
    const baseline = [1, 2, 3, 4].flatMap((week) =>
      slowRiders(30, { seconds: 330 }).map((sent) => ({
        ...sent,
        dispatchedMs: sent.dispatchedMs - week * weekMs,
        assignedMs: (sent.assignedMs ?? 0) - week * weekMs,
      })),
    )
    await insertSent(opened().database, [...baseline, ...slowRiders(30, { seconds: 330 })])
    await tick()
    const [{ factors }] = await snapshots()
    expect(factors[0].code).toBe('assignment_time')
    // With the default baseline instead of the measured one, the surge factor would be 1.1.
    expect(factors[0].factor).toBeLessThan(1.005)
    expect(factors[0].baseline).toBeGreaterThan(310)
    expect(factors[3].baseline).toBeGreaterThan(0)
  })

  test('a surge run compares live carrier prices with the prices of the same carrier in the last weeks', async () => {
    const asked = (kobo: number, createdMs: number) =>
      Array.from({ length: 12 }, (_, index) => ({
        merchantId: merchantAt(index).live,
        zoneId: 'lag-lekki-1',
        createdMs: createdMs - index * 10_000,
        isUsed: index % 3 === 0,
        price: { carrier: 'chowdeck', kobo },
      }))
    for (const week of [1, 2, 3, 4]) await insertQuoted(opened().database, asked(300_000, startMs() - week * weekMs))
    await insertQuoted(opened().database, asked(600_000, startMs()))
    await tick()
    const [{ factors }] = await snapshots()
    const priced = factors[2]
    expect(priced).toMatchObject({ code: 'market_price', baseline: 1 })
    // The expected price ratio is 2 ** (12 / 16): twelve observations of a doubled price, and four assumed observations
    // of an unchanged price.
    expect(priced.observed).toBeGreaterThan(1.6)
    expect(priced.observed).toBeLessThan(1.72)
  })

  test('a surge run ignores the price of a carrier without a baseline', async () => {
    await insertQuoted(opened().database, [
      {
        merchantId: merchantAt(0).live,
        zoneId: 'lag-lekki-1',
        createdMs: startMs(),
        isUsed: false,
        price: { carrier: 'chowdeck', kobo: 900_000 },
      },
    ])
    await tick()
    expect((await snapshots())[0].factors[2].factor).toBe(1)
  })
})

describe('concurrent surge runs', () => {
  test('concurrent surge runs publish the surge of each zone once, and a run returns `locked` while another run holds the lock', async () => {
    await insertSent(opened().database, slowRiders(10, { seconds: 600 }))
    const ticks = await Promise.all(Array.from({ length: 8 }, tick))
    const published = ticks.reduce((sum, outcome) => sum + (outcome.is === 'computed' ? outcome.published : 0), 0)
    expect(published).toBe(34)
    expect(ticks.some((outcome) => outcome.is === 'locked')).toBe(true)
    expect(await snapshots()).toHaveLength(1)
  })

  test('concurrent surge runs cannot insert a second snapshot of a zone for the same time slot', async () => {
    await tick()
    const copy = opened().database.pool.query(
      "insert into surge_snapshots select (json_populate_record(snapshot, json_build_object('id', 'sgs_00000000000000000000000000'))).* from surge_snapshots snapshot limit 1",
    )
    await expect(copy).rejects.toMatchObject({ constraint: 'surge_is_published_once_a_slot' })
  })
})

describe('surge after worker downtime', () => {
  test('the surge multiplier is 1 after two missed publications, and the next publication is one step above 1', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    await tickEachMinute(10)
    const before = await surgeOf('live')
    expect(before?.multiplier).toBeGreaterThan(1.2)
    clock().advance(10 * minuteMs)
    expect(await surgeOf('live')).toEqual(before)
    clock().advance(5 * minuteMs)
    expect(await surgeOf('live')).toEqual({ zoneId: 'lag-lekki-1', multiplier: 1, surgeKobo: 0, snapshotId: null })
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    const count = (await snapshots()).length
    await tick()
    const rows = await snapshots()
    expect(rows).toHaveLength(count + 1)
    expect(rows.at(-1).multiplier).toBe(1.2)
  })
})

test('deleteOldSurge deletes surge snapshots one day after they have left the surge history of the API', async () => {
  await tick()
  clock().advance(91 * 24 * 60 * minuteMs)
  await tick()
  expect(await deleteOldSurge(context())).toBe(0)
  clock().advance(10 * minuteMs)
  expect(await deleteOldSurge(context())).toBe(34)
  expect(await snapshots()).toHaveLength(1)
})

test('currentSurge returns null outside the delivery zones', async () => {
  const now = toTimestamp(clock().nowMs())
  expect(await currentSurge(opened().database, 'live', null, now)).toBeNull()
  expect(await currentSurge(opened().database, 'live', 'kan-central', now)).toBeNull()
})
