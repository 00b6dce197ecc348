import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { ScheduleTimes } from '../../store/tables/schedule.ts'
import { momentsOf } from '../moments.ts'
import { lognormalThrough, quantileAt } from './quantiles.ts'

/** What the service that carries a parcel means for a schedule: the rider's way is not all of a parcel that travels overnight. */

export interface ServiceTimes {
  readonly serviceLevel: ServiceLevel
  /** From the call to the door, as the carrier says; null where it says nothing. */
  readonly dropoffMinutes: { readonly p50: number; readonly p90: number } | null
}

/** A promise that is more likely broken than kept should not be made. */
export const unlikely = 0.5

/**
 * The offers that arrive by the deadline in nine of ten cases when the carrier is called at that moment. Where there is
 * none, the on-demand offers stay: nothing else could be sooner. Slower services never stay.
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

/** A carrier that says nothing of its time is believed to come on demand, and to be late with anything slower. */
function isLate({ serviceLevel, dropoffMinutes }: ServiceTimes, calledAt: Timestamp, deliverBy: Timestamp): boolean {
  const arrival = momentsOf(calledAt, dropoffMinutes)
  return arrival === null ? serviceLevel !== 'on_demand' : toMs(arrival.p90) > toMs(deliverBy)
}

/** The schedule with the service's own time to the door, wherever that is longer than what is learnt of riders. */
export function withService<Schedule extends ScheduleTimes>(
  schedule: Schedule,
  { dropoffMinutes }: Pick<ServiceTimes, 'dropoffMinutes'>,
  deliverBy: Timestamp | null,
): Schedule {
  const arrival = momentsOf(schedule.dispatchAt, dropoffMinutes)
  if (arrival === null || dropoffMinutes === null) return schedule
  const { dropoff, warnings } = schedule
  const later = (one: Timestamp, other: Timestamp) => (toMs(one) > toMs(other) ? one : other)
  const lateProbability =
    schedule.lateProbability === null || deliverBy === null
      ? null
      : Math.max(schedule.lateProbability, shareLater(dropoffMinutes, schedule.dispatchAt, deliverBy))
  const isUnlikely = (lateProbability ?? 0) > unlikely && !warnings.includes('deadline_unlikely')
  return {
    ...schedule,
    dropoff: { p50: later(dropoff.p50, arrival.p50), p90: later(dropoff.p90, arrival.p90) },
    lateProbability,
    warnings: isUnlikely ? [...warnings, 'deadline_unlikely'] : warnings,
  }
}

/** As many steps as draws of the schedule itself. */
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
