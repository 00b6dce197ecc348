import type { Instant, Timestamp } from '../../registry/values/vocabulary.ts'

/** Source of the current time. Tests inject a clock that they can advance; no other code reads the system time. */
export interface Clock {
  nowMs(): number
}

/**
 * The clock of the process itself, which measures the timeouts of the process. The database's clock decides timestamps,
 * expiry and due times.
 */
export const systemClock: Clock = { nowMs: () => Date.now() }

/**
 * Maximum difference between the clock of the process and the database's clock. Beyond it, the process deletes nothing
 * and is not ready, and an operator must fix the machine. Time synchronisation keeps machines within milliseconds;
 * webhook signatures tolerate five minutes.
 */
export const clockSkewMaxMs = 60_000

/** A measurement of the database's clock in comparison with the clock of this process. */
export interface Measurement {
  readonly nowMs: number
  /** Difference by which the clock of the process is ahead of the database's clock; negative when it is behind. */
  readonly skewMs: number
  readonly isWithinLimit: boolean
}

/** A clock whose exact time can be requested from the database, for irreversible work such as deletion. */
export interface MeasuredClock extends Clock {
  measure(): Promise<Measurement>
  /**
   * Compares the process's current time with the database's clock as last measured. Unlike a stored result, it notices
   * that the process's clock was just set.
   */
  compare(): Measurement
}

/** Returns a clock that stands still until it is advanced. */
export function stoppedClock(startMs: number): MeasuredClock & { advance(ms: number): void } {
  let nowMs = startMs
  const compare = () => ({ nowMs, skewMs: 0, isWithinLimit: true })
  return {
    nowMs: () => nowMs,
    measure: async () => compare(),
    compare,
    advance: (ms) => {
      nowMs += ms
    },
  }
}

/** Formats a time as ISO 8601 in UTC with milliseconds (spec 2). Only this function creates a Timestamp, by a cast. */
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

/** Returns options for lru-cache, so that entries expire by the given clock. The clock is read at every access. */
export function expiryBy(clock: Clock): { readonly perf: { now(): number }; readonly ttlResolution: number } {
  // lru-cache treats a start time of 0 as "no expiry", and a test clock may start at 0.
  return { perf: { now: () => clock.nowMs() + 1 }, ttlResolution: 0 }
}
