import {
  defaultRateLimits,
  type RateLimit,
  type RateLimits,
  rateClasses,
  rateLimitBounds,
} from '../../registry/values/rate-limits.ts'

/**
 * Rate limits as one line of text, such as `read=60/3, write=30/3, refund=10/5, authentication=10/60, concurrency=20`.
 * A limit is its quota and the seconds in which the quota refills. A limit that is missing in the line does not change.
 */

const limitNames = [...rateClasses, 'authentication'] as const

/**
 * The rate limits that can be set for a single merchant. The limit of failed authentications is not among them, because
 * a failed authentication belongs to no merchant.
 */
export type MerchantLimits = Omit<RateLimits, 'authentication'>

/** Returns undefined when the line is invalid. */
export function parseRateLimits(line: string, base: RateLimits = defaultRateLimits): RateLimits | undefined {
  const named = new Set<string>()
  let limits = base
  for (const part of line.split(',')) {
    const [, name = '', value = ''] = /^([a-z]+)\s*=\s*([\d/]+)$/.exec(part.trim()) ?? []
    const changed = named.has(name) ? undefined : withLimit(limits, name, value)
    if (changed === undefined) return undefined
    named.add(name)
    limits = changed
  }
  return limits
}

/** Returns undefined when the line is invalid. */
export function parseMerchantLimits(line: string, base: MerchantLimits): MerchantLimits | undefined {
  const limits = parseRateLimits(line, { ...base, authentication: defaultRateLimits.authentication })
  return line.includes('authentication') ? undefined : limits
}

/** Formats rate limits as a line that parseRateLimits() accepts. */
export function formatRateLimits(limits: RateLimits): string {
  const named = limitNames.map((name) => `${name}=${limits[name].quota}/${limits[name].seconds}`)
  return [...named, `concurrency=${limits.concurrency}`].join(', ')
}

function withLimit(limits: RateLimits, name: string, value: string): RateLimits | undefined {
  if (name === 'concurrency') {
    const concurrency = numberOf(value, rateLimitBounds.concurrencyMax)
    return concurrency === undefined ? undefined : { ...limits, concurrency }
  }
  const limit = limitOf(value)
  return limit === undefined || !isLimitName(name) ? undefined : { ...limits, [name]: limit }
}

function isLimitName(name: string): name is (typeof limitNames)[number] {
  return limitNames.some((known) => known === name)
}

function limitOf(value: string): RateLimit | undefined {
  const [quotaText = '', secondsText = '', ...more] = value.split('/')
  const quota = numberOf(quotaText, rateLimitBounds.quotaMax)
  const seconds = numberOf(secondsText, rateLimitBounds.secondsMax)
  return quota === undefined || seconds === undefined || more.length > 0 ? undefined : { quota, seconds }
}

/** Parses a whole number from 1 to `max`. Zero is invalid: a rate limit of zero would reject every request. */
function numberOf(text: string, max: number): number | undefined {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0
  return value >= 1 && value <= max ? value : undefined
}
