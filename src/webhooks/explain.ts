import { toMs } from '../base/clock.ts'
import type { PastAttempt, PastChange } from '../store/webhooks/endpoint-history.ts'
import type { DeliveryRules } from './pace.ts'
import {
  type DeliveryState,
  disableEndpoint,
  type EndpointState,
  enableEndpoint,
  redirectEndpoint,
  reduceAttempt,
  renewSecret,
} from './reduce.ts'

/**
 * Why an endpoint is as it is: its history, run through the very rules that decided at the time. With other rules it tells
 * what would have become of it.
 */
export interface Step {
  readonly past: PastAttempt | PastChange
  readonly status: EndpointState['status']
  /** In a row, after this. */
  readonly consecutiveFailures: number
  readonly counted: boolean
}

const fresh: EndpointState = {
  status: 'enabled',
  disabledReason: null,
  disabledAtMs: null,
  consecutiveFailures: 0,
  epoch: 1,
  pacedUntilMs: null,
  ramp: null,
}

const untried: Omit<DeliveryState, 'trigger'> = {
  status: 'pending',
  attemptCount: 0,
  nextAttemptMs: null,
  isPaced: true,
  lostCount: 0,
  completedMs: null,
}

/** `history` oldest first, from the endpoint's creation or from a moment at which nothing was counted against it. */
export function explainEndpoint(rules: DeliveryRules, history: readonly (PastAttempt | PastChange)[]): Step[] {
  let endpoint: EndpointState = { ...fresh, epoch: firstEpoch(history) }
  return history.map((past) => {
    const before = endpoint
    endpoint = past.is === 'attempt' ? afterAttempt(rules, endpoint, past) : afterChange(endpoint, past)
    const { status, consecutiveFailures } = endpoint
    return { past, status, consecutiveFailures, counted: consecutiveFailures !== before.consecutiveFailures }
  })
}

/** The first attempt tells its epoch, which has been raised by what was changed before it. */
function firstEpoch(history: readonly (PastAttempt | PastChange)[]): number {
  const index = history.findIndex((past) => past.is === 'attempt')
  const first = history[index]
  if (first?.is !== 'attempt') return fresh.epoch
  const before = history.slice(0, index).reduce<EndpointState>((endpoint, past) => {
    return past.is === 'change' ? afterChange(endpoint, past) : endpoint
  }, fresh)
  return first.epoch - (before.epoch - fresh.epoch)
}

function afterAttempt(rules: DeliveryRules, endpoint: EndpointState, past: PastAttempt): EndpointState {
  // Why it was aborted is no matter: our own faults never move the endpoint.
  if (past.outcome === 'aborted') return endpoint
  const delivery = { ...untried, trigger: past.trigger }
  // An epoch from before the history began is the one it begins with.
  const known = { ...endpoint, epoch: Math.max(endpoint.epoch, past.epoch) }
  const { outcome, epoch, failuresAtClaim } = past
  return reduceAttempt(rules, { endpoint: known, delivery }, { is: outcome, epoch, failuresAtClaim }, toMs(past.at))
    .endpoint
}

function afterChange(endpoint: EndpointState, { action, at, changes }: PastChange): EndpointState {
  switch (action) {
    case 'webhook_endpoint.enable':
      return enableEndpoint(endpoint)
    case 'webhook_endpoint.disable':
      // The sixth failure has disabled it already; then this only says so.
      return endpoint.status === 'disabled' ? endpoint : disableEndpoint(endpoint, toMs(at))
    case 'webhook_endpoint.update':
      return changes.url === undefined ? endpoint : redirectEndpoint(endpoint)
    case 'webhook_endpoint.rotate_secret':
      return renewSecret(endpoint)
    default:
      return endpoint
  }
}
