import { describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { overrideSurge } from '../../../src/logistics/surge/override-surge.ts'
import { operator } from '../../support/shop.ts'
import { insertSent } from './signals.ts'
import { minuteMs, useSurge } from './use-surge.ts'

const { at, clock, context, opened, slowRiders, snapshots, surgeOf, tick, tickEachMinute } = useSurge()

describe('overrideSurge', () => {
  const until = (minutes: number) => toTimestamp(clock().nowMs() + minutes * minuteMs)
  const said = { book: 'live', zoneId: null, city: null, multiplier: null, reason: 'Flood on the expressway' } as const

  test('overrideSurge freezes the surge of a city from the next publication until the override expires, in one mode (live or test) only', async () => {
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3 }))
    await insertSent(opened().database, slowRiders(40, { seconds: 1800, refusals: 3, mode: 'test' }))
    await tickEachMinute(10)
    const outcome = await overrideSurge(context(), operator, {
      ...said,
      city: 'Lagos',
      kind: 'freeze',
      expiresAt: until(8),
    })
    expect(outcome).toMatchObject({ is: 'stored', publishedAt: at(15 * minuteMs - 10_000) })
    expect((await surgeOf('live'))?.multiplier).toBeGreaterThan(1)
    await tickEachMinute(5)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1, basis: 'frozen' })
    expect((await surgeOf('test'))?.multiplier).toBeGreaterThan(1)
    const last = (await snapshots()).at(-1)
    expect(last.factors[0].factor).toBeGreaterThan(1)
    await tickEachMinute(5)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1.2, basis: 'observed' })
  })

  test('overrideSurge overrides the surge of one zone until the override is cleared', async () => {
    const place = { ...said, zoneId: 'lag-lekki-1' }
    await overrideSurge(context(), operator, { ...place, kind: 'override', multiplier: 1.55, expiresAt: until(60) })
    await tick()
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1.55, basis: 'override', surge_kobo: 110_000 })
    expect((await snapshots('lag-lekki-2')).at(-1)).toMatchObject({ multiplier: 1 })
    clock().advance(minuteMs)
    await overrideSurge(context(), operator, { ...place, kind: 'clear', expiresAt: null })
    await tickEachMinute(5)
    expect((await snapshots()).at(-1)).toMatchObject({ multiplier: 1, basis: 'insufficient_data' })
  })

  test('overrideSurge returns the outcome place_not_found for a city without zones', async () => {
    const outcome = await overrideSurge(context(), operator, {
      ...said,
      city: 'Kano',
      kind: 'freeze',
      expiresAt: until(8),
    })
    expect(outcome).toEqual({ is: 'place_not_found' })
  })

  test.for([
    "update surge_overrides set reason = ''",
    'delete from surge_overrides',
    'truncate surge_overrides',
  ])('overrideSurge stores append-only rows: the database rejects the statement "%s"', async (change) => {
    await overrideSurge(context(), operator, { ...said, city: 'Abuja', kind: 'clear', expiresAt: null })
    await expect(opened().database.pool.query(change)).rejects.toThrow(/permission denied/)
  })
})
