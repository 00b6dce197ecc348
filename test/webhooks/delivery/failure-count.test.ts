import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { type DeliveryState, type EndpointState, reduceAttempt } from '../../../src/webhooks/reduce.ts'

/**
 * Tests how consecutive failures of a webhook endpoint are counted, until six failures disable the endpoint. Also tests
 * how first delivery attempts are throttled before the endpoint is disabled.
 */

const second = 1_000

const delivery: DeliveryState = {
  ...{ status: 'pending', trigger: 'automatic', attemptCount: 0, nextAttemptMs: null },
  ...{ isPaced: true, lostCount: 0, completedMs: null },
}

const fresh: EndpointState = {
  ...{ status: 'enabled', disabledReason: null, disabledAtMs: null, consecutiveFailures: 0 },
  ...{ epoch: 1, pacedUntilMs: null, ramp: null },
}

type Outcome = 'succeeded' | 'failed'

/** Stores the results of delivery attempts in the order in which the attempts end. */
function afterAttempts(endpoint: EndpointState, outcomes: readonly Outcome[], nowMs = 0): EndpointState {
  return outcomes.reduce(
    (state, is) => reduceAttempt(standardRules, { endpoint: state, delivery }, { is, epoch: 1 }, nowMs).endpoint,
    endpoint,
  )
}

test('a webhook endpoint counts the failures since the last success, and is disabled at the sixth failure', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Outcome>('succeeded', 'failed', 'failed'), { maxLength: 20 }), (outcomes) => {
      const sixth = outcomes.findIndex((_, index) => index >= 5 && isAllFailed(outcomes.slice(index - 5, index + 1)))
      expect(afterAttempts(fresh, outcomes)).toMatchObject(
        sixth === -1
          ? { status: 'enabled', consecutiveFailures: outcomes.length - 1 - outcomes.lastIndexOf('succeeded') }
          : { status: 'disabled', consecutiveFailures: 6 },
      )
    }),
  )
})

test('the concurrency limit of an endpoint is lower than the six failures that disable it, so that simultaneous failures cannot disable it', () => {
  expect(standardRules.sendsPerEndpoint).toBeLessThan(6)
})

/**
 * Returns the time of the sixth failure. The first attempts, whose number is `together`, fail at the same time. Each
 * later attempt fails as soon as throttling allows the attempt.
 */
function sixthFailureMs(together: number): number {
  let endpoint = afterAttempts(fresh, Array<Outcome>(together).fill('failed'))
  while (endpoint.status === 'enabled') endpoint = afterAttempts(endpoint, ['failed'], endpoint.pacedUntilMs ?? 0)
  return endpoint.disabledAtMs ?? 0
}

test('attempts to a failing endpoint are spaced so that its sixth failure is 62 s after the first, however many deliveries fail at once', () => {
  expect([1, 2, 3, 4].map(sixthFailureMs)).toEqual(Array(4).fill(62 * second))
})

test('after a success, the delays between attempts to a webhook endpoint start again with the shortest delay', () => {
  const recovered = afterAttempts(fresh, ['failed', 'failed', 'failed', 'succeeded'])
  expect(recovered).toMatchObject({ consecutiveFailures: 0, pacedUntilMs: null })
  expect(afterAttempts(recovered, ['failed'], second)).toMatchObject({ pacedUntilMs: 3 * second })
})

function isAllFailed(outcomes: readonly Outcome[]): boolean {
  return outcomes.every((outcome) => outcome === 'failed')
}
