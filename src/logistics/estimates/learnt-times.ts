import type { ScheduleBasis } from '../../../registry/logistics/schedule.ts'
import type { State, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { EstimateKind, StoredEstimate, StoredQuantiles } from '../../store/logistics/schedule/quantiles.ts'
import { hourBucketOf, rushHour, wholeDay } from './hour-bucket.ts'
import { leanOn, lognormal, medianLean, type Quantiles, widen } from './quantiles.ts'

/**
 * How long things take a merchant, from the general to the particular: what is known of such things anywhere, in the
 * delivery zone, of the merchant, of the merchant at that time of the day. Each step leans on the one before while there is little of it.
 */

export interface Known {
  readonly quantiles: Quantiles
  /** The most particular step that says more than what it leans on. */
  readonly basis: ScheduleBasis
  readonly count: number
}

const minuteSeconds = 60

/** Picking, ironing and wrapping a ready-made piece. It is a guess, and as wide as one. */
const prepPrior = lognormal(45 * minuteSeconds, 0.6)

/** A rider on a bike from the neighbourhood, the time included until one is found. */
const leadPrior = lognormal(18 * minuteSeconds, 0.5)

export const priors = { prep: prepPrior, lead: leadPrior } as const

/** How fast a bike gets on, and how far ways of the same length differ. */
const speedsKmPerHour = { rush: 18, lagos: 26, elsewhere: 32 } as const
const travelSigma = 0.35

/** Stairs and gates at both ends: nobody arrives at once, however near. */
const leastTravelSeconds = 5 * minuteSeconds

export function prepOf(learnt: StoredEstimate, begunAt: Timestamp): Known {
  const known = stepsOf(learnt, 'prep', hourBucketOf(begunAt)).reduce(lean, priorOf(prepPrior))
  return { ...known, quantiles: widen(known.quantiles, wideningOf(learnt, 'ready')) }
}

export function leadOf(learnt: StoredEstimate, calledAt: Timestamp): Quantiles {
  const { quantiles } = stepsOf(learnt, 'lead', hourBucketOf(calledAt)).reduce(lean, priorOf(leadPrior))
  return widen(quantiles, wideningOf(learnt, 'arrival'))
}

export interface Way {
  readonly distanceMeters: number
  readonly state: State
  readonly startsAt: Timestamp
}

export function travelOf(learnt: StoredEstimate, way: Way): Quantiles {
  const hourBucket = hourBucketOf(way.startsAt)
  const prior = priorOf(lognormal(Math.max(leastTravelSeconds, usualSecondsOf(way, hourBucket)), travelSigma))
  return stepsOf(learnt, 'travel', hourBucket).reduce(lean, prior).quantiles
}

function usualSecondsOf({ distanceMeters, state }: Way, hourBucket: number): number {
  const inLagos = hourBucket === rushHour ? speedsKmPerHour.rush : speedsKmPerHour.lagos
  const speed = state === 'Lagos' ? inLagos : speedsKmPerHour.elsewhere
  return (distanceMeters / 1000 / speed) * 3600
}

interface Step {
  readonly basis: ScheduleBasis
  readonly seen: StoredQuantiles | undefined
}

function stepsOf({ own, shared }: StoredEstimate, kind: EstimateKind, hourBucket: number): readonly Step[] {
  const is = (bucket: number) => (each: StoredQuantiles) => each.kind === kind && each.hourBucket === bucket
  const everywhere = shared.filter(({ zoneFrom }) => zoneFrom === '')
  const zone = shared.filter(({ zoneFrom }) => zoneFrom !== '')
  return [
    { basis: 'everywhere', seen: everywhere.find(is(wholeDay)) },
    { basis: 'everywhere', seen: everywhere.find(is(hourBucket)) },
    { basis: 'zone', seen: zone.find(is(wholeDay)) },
    { basis: 'zone', seen: zone.find(is(hourBucket)) },
    { basis: 'merchant', seen: own.find(is(wholeDay)) },
    { basis: 'merchant_hour', seen: own.find(is(hourBucket)) },
  ]
}

function lean(known: Known, { basis, seen }: Step): Known {
  const quantiles = leanOn(known.quantiles, seen)
  return seen === undefined || seen.count <= medianLean
    ? { ...known, quantiles }
    : { quantiles, basis, count: seen.count }
}

function priorOf(quantiles: Quantiles): Known {
  return { quantiles, basis: 'prior', count: 0 }
}

function wideningOf({ calibrations }: StoredEstimate, kind: 'ready' | 'arrival'): number {
  return calibrations.find((each) => each.kind === kind)?.widening ?? 1
}
