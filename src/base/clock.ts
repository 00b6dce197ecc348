import type { Instant, Timestamp } from '../../registry/values/vocabulary.ts'

/** Source of the current time. Tests inject one that they can advance; no other code reads the system time. */
export interface Clock {
  nowMs(): number
}

/** The process's own clock, for its timeouts. The database's clock decides timestamps, expiry and due times. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/**
 * Largest difference to the database's clock. Beyond it, a process deletes nothing and is not ready: an operator must fix
 * its machine. Time synchronisation keeps machines within milliseconds; webhook signatures tolerate five minutes.
 */
export const clockSkewMaxMs = 60_000

/** The time by the database's clock, compared with the process's own. */
export interface Measurement {
  readonly nowMs: number
  /** How far the process's own clock is ahead; negative when it is behind. */
  readonly skewMs: number
  readonly isWithinLimit: boolean
}

/** A clock that can be measured exactly, for irreversible work such as deletion. */
export interface MeasuredClock extends Clock {
  measure(): Promise<Measurement>
}

/** Returns a clock that stands still until it is advanced. */
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

/** Formats a time as ISO 8601 in UTC with milliseconds (spec 2). Only this function creates a Timestamp, hence the cast. */
export function toTimestamp(ms: number): Timestamp {
  return new Date(ms).toISOString() as Timestamp
}

/** Converts a client's time, which may have any UTC offset, to the service's format. */
export function normaliseInstant(instant: Instant): Timestamp {
  return toTimestamp(Date.parse(instant))
}

export function toMs(timestamp: Timestamp): number {
  return Date.parse(timestamp)
}
