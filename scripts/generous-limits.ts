import type { RateLimits } from '../registry/values/rate-limits.ts'
import { formatRateLimits } from '../src/base/rate-limits.ts'

const unreachable = { quota: 1_000_000, seconds: 1 }

/** Rate limits for tests and measurements, which send as fast as they can. The service decides and reports as usual. */
export const generousLimits: RateLimits = {
  read: unreachable,
  write: unreachable,
  refund: unreachable,
  authentication: unreachable,
  concurrency: 10_000,
}

/** The same as an environment variable of a process. */
export const generousEnvironment = { RATE_LIMITS: formatRateLimits(generousLimits) }
