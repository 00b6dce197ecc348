import type { ScheduleObjective } from '../../../registry/logistics/schedule.ts'
import { type Quantiles, quantileAt } from './quantiles.ts'

/**
 * Computes when to request a rider for a parcel that is not ready yet, by the newsvendor model. P is the time until the
 * parcel is ready, L is the lead time from the request until the rider arrives, and X = P − L. If the request is made
 * after the delay τ, the rider waits (X − τ)⁺ and the parcel waits (τ − X)⁺. With ρ = rider cost / (rider cost + parcel
 * cost) per minute, the expected cost is lowest when τ is the ρ quantile of X.
 */

/**
 * The critical ratio ρ of each scheduling objective: the share of cases in which the parcel is ready before the rider
 * arrives.
 */
export const criticalRatios = {
  // Scheduling objective `balanced`: a minute of parcel waiting costs twice as much as a minute of rider waiting.
  balanced: 1 / 3,
  // Objective `speed`: a minute of parcel waiting costs four times as much as a minute of rider waiting, so the rider
  // usually arrives before the parcel is packed.
  speed: 0.2,
  // Objective `rider_wait`: a minute of rider waiting costs more than a minute of parcel waiting, because riders avoid
  // merchants where they often have to wait.
  rider_wait: 0.6,
} as const satisfies Record<ScheduleObjective, number>

/**
 * Cost of a minute of lateness, in minutes of rider waiting. It is high, because customers remember late deliveries.
 */
const latenessWeight = 10

/** Number of simulated outcomes: enough to estimate a probability of 1%, and evaluated within a millisecond. */
const drawCount = 500

const minuteSeconds = 60

/**
 * One simulated delivery: the time until the parcel is ready, the lead time from the request until the rider arrives,
 * and the travel time. All times are in seconds.
 */
export interface Draw {
  readonly ready: number
  readonly lead: number
  readonly travel: number
}

export interface DurationQuantiles {
  /** Quantiles of the preparation time of a parcel, counted from the start of the preparation. */
  readonly prep: Quantiles
  /** Number of seconds since the preparation of the parcel started. */
  readonly begunSecondsAgo: number
  readonly lead: Quantiles
  readonly travel: Quantiles
}

/**
 * Powers of the inverse root of x⁴ = x + 1, the step sizes of a low-discrepancy sequence in three dimensions (Roberts'
 * generalised golden ratio). The sequence is deterministic and covers the space more evenly than random points, so that
 * 500 draws are as accurate as thousands of random ones.
 */
const steps = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703] as const

/** The distributions of preparation, lead and travel times are independent. */
export function drawOutcomes({ prep, begunSecondsAgo, lead, travel }: DurationQuantiles): readonly Draw[] {
  const [prepStep, leadStep, travelStep] = steps
  return Array.from({ length: drawCount }, (_, index) => ({
    // The remaining preparation time is at least 0. The service is not notified when a parcel is ready, so a parcel may
    // have been ready for a while.
    ready: Math.max(0, quantileAt(prep, pointOf(index, prepStep)) - begunSecondsAgo),
    lead: quantileAt(lead, pointOf(index, leadStep)),
    travel: quantileAt(travel, pointOf(index, travelStep)),
  }))
}

function pointOf(index: number, step: number): number {
  return (0.5 + index * step) % 1
}

export interface DelayGoal {
  readonly criticalRatio: number
  /** Undefined without a deadline. */
  readonly deadlineSeconds?: number | undefined
}

/** Returns the delay in seconds with which the carrier request has the lowest expected cost. At least 0. */
export function bestDelay(draws: readonly Draw[], { criticalRatio, deadlineSeconds }: DelayGoal): number {
  if (deadlineSeconds !== undefined) return bestDelayBefore(draws, { criticalRatio, deadlineSeconds })
  return Math.max(0, sampleQuantile(draws.map(gapOf), criticalRatio))
}

/**
 * Returns the delay of the carrier request, in whole minutes, that has the lowest mean cost. With a deadline, this
 * delay cannot be calculated by a formula. The mean cost is convex in the delay, so a binary search finds the minimum.
 */
function bestDelayBefore(
  draws: readonly Draw[],
  goal: Required<DelayGoal> & { readonly deadlineSeconds: number },
): number {
  const costAt = (minute: number) => meanOf(draws, (draw) => costOf(draw, minute * minuteSeconds, goal))
  let low = 0
  let high = Math.max(0, Math.ceil(Math.max(...draws.map(gapOf)) / minuteSeconds))
  while (low < high) {
    const half = Math.floor((low + high) / 2)
    if (costAt(half) <= costAt(half + 1)) high = half
    else low = half + 1
  }
  return low * minuteSeconds
}

function costOf(draw: Draw, delay: number, goal: DelayGoal & { readonly deadlineSeconds: number }): number {
  const { criticalRatio, deadlineSeconds } = goal
  const late = Math.max(0, arrivalOf(draw, delay) - deadlineSeconds)
  return (
    riderWaitOf(draw, delay) + ((1 - criticalRatio) / criticalRatio) * parcelWaitOf(draw, delay) + latenessWeight * late
  )
}

/** The mean waiting times of rider and parcel that result from a delay of the carrier request. */
export interface ExpectedWaits {
  readonly riderWaitSeconds: number
  readonly parcelWaitSeconds: number
}

export function expectedWaits(draws: readonly Draw[], delay: number): ExpectedWaits {
  return {
    riderWaitSeconds: meanOf(draws, (draw) => riderWaitOf(draw, delay)),
    parcelWaitSeconds: meanOf(draws, (draw) => parcelWaitOf(draw, delay)),
  }
}

export function lateProbability(draws: readonly Draw[], delay: number, deadlineSeconds: number): number {
  return meanOf(draws, (draw) => (arrivalOf(draw, delay) > deadlineSeconds ? 1 : 0))
}

/** Returns the quantile at `share`, between 0 and 1, of a sample of values. */
export function sampleQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  if (value === undefined) throw new Error('A quantile requires at least one value.')
  return value
}

/**
 * Time for the handover: finding the counter, checking the parcel and taking a photograph. The handover takes one to
 * two minutes after both the rider and the parcel are there. It ends with the pickup, from which the travel time is
 * measured. No carrier reports the duration of the handover, so it cannot be estimated from data.
 */
const handoverSeconds = 90

/** Returns the seconds until the parcel arrives at the recipient in a simulated outcome. */
export function arrivalOf({ ready, lead, travel }: Draw, delay: number): number {
  return Math.max(ready, delay + lead) + handoverSeconds + travel
}

/**
 * Returns X = P − L, preparation minus lead time: the seconds from the arrival of a rider who is requested now until
 * the parcel is ready.
 */
function gapOf({ ready, lead }: Draw): number {
  return ready - lead
}

function riderWaitOf(draw: Draw, delay: number): number {
  return Math.max(0, gapOf(draw) - delay)
}

function parcelWaitOf(draw: Draw, delay: number): number {
  return Math.max(0, delay - gapOf(draw))
}

function meanOf(draws: readonly Draw[], measure: (draw: Draw) => number): number {
  return draws.reduce((sum, draw) => sum + measure(draw), 0) / draws.length
}
