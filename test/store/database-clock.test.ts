import { describe, expect, test } from 'vitest'
import { openDatabaseClock } from '../../src/store/server/database-clock.ts'
import { useDatabase } from '../support/database.ts'
import { openTestClock } from '../support/database-clock.ts'

const opened = useDatabase()

const hourMs = 3_600_000

/** Opens the service's clock on a fake database, which reports a given time after a given round-trip time. */
async function openSimulatedClock() {
  const simulated = { aheadMs: 0, tripMs: 0 }
  const read = async () => {
    const middle = performance.timeOrigin + performance.now() + simulated.tripMs / 2
    const end = performance.now() + simulated.tripMs
    while (performance.now() < end) await new Promise(setImmediate)
    return middle + simulated.aheadMs
  }
  const clock = await openDatabaseClock({ read })
  clock.stop()
  return { simulated, clock }
}

describe('the measured database time', () => {
  test('the measured database time is exact to within one round trip to the database', async () => {
    const { database } = opened()
    const clock = await openTestClock(database)
    for (let round = 0; round < 5; round++) {
      const beforeMs = clock.nowMs()
      const { rows } = await database.pool.query('select extract(epoch from clock_timestamp())::float8 * 1000 as ms')
      // The clock may deviate by half of the fastest round trip to the database at the start. On a busy machine, this
      // round trip takes long.
      expect(rows[0].ms).toBeGreaterThan(beforeMs - 1_000)
      expect(rows[0].ms).toBeLessThan(clock.nowMs() + 1_000)
    }
  })

  test('a new measurement that agrees with the measured database time does not replace it if the new measurement is less exact', async () => {
    const { simulated, clock } = await openSimulatedClock()
    simulated.tripMs = 50
    simulated.aheadMs = 20
    await clock.measure()
    const earliestMs = performance.timeOrigin + performance.now()
    const measuredMs = clock.nowMs()
    const latestMs = performance.timeOrigin + performance.now()
    expect(measuredMs).toBeGreaterThan(earliestMs - 15)
    expect(measuredMs).toBeLessThan(latestMs + 15)
  })

  test('the measured database time changes when the database’s clock is set', async () => {
    const { simulated, clock } = await openSimulatedClock()
    simulated.aheadMs = -hourMs
    await clock.measure()
    const aheadMs = clock.nowMs() - performance.timeOrigin - performance.now()
    expect(Math.abs(aheadMs + hourMs)).toBeLessThan(1_000)
  })
})

describe('the clock of a process', () => {
  test.for([
    [59_000, true],
    [-59_000, true],
    [61_000, false],
    [-61_000, false],
    [25 * hourMs, false],
  ] as const)('if the process’s clock is %i ms ahead of the database’s clock, the difference is within the limit: %s', async ([
    aheadMs,
    isWithinLimit,
  ]) => {
    const { database } = opened()
    const truth = await openTestClock(database)
    const clock = await openDatabaseClock({
      read: async () => truth.nowMs(),
      processClock: { nowMs: () => truth.nowMs() + aheadMs },
    })
    clock.stop()
    expect(clock.compare().isWithinLimit).toBe(isWithinLimit)
    expect(Math.abs(clock.compare().skewMs - aheadMs)).toBeLessThan(500)
    expect(Math.abs(clock.nowMs() - truth.nowMs())).toBeLessThan(500)
  })

  test('after the clock of a process is set, the next comparison with the database’s clock shows the new difference, although the database’s clock is not measured again', async () => {
    const truth = await openTestClock(opened().database)
    let aheadMs = 0
    const clock = await openDatabaseClock({
      read: async () => truth.nowMs(),
      processClock: { nowMs: () => truth.nowMs() + aheadMs },
    })
    clock.stop()
    for (const [setMs, isWithinLimit] of [
      [25 * hourMs, false],
      [0, true],
    ] as const) {
      aheadMs = setMs
      expect(clock.compare().isWithinLimit).toBe(isWithinLimit)
    }
  })
})
