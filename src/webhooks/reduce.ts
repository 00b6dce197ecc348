import { webhookFailuresBeforeDisabling } from '../../registry/values/limits.ts'
import { type DeliveryRules, nextPaceMs } from './pace.ts'
import { nextAttemptMs } from './retry-schedule.ts'

/**
 * The delivery rules as one pure function: given the state of an endpoint and a delivery and the end of an attempt,
 * returns the new state and the effects. The service applies it to rows, `commerce webhook explain` to the history of
 * attempts.
 *
 *   delivery   pending ──2xx──> succeeded          endpoint   enabled ──six failures in a row──> disabled
 *                 └─else─> failed, retried             ↑                                            │
 *                          six times                   └──────────────── manually ──────────────────┘
 *
 * While an endpoint is disabled, its outstanding deliveries are held.
 */

export interface EndpointState {
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: 'consecutive_failures' | 'manual' | 'deleted' | null
  readonly disabledAtMs: number | null
  readonly consecutiveFailures: number
  /**
   * The epoch of the endpoint. Every change that makes the endpoint a different receiver, such as a new URL, increments
   * the epoch. The result of an attempt from an earlier epoch is neither a success nor a failure of the endpoint.
   */
  readonly epoch: number
  readonly pacedUntilMs: number | null
  /**
   * Number of concurrent sends that are allowed to the endpoint while it recovers from failures. Null when only the
   * normal cap applies.
   */
  readonly ramp: number | null
}

export interface DeliveryState {
  readonly status: 'pending' | 'failed' | 'succeeded' | 'held' | 'skipped'
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly attemptCount: number
  readonly nextAttemptMs: number | null
  readonly isPaced: boolean
  /** The number of consecutive workers that crashed while sending the delivery. */
  readonly lostCount: number
  /** Whether the delivery belongs to a bulk replay that was cancelled. */
  readonly isReplayCancelled?: boolean
  readonly completedMs: number | null
}

export interface State {
  readonly endpoint: EndpointState
  readonly delivery: DeliveryState
}

/** The cause of an aborted attempt. The receiver is not at fault for any of these causes. */
export type AbortCause = 'worker_lost' | 'stopped' | 'resolver_down' | 'local_fault' | 'secret_unreadable'

export type AttemptEnd =
  | { readonly is: 'succeeded' | 'failed'; readonly epoch: number }
  | { readonly is: 'aborted'; readonly cause: AbortCause }

/**
 * A side effect of a change of a delivery or an endpoint. The caller performs it in the transaction that saves the new
 * state.
 */
export type Effect =
  /**
   * Notify the merchant that the endpoint is failing: it has half of the consecutive failures after which it is
   * disabled.
   */
  | 'warn_merchant'
  /** Notify the merchant that the endpoint was disabled, and write an audit row. */
  | 'notify_disabled'
  /** Hold all outstanding deliveries of the endpoint except the failed one, until an attempt succeeds. */
  | 'hold_deliveries'
  /** Complete the original delivery of a successful replay, so that the original is not retried. */
  | 'complete_original'
  /** Alert the operator, because several workers crashed while they sent the delivery. */
  | 'alert_operator'

export interface Reduction extends State {
  readonly effects: readonly Effect[]
}

/** Number of consecutive failures after which the merchant is warned: half of the six that disable an endpoint. */
const failuresBeforeWarning = webhookFailuresBeforeDisabling / 2

/**
 * Number of workers that must crash in a row while they send a delivery before the delivery is postponed. One crash may
 * be caused by a deployment, and a second one may be a coincidence.
 */
const lossesBeforePostponing = 3

/**
 * Delay in milliseconds of a delivery that repeatedly crashes workers, so that it crashes at most one worker an hour.
 * The delivery is not stopped, because it may not be the cause: a crash is counted for every delivery that the worker
 * was sending.
 */
const suspectDelayMs = 60 * 60 * 1000

/**
 * Delays by the cause of an aborted attempt. Deliveries of lost or stopped workers are retried at once. Deliveries that
 * failed because of the resolver or of this machine are retried after five seconds. An unreadable secret needs manual
 * action, so its deliveries are retried once a minute.
 */
const ownFaultDelaysMs: Readonly<Record<AbortCause, number>> = {
  worker_lost: 0,
  stopped: 0,
  resolver_down: 5_000,
  local_fault: 5_000,
  secret_unreadable: 60_000,
}

export function reduceAttempt(rules: DeliveryRules, state: State, end: AttemptEnd, nowMs: number): Reduction {
  // A replay completed the delivery while this attempt was in flight, so the attempt only increments the delivery's
  // number of attempts.
  if (state.delivery.status === 'succeeded' && end.is !== 'aborted') return count(state)
  switch (end.is) {
    case 'succeeded':
      return succeed(rules, state, end.epoch, nowMs)
    case 'failed':
      return fail(rules, state, end.epoch, nowMs)
    case 'aborted':
      return abort(state, end.cause, nowMs)
  }
}

function count({ endpoint, delivery }: State): Reduction {
  return { endpoint, delivery: { ...delivery, attemptCount: delivery.attemptCount + 1 }, effects: [] }
}

function succeed(rules: DeliveryRules, { endpoint, delivery }: State, epoch: number, nowMs: number): Reduction {
  return {
    endpoint: mayRecover(endpoint, delivery, epoch) ? recover(rules, endpoint) : endpoint,
    delivery: {
      ...delivery,
      status: 'succeeded',
      attemptCount: delivery.attemptCount + 1,
      nextAttemptMs: null,
      lostCount: 0,
      completedMs: nowMs,
    },
    effects: delivery.trigger === 'replay' ? ['complete_original'] : [],
  }
}

/**
 * Reports whether a success may reset the failure count of an endpoint. A successful sample says nothing about real
 * events, and an attempt of an earlier epoch says nothing about the present receiver. The failure count of a disabled
 * endpoint shows why the endpoint was disabled, so only the success of a manual replay resets it.
 */
function mayRecover(endpoint: EndpointState, { trigger }: DeliveryState, epoch: number): boolean {
  if (epoch !== endpoint.epoch || trigger === 'test') return false
  return endpoint.status === 'enabled' || trigger === 'replay'
}

function recover(rules: DeliveryRules, endpoint: EndpointState): EndpointState {
  const doubled = endpoint.ramp === null ? null : endpoint.ramp * 2
  return {
    ...endpoint,
    consecutiveFailures: 0,
    pacedUntilMs: null,
    ramp: doubled === null || doubled >= rules.sendsPerEndpoint ? null : doubled,
  }
}

/**
 * Applies a failed attempt to the endpoint and delivery. Every failed attempt increments the failure count, even if
 * several attempts were in flight at the same time (spec 3).
 */
function fail(rules: DeliveryRules, { endpoint, delivery }: State, epoch: number, nowMs: number): Reduction {
  const isAutomatic = delivery.trigger === 'automatic'
  const attemptCount = delivery.attemptCount + 1
  // Test deliveries and replays have one attempt and are not counted as failures: a test that finds a fault in the
  // receiver must not disable the endpoint.
  const dueMs = isAutomatic ? nextAttemptMs(attemptCount, nowMs) : undefined
  const counted =
    isAutomatic && endpoint.status === 'enabled' && epoch === endpoint.epoch
      ? countFailure(rules, endpoint, nowMs)
      : { endpoint, effects: [] }
  const attempted = { ...delivery, attemptCount, lostCount: 0 }
  // A delivery to a deleted endpoint is not retried.
  if (dueMs === undefined || endpoint.disabledReason === 'deleted')
    return { ...counted, delivery: giveUp(attempted, nowMs) }
  if (counted.endpoint.status === 'disabled') return { ...counted, delivery: hold(attempted) }
  // Spec 3 fixes the time of each retry. Retries are therefore not postponed, unlike the first attempts of deliveries
  // to a failing endpoint.
  return { ...counted, delivery: { ...attempted, status: 'failed', nextAttemptMs: dueMs, isPaced: false } }
}

function countFailure(rules: DeliveryRules, endpoint: EndpointState, nowMs: number) {
  const consecutiveFailures = endpoint.consecutiveFailures + 1
  const failing = {
    ...endpoint,
    consecutiveFailures,
    // After a failure, deliveries are sent to the endpoint one at a time, so that few deliveries fail while the
    // receiver is down.
    ramp: 1,
    pacedUntilMs: nextPaceMs(rules, { consecutiveFailures, pacedUntilMs: endpoint.pacedUntilMs }, nowMs),
  }
  if (consecutiveFailures >= webhookFailuresBeforeDisabling) {
    return {
      endpoint: disable(failing, 'consecutive_failures', nowMs),
      effects: ['notify_disabled', 'hold_deliveries'] satisfies Effect[],
    }
  }
  const effects: Effect[] = consecutiveFailures === failuresBeforeWarning ? ['warn_merchant'] : []
  return { endpoint: failing, effects }
}

function disable(
  endpoint: EndpointState,
  reason: NonNullable<EndpointState['disabledReason']>,
  nowMs: number,
): EndpointState {
  return { ...endpoint, status: 'disabled', disabledReason: reason, disabledAtMs: nowMs, pacedUntilMs: null }
}

function giveUp(delivery: DeliveryState, nowMs: number): DeliveryState {
  return { ...delivery, status: 'failed', nextAttemptMs: null, completedMs: nowMs }
}

function hold(delivery: DeliveryState): DeliveryState {
  return { ...delivery, status: 'held', nextAttemptMs: null }
}

function skip(delivery: DeliveryState, nowMs: number): DeliveryState {
  return { ...delivery, status: 'skipped', nextAttemptMs: null, completedMs: nowMs }
}

/**
 * Applies an aborted attempt to the endpoint and delivery. A fault of this service uses up no retry and is not treated
 * as a failure of the endpoint.
 */
function abort({ endpoint, delivery }: State, cause: AbortCause, nowMs: number): Reduction {
  const lostCount = cause === 'worker_lost' ? delivery.lostCount + 1 : 0
  const aborted = { ...delivery, lostCount }
  const isSuspect = lostCount >= lossesBeforePostponing
  const effects: Effect[] = isSuspect ? ['alert_operator'] : []
  if (delivery.trigger === 'automatic' && endpoint.status === 'disabled')
    return { endpoint, delivery: hold(aborted), effects }
  // The cancellation of a bulk replay could not skip this delivery, because it was being sent.
  if (delivery.isReplayCancelled === true) return { endpoint, delivery: skip(aborted, nowMs), effects }
  const delayMs = isSuspect ? suspectDelayMs : ownFaultDelaysMs[cause]
  return {
    // Until the signing secret of the endpoint can be decrypted, every delivery to the endpoint is aborted for the same
    // reason. Its deliveries are therefore sent one at a time.
    endpoint: cause === 'secret_unreadable' ? { ...endpoint, ramp: 1, pacedUntilMs: nowMs + delayMs } : endpoint,
    delivery: { ...aborted, status: statusOnceDue(delivery), nextAttemptMs: nowMs + delayMs },
    effects,
  }
}

/**
 * Returns the status of a delivery that becomes due. A held delivery becomes due again if its endpoint was enabled
 * while the delivery was being sent.
 */
function statusOnceDue({ status, attemptCount }: DeliveryState): DeliveryState['status'] {
  if (status !== 'held') return status
  return attemptCount === 0 ? 'pending' : 'failed'
}

/**
 * Enables an endpoint. An endpoint is enabled only manually. The failure count is reset, and until the first success
 * only one delivery is sent at a time.
 */
export function enableEndpoint(endpoint: EndpointState): EndpointState {
  return {
    ...endpoint,
    status: 'enabled',
    disabledReason: null,
    disabledAtMs: null,
    consecutiveFailures: 0,
    epoch: endpoint.epoch + 1,
    pacedUntilMs: null,
    ramp: 1,
  }
}

export function disableEndpoint(endpoint: EndpointState, nowMs: number): EndpointState {
  return disable(endpoint, 'manual', nowMs)
}

/**
 * Changes the URL of an endpoint. A new URL is a new receiver, so the failure count starts at zero. The failure count
 * of a disabled endpoint does not change, because it shows why the endpoint was disabled.
 */
export function redirectEndpoint(endpoint: EndpointState): EndpointState {
  const isEnabled = endpoint.status === 'enabled'
  return {
    ...endpoint,
    epoch: endpoint.epoch + 1,
    consecutiveFailures: isEnabled ? 0 : endpoint.consecutiveFailures,
    pacedUntilMs: null,
    ramp: null,
  }
}

/**
 * Changes the signing secret or the custom headers of an endpoint. The result of an attempt with the previous secret or
 * headers is not counted, because this secret or these headers may be the reason why the receiver rejected the attempt.
 */
export function changeCredentials(endpoint: EndpointState): EndpointState {
  return { ...endpoint, epoch: endpoint.epoch + 1 }
}
