import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EndpointHealth, judgeFailure } from '../../src/webhooks/endpoint-health.ts'
import { nextAttemptMs } from '../../src/webhooks/retry-schedule.ts'

const minute = 60_000
const hour = 60 * minute

test('retries come 1 m, 5 m, 30 m, 2 h, 12 h and 24 h after the failure before them, then never', () => {
  const delays = [minute, 5 * minute, 30 * minute, 2 * hour, 12 * hour, 24 * hour]
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.maxSafeNat(), (attempt, finishedMs) => {
      const delay = delays[attempt - 1]
      expect(nextAttemptMs(attempt, finishedMs)).toBe(delay === undefined ? undefined : finishedMs + delay)
    }),
  )
})

test('six failures in a row disable, whatever came before the row', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('success', 'failure', 'older_failure')), (outcomes) => {
      let health: EndpointHealth = { status: 'enabled', consecutiveFailures: 0, epoch: 3 }
      let inARow = 0
      let isDisabled = false
      for (const outcome of outcomes) {
        if (outcome === 'success') {
          health = { ...health, consecutiveFailures: 0 }
          inARow = 0
        } else {
          const verdict = judgeFailure(health, outcome === 'failure' ? 3 : 2)
          if (outcome === 'failure') inARow += 1
          if (outcome === 'older_failure' || isDisabled) expect(verdict).toEqual({ is: 'not_counted' })
          else expect(verdict).toEqual({ is: inARow === 6 ? 'disabled' : 'counted', consecutiveFailures: inARow })
          if (verdict.is !== 'not_counted') health = { ...health, consecutiveFailures: verdict.consecutiveFailures }
          if (verdict.is === 'disabled') health = { ...health, status: 'disabled' }
        }
        isDisabled = health.status === 'disabled'
      }
    }),
  )
})
