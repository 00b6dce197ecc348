import {
  assignPrior,
  confidencePrior,
  demandFloor,
  fallMax,
  halfLifeMinutes,
  hysteresis,
  minSamples,
  neighbourShare,
  noCourierPrior,
  pricePrior,
  riseMax,
  type SurgeRules,
  smoothingShare,
  stepHundredths,
  tickMs,
} from './surge-rules.ts'

/**
 * How much more than its plain fare a zone costs, from how long riders take to be found. Everything is added in logarithms:
 *
 *   signals ─ raw ─ blended with the city ─ spread over neighbours ─ smoothed over minutes ─ published in steps
 *
 * There is no look-out for idle riders: that there are few is only ever inferred from times and refusals.
 */

/** What was seen of a zone, or of a city, in the window. Weights halve with age. */
export interface Observed {
  readonly assignedWeight: number
  /** Seconds from the asking to the rider, weighted. */
  readonly assignedSeconds: number
  /** Still without a rider: they count with the time they have waited so far, or the worst would be left out. */
  readonly openCount: number
  readonly openWeight: number
  readonly openSeconds: number
  readonly noCourierWeight: number
  readonly acceptedWeight: number
  readonly dispatchedWeight: number
  /** Quotes nobody used. */
  readonly unconvertedWeight: number
  readonly priceWeight: number
  /** Weighted logarithms of carriers’ prices over what the same carriers usually ask. */
  readonly priceLog: number
  /** Assignments and answers of carriers, each counted once. */
  readonly count: number
}

export const nothingObserved: Observed = {
  assignedWeight: 0,
  assignedSeconds: 0,
  openCount: 0,
  openWeight: 0,
  openSeconds: 0,
  noCourierWeight: 0,
  acceptedWeight: 0,
  dispatchedWeight: 0,
  unconvertedWeight: 0,
  priceWeight: 0,
  priceLog: 0,
  count: 0,
}

/** What is usual there at this hour of the week. */
export interface Baseline {
  readonly assignSeconds: number
  readonly noCourierRate: number
  /** Null where too little is known to call anything usual: then demand says nothing. */
  readonly demandPerMinute: number | null
  /** The share of quotes that become shipments. */
  readonly conversion: number
}

export interface Signals {
  readonly assignSeconds: number
  readonly noCourierRate: number
  readonly priceIndex: number
  readonly demandPerMinute: number
  /** The logarithm of each signal’s factor; never below 0. */
  readonly logs: SignalLogs
  readonly effectiveSamples: number
}

export interface SignalLogs {
  readonly assignmentTime: number
  readonly noCourier: number
  readonly marketPrice: number
  readonly demand: number
}

/** The mean of weighted seconds, drawn to what is expected while there are few. */
export function shrunkMean(total: number, weight: number, expected: number, prior: number): number {
  return (total + prior * expected) / (weight + prior)
}

export function signalsOf(observed: Observed, baseline: Baseline, { betas }: Pick<SurgeRules, 'betas'>): Signals {
  const assignSeconds = shrunkMean(
    observed.assignedSeconds + observed.openSeconds,
    observed.assignedWeight + observed.openWeight,
    baseline.assignSeconds,
    assignPrior,
  )
  const answered = observed.noCourierWeight + observed.acceptedWeight
  const noCourierRate = shrunkMean(observed.noCourierWeight, answered, baseline.noCourierRate, noCourierPrior)
  const priceIndex = Math.exp(observed.priceLog / (observed.priceWeight + pricePrior))
  const wanted = observed.dispatchedWeight + baseline.conversion * observed.unconvertedWeight
  const demandPerMinute = (wanted * Math.LN2) / halfLifeMinutes
  const usualDemand = baseline.demandPerMinute ?? demandPerMinute
  return {
    assignSeconds,
    noCourierRate,
    priceIndex,
    demandPerMinute,
    logs: {
      assignmentTime: betas.assignmentTime * logAbove(assignSeconds / baseline.assignSeconds),
      noCourier: betas.noCourier * logAbove((1 - baseline.noCourierRate) / (1 - noCourierRate)),
      marketPrice: betas.marketPrice * logAbove(priceIndex),
      demand: betas.demand * logAbove((demandPerMinute + demandFloor) / (usualDemand + demandFloor)),
    },
    effectiveSamples: answered + observed.assignedWeight,
  }
}

/** Riders who come faster than usual make nothing cheaper than plain: the fare is the merchant’s, surge is the service’s. */
function logAbove(ratio: number): number {
  return Math.max(0, Math.log(ratio))
}

export function rawLog({ logs }: Pick<Signals, 'logs'>): number {
  return logs.assignmentTime + logs.noCourier + logs.marketPrice + logs.demand
}

/** The less was seen of a place, the more it is taken to be like what it is part of. A city is part of nothing: of 0. */
export function blended(signals: Signals, wholeLog: number): number {
  const confidence = signals.effectiveSamples / (signals.effectiveSamples + confidencePrior)
  return confidence * rawLog(signals) + (1 - confidence) * wholeLog
}

export function spread(ownLog: number, neighbourLogs: readonly number[]): number {
  if (neighbourLogs.length === 0) return ownLog
  const mean = neighbourLogs.reduce((sum, log) => sum + log, 0) / neighbourLogs.length
  return (1 - neighbourShare) * ownLog + neighbourShare * mean
}

export interface Smoothed {
  readonly log: number
  readonly atMs: number
}

/** Ticks that were missed count as if each had seen what is seen now; a zone nobody looked at yet begins at the plain fare. */
export function smoothed(before: Smoothed | undefined, log: number, nowMs: number): Smoothed {
  const elapsedMs = before === undefined ? tickMs : Math.max(0, nowMs - before.atMs)
  const kept = (1 - smoothingShare) ** (elapsedMs / tickMs)
  return { log: kept * (before?.log ?? 0) + (1 - kept) * log, atMs: nowMs }
}

/** What an operator has said of a zone. */
export type Intervention = { readonly is: 'freeze' } | { readonly is: 'override'; readonly multiplier: number }

export type SurgeBasis = 'observed' | 'insufficient_data' | 'frozen' | 'override'

export interface Publication {
  readonly multiplier: number
  readonly basis: SurgeBasis
}

/**
 * The number that follows the published one. People first: then whether enough was seen to say anything; then no further than
 * a step allows, and not at all for less than is worth a change.
 */
export function nextPublication(
  published: number,
  seen: { readonly log: number; readonly effectiveSamples: number },
  intervention: Intervention | undefined,
  { cap }: Pick<SurgeRules, 'cap'>,
): Publication {
  if (intervention?.is === 'freeze') return { multiplier: 1, basis: 'frozen' }
  if (intervention?.is === 'override') return { multiplier: Math.min(cap, intervention.multiplier), basis: 'override' }
  if (seen.effectiveSamples < minSamples) return { multiplier: 1, basis: 'insufficient_data' }
  const target = Math.min(cap, Math.max(1, Math.exp(seen.log)))
  const difference = target - published
  if (Math.abs(difference) < hysteresis) return { multiplier: Math.min(cap, published), basis: 'observed' }
  const move = Math.min(riseMax, Math.max(-fallMax, difference))
  return { multiplier: Math.min(cap, inSteps(published + move)), basis: 'observed' }
}

/** In whole hundredths, so that 1.15 is 1.15 and not a hair beside it. */
function inSteps(multiplier: number): number {
  return (Math.round((multiplier * 100) / stepHundredths) * stepHundredths) / 100
}
