import type { RateLimit, RatePolicyName } from '../../../registry/values/rate-limits.ts'

/**
 * The generic cell rate algorithm (GCRA). It stores one number for each rate limit, the theoretical arrival time: the
 * moment at which the whole quota is available again. Each request adds the refill time of one request to this time. A
 * request is rejected if the result would be later than now plus the window of the limit. The client must wait for
 * exactly the difference.
 */

/** A rate limit, with the name under which response headers mention it. */
export interface RatePolicy extends RateLimit {
  readonly name: RatePolicyName
}

/**
 * Tolerance in milliseconds for rounding errors in sums of times, far below the refill time of the fastest rate limit.
 */
const epsilonMs = 1e-6

export function refillMs({ quota, seconds }: RateLimit): number {
  return (seconds * 1000) / quota
}

/** Returns 0 when the rate limit accepts a request now. */
export function waitMs(limit: RateLimit, arrivalMs: number, nowMs: number): number {
  const excessMs = Math.max(arrivalMs, nowMs) + refillMs(limit) - (nowMs + limit.seconds * 1000)
  return excessMs <= epsilonMs ? 0 : excessMs
}

export function remaining(limit: RateLimit, arrivalMs: number, nowMs: number): number {
  const freeMs = nowMs + limit.seconds * 1000 - Math.max(arrivalMs, nowMs)
  return Math.max(0, Math.floor((freeMs + epsilonMs) / refillMs(limit)))
}

/**
 * Returns the theoretical arrival time after further requests. A negative number subtracts requests that were counted
 * before.
 */
export function moved(limit: RateLimit, arrivalMs: number, { nowMs, requests }: Move): number {
  return Math.max(arrivalMs, nowMs) + requests * refillMs(limit)
}

interface Move {
  readonly nowMs: number
  readonly requests: number
}
