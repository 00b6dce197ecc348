import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { type DeliveryState, type EndpointState, reduceAttempt } from '../../../src/webhooks/reduce.ts'

/** Counting of consecutive failures up to the six that disable an endpoint. */

const delivery: DeliveryState = {
  ...{ status: 'pending', trigger: 'automatic', attemptCount: 0, nextAttemptMs: null },
  ...{ isPaced: true, lostCount: 0, completedMs: null },
}

const fresh: EndpointState = {
  ...{ status: 'enabled', disabledReason: null, disabledAtMs: null, consecutiveFailures: 0 },
  ...{ epoch: 1, pacedUntilMs: null, ramp: null },
}

type Outcome = 'succeeded' | 'failed'

/** Applies attempts that were claimed together at this failure count, in order of completion. */
function afterAttempts(endpoint: EndpointState, failuresAtClaim: number | null, outcomes: readonly Outcome[]) {
  return outcomes.reduce(
    (state, is) =>
      reduceAttempt(standardRules, { endpoint: state, delivery }, { is, epoch: 1, failuresAtClaim }, 0).endpoint,
    endpoint,
  )
}

test('counts failures of attempts claimed together once', () => {
  const together = fc.array(fc.constant<Outcome>('failed'), { minLength: 1, maxLength: 16 })
  fc.assert(
    fc.property(fc.array(together, { minLength: 1, maxLength: 6 }), (claims) => {
      const ended = claims.reduce((state, each) => afterAttempts(state, state.consecutiveFailures, each), fresh)
      expect(ended).toMatchObject({
        consecutiveFailures: claims.length,
        status: claims.length === 6 ? 'disabled' : 'enabled',
      })
    }),
  )
})

test('counts sequential attempts as specified: failures since the last success', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Outcome>('succeeded', 'failed'), { maxLength: 12 }), (outcomes) => {
      const ended = outcomes.reduce<EndpointState>(
        (state, is) => (state.status === 'disabled' ? state : afterAttempts(state, state.consecutiveFailures, [is])),
        fresh,
      )
      const sixth = outcomes.findIndex((_, index) => index >= 5 && isAllFailed(outcomes.slice(index - 5, index + 1)))
      const counted = sixth === -1 ? outcomes.length - 1 - outcomes.lastIndexOf('succeeded') : 6
      expect(ended.consecutiveFailures).toBe(counted)
    }),
  )
})

test('resets the count after a success among attempts claimed together', () => {
  expect(afterAttempts(fresh, 0, ['failed', 'succeeded', 'failed', 'failed']).consecutiveFailures).toBe(1)
  expect(afterAttempts(fresh, 0, ['failed', 'failed', 'succeeded']).consecutiveFailures).toBe(0)
})

test('counts an attempt without a stored failure count as earlier releases did', () => {
  expect(afterAttempts(fresh, null, ['failed', 'failed', 'failed']).consecutiveFailures).toBe(3)
})

function isAllFailed(outcomes: readonly Outcome[]): boolean {
  return outcomes.every((outcome) => outcome === 'failed')
}
