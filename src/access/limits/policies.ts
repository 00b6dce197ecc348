import { LRUCache } from 'lru-cache'
import { merchantMultiple, type RateClass, type RateLimit } from '../../../registry/values/rate-limits.ts'
import { type MerchantLimits, parseMerchantLimits } from '../../base/rate-limits.ts'
import type { RatePolicy } from './allowance.ts'

export interface Policies {
  readonly ofToken: Readonly<Record<RateClass, RatePolicy>>
  readonly ofMerchant: Readonly<Record<RateClass, RatePolicy>>
  readonly concurrency: { readonly token: number; readonly merchant: number }
}

export function policiesOf(limits: MerchantLimits): Policies {
  const each = (policyOf: (rateClass: RateClass) => RatePolicy) => ({
    read: policyOf('read'),
    write: policyOf('write'),
    refund: policyOf('refund'),
  })
  return {
    ofToken: each((name) => ({ name, ...limits[name] })),
    ofMerchant: each((name) => ({ name: `${name}-merchant`, ...multiplied(limits[name]) })),
    concurrency: { token: limits.concurrency, merchant: merchantMultiple * limits.concurrency },
  }
}

function multiplied({ quota, seconds }: RateLimit): RateLimit {
  return { quota: quota * merchantMultiple, seconds }
}

/**
 * Maximum number of parsed rate limit configurations in the cache. The maximum is higher than the number of merchants
 * that have limits of their own. A configuration that was evicted from the cache is parsed again when it is needed.
 */
const linesMax = 1_000

/**
 * Returns a function that determines the rate limit policies of a merchant. The argument of this function is the text
 * of the merchant's own rate limits, or null if the merchant has none.
 */
export function openPolicies(limits: MerchantLimits): (line: string | null) => Policies {
  const configured = policiesOf(limits)
  const byLine = new LRUCache<string, Policies>({ max: linesMax })
  return (line) => {
    if (line === null) return configured
    const known = byLine.get(line)
    if (known !== undefined) return known
    // A later release may have stored rate limits of a merchant in a form that this release cannot parse. In that case,
    // the limits of the configuration apply to the merchant, as the safe choice.
    const own = parseMerchantLimits(line, limits)
    const policies = own === undefined ? configured : policiesOf(own)
    byLine.set(line, policies)
    return policies
  }
}
