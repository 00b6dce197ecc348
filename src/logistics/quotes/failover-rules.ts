import type { Failover } from '../../../registry/logistics/failover.ts'
import { dispatchAttemptsMax } from '../../../registry/values/limits.ts'
import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { FailoverRules } from '../../store/tables/shipment.ts'
import type { ResolvedRoute } from '../parcels/resolve-route.ts'

/**
 * The price that a scheduled dispatch would have if it were made now, and the price ceiling that is derived from this
 * price.
 */
export interface ExpectedPrice {
  readonly priceKobo: Kobo
  readonly ceilingKobo: Kobo
}

/** The failover settings for a request that contains none. */
const standardFailover: Failover = { enabled: true, strategy: 'best_value', maxAttempts: 3 }

interface Choice {
  readonly failover?: Failover | undefined
  readonly carriers?: readonly string[] | undefined
}

/** If both the request and its failover settings list carriers, only carriers in both lists are allowed. */
export function failoverFor({ failover = standardFailover, carriers }: Choice): Failover {
  if (carriers === undefined) return failover
  const both = failover.carriers?.filter((code) => carriers.includes(code))
  return { ...failover, carriers: both ?? [...carriers] }
}

/** If failover is disabled, the maximum is one attempt. */
export function rulesOf(failover: Failover, serviceLevels: ResolvedRoute['serviceLevels']): FailoverRules {
  return {
    enabled: failover.enabled,
    strategy: failover.strategy,
    maxAttempts: failover.enabled ? Math.min(failover.maxAttempts, dispatchAttemptsMax) : 1,
    carriers: failover.carriers ?? null,
    excludeCarriers: failover.excludeCarriers ?? null,
    maxPriceKobo: failover.maxPriceKobo ?? null,
    maxPriceIncreaseKobo: failover.maxPriceIncreaseKobo ?? null,
    assignTimeoutSeconds: failover.assignTimeoutSeconds ?? null,
    onUnknown: failover.onUnknown ?? null,
    serviceLevels,
  }
}
