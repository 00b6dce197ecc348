import { toMs } from '../base/clock.ts'
import type { PastAttempt, PastChange } from '../store/webhooks/endpoint-history.ts'
import type { DeliveryRules } from './pace.ts'
import {
  changeCredentials,
  type DeliveryState,
  disableEndpoint,
  type EndpointState,
  enableEndpoint,
  redirectEndpoint,
  reduceAttempt,
} from './reduce.ts'

/**
 * One event in the history of an endpoint, and the endpoint's state after it. The history is replayed through the rules
 * that production uses; a replay with other rules shows what the other rules would have done.
 */
export interface Step {
  readonly past: PastAttempt | PastChange
  readonly status: EndpointState['status']
  readonly consecutiveFailures: number
  readonly counted: boolean
}

const initialEndpoint: EndpointState = {
  status: 'enabled',
  disabledReason: null,
  disabledAtMs: null,
  consecutiveFailures: 0,
  epoch: 1,
  pacedUntilMs: null,
  ramp: null,
}

const initialDelivery: Omit<DeliveryState, 'trigger'> = {
  status: 'pending',
  attemptCount: 0,
  nextAttemptMs: null,
  isPaced: true,
  lostCount: 0,
  completedMs: null,
}

/**
 * Returns the status and the failure count of an endpoint after each attempt and each change in its history. `history`
 * is oldest first. It starts at the endpoint's creation, or at a moment when the failure count was zero.
 */
export function explainEndpoint(rules: DeliveryRules, history: readonly (PastAttempt | PastChange)[]): Step[] {
  let endpoint: EndpointState = { ...initialEndpoint, epoch: firstEpoch(history) }
  return history.map((past) => {
    const before = endpoint
    endpoint = past.is === 'attempt' ? afterAttempt(rules, endpoint, past) : afterChange(endpoint, past)
    const { status, consecutiveFailures } = endpoint
    return { past, status, consecutiveFailures, counted: consecutiveFailures !== before.consecutiveFailures }
  })
}

/**
 * Derives the epoch of the endpoint at the start of its history. The epoch counts the changes of the endpoint's
 * receiver. The result is the epoch of the first attempt minus the number of receiver changes before this attempt.
 */
function firstEpoch(history: readonly (PastAttempt | PastChange)[]): number {
  const index = history.findIndex((past) => past.is === 'attempt')
  const first = history[index]
  if (first?.is !== 'attempt') return initialEndpoint.epoch
  const before = history.slice(0, index).reduce<EndpointState>((endpoint, past) => {
    return past.is === 'change' ? afterChange(endpoint, past) : endpoint
  }, initialEndpoint)
  return first.epoch - (before.epoch - initialEndpoint.epoch)
}

function afterAttempt(rules: DeliveryRules, endpoint: EndpointState, past: PastAttempt): EndpointState {
  // The cause of an aborted attempt does not matter: faults of this service never change the endpoint's state.
  if (past.outcome === 'aborted') return endpoint
  const delivery = { ...initialDelivery, trigger: past.trigger }
  // An attempt may have started before the replayed history begins. Its epoch may then be lower than that of the
  // endpoint. The endpoint's epoch is therefore never lowered.
  const known = { ...endpoint, epoch: Math.max(endpoint.epoch, past.epoch) }
  const { outcome, epoch } = past
  return reduceAttempt(rules, { endpoint: known, delivery }, { is: outcome, epoch }, toMs(past.at)).endpoint
}

function afterChange(endpoint: EndpointState, { action, at, changes }: PastChange): EndpointState {
  switch (action) {
    case 'webhook_endpoint.enable':
      return enableEndpoint(endpoint)
    case 'webhook_endpoint.disable':
      // If the endpoint is already disabled, its sixth consecutive failure in the history has disabled it. This audit
      // row reports the same change, so it has no further effect.
      return endpoint.status === 'disabled' ? endpoint : disableEndpoint(endpoint, toMs(at))
    case 'webhook_endpoint.update':
      if (changes.url !== undefined) return redirectEndpoint(endpoint)
      return changes.headers === undefined ? endpoint : changeCredentials(endpoint)
    case 'webhook_endpoint.rotate_secret':
      return changeCredentials(endpoint)
    default:
      return endpoint
  }
}
