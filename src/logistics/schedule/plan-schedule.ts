import type { ScheduleBasis, ScheduleObjective } from '../../../registry/logistics/schedule.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { StoredEstimate } from '../../store/logistics/schedule/quantiles.ts'
import type { Confidence, ScheduleRequest, ScheduleTimes } from '../../store/tables/schedule.ts'
import { leadOf, prepOf, travelOf } from '../estimates/duration-estimates.ts'
import {
  arrivalOf,
  bestDelay,
  criticalRatios,
  type Draw,
  drawOutcomes,
  expectedWaits,
  lateProbability,
  sampleQuantile,
} from '../estimates/newsvendor.ts'
import { lognormal, lognormalThrough, type Quantiles, quantileAt } from '../estimates/quantiles.ts'
import { unlikely } from '../estimates/service-times.ts'
import { notBefore } from '../moments.ts'

/**
 * Time before the dispatch at which a schedule is computed again with fresh estimates. A later computation would have
 * too little time to change the schedule.
 */
export const replanLeadMs = 15 * 60_000

/** Computes the times of a schedule: when to request the rider, the expected arrivals, waits and warnings. */
export function planSchedule(request: ScheduleRequest, estimates: StoredEstimate, now: Timestamp): ScheduleTimes {
  const nowMs = toMs(now)
  const timeAfter = (seconds: number) => toTimestamp(nowMs + Math.round(seconds) * 1000)
  const { prep, basis, count, begunSecondsAgo } = prepFor(request, estimates, now)
  const readyAt = (share: number) => timeAfter(Math.max(0, quantileAt(prep, share) - begunSecondsAgo))
  const lead = leadFor(estimates, now, readyAt(0.5))
  const travel = travelOf(estimates, {
    distanceMeters: request.distanceMeters,
    state: request.pickupState,
    startsAt: readyAt(0.5),
  })
  const draws = drawOutcomes({ prep, begunSecondsAgo, lead, travel })
  const deadlineSeconds = request.deliverBy === null ? undefined : (toMs(request.deliverBy) - nowMs) / 1000
  const delayFor = (objective: ScheduleObjective) =>
    Math.round(bestDelay(draws, { criticalRatio: criticalRatios[objective], deadlineSeconds }))
  const delay = delayFor(request.optimizeFor)
  const arrivalAt = (share: number) => timeAfter(delay + quantileAt(lead, share))
  const ready = { p50: readyAt(0.5), p90: readyAt(0.9) }
  const arrival = { p50: arrivalAt(0.5), p90: arrivalAt(0.9) }
  const dropoffs = draws.map((draw) => arrivalOf(draw, delay))
  return {
    dispatchAt: timeAfter(delay),
    scheduledPickupAt: arrival.p50,
    pickupWindow: { from: arrivalAt(0.1), to: arrival.p90 },
    readyAt: ready,
    riderArrival: arrival,
    // The quantiles of the delivery time come from a random sample. The quantiles of the ready time and of the arrival
    // come from the estimated distributions. Without `notBefore`, the estimated delivery could therefore be earlier
    // than the ready time or the arrival.
    dropoff: notBefore(
      { p50: timeAfter(sampleQuantile(dropoffs, 0.5)), p90: timeAfter(sampleQuantile(dropoffs, 0.9)) },
      ready,
      arrival,
    ),
    ...waitsOf(draws, delay),
    lateProbability: deadlineSeconds === undefined ? null : lateProbability(draws, delay, deadlineSeconds),
    criticalRatio: criticalRatios[request.optimizeFor],
    confidence: confidenceOf(basis, count, estimates),
    replanAt: delay * 1000 > replanLeadMs ? timeAfter(delay - replanLeadMs / 1000) : null,
    alternatives: [null, ...others(request.optimizeFor)].map((objective) => {
      const other = objective === null ? 0 : delayFor(objective)
      return { optimizeFor: objective, dispatchAt: timeAfter(other), ...waitsOf(draws, other) }
    }),
    warnings: warningsOf(basis, deadlineSeconds !== undefined && lateProbability(draws, 0, deadlineSeconds) > unlikely),
  }
}

function others(objective: ScheduleObjective): readonly ScheduleObjective[] {
  const all = ['balanced', 'speed', 'rider_wait'] as const
  return all.filter((each) => each !== objective)
}

interface Prep {
  readonly prep: Quantiles
  readonly basis: ScheduleBasis
  readonly count: number
  readonly begunSecondsAgo: number
}

/**
 * Spread of a ready time that the merchant states: a tenth of the time from the request to the ready time, but at most
 * 18 minutes, a tenth of three hours.
 */
const statedSigma = 0.1
const statedSpreadMaxSeconds = statedSigma * 3 * 3600

function prepFor(request: ScheduleRequest, estimates: StoredEstimate, now: Timestamp): Prep {
  const secondsSince = (time: Timestamp) => Math.max(0, (toMs(now) - toMs(time)) / 1000)
  const { readyAt, prepMinutes, askedAt, begunAt } = request
  const stated = { basis: 'stated', count: 0, begunSecondsAgo: secondsSince(askedAt) } as const
  if (readyAt !== null) {
    const seconds = Math.max(1, (toMs(readyAt) - toMs(askedAt)) / 1000)
    return { ...stated, prep: lognormal(seconds, Math.min(statedSigma, statedSpreadMaxSeconds / seconds)) }
  }
  if (prepMinutes !== null) {
    const { p50, p90 } = prepMinutes
    return { ...stated, prep: lognormalThrough({ p50: p50 * 60, p90: p90 * 60 }) }
  }
  const { quantiles, basis, count } = prepOf(estimates, begunAt)
  return { prep: quantiles, basis, count, begunSecondsAgo: secondsSince(begunAt) }
}

/**
 * Estimates the lead time of a rider for the hour in which the rider is requested. The rider is requested about one
 * lead time before the parcel is ready, so the hour depends on the lead time itself. The function therefore estimates
 * twice: first for the ready time of the parcel, and then for the request time that results from the first estimate.
 */
function leadFor(estimates: StoredEstimate, now: Timestamp, readyAt: Timestamp): Quantiles {
  const first = quantileAt(leadOf(estimates, readyAt), 0.5)
  return leadOf(estimates, toTimestamp(Math.max(toMs(now), toMs(readyAt) - first * 1000)))
}

function waitsOf(draws: readonly Draw[], delay: number) {
  const { riderWaitSeconds, parcelWaitSeconds } = expectedWaits(draws, delay)
  return {
    expectedRiderWaitSeconds: Math.round(riderWaitSeconds),
    expectedParcelWaitSeconds: Math.round(parcelWaitSeconds),
  }
}

/**
 * Minimum number of observations for each confidence level of a schedule. Only with 50 or more observations can the
 * service measure how often past predictions were right.
 */
const sampleSizes = { medium: 10, high: 50 } as const

/**
 * A schedule has a high confidence only if its measured coverage differs from 90 % by at most this value. The coverage
 * is the share of actual times that were before the predicted 90th percentile.
 */
const coverageTolerance = 0.05

function confidenceOf(basis: ScheduleBasis, sampleSize: number, { calibrations }: StoredEstimate): Confidence {
  const coverage90 = calibrations.find(({ kind }) => kind === 'ready')?.coverage90 ?? null
  const isProven = coverage90 !== null && Math.abs(coverage90 - 0.9) <= coverageTolerance
  const isOwn = basis === 'merchant' || basis === 'merchant_hour'
  const level =
    sampleSize < sampleSizes.medium || basis === 'prior'
      ? 'low'
      : sampleSize >= sampleSizes.high && isProven && isOwn
        ? 'high'
        : 'medium'
  return { level, sampleSize, basis, coverage90 }
}

function warningsOf(basis: ScheduleBasis, isUnlikely: boolean): readonly string[] {
  return [...(isUnlikely ? ['deadline_unlikely'] : []), ...(basis === 'prior' ? ['no_history'] : [])]
}
