import { beforeEach } from 'vitest'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { stoppedClock, toTimestamp } from '../../../src/base/clock.ts'
import { currentSurge } from '../../../src/logistics/surge/current-surge.ts'
import { publishSurge } from '../../../src/logistics/surge/publish-surge.ts'
import { surgeRules } from '../../../src/logistics/surge/surge-rules.ts'
import { useDatabase } from '../../support/database.ts'
import { operator } from '../../support/shop.ts'
import type { Sent } from './signals.ts'

export const minuteMs = 60_000
export const weekMs = 7 * 24 * 60 * minuteMs

interface Merchant {
  readonly live: MerchantId
  readonly test: MerchantId
}

/** Opens a database for a test file. Each test has eight merchants and a clock of its own. */
export function useSurge() {
  const opened = useDatabase()
  /**
   * Start time of a test: a Saturday evening, ten seconds after a publication. Each test starts five weeks after the
   * previous one, so that the baselines of two tests have no observation in common.
   */
  let startMs = Date.UTC(2026, 10, 21, 17, 30, 10)
  let clock = stoppedClock(startMs)
  let merchants: readonly Merchant[] = []

  beforeEach(async () => {
    startMs += 5 * weekMs
    clock = stoppedClock(startMs)
    const { database } = opened()
    await database.pool.query('delete from surge_snapshots')
    await database.pool.query('delete from surge_states')
    merchants = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id, testId } = await createMerchant(
          { database, clock, nudge: () => undefined },
          operator,
          'Adire Lagos',
        )
        return { live: id, test: testId }
      }),
    )
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

  function merchantAt(index: number): Merchant {
    const found = merchants[index % merchants.length]
    if (found === undefined) throw new Error('There is no merchant.')
    return found
  }

  /**
   * Returns shipments of different merchants in turn. Each rider was assigned `seconds` after the dispatch. The
   * assignments are 20 seconds apart, and the latest is now.
   */
  function slowRiders(
    count: number,
    more: Partial<Sent> & { readonly seconds: number; readonly mode?: 'live' | 'test' },
  ): Sent[] {
    const { seconds, mode = 'live', ...rest } = more
    return Array.from({ length: count }, (_, index) => {
      const assignedMs = clock.nowMs() - index * 20_000
      const dispatchedMs = assignedMs - seconds * 1000
      return { merchantId: merchantAt(index)[mode], zoneId: 'lag-lekki-1', dispatchedMs, assignedMs, ...rest }
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
  return {
    opened,
    context,
    at,
    tick,
    tickEachMinute,
    merchantAt,
    slowRiders,
    snapshots,
    surgeOf,
    clock: () => clock,
    startMs: () => startMs,
  }
}
