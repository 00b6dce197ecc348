import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAttemptMs } from '../../../src/webhooks/retry-schedule.ts'

const minute = 60_000
const hour = 60 * minute

test('a webhook delivery is retried 1 m, 5 m, 30 m, 2 h, 12 h and 24 h after the previous failure, then never', () => {
  const delays = [minute, 5 * minute, 30 * minute, 2 * hour, 12 * hour, 24 * hour]
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.maxSafeNat(), (attempt, finishedMs) => {
      const delay = delays[attempt - 1]
      expect(nextAttemptMs(attempt, finishedMs)).toBe(delay === undefined ? undefined : finishedMs + delay)
    }),
  )
})
