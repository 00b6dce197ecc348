/** One attempt to reach a receiver, while it is under way. */

/**
 * How long each phase took, in whole milliseconds. Null is a phase that did not happen, as on a connection that is used
 * again, or that did not end: of an attempt that failed, the first null after the numbers is where it was stuck.
 */
export interface FetchTimings {
  /** The name's look-up; 0 when the answer was still known. */
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  /** From the request being written to the first byte that came back. */
  readonly firstByteMs: number | null
}

export interface OutboundAttempt {
  readonly startedMs: number
  readonly endsAtMs: number
  readonly timings: { -readonly [Phase in keyof FetchTimings]: FetchTimings[Phase] }
  /** Null until there is a connection. */
  isReused: boolean | null
  /** Ends what is under way, whose promise then rejects with the reason. Each phase puts its own here as it begins. */
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

/** From a moment to another, as attempts are told. */
export function elapsedMs(fromMs: number, toMs: number): number {
  return Math.round(toMs - fromMs)
}
