import { type RatePolicy, refillMs } from './allowance.ts'

/**
 * The state of a rate limit key in this process: its theoretical arrival time, and the number of its requests that are
 * not yet reported to the database.
 */
export interface Account {
  readonly key: string
  policy: RatePolicy
  /**
   * Theoretical arrival time (GCRA) of the rate limit key. All processes share the time that the last report stored in
   * the database. Each request that this process has accepted since then moves the time further.
   */
  arrivalMs: number
  /** Number of requests of the rate limit key that no report to the database contains yet. */
  unreported: number
  /** Number of requests of the rate limit key in the current report, which is being sent to the database. */
  reporting: number
  /** When the oldest unreported request of the rate limit key was accepted. */
  unreportedSinceMs: number
}

export const nothingUnreported = { unreported: 0, reporting: 0, unreportedSinceMs: 0 }

/** The part of this process's report to the database that concerns one rate limit key. */
export interface Charge {
  readonly key: string
  /**
   * Milliseconds by which the report moves the arrival time of the rate limit key forward. Negative if the report
   * subtracts requests that were counted first and rejected later.
   */
  readonly chargeMs: number
  /**
   * Milliseconds since the oldest request of this report was accepted. The quota was refilled during these
   * milliseconds, which is taken into account even if the report is late.
   */
  readonly ageMs: number
  readonly windowMs: number
}

export function takeUnreported(account: Account): number {
  const { unreported } = account
  account.reporting = unreported
  account.unreported = 0
  return unreported
}

export function chargeOf({ key, policy, unreported, unreportedSinceMs }: Account, nowMs: number): Charge {
  const isGivenBack = unreported <= 0
  return {
    key,
    chargeMs: unreported * refillMs(policy),
    ageMs: isGivenBack ? 0 : Math.max(0, nowMs - unreportedSinceMs),
    windowMs: policy.seconds * 1000,
  }
}

/**
 * Applies the response to a report. The theoretical arrival time of the rate limit account becomes the time that the
 * database returned, plus the time for the requests that the process has accepted since it sent the report.
 */
export function adopt(account: Account, sharedMs: number): void {
  account.arrivalMs = sharedMs + account.unreported * refillMs(account.policy)
}

/**
 * Counts the requests of a report as unreported again, because the report to the shared rate limits has failed.
 * Requests whose quota has refilled since they were accepted are left out.
 */
export function restore(account: Account, requests: number, nowMs: number): void {
  const counted = Math.ceil(Math.max(0, account.arrivalMs - nowMs) / refillMs(account.policy))
  account.unreported = Math.min(account.unreported + requests, counted)
  account.unreportedSinceMs = nowMs
}
