/** Limits on how fast and how concurrently a token may send requests. The operator can configure others. */

/** The classes of operations. Each class has its own limit, so that a busy reader can still refund. */
export const rateClasses = ['read', 'write', 'refund'] as const

export type RateClass = (typeof rateClasses)[number]

/**
 * `quota` requests at once, which refill evenly within `seconds`. The sustained rate is therefore `quota / seconds`.
 */
export interface RateLimit {
  readonly quota: number
  readonly seconds: number
}

export interface RateLimits extends Readonly<Record<RateClass, RateLimit>> {
  /** Failed authentications of one source address. */
  readonly authentication: RateLimit
  /** Requests of one token that the service processes at the same time. */
  readonly concurrency: number
}

export const defaultRateLimits: RateLimits = {
  // 20 a second: a shop’s pages and a nightly synchronisation of 100 records per page.
  read: { quota: 60, seconds: 3 },
  // 10 a second: the orders of a sale.
  write: { quota: 30, seconds: 3 },
  // 2 a second: refunds pay out money, and a person or a small batch creates them.
  refund: { quota: 10, seconds: 5 },
  // Ten mistakes a minute while a token is configured. A token cannot be guessed at this rate.
  authentication: { quota: 10, seconds: 60 },
  // Twice the connections of a merchant, so that requests wait for the database and not for each other.
  concurrency: 20,
}

/**
 * The limits of a merchant are these multiples of the limits of its tokens. A merchant has one token per integration, and a
 * few of them are busy at the same time: a shop, a warehouse, accounting and a synchronisation.
 */
export const merchantMultiple = 4

/** The policies that a 429 response can name. */
export type RatePolicyName = RateClass | `${RateClass}-merchant` | 'authentication' | ConcurrencyPolicyName
export type ConcurrencyPolicyName = 'concurrency' | 'concurrency-merchant'

/** Limits of a configured limit. Larger numbers are mistakes, and the sums of the limiter stay exact. */
export const rateLimitBounds = { quotaMax: 1_000_000, secondsMax: 3_600, concurrencyMax: 100_000 } as const
