import type { ScheduleInput } from '../../../registry/logistics/schedules.ts'
import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toKobo } from '../../commerce/money.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import type { ScheduledQuote } from '../../store/tables/schedule.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { offersInTime } from '../estimates/service-times.ts'
import { requestedProof } from '../parcels/proof.ts'
import type { ResolvedRoute } from '../parcels/resolve-route.ts'
import { type ExpectedPrice, failoverFor, rulesOf } from './failover-rules.ts'
import { gatherOffers } from './gather-offers.ts'
import { planDispatch } from './plan-offers.ts'

interface ScheduledDispatch {
  readonly input: Pick<ScheduleInput, 'carriers' | 'failover' | 'proof'>
  /** Null without cash on delivery. */
  readonly codAmountKobo: Kobo | null
  readonly route: ResolvedRoute
  /** Time of the request to the carrier. The expected price is the price at this time. */
  readonly pickupAt: Timestamp
  /** Null without a deadline. */
  readonly deliverBy: Timestamp | null
}

interface ScheduleQuote {
  readonly quote: ScheduledQuote | null
  /** Undefined when no carrier makes an offer within the price ceiling. */
  readonly expectedPrice: ExpectedPrice | undefined
  readonly warnings: readonly string[]
}

/**
 * Requests the price that a scheduled dispatch would have now. The offers are not stored: carriers are requested again
 * at dispatch time.
 */
export async function quoteSchedule(
  context: LogisticsContext,
  tenant: Tenant,
  { input, codAmountKobo, route, pickupAt, deliverBy }: ScheduledDispatch,
): Promise<ScheduleQuote> {
  const rules = rulesOf(failoverFor(input), route.serviceLevels)
  const { offers, surge } = await gatherOffers(context, tenant, {
    ...route,
    carriers: rules.carriers ?? undefined,
    proof: requestedProof(input.proof),
    codAmountKobo,
    pickupAt,
    calledAt: pickupAt,
  })
  const inTime = offersInTime(offers, pickupAt, deliverBy)
  const plan = planDispatch(inTime.offers, rules)
  const [first] = plan.offers
  if (first === undefined) {
    const isCeilingTooLow = plan.cheapestKobo !== undefined
    const hasOnlyLateOffers = inTime.warnings.includes('no_offer_in_time') && !isCeilingTooLow
    const warnings = isCeilingTooLow ? ['price_ceiling_too_low'] : hasOnlyLateOffers ? [] : ['no_offer']
    return { quote: null, expectedPrice: undefined, warnings: [...inTime.warnings, ...warnings] }
  }
  const { carrier, service, serviceLevel, priceKobo, dropoffMinutes } = first
  const expectedPrice = { priceKobo, ceilingKobo: toKobo(plan.ceilingKobo) }
  const quote = { carrier, service, serviceLevel, priceKobo, dropoffMinutes, surge }
  return { quote, expectedPrice, warnings: inTime.warnings }
}
