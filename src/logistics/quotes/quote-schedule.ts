import type { ScheduleInput } from '../../../registry/logistics/schedule.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { toKobo } from '../../commerce/money.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import type { ScheduledQuote } from '../../store/tables/schedule.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { offersInTime } from '../estimates/service-times.ts'
import { proofWanted } from '../parcels/proof.ts'
import type { Understood } from '../parcels/resolve-route.ts'
import { currentSurge } from '../surge/current-surge.ts'
import { type ForeseenPrice, failoverOf, rulesOf } from './failover-rules.ts'
import { gatherOffers } from './gather-offers.ts'
import { planDispatch } from './plan-offers.ts'

interface Scheduled {
  readonly input: Pick<ScheduleInput, 'carriers' | 'failover' | 'proof'>
  readonly wanted: Understood
  /** When a carrier is to be called. */
  readonly pickupAt: Timestamp
  /** Null where nothing was promised. */
  readonly deliverBy: Timestamp | null
}

interface Outlook {
  readonly quote: ScheduledQuote | null
  /** Undefined where nobody offers to take it for what it may cost. */
  readonly foreseen: ForeseenPrice | undefined
  readonly warnings: readonly string[]
}

/** What the rider would cost as things are now. Nothing is bought or kept of it: the carriers are asked again when it is time. */
export async function quoteSchedule(
  context: LogisticsContext,
  tenant: Tenant,
  { input, wanted, pickupAt, deliverBy }: Scheduled,
): Promise<Outlook> {
  const now = toTimestamp(context.clock.nowMs())
  const surge = await currentSurge(context.database, tenant.mode, wanted.pickup.zoneId, now)
  const rules = rulesOf(failoverOf(input), wanted.serviceLevels)
  const { offers } = await gatherOffers(context, tenant, {
    ...wanted,
    carriers: rules.carriers ?? undefined,
    surge,
    proof: proofWanted(input.proof),
    pickupAt,
    calledAt: pickupAt,
  })
  const inTime = offersInTime(offers, pickupAt, deliverBy)
  const plan = planDispatch(inTime.offers, rules)
  const [first] = plan.offers
  if (first === undefined) {
    const isTooDear = plan.cheapestKobo !== undefined
    const hasOnlyLate = inTime.warnings.includes('no_offer_in_time') && !isTooDear
    const why = isTooDear ? ['price_ceiling_too_low'] : hasOnlyLate ? [] : ['no_offer']
    return { quote: null, foreseen: undefined, warnings: [...inTime.warnings, ...why] }
  }
  const { carrier, service, serviceLevel, priceKobo, dropoffMinutes } = first
  const foreseen = { priceKobo, ceilingKobo: toKobo(plan.ceilingKobo) }
  const quote = { carrier, service, serviceLevel, priceKobo, dropoffMinutes, surge }
  return { quote, foreseen, warnings: inTime.warnings }
}
