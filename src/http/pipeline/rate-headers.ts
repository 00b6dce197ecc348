import type { ConcurrencyPolicyName } from '../../../registry/values/rate-limits.ts'
import type { Standing } from '../../access/limits/rate-limiter.ts'

/**
 * The headers `RateLimit-Policy` and `RateLimit` (IETF draft “RateLimit header fields for HTTP”), for example:
 *
 *   RateLimit-Policy: "read-merchant";q=240;w=3, "read";q=60;w=3
 *   RateLimit: "read";r=59;t=1
 */

/**
 * Returns the rate limit headers of an accepted request: `RateLimit-Policy` with all policies, and `RateLimit` with the
 * policy closest to its limit.
 */
export function acceptedHeaders(standings: readonly Standing[]): Record<string, string> {
  const [first, ...others] = standings
  if (first === undefined) return {}
  const tightest = others.reduce((least, each) => (shareOf(each) <= shareOf(least) ? each : least), first)
  return {
    'RateLimit-Policy': standings.map(policyText).join(', '),
    RateLimit: limitText(tightest.policy.name, tightest.remaining, Math.ceil(tightest.resetMs / 1000)),
  }
}

export function rejectedHeaders(standing: Standing, retryAfterSeconds: number): Record<string, string> {
  return {
    'RateLimit-Policy': policyText(standing),
    RateLimit: limitText(standing.policy.name, 0, retryAfterSeconds),
    'Retry-After': String(retryAfterSeconds),
  }
}

/**
 * `Retry-After` in seconds for too many concurrent requests. The service cannot know when another request ends, but a
 * request normally takes milliseconds.
 */
const concurrencyRetrySeconds = 1

export function concurrencyHeaders(name: ConcurrencyPolicyName, max: number): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${max};qu="concurrent-requests"`,
    RateLimit: limitText(name, 0, concurrencyRetrySeconds),
    'Retry-After': String(concurrencyRetrySeconds),
  }
}

function shareOf({ policy, remaining }: Standing): number {
  return remaining / policy.quota
}

function policyText({ policy: { name, quota, seconds } }: Standing): string {
  return `"${name}";q=${quota};w=${seconds}`
}

function limitText(name: string, remaining: number, resetSeconds: number): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`
}
