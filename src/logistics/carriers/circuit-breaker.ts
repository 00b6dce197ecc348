import type { Clock } from '../../base/clock.ts'

/**
 * Circuit breaker of one carrier and operation, on the injected clock:
 *
 *   closed ── half of at least eight calls in a minute fail ──> open
 *   open ── 30 s pass ──> half-open: the next call is the probe, every other call is rejected
 *   half-open ── the probe succeeds ──> closed
 *   half-open ── the probe fails ──> open
 *
 * The time decides, not a call: after the break an open breaker is half-open without any call. The
 * libraries read the system clock, and one of them queues calls behind the probe, where their deadlines run out.
 */
export interface CircuitBreaker {
  /** Whether a call would be rejected now. */
  isOpen(): boolean
  /** Whether it is closed. A half-open breaker is not, although the next call is not rejected: the carrier is not known to work. */
  isClosed(): boolean
  /** Starts a call; undefined rejects it. */
  begin(): CircuitCall | undefined
}

/** A call in flight. One of its three ends is reported; further reports have no effect. */
export interface CircuitCall {
  succeed(): void
  fail(): void
  /** Ends the call without a verdict, for an error of this service: a probe is repeated by the next call. */
  abandon(): void
}

/**
 * The share and the minimum number of calls per minute. Fewer calls prove nothing, and more would delay as many
 * shipments.
 */
const failureShare = 0.5
const callsMin = 8
const windowMs = 60_000

/** Calls are counted per second: precise enough for a window of a minute, with at most sixty counters. */
const bucketMs = 1_000

/** Long enough for a restart of the carrier's servers. */
export const breakMs = 30_000

/** Maximum duration of a probe, far above the longest timeout of 8 s. After it another call becomes the probe. */
const probeMaxMs = 30_000

interface Bucket {
  readonly startMs: number
  readonly calls: number
  readonly failures: number
}

type State =
  | { readonly is: 'closed'; buckets: readonly Bucket[] }
  | { readonly is: 'open'; readonly untilMs: number }
  | { readonly is: 'probing'; readonly sinceMs: number }

const closed = (): State => ({ is: 'closed', buckets: [] })

/** Returns a closed circuit breaker. */
export function openCircuitBreaker(clock: Clock): CircuitBreaker {
  let state: State = closed()
  const open = (nowMs: number): State => ({ is: 'open', untilMs: nowMs + breakMs })
  const isOpen = () => {
    const nowMs = clock.nowMs()
    switch (state.is) {
      case 'closed':
        return false
      case 'open':
        return nowMs < state.untilMs
      case 'probing':
        return nowMs < state.sinceMs + probeMaxMs
    }
  }
  return {
    isOpen,
    isClosed: () => state.is === 'closed',
    begin: () => {
      if (isOpen()) return undefined
      if (state.is !== 'closed') state = { is: 'probing', sinceMs: clock.nowMs() }
      const startState = state
      // A call from before the breaker opened, or a replaced probe, does not change the present state.
      const end = (next: (nowMs: number) => State) => () => {
        if (state === startState) state = next(clock.nowMs())
      }
      if (startState.is !== 'closed') {
        return { succeed: end(closed), fail: end(open), abandon: end((nowMs) => ({ is: 'open', untilMs: nowMs })) }
      }
      let isEnded = false
      const count = (isFailure: boolean) => () => {
        if (isEnded || state !== startState) return
        isEnded = true
        const nowMs = clock.nowMs()
        startState.buckets = counted(startState.buckets, isFailure, nowMs)
        if (isFailure && isTripped(startState.buckets)) state = open(nowMs)
      }
      return { succeed: count(false), fail: count(true), abandon: () => undefined }
    },
  }
}

/** The counters of the last minute with one more call. */
function counted(buckets: readonly Bucket[], isFailure: boolean, nowMs: number): readonly Bucket[] {
  const startMs = Math.floor(nowMs / bucketMs) * bucketMs
  const others = buckets.filter((bucket) => bucket.startMs > nowMs - windowMs && bucket.startMs !== startMs)
  const { calls = 0, failures = 0 } = buckets.find((bucket) => bucket.startMs === startMs) ?? {}
  return [...others, { startMs, calls: calls + 1, failures: failures + (isFailure ? 1 : 0) }]
}

function isTripped(buckets: readonly Bucket[]): boolean {
  const calls = buckets.reduce((sum, bucket) => sum + bucket.calls, 0)
  const failures = buckets.reduce((sum, bucket) => sum + bucket.failures, 0)
  return calls >= callsMin && failures >= failureShare * calls
}
