import type { Clock } from '../../base/clock.ts'

/**
 * Circuit breaker of one carrier and operation, on the injected clock:
 *
 *   closed ── half of at least eight calls in a minute fail ──> open
 *   open ── 30 s pass ──> half-open: the next call is the probe, every other call is rejected
 *   half-open ── the probe succeeds ──> closed
 *   half-open ── the probe fails ──> open
 *
 * An open breaker becomes half-open when the 30 s have passed, without any call. Existing libraries are not used: they
 * read the system clock, and one of them queues calls behind the probe, where their deadlines run out.
 */
export interface CircuitBreaker {
  /** Whether the circuit breaker would reject a call now. */
  isOpen(): boolean
  /**
   * Whether the circuit breaker is closed. A half-open breaker accepts one call but is not closed, because it is not
   * certain that the carrier works.
   */
  isClosed(): boolean
  /** Returns undefined if the circuit breaker rejects the call. */
  begin(): CircuitCall | undefined
}

/**
 * A call to the carrier in progress. The caller reports its end in one of three ways; further reports have no effect.
 */
export interface CircuitCall {
  succeed(): void
  fail(): void
  /**
   * Ends the call after an error of this service. The circuit breaker counts neither a success nor a failure. If the
   * call was the probe, the next call becomes the probe.
   */
  abandon(): void
}

/**
 * The circuit opens at this share of failed calls, if the circuit breaker counted at least `callsMin` calls within a
 * minute. Fewer calls prove nothing. With a higher `callsMin`, more shipments would be delayed before the circuit
 * opens.
 */
const failureShare = 0.5
const callsMin = 8
const windowMs = 60_000

/** Calls are counted per second, which is precise enough for a window of a minute and needs at most sixty counters. */
const bucketMs = 1_000

/** Time for which the circuit stays open: long enough for a restart of the carrier's servers. */
export const breakMs = 30_000

/**
 * Maximum duration of a probe of an open circuit, far above the longest timeout of 8 s. After this time, another call
 * becomes the probe.
 */
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
      // The breaker ignores the result of a call that started before the breaker opened, and the result of a probe that
      // another call has replaced.
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

/** Adds a call to the counters of the last minute and returns the counters. */
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
