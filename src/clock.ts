import type { Instant, Timestamp } from '../registry/vocabulary.ts'

/** The time as the service sees it. Tests pass one they can move; nothing else asks the system for the time. */
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

/** A clock that stands still until it is told to move. */
export function stoppedClock(startMs: number): Clock & { advance(ms: number): void } {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
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
