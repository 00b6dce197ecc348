import type { Instant, Timestamp } from '../../registry/values/vocabulary.ts'

/** The time as the service sees it. Tests pass one they can move; nothing else asks the system for the time. */
export interface Clock {
  nowMs(): number
}

/** The process's own clock, for its own timeouts. What is stored, expires or falls due is decided by the database's. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/**
 * A process whose own clock is further off than this deletes nothing and is not ready: its machine needs an operator. Time
 * synchronisation keeps machines within milliseconds, and a webhook's signature is rejected from five minutes on.
 */
export const clockSkewMaxMs = 60_000

/** The clock that decides, compared with the process's own. */
export interface Measurement {
  readonly nowMs: number
  /** How far the process's own clock is ahead; negative when it is behind. */
  readonly skewMs: number
  readonly isWithinLimit: boolean
}

/** A clock that can be read exactly, for what cannot be undone. */
export interface MeasuredClock extends Clock {
  measure(): Promise<Measurement>
}

/** A clock that stands still until it is told to move. */
export function stoppedClock(startMs: number): MeasuredClock & { advance(ms: number): void } {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    measure: async () => ({ nowMs, skewMs: 0, isWithinLimit: true }),
    advance: (ms) => {
      nowMs += ms
    },
  }
}

/** ISO 8601, UTC, with milliseconds (spec 2). The cast is the one place where such a text is made. */
export function toTimestamp(ms: number): Timestamp {
  return new Date(ms).toISOString() as Timestamp
}

/** A client's moment, which may have any offset, as the service writes it. */
export function normaliseInstant(instant: Instant): Timestamp {
  return toTimestamp(Date.parse(instant))
}

export function toMs(timestamp: Timestamp): number {
  return Date.parse(timestamp)
}
