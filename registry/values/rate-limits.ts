/** Limits on the rate and the concurrency of requests of a token. The operator can configure other limits. */

/** Classes of operations. Each class has its own rate limit, so that a client that reads a lot can still refund. */
export const rateClasses = ['read', 'write', 'refund'] as const

export type RateClass = (typeof rateClasses)[number]

/**
 * A rate limit: `quota` requests are accepted at once, and the quota refills evenly within `seconds`. The sustained
 * rate is therefore `quota / seconds`.
 */
export interface RateLimit {
  readonly quota: number
  readonly seconds: number
}

export interface RateLimits extends Readonly<Record<RateClass, RateLimit>> {
  /** Limit of failed authentications from one source address. */
  readonly authentication: RateLimit
  /** Maximum number of requests of one token that the service processes at the same time. */
  readonly concurrency: number
}

export const defaultRateLimits: RateLimits = {
  // Rate limit of reads, 20 a second: enough for the pages of a shop and for a nightly synchronisation with 100 records
  // per page.
  read: { quota: 60, seconds: 3 },
  // Rate limit of writes, 10 a second, which suffices for the orders during a sale.
  write: { quota: 30, seconds: 3 },
  // Rate limit of refunds, 2 a second: refunds pay out money, and a person or a small batch creates them.
  refund: { quota: 10, seconds: 5 },
  // Rate limit of failed authentications: ten a minute. A client with a wrong configuration may fail this often, but a
  // token cannot be guessed at this rate.
  authentication: { quota: 10, seconds: 60 },
  // Limit of concurrent requests: more than twice the database connections of a merchant, so that requests wait for the
  // database before they reach this limit.
  concurrency: 20,
}

/**
 * Limits of a merchant, as a multiple of the limits of one of its tokens. A merchant has one token per integration, and
 * a few integrations are busy at the same time: a shop, a warehouse, accounting and a synchronisation.
 */
export const merchantMultiple = 4

export type RatePolicyName = RateClass | `${RateClass}-merchant` | 'authentication' | ConcurrencyPolicyName
export type ConcurrencyPolicyName = 'concurrency' | 'concurrency-merchant' | 'concurrency-export'

/**
 * Maximum values of a configured rate limit. Larger values are probably mistakes. Up to these values, sums can be
 * computed exactly.
 */
export const rateLimitBounds = { quotaMax: 1_000_000, secondsMax: 3_600, concurrencyMax: 100_000 } as const
