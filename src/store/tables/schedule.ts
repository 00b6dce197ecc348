import type { ScheduleBasis, ScheduleObjective } from '../../../registry/logistics/schedule.ts'
import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo, State, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { QuotedSurge } from './surge.ts'

/** A schedule as it is kept: what it was planned by, and what was answered. */

/** What is to be planned: all of it settled when the schedule was asked for, so that it can be planned again later. */
export interface ScheduleRequest {
  /** When the parcel was begun: the order’s confirmation, or the asking. */
  readonly begunAt: Timestamp
  /** When the merchant says it will be ready. */
  readonly readyAt: Timestamp | null
  /** How long the merchant says it takes from the asking. */
  readonly prepMinutes: { readonly p50: number; readonly p90: number } | null
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

/** When what is expected. */
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
  /** What it would have cost when it was asked for; missing in what was kept before prices were asked. */
  readonly quote?: ScheduledQuote | null
}

export interface ScheduledQuote {
  readonly carrier: string
  readonly service: string
  /** Missing in what was stored before the service counted. */
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
  /** What it would be best for; null is a call at once. */
  readonly optimizeFor: ScheduleObjective | null
  readonly dispatchAt: Timestamp
  readonly expectedRiderWaitSeconds: number
  readonly expectedParcelWaitSeconds: number
}
