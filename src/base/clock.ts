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
 * Maximum difference in milliseconds between the clock of the process and the database's clock. If the difference is
 * larger, the process deletes nothing and reports that it is not ready, until an operator corrects the machine's clock.
 * With time synchronisation, clocks differ by milliseconds; webhook signatures tolerate five minutes.
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
   * Compares the current time of the process with the last measurement of the database's clock. Each call compares
   * anew, so a change of the process's clock after the measurement is noticed.
   */
  compare(): Measurement
}

/** For tests: the time changes only when advance() is called. */
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

/**
 * Returns options for the library lru-cache with which cache entries expire by the given clock. The cache reads the
 * clock at every access.
 */
export function expiryBy(clock: Clock): { readonly perf: { now(): number }; readonly ttlResolution: number } {
  // lru-cache treats a start time of 0 as "no expiry", and a test clock may start at 0.
  return { perf: { now: () => clock.nowMs() + 1 }, ttlResolution: 0 }
}
