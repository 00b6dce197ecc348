import { webhookFailuresBeforeDisabling } from '../../registry/values/limits.ts'
import { type DeliveryRules, pacedUntilMs } from './pace.ts'
import { nextAttemptMs } from './retry-schedule.ts'

/**
 * The rules of delivery as one pure function: what is known of an endpoint and one of its deliveries, what happened,
 * and what follows. The service applies it to the rows, `commerce webhook explain` to the history of attempts.
 *
 *   delivery   pending ──2xx──> succeeded          endpoint   enabled ──six failures in a row──> disabled
 *                 └─else─> failed, tried again          ↑                                            │
 *                          six times                    └──────────────── by a person ───────────────┘
 *
 * While an endpoint is disabled, what it was still owed is held.
 */

export interface EndpointState {
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: 'consecutive_failures' | 'manual' | 'deleted' | null
  readonly disabledAtMs: number | null
  readonly consecutiveFailures: number
  /** Raised by whatever makes it another receiver: an attempt begun before says nothing about it. */
  readonly epoch: number
  readonly pacedUntilMs: number | null
  /** Sends at once while it recovers; null when only the usual cap holds. */
  readonly ramp: number | null
}

export interface DeliveryState {
  readonly status: 'pending' | 'failed' | 'succeeded' | 'held' | 'skipped'
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly attemptCount: number
  readonly nextAttemptMs: number | null
  readonly isPaced: boolean
  /** How many workers in a row died while they had it. */
  readonly lostCount: number
  readonly completedMs: number | null
}

export interface State {
  readonly endpoint: EndpointState
  readonly delivery: DeliveryState
}

/** Why an attempt ended by no fault of the receiver's. */
export type AbortCause = 'worker_lost' | 'stopped' | 'resolver_down' | 'local_fault' | 'secret_unreadable'

export type AttemptEnd =
  | { readonly is: 'succeeded'; readonly epoch: number }
  | {
      readonly is: 'failed'
      readonly epoch: number
      /** The endpoint's count when the delivery was claimed; null where nobody knows. */
      readonly failuresAtClaim: number | null
    }
  | { readonly is: 'aborted'; readonly cause: AbortCause }

/** What the caller must see to, in the transaction that writes the new state. */
export type Effect =
  /** R14: half of the way to being disabled. */
  | 'warn_merchant'
  /** A notification and an audit row, once. */
  | 'tell_disabled'
  /** Everything else the endpoint is owed waits as held. */
  | 'hold_the_rest'
  /** The delivery this one repeats has arrived, so nothing of it is tried again. */
  | 'settle_original'
  /** Somebody should look at a delivery that may be killing workers. */
  | 'tell_operator'

export interface Reduction extends State {
  readonly effects: readonly Effect[]
}

/** Half of the six. */
const failuresBeforeWarning = webhookFailuresBeforeDisabling / 2

/** One death may be a deployment and two bad luck. */
const lossesBeforePuttingOff = 3

/**
 * What may be killing workers then kills one an hour at most. It is put off rather than parked, because whatever else its
 * workers had under way is as innocent as it is numerous, and must not wait for a person.
 */
const suspectDelayMs = 60 * 60 * 1000

/** Lost or stopped ones go on at once. What needs somebody to mend this service or its surroundings is asked once a minute. */
const ownFaultDelaysMs: Readonly<Record<AbortCause, number>> = {
  worker_lost: 0,
  stopped: 0,
  resolver_down: 5_000,
  local_fault: 5_000,
  secret_unreadable: 60_000,
}

export function reduceAttempt(rules: DeliveryRules, state: State, end: AttemptEnd, nowMs: number): Reduction {
  switch (end.is) {
    case 'succeeded':
      return succeed(rules, state, end.epoch, nowMs)
    case 'failed':
      return fail(rules, state, end, nowMs)
    case 'aborted':
      return abort(state, end.cause, nowMs)
  }
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
    effects: delivery.trigger === 'replay' ? ['settle_original'] : [],
  }
}

/**
 * A sample proves nothing about what the receiver does with facts, and what was begun before the endpoint changed
 * nothing about what it is now. The count of a disabled endpoint says why it is: only a person's replay clears it.
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

type Failed = Extract<AttemptEnd, { is: 'failed' }>

function fail(rules: DeliveryRules, { endpoint, delivery }: State, end: Failed, nowMs: number): Reduction {
  const isAutomatic = delivery.trigger === 'automatic'
  const attemptCount = delivery.attemptCount + 1
  // Samples and replays have one attempt and never count: finding a fault must not disable the endpoint.
  const dueMs = isAutomatic ? nextAttemptMs(attemptCount, nowMs) : undefined
  const judged =
    isAutomatic && endpoint.status === 'enabled' && end.epoch === endpoint.epoch && isNewFailure(endpoint, end)
      ? countFailure(rules, endpoint, nowMs)
      : { endpoint, effects: [] }
  const tried = { ...delivery, attemptCount, lostCount: 0 }
  // Nothing waits for an endpoint that was deleted meanwhile.
  if (dueMs === undefined || endpoint.disabledReason === 'deleted') return { ...judged, delivery: giveUp(tried, nowMs) }
  if (judged.endpoint.status === 'disabled') return { ...judged, delivery: hold(tried) }
  // Spec 3 fixes when a retry comes, so it does not wait for the pace.
  return { ...judged, delivery: { ...tried, status: 'failed', nextAttemptMs: dueMs, isPaced: false } }
}

/**
 * Several deliveries are in flight when an endpoint first fails, and a receiver that is down fails all of them at once: that
 * is one failure, not several in a row. An attempt claimed at another count than the present one overlapped with the failure
 * that was counted since.
 */
function isNewFailure({ consecutiveFailures }: EndpointState, { failuresAtClaim }: Failed): boolean {
  return consecutiveFailures === 0 || failuresAtClaim === null || failuresAtClaim === consecutiveFailures
}

function countFailure(rules: DeliveryRules, endpoint: EndpointState, nowMs: number) {
  const consecutiveFailures = endpoint.consecutiveFailures + 1
  const failing = {
    ...endpoint,
    consecutiveFailures,
    // One at a time, so that failures in a row are one after another.
    ramp: 1,
    pacedUntilMs: pacedUntilMs(rules, consecutiveFailures, nowMs) ?? null,
  }
  if (consecutiveFailures >= webhookFailuresBeforeDisabling) {
    return {
      endpoint: disable(failing, 'consecutive_failures', nowMs),
      effects: ['tell_disabled', 'hold_the_rest'] satisfies Effect[],
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

/** Our own fault uses up no retry and counts against nobody. */
function abort({ endpoint, delivery }: State, cause: AbortCause, nowMs: number): Reduction {
  const lostCount = cause === 'worker_lost' ? delivery.lostCount + 1 : 0
  const aborted = { ...delivery, lostCount }
  const isSuspect = lostCount >= lossesBeforePuttingOff
  const effects: Effect[] = isSuspect ? ['tell_operator'] : []
  if (delivery.trigger === 'automatic' && endpoint.status === 'disabled')
    return { endpoint, delivery: hold(aborted), effects }
  const delayMs = isSuspect ? suspectDelayMs : ownFaultDelaysMs[cause]
  return {
    // Every delivery of the endpoint would end like this one, so one at a time is enough until it is mended.
    endpoint: cause === 'secret_unreadable' ? { ...endpoint, ramp: 1, pacedUntilMs: nowMs + delayMs } : endpoint,
    delivery: { ...aborted, nextAttemptMs: nowMs + delayMs },
    effects,
  }
}

/** By a person only. The counts begin anew, and the first success is waited for before anything is sent at speed. */
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

/** A new URL is a new receiver: it inherits no failures. A disabled endpoint keeps the count that says why it is. */
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

/** What was signed with another secret may have been refused for that, and says nothing about the receiver. */
export function renewSecret(endpoint: EndpointState): EndpointState {
  return { ...endpoint, epoch: endpoint.epoch + 1 }
}
