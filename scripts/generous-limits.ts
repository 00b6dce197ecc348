import type { RateLimits } from '../registry/values/rate-limits.ts'
import { formatRateLimits } from '../src/base/rate-limits.ts'

const unreachable = { quota: 1_000_000, seconds: 1 }

/**
 * Rate limits that no test or measurement reaches, although both send requests as fast as they can. The limiter works
 * as usual.
 */
export const generousLimits: RateLimits = {
  read: unreachable,
  write: unreachable,
  refund: unreachable,
  authentication: unreachable,
  concurrency: 10_000,
}

export const generousEnvironment = { RATE_LIMITS: formatRateLimits(generousLimits) }
