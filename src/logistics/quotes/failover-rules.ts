import type { Failover } from '../../../registry/logistics/shipments.ts'
import { dispatchAttemptsMax } from '../../../registry/values/limits.ts'
import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { FailoverRules } from '../../store/tables/shipment.ts'
import type { Understood } from '../parcels/resolve-route.ts'

/** What a shipment would cost were it offered now, and what it may therefore cost when it is. */
export interface ForeseenPrice {
  readonly priceKobo: Kobo
  readonly ceilingKobo: Kobo
}

/** Without a choice of the request’s, the rules of failover. */
const standardFailover: Failover = { enabled: true, strategy: 'best_value', maxAttempts: 3 }

interface Choice {
  readonly failover?: Failover | undefined
  readonly carriers?: readonly string[] | undefined
}

/** Whom to ask may be said of the offers and of the failover; where both are said, both hold. */
export function failoverOf({ failover = standardFailover, carriers }: Choice): Failover {
  if (carriers === undefined) return failover
  const both = failover.carriers?.filter((code) => carriers.includes(code))
  return { ...failover, carriers: both ?? [...carriers] }
}

/** Without failover one carrier is asked, and no more. */
export function rulesOf(failover: Failover, serviceLevels: Understood['serviceLevels']): FailoverRules {
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
