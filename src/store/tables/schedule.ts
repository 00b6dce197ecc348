import type { ScheduleBasis, ScheduleObjective } from '../../../registry/logistics/schedule.ts'
import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { State } from '../../../registry/values/states.ts'
import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { QuotedSurge } from './surge.ts'

/** Stored types of predictive schedules: the request and the plan. */

/**
 * The values from which the times of a shipment are planned. They are fixed when the schedule is requested, so that the
 * shipment can be planned again later.
 */
export interface ScheduleRequest {
  /**
   * Start of the preparation: when the order was confirmed, or the time of the request if there is no confirmed order.
   */
  readonly begunAt: Timestamp
  /** The time at which the parcel is ready, as stated by the merchant. */
  readonly readyAt: Timestamp | null
  /** The preparation time stated by the merchant, in minutes from the time of the request. */
  readonly prepMinutes: { readonly p50: number; readonly p90: number } | null
  /** The time at which the schedule was requested. */
  readonly askedAt: Timestamp
  readonly deliverBy: Timestamp | null
  readonly optimizeFor: ScheduleObjective
  readonly distanceMeters: number
  readonly pickupState: State
}

interface Spread {
  readonly p50: Timestamp
  readonly p90: Timestamp
}

export interface ScheduleTimes {
  readonly dispatchAt: Timestamp
  readonly scheduledPickupAt: Timestamp
  readonly pickupWindow: { readonly from: Timestamp; readonly to: Timestamp }
  readonly readyAt: Spread
  readonly riderArrival: Spread
  readonly dropoff: Spread
  readonly expectedRiderWaitSeconds: number
  readonly expectedParcelWaitSeconds: number
  readonly lateProbability: number | null
  readonly criticalRatio: number
  readonly confidence: Confidence
  readonly replanAt: Timestamp | null
  readonly alternatives: readonly Alternative[]
  readonly warnings: readonly string[]
}

export interface SchedulePlan extends ScheduleTimes {
  /** The quoted price at the time of the request. Missing in plans that earlier releases stored without a quote. */
  readonly quote?: ScheduledQuote | null
}

export interface ScheduledQuote {
  readonly carrier: string
  readonly service: string
  /** Service level of the quote. Missing in quotes that earlier releases stored. */
  readonly serviceLevel?: ServiceLevel
  readonly dropoffMinutes?: { readonly p50: number; readonly p90: number } | null
  readonly priceKobo: Kobo
  readonly surge: QuotedSurge | null
}

export interface Confidence {
  readonly level: 'low' | 'medium' | 'high'
  readonly sampleSize: number
  readonly basis: ScheduleBasis
  readonly coverage90: number | null
}

interface Alternative {
  /** The objective of an alternative plan. Null for an immediate dispatch. */
  readonly optimizeFor: ScheduleObjective | null
  readonly dispatchAt: Timestamp
  readonly expectedRiderWaitSeconds: number
  readonly expectedParcelWaitSeconds: number
}
