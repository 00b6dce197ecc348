import { expect, test } from 'vitest'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { stoppedClock, toTimestamp } from '../../../src/base/clock.ts'
import { currentSurge } from '../../../src/logistics/surge/current-surge.ts'
import { publishSurge } from '../../../src/logistics/surge/publish-surge.ts'
import { surgeRules } from '../../../src/logistics/surge/surge-rules.ts'
import { useDatabase } from '../../support/database.ts'
import { operator } from '../../support/shop.ts'
import { insertSent } from './signals.ts'

const opened = useDatabase()
const minuteMs = 60_000
const zoneId = 'lag-lekki-1'

/** The start times of the two test cases are a year apart, so that neither case affects the baseline of the other. */
test.each([
  ['live', Date.UTC(2026, 10, 21, 17, 30, 10)],
  ['test', Date.UTC(2027, 10, 20, 17, 30, 10)],
] as const)('rejected dispatches of several %s merchants raise the surge of a zone, but rejected dispatches of a single merchant do not', async (mode, startMs) => {
  const { database } = opened()
  const clock = stoppedClock(startMs)
  const merchants: MerchantId[] = []
  for (let count = 0; count < 8; count++) {
    const made = await createMerchant({ database, clock, nudge: () => undefined }, operator, 'Adire Lagos')
    merchants.push(mode === 'live' ? made.id : made.testId)
  }
  const merchantAt = (index: number) => merchants[index % merchants.length] ?? expect.unreachable()
  const multiplierAfter = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      clock.advance(minuteMs)
      await publishSurge({ database, clock }, surgeRules)
    }
    return (await currentSurge(database, mode, zoneId, toTimestamp(clock.nowMs())))?.multiplier
  }
  /** Inserts shipments that every carrier rejected, ten per minute. */
  const refused = (of: (index: number) => MerchantId) =>
    insertSent(
      database,
      Array.from({ length: 100 }, (_, index) => {
        const dispatchedMs = clock.nowMs() - index * 6_000
        return { merchantId: of(index), zoneId, dispatchedMs, assignedMs: null, status: 'failed', refusals: 3 }
      }),
    )
  await refused(() => merchantAt(0))
  expect(await multiplierAfter(15)).toBe(1)
  // If the other merchants get riders as fast as usual, one merchant has at most a fifth of the total weight and hardly
  // changes the surge.
  await insertSent(
    database,
    Array.from({ length: 40 }, (_, index) => {
      const assignedMs = clock.nowMs() - index * 20_000
      return { merchantId: merchantAt(index), zoneId, dispatchedMs: assignedMs - 240_000, assignedMs }
    }),
  )
  await refused(() => merchantAt(0))
  expect(await multiplierAfter(10)).toBeLessThanOrEqual(1.05)
  await refused(merchantAt)
  expect(await multiplierAfter(10)).toBeGreaterThanOrEqual(1.2)
})
