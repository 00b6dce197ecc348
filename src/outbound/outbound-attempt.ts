/**
 * Durations of the phases of an attempt in whole milliseconds. Null for a phase that did not happen, as on a reused
 * connection, or did not finish. In a failed attempt, the failed phase is the one after the last phase with a duration.
 */
export interface FetchTimings {
  /** Duration of the DNS lookup; 0 when the result was cached. */
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  /** Time from writing the request to the first byte of the response, in milliseconds. */
  readonly firstByteMs: number | null
}

export interface OutboundAttempt {
  readonly startedMs: number
  readonly endsAtMs: number
  readonly timings: { -readonly [Phase in keyof FetchTimings]: FetchTimings[Phase] }
  /** Whether an idle connection was reused; null while there is no connection. */
  isReused: boolean | null
  /**
   * Aborts the current phase of the attempt. The promise of this phase then rejects with the reason. Each phase sets
   * this function when it starts.
   */
  stop(reason: Error): void
}

export function beginAttempt(startedMs: number, deadlineMs: number): OutboundAttempt {
  return {
    startedMs,
    endsAtMs: startedMs + deadlineMs,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    isReused: null,
    stop: () => undefined,
  }
}

export function elapsedMs(fromMs: number, toMs: number): number {
  return Math.round(toMs - fromMs)
}
