import type { ScheduleBasis } from '../../../registry/logistics/schedule.ts'
import type { State } from '../../../registry/values/states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { EstimateKind, StoredEstimate, StoredQuantiles } from '../../store/logistics/schedule/quantiles.ts'
import { hourBucketOf, rushHour, wholeDay } from './hour-bucket.ts'
import { lognormal, medianPriorWeight, type Quantiles, shrunkTowards, widen } from './quantiles.ts'

/**
 * Estimates preparation, lead and travel times from observed durations. The levels of data go from general to specific:
 * default distribution, all merchants, the delivery zone, the merchant, the merchant in this hour bucket. A level with
 * few observations is shrunk towards the level before it.
 */

export interface Estimate {
  readonly quantiles: Quantiles
  /**
   * The level of data that mainly determines the estimate. It is the most specific level with enough observations to
   * outweigh the estimate of the more general levels.
   */
  readonly basis: ScheduleBasis
  readonly count: number
}

const minuteSeconds = 60

/**
 * Default distribution of the time in which a shop picks, irons and packs a garment. It applies before there are
 * observations. Its spread is wide, because the distribution is a guess.
 */
const prepPrior = lognormal(45 * minuteSeconds, 0.6)

/**
 * Default distribution of the lead time, before there are observations. The lead time lasts from the request until a
 * nearby bike rider arrives, and includes the time to find the rider.
 */
const leadPrior = lognormal(18 * minuteSeconds, 0.5)

export const priors = { prep: prepPrior, lead: leadPrior } as const

/**
 * Default distributions of travel times, which apply before there are observations: the speed of a bike, and the spread
 * of travel times over the same distance.
 */
const speedsKmPerHour = { rush: 18, lagos: 26, elsewhere: 32 } as const
const travelSigma = 0.35

/** Minimum travel time in seconds, for stairs and gates at both ends. */
const minTravelSeconds = 5 * minuteSeconds

/** Estimates the preparation time of an order whose preparation began at `begunAt`. */
export function prepOf(estimates: StoredEstimate, begunAt: Timestamp): Estimate {
  const estimate = levelsOf(estimates, 'prep', hourBucketOf(begunAt)).reduce(refined, priorOf(prepPrior))
  return { ...estimate, quantiles: widen(estimate.quantiles, wideningOf(estimates, 'ready')) }
}

/** Estimates the time from the carrier request at `calledAt` until the rider arrives at the pickup. */
export function leadOf(estimates: StoredEstimate, calledAt: Timestamp): Quantiles {
  const { quantiles } = levelsOf(estimates, 'lead', hourBucketOf(calledAt)).reduce(refined, priorOf(leadPrior))
  return widen(quantiles, wideningOf(estimates, 'arrival'))
}

export interface Trip {
  readonly distanceMeters: number
  readonly state: State
  readonly startsAt: Timestamp
}

export function travelOf(estimates: StoredEstimate, trip: Trip): Quantiles {
  const hourBucket = hourBucketOf(trip.startsAt)
  const prior = priorOf(lognormal(Math.max(minTravelSeconds, typicalSeconds(trip, hourBucket)), travelSigma))
  return levelsOf(estimates, 'travel', hourBucket).reduce(refined, prior).quantiles
}

function typicalSeconds({ distanceMeters, state }: Trip, hourBucket: number): number {
  const inLagos = hourBucket === rushHour ? speedsKmPerHour.rush : speedsKmPerHour.lagos
  const speed = state === 'Lagos' ? inLagos : speedsKmPerHour.elsewhere
  return (distanceMeters / 1000 / speed) * 3600
}

interface Level {
  readonly basis: ScheduleBasis
  readonly observed: StoredQuantiles | undefined
}

function levelsOf({ own, shared }: StoredEstimate, kind: EstimateKind, hourBucket: number): readonly Level[] {
  const is = (bucket: number) => (each: StoredQuantiles) => each.kind === kind && each.hourBucket === bucket
  const everywhere = shared.filter(({ zoneFrom }) => zoneFrom === '')
  const zone = shared.filter(({ zoneFrom }) => zoneFrom !== '')
  return [
    { basis: 'everywhere', observed: everywhere.find(is(wholeDay)) },
    { basis: 'everywhere', observed: everywhere.find(is(hourBucket)) },
    { basis: 'zone', observed: zone.find(is(wholeDay)) },
    { basis: 'zone', observed: zone.find(is(hourBucket)) },
    { basis: 'merchant', observed: own.find(is(wholeDay)) },
    { basis: 'merchant_hour', observed: own.find(is(hourBucket)) },
  ]
}

function refined(estimate: Estimate, { basis, observed }: Level): Estimate {
  const quantiles = shrunkTowards(estimate.quantiles, observed)
  return observed === undefined || observed.count <= medianPriorWeight
    ? { ...estimate, quantiles }
    : { quantiles, basis, count: observed.count }
}

function priorOf(quantiles: Quantiles): Estimate {
  return { quantiles, basis: 'prior', count: 0 }
}

function wideningOf({ calibrations }: StoredEstimate, kind: 'ready' | 'arrival'): number {
  return calibrations.find((each) => each.kind === kind)?.widening ?? 1
}
