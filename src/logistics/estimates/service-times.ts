import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { ScheduleTimes } from '../../store/tables/schedule.ts'
import { momentsOf, notBefore } from '../moments.ts'
import { lognormalThrough, quantileAt } from './quantiles.ts'

/**
 * Adjusts predicted schedules to the delivery time of the carrier's service. A next-day service, for example, takes
 * longer than the rider's travel time.
 */

export interface ServiceTimes {
  readonly serviceLevel: ServiceLevel
  /** The carrier's estimate of the time from dispatch to delivery. Null when the carrier gives none. */
  readonly dropoffMinutes: { readonly p50: number; readonly p90: number } | null
}

/** Probability of a late delivery above which a schedule has the warning `deadline_unlikely`. */
export const unlikely = 0.5

/**
 * Returns the offers that meet the deadline with a probability of 90% when they are dispatched at `calledAt`. If none
 * does, returns the on-demand offers, because they are the fastest.
 */
export function offersInTime<Offer extends ServiceTimes>(
  offers: readonly Offer[],
  calledAt: Timestamp,
  deliverBy: Timestamp | null,
): { readonly offers: readonly Offer[]; readonly warnings: readonly string[] } {
  if (deliverBy === null || offers.length === 0) return { offers, warnings: [] }
  const inTime = offers.filter((offer) => !isLate(offer, calledAt, deliverBy))
  if (inTime.length === offers.length) return { offers, warnings: [] }
  if (inTime.length > 0) return { offers: inTime, warnings: ['late_offers_excluded'] }
  const onDemand = offers.filter(({ serviceLevel }) => serviceLevel === 'on_demand')
  return { offers: onDemand, warnings: ['no_offer_in_time'] }
}

/**
 * Whether an offer misses the delivery deadline. If the carrier gives no estimate, an on-demand offer is assumed to
 * meet the deadline, and any other offer is assumed to miss it.
 */
function isLate({ serviceLevel, dropoffMinutes }: ServiceTimes, calledAt: Timestamp, deliverBy: Timestamp): boolean {
  const arrival = momentsOf(calledAt, dropoffMinutes)
  return arrival === null ? serviceLevel !== 'on_demand' : toMs(arrival.p90) > toMs(deliverBy)
}

/**
 * Returns the schedule with the later of two estimated delivery times. One is the estimate of the carrier's service,
 * and the other one is computed from the rider's travel time.
 */
export function withService<Schedule extends ScheduleTimes>(
  schedule: Schedule,
  { dropoffMinutes }: Pick<ServiceTimes, 'dropoffMinutes'>,
  deliverBy: Timestamp | null,
): Schedule {
  const arrival = momentsOf(schedule.dispatchAt, dropoffMinutes)
  if (arrival === null || dropoffMinutes === null) return schedule
  const { dropoff, warnings } = schedule
  const lateProbability =
    schedule.lateProbability === null || deliverBy === null
      ? null
      : Math.max(schedule.lateProbability, shareLater(dropoffMinutes, schedule.dispatchAt, deliverBy))
  const isUnlikely = (lateProbability ?? 0) > unlikely && !warnings.includes('deadline_unlikely')
  return {
    ...schedule,
    dropoff: notBefore(dropoff, arrival),
    lateProbability,
    warnings: isUnlikely ? [...warnings, 'deadline_unlikely'] : warnings,
  }
}

/** Number of quantiles at which a duration is evaluated, the same as the number of simulated outcomes of a schedule. */
const steps = 500

function shareLater(
  { p50, p90 }: { readonly p50: number; readonly p90: number },
  calledAt: Timestamp,
  deliverBy: Timestamp,
): number {
  const seconds = lognormalThrough({ p50: p50 * 60, p90: p90 * 60 })
  const leftSeconds = (toMs(deliverBy) - toMs(calledAt)) / 1000
  const late = Array.from({ length: steps }, (_, index) => quantileAt(seconds, (index + 0.5) / steps))
  return late.filter((each) => each > leftSeconds).length / steps
}
