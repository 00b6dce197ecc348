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
   * Incremented by every change that makes the endpoint a different receiver: a result of an earlier epoch is not
   * counted.
   */
  readonly epoch: number
  readonly pacedUntilMs: number | null
  /** Concurrent sends allowed during recovery; null when only the normal cap applies. */
  readonly ramp: number | null
}

export interface DeliveryState {
  readonly status: 'pending' | 'failed' | 'succeeded' | 'held' | 'skipped'
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly attemptCount: number
  readonly nextAttemptMs: number | null
  readonly isPaced: boolean
  /** The number of workers in a row that died while sending the delivery. */
  readonly lostCount: number
  readonly completedMs: number | null
}

export interface State {
  readonly endpoint: EndpointState
  readonly delivery: DeliveryState
}

/** The cause of an aborted attempt. None of them is the receiver's fault. */
export type AbortCause = 'worker_lost' | 'stopped' | 'resolver_down' | 'local_fault' | 'secret_unreadable'

export type AttemptEnd =
  | { readonly is: 'succeeded' | 'failed'; readonly epoch: number }
  | { readonly is: 'aborted'; readonly cause: AbortCause }

/** A side effect that the caller performs in the transaction that saves the new state. */
export type Effect =
  /** R14: notify the merchant halfway to disabling. */
  | 'warn_merchant'
  /** Notify the merchant and write an audit row, once. */
  | 'notify_disabled'
  /** Hold the endpoint's other outstanding deliveries. */
  | 'hold_deliveries'
  /** Complete the original delivery of a successful replay, so that it is not retried. */
  | 'complete_original'
  /** Alert the operator: the delivery may be killing workers. */
  | 'alert_operator'

export interface Reduction extends State {
  readonly effects: readonly Effect[]
}

/** Halfway to disabling (six failures). */
const failuresBeforeWarning = webhookFailuresBeforeDisabling / 2

/** One death may be a deployment, a second one a coincidence. */
const lossesBeforePostponing = 3

/**
 * Limits a delivery that kills workers to one worker an hour. The delivery is postponed rather than stopped: the other
 * deliveries that its workers were sending are counted with it, and they must not wait for manual action.
 */
const suspectDelayMs = 60 * 60 * 1000

/**
 * Deliveries of lost or stopped workers are retried at once, those that met a fault of the resolver or of this machine
 * after five seconds. An unreadable secret needs manual action and is retried once a minute.
 */
const ownFaultDelaysMs: Readonly<Record<AbortCause, number>> = {
  worker_lost: 0,
  stopped: 0,
  resolver_down: 5_000,
  local_fault: 5_000,
  secret_unreadable: 60_000,
}

export function reduceAttempt(rules: DeliveryRules, state: State, end: AttemptEnd, nowMs: number): Reduction {
  // A replay completed the delivery while it was being sent. The attempt only counts.
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
 * A successful sample says nothing about real events, and an attempt of an earlier epoch says nothing about the present
 * receiver. The failure count of a disabled endpoint documents the reason; only a manual replay clears it.
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

/** Spec 3: every failed attempt counts, also when several were in flight together. */
function fail(rules: DeliveryRules, { endpoint, delivery }: State, epoch: number, nowMs: number): Reduction {
  const isAutomatic = delivery.trigger === 'automatic'
  const attemptCount = delivery.attemptCount + 1
  // Samples and replays have one attempt and never count: finding a fault must not disable the endpoint.
  const dueMs = isAutomatic ? nextAttemptMs(attemptCount, nowMs) : undefined
  const counted =
    isAutomatic && endpoint.status === 'enabled' && epoch === endpoint.epoch
      ? countFailure(rules, endpoint, nowMs)
      : { endpoint, effects: [] }
  const attempted = { ...delivery, attemptCount, lostCount: 0 }
  // A deleted endpoint gets no retries.
  if (dueMs === undefined || endpoint.disabledReason === 'deleted')
    return { ...counted, delivery: giveUp(attempted, nowMs) }
  if (counted.endpoint.status === 'disabled') return { ...counted, delivery: hold(attempted) }
  // Spec 3 fixes the time of a retry, so a retry ignores the endpoint's pace.
  return { ...counted, delivery: { ...attempted, status: 'failed', nextAttemptMs: dueMs, isPaced: false } }
}

function countFailure(rules: DeliveryRules, endpoint: EndpointState, nowMs: number) {
  const consecutiveFailures = endpoint.consecutiveFailures + 1
  const failing = {
    ...endpoint,
    consecutiveFailures,
    // One send at a time, so that a receiver that is down fails few deliveries.
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

/** An attempt aborted by our own fault uses up no retry and counts as no failure. */
function abort({ endpoint, delivery }: State, cause: AbortCause, nowMs: number): Reduction {
  const lostCount = cause === 'worker_lost' ? delivery.lostCount + 1 : 0
  const aborted = { ...delivery, lostCount }
  const isSuspect = lostCount >= lossesBeforePostponing
  const effects: Effect[] = isSuspect ? ['alert_operator'] : []
  if (delivery.trigger === 'automatic' && endpoint.status === 'disabled')
    return { endpoint, delivery: hold(aborted), effects }
  const delayMs = isSuspect ? suspectDelayMs : ownFaultDelaysMs[cause]
  return {
    // Every delivery of the endpoint would end the same way, so one at a time is enough until the secret is readable.
    endpoint: cause === 'secret_unreadable' ? { ...endpoint, ramp: 1, pacedUntilMs: nowMs + delayMs } : endpoint,
    delivery: { ...aborted, status: statusOnceDue(delivery), nextAttemptMs: nowMs + delayMs },
    effects,
  }
}

/** A held delivery becomes due again if its endpoint was enabled while it was being sent. */
function statusOnceDue({ status, attemptCount }: DeliveryState): DeliveryState['status'] {
  if (status !== 'held') return status
  return attemptCount === 0 ? 'pending' : 'failed'
}

/** Only done manually. The failure count is reset, and sending is limited to one at a time until the first success. */
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
 * A new URL is a new receiver: the failure count starts at zero. A disabled endpoint keeps its count, which documents
 * the reason.
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

/** A delivery signed with another secret may have been rejected for that reason, so its result is not counted. */
export function rotateSecret(endpoint: EndpointState): EndpointState {
  return { ...endpoint, epoch: endpoint.epoch + 1 }
}
