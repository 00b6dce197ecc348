import type { ScheduleObjective } from '../../../registry/logistics/schedule.ts'
import { type Quantiles, quantileAt } from './quantiles.ts'

/**
 * When to call a rider for a parcel that is not ready yet. P is how long until it is, L how long from the call until the
 * rider is there, X = P − L. Called after τ, the rider waits (X − τ)⁺ and the parcel (τ − X)⁺. With ρ the rider’s share of
 * what a minute of either costs, the sum is least where X stays below τ in a share ρ of all cases: the newsvendor’s rule.
 */

/** How much a rider’s minute counts beside a parcel’s: ρ, the share of cases in which the parcel is ready first. */
export const criticalRatios = {
  // Twice as bad for the parcel to wait as for the rider.
  balanced: 1 / 3,
  // Four times: the rider stands there when the parcel is packed.
  speed: 0.2,
  // A rider who is made to wait often stays away next time.
  rider_wait: 0.6,
} as const satisfies Record<ScheduleObjective, number>

/** A minute later than promised is as bad as ten of a rider’s: it is what the customer remembers. */
const latenessWeight = 10

/** Fine enough for a tail of one in a hundred, and evaluated in a millisecond. */
const drawCount = 500

const minuteSeconds = 60

/** One way it may go, in seconds from now. */
export interface Draw {
  readonly ready: number
  readonly lead: number
  readonly travel: number
}

export interface Unknowns {
  /** From when it was begun. */
  readonly prep: Quantiles
  /** How long ago that was. */
  readonly begunSecondsAgo: number
  readonly lead: Quantiles
  readonly travel: Quantiles
}

/**
 * Powers of one over the root of x⁴ = x + 1, which spread points over a cube more evenly than chance would (Roberts’
 * generalised golden ratio). So the same question has the same answer, and five hundred draws do for thousands.
 */
const steps = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703] as const

export function drawTogether({ prep, begunSecondsAgo, lead, travel }: Unknowns): readonly Draw[] {
  const [prepStep, leadStep, travelStep] = steps
  return Array.from({ length: drawCount }, (_, index) => ({
    // That nobody said it is ready says nothing: so it may have been for a while.
    ready: Math.max(0, quantileAt(prep, pointOf(index, prepStep)) - begunSecondsAgo),
    lead: quantileAt(lead, pointOf(index, leadStep)),
    travel: quantileAt(travel, pointOf(index, travelStep)),
  }))
}

function pointOf(index: number, step: number): number {
  return (0.5 + index * step) % 1
}

export interface Wish {
  readonly criticalRatio: number
  /** Until when it has to be there; undefined where nothing was promised. */
  readonly deadlineSeconds?: number | undefined
}

/** How long to wait before the call, in seconds: never less than nothing. */
export function bestDelay(draws: readonly Draw[], { criticalRatio, deadlineSeconds }: Wish): number {
  if (deadlineSeconds !== undefined) return bestDelayBefore(draws, { criticalRatio, deadlineSeconds })
  return Math.max(0, shareOf(draws.map(gapOf), criticalRatio))
}

/**
 * With a promise there is no formula, so the mean cost of a call at each whole minute is looked at. It falls and then rises,
 * being a sum of such costs, so the lowest minute is found by halving.
 */
function bestDelayBefore(draws: readonly Draw[], wish: Required<Wish> & { readonly deadlineSeconds: number }): number {
  const costAt = (minute: number) => meanOf(draws, (draw) => costOf(draw, minute * minuteSeconds, wish))
  let low = 0
  let high = Math.max(0, Math.ceil(Math.max(...draws.map(gapOf)) / minuteSeconds))
  while (low < high) {
    const half = Math.floor((low + high) / 2)
    if (costAt(half) <= costAt(half + 1)) high = half
    else low = half + 1
  }
  return low * minuteSeconds
}

function costOf(draw: Draw, delay: number, wish: Wish & { readonly deadlineSeconds: number }): number {
  const { criticalRatio, deadlineSeconds } = wish
  const late = Math.max(0, arrivalOf(draw, delay) - deadlineSeconds)
  return (
    riderWaitOf(draw, delay) + ((1 - criticalRatio) / criticalRatio) * parcelWaitOf(draw, delay) + latenessWeight * late
  )
}

/** What a call after so many seconds is expected to bring. */
export interface Outlook {
  readonly riderWaitSeconds: number
  readonly parcelWaitSeconds: number
}

export function outlookOf(draws: readonly Draw[], delay: number): Outlook {
  return {
    riderWaitSeconds: meanOf(draws, (draw) => riderWaitOf(draw, delay)),
    parcelWaitSeconds: meanOf(draws, (draw) => parcelWaitOf(draw, delay)),
  }
}

export function lateProbability(draws: readonly Draw[], delay: number, deadlineSeconds: number): number {
  return meanOf(draws, (draw) => (arrivalOf(draw, delay) > deadlineSeconds ? 1 : 0))
}

/** What the values stay under in such a share of all draws. */
export function shareOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  if (value === undefined) throw new Error('There is nothing to take a share of.')
  return value
}

/**
 * Finding the counter, checking the parcel, a photograph: a minute or two between the meeting of parcel and rider and the
 * pick-up, with which the way begins as it is learnt. Nobody tells how long it was, so it cannot be learnt.
 */
const handoverSeconds = 90

/** When it is at the customer’s. */
export function arrivalOf({ ready, lead, travel }: Draw, delay: number): number {
  return Math.max(ready, delay + lead) + handoverSeconds + travel
}

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
