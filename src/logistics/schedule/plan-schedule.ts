import type { ScheduleBasis, ScheduleObjective } from '../../../registry/logistics/schedule.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { StoredEstimate } from '../../store/logistics/schedule/quantiles.ts'
import type { Confidence, ScheduleRequest, ScheduleTimes } from '../../store/tables/schedule.ts'
import { leadOf, prepOf, travelOf } from '../estimates/learnt-times.ts'
import {
  arrivalOf,
  bestDelay,
  criticalRatios,
  type Draw,
  drawTogether,
  lateProbability,
  outlookOf,
  shareOf,
} from '../estimates/newsvendor.ts'
import { lognormal, lognormalThrough, type Quantiles, quantileAt } from '../estimates/quantiles.ts'
import { unlikely } from '../estimates/service-times.ts'

/** What was learnt in the meantime is looked at once more so long before the call; later there is little left to move. */
export const replanLeadMs = 15 * 60_000

export function planSchedule(request: ScheduleRequest, learnt: StoredEstimate, now: Timestamp): ScheduleTimes {
  const nowMs = toMs(now)
  const momentAfter = (seconds: number) => toTimestamp(nowMs + Math.round(seconds) * 1000)
  const { prep, basis, count, begunSecondsAgo } = prepFor(request, learnt, now)
  const readyAt = (share: number) => momentAfter(Math.max(0, quantileAt(prep, share) - begunSecondsAgo))
  const lead = leadFor(learnt, now, readyAt(0.5))
  const travel = travelOf(learnt, {
    distanceMeters: request.distanceMeters,
    state: request.pickupState,
    startsAt: readyAt(0.5),
  })
  const draws = drawTogether({ prep, begunSecondsAgo, lead, travel })
  const deadlineSeconds = request.deliverBy === null ? undefined : (toMs(request.deliverBy) - nowMs) / 1000
  const delayFor = (wish: ScheduleObjective) =>
    Math.round(bestDelay(draws, { criticalRatio: criticalRatios[wish], deadlineSeconds }))
  const delay = delayFor(request.optimizeFor)
  const arrivalAt = (share: number) => momentAfter(delay + quantileAt(lead, share))
  const dropoffs = draws.map((draw) => arrivalOf(draw, delay))
  return {
    dispatchAt: momentAfter(delay),
    scheduledPickupAt: arrivalAt(0.5),
    pickupWindow: { from: arrivalAt(0.1), to: arrivalAt(0.9) },
    readyAt: { p50: readyAt(0.5), p90: readyAt(0.9) },
    riderArrival: { p50: arrivalAt(0.5), p90: arrivalAt(0.9) },
    dropoff: { p50: momentAfter(shareOf(dropoffs, 0.5)), p90: momentAfter(shareOf(dropoffs, 0.9)) },
    ...waitsOf(draws, delay),
    lateProbability: deadlineSeconds === undefined ? null : lateProbability(draws, delay, deadlineSeconds),
    criticalRatio: criticalRatios[request.optimizeFor],
    confidence: confidenceOf(basis, count, learnt),
    replanAt: delay * 1000 > replanLeadMs ? momentAfter(delay - replanLeadMs / 1000) : null,
    alternatives: [null, ...others(request.optimizeFor)].map((wish) => {
      const other = wish === null ? 0 : delayFor(wish)
      return { optimizeFor: wish, dispatchAt: momentAfter(other), ...waitsOf(draws, other) }
    }),
    warnings: warningsOf(basis, deadlineSeconds !== undefined && lateProbability(draws, 0, deadlineSeconds) > unlikely),
  }
}

function others(wish: ScheduleObjective): readonly ScheduleObjective[] {
  const all = ['balanced', 'speed', 'rider_wait'] as const
  return all.filter((each) => each !== wish)
}

interface Prep {
  readonly prep: Quantiles
  readonly basis: ScheduleBasis
  readonly count: number
  readonly begunSecondsAgo: number
}

/** Who names a moment means it within a tenth of the time until then, but beyond three hours by the clock on the wall. */
const statedSigma = 0.1
const statedSpreadMaxSeconds = statedSigma * 3 * 3600

function prepFor(request: ScheduleRequest, learnt: StoredEstimate, now: Timestamp): Prep {
  const secondsSince = (moment: Timestamp) => Math.max(0, (toMs(now) - toMs(moment)) / 1000)
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
  const { quantiles, basis, count } = prepOf(learnt, begunAt)
  return { prep: quantiles, basis, count, begunSecondsAgo: secondsSince(begunAt) }
}

/** Riders are found by the hour in which they are called, which is about as long before the parcel is ready as they need. */
function leadFor(learnt: StoredEstimate, now: Timestamp, readyAt: Timestamp): Quantiles {
  const first = quantileAt(leadOf(learnt, readyAt), 0.5)
  return leadOf(learnt, toTimestamp(Math.max(toMs(now), toMs(readyAt) - first * 1000)))
}

function waitsOf(draws: readonly Draw[], delay: number) {
  const { riderWaitSeconds, parcelWaitSeconds } = outlookOf(draws, delay)
  return {
    expectedRiderWaitSeconds: Math.round(riderWaitSeconds),
    expectedParcelWaitSeconds: Math.round(parcelWaitSeconds),
  }
}

/** Below ten cases chance rules, from fifty on it can be checked whether what was foretold holds. */
const sampleSizes = { medium: 10, high: 50 } as const

/** As far as nine of ten may be missed by and still be called nine of ten. */
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
