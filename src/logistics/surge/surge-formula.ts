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
 * Computes the surge multiplier of a zone from signals of rider shortage. All stages add logarithms:
 *
 *   signals ─ raw ─ blended with the city ─ spread over neighbours ─ smoothed over minutes ─ published in steps
 *
 * The number of idle riders is unknown. A shortage is inferred from assignment times and refusals.
 */

/**
 * Sums over the observations of a zone or city in recent minutes. An observation loses half of its weight in each
 * half-life.
 */
export interface ObservedTotals {
  readonly assignedWeight: number
  /** Weighted sum of the seconds from the dispatch of a shipment to its rider assignment. */
  readonly assignedSeconds: number
  /**
   * Shipments to which no rider is assigned yet. Each of them is included with its waiting time so far, because the
   * longest waits would be missing otherwise.
   */
  readonly openCount: number
  readonly openWeight: number
  readonly openSeconds: number
  readonly noCourierWeight: number
  readonly acceptedWeight: number
  readonly dispatchedWeight: number
  /** Weighted number of quotes that led to no dispatch. */
  readonly unconvertedWeight: number
  readonly priceWeight: number
  /** Weighted sum of the logarithms of price ratios. Each ratio is a carrier's price divided by its baseline price. */
  readonly priceLog: number
  /** Unweighted number of observed rider assignments and carrier responses. */
  readonly count: number
}

export const noObservations: ObservedTotals = {
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

/** The usual values of the surge signals of a zone or city in one hour of the week. */
export interface Baseline {
  readonly assignSeconds: number
  readonly noCourierRate: number
  /** Orders and quotes per minute. Null when too few weeks have data; the demand factor is 1 then. */
  readonly demandPerMinute: number | null
  /** The usual share of quotes that become shipments, from 0 to 1. */
  readonly conversion: number
}

export interface Signals {
  readonly assignSeconds: number
  readonly noCourierRate: number
  readonly priceIndex: number
  readonly demandPerMinute: number
  /** The logarithm of each surge signal’s factor; never below 0. */
  readonly logs: SignalLogs
  readonly effectiveSamples: number
}

export interface SignalLogs {
  readonly assignmentTime: number
  readonly noCourier: number
  readonly marketPrice: number
  readonly demand: number
}

/** Returns a weighted mean shrunk towards `priorMean`, which counts as `priorWeight` observations. */
export function shrunkMean(total: number, weight: number, priorMean: number, priorWeight: number): number {
  return (total + priorWeight * priorMean) / (weight + priorWeight)
}

/**
 * Returns the surge signals of a zone or city. The value of a signal is the observed value, shrunk towards its
 * baseline. `logs` contains the logarithm of the surge factor that each signal causes.
 */
export function signalsOf(observed: ObservedTotals, baseline: Baseline, { betas }: Pick<SurgeRules, 'betas'>): Signals {
  const assignSeconds = shrunkMean(
    observed.assignedSeconds + observed.openSeconds,
    observed.assignedWeight + observed.openWeight,
    baseline.assignSeconds,
    assignPrior,
  )
  const responses = observed.noCourierWeight + observed.acceptedWeight
  const noCourierRate = shrunkMean(observed.noCourierWeight, responses, baseline.noCourierRate, noCourierPrior)
  const priceIndex = Math.exp(observed.priceLog / (observed.priceWeight + pricePrior))
  const demandWeight = observed.dispatchedWeight + baseline.conversion * observed.unconvertedWeight
  const demandPerMinute = (demandWeight * Math.LN2) / halfLifeMinutes
  const baselineDemand = baseline.demandPerMinute ?? demandPerMinute
  return {
    assignSeconds,
    noCourierRate,
    priceIndex,
    demandPerMinute,
    logs: {
      assignmentTime: betas.assignmentTime * logAbove(assignSeconds / baseline.assignSeconds),
      noCourier: betas.noCourier * logAbove((1 - baseline.noCourierRate) / (1 - noCourierRate)),
      marketPrice: betas.marketPrice * logAbove(priceIndex),
      demand: betas.demand * logAbove((demandPerMinute + demandFloor) / (baselineDemand + demandFloor)),
    },
    effectiveSamples: responses + observed.assignedWeight,
  }
}

/**
 * Returns the logarithm of a ratio, at least 0: a signal better than its baseline does not lower fares below the rate
 * card.
 */
function logAbove(ratio: number): number {
  return Math.max(0, Math.log(ratio))
}

export function rawLog({ logs }: Pick<Signals, 'logs'>): number {
  return logs.assignmentTime + logs.noCourier + logs.marketPrice + logs.demand
}

/**
 * Returns the logarithm of the raw multiplier. With few observations, the logarithm is shrunk towards `parentLog`: for
 * a zone, the logarithm of its city; for a city, 0.
 */
export function blended(signals: Signals, parentLog: number): number {
  const confidence = signals.effectiveSamples / (signals.effectiveSamples + confidencePrior)
  return confidence * rawLog(signals) + (1 - confidence) * parentLog
}

/**
 * Returns the logarithm of a zone's multiplier after surge has spread from its neighbours: a weighted mean of the
 * zone's own logarithm and of the mean of the neighbours' logarithms. `neighbourShare` is the weight of the neighbours.
 */
export function spread(ownLog: number, neighbourLogs: readonly number[]): number {
  if (neighbourLogs.length === 0) return ownLog
  const mean = neighbourLogs.reduce((sum, log) => sum + log, 0) / neighbourLogs.length
  return (1 - neighbourShare) * ownLog + neighbourShare * mean
}

export interface Smoothed {
  readonly log: number
  readonly atMs: number
}

/**
 * Applies exponential smoothing to the logarithm of a multiplier. A missed publication counts as one with the current
 * value. A zone without a stored value starts at 0 (multiplier 1).
 */
export function smoothed(before: Smoothed | undefined, log: number, nowMs: number): Smoothed {
  const elapsedMs = before === undefined ? tickMs : Math.max(0, nowMs - before.atMs)
  const previousShare = (1 - smoothingShare) ** (elapsedMs / tickMs)
  return { log: previousShare * (before?.log ?? 0) + (1 - previousShare) * log, atMs: nowMs }
}

/** The operator's freeze or override in force for a zone. */
export type Intervention = { readonly is: 'freeze' } | { readonly is: 'override'; readonly multiplier: number }

export type SurgeBasis = 'observed' | 'insufficient_data' | 'frozen' | 'override'

export interface Publication {
  readonly multiplier: number
  readonly basis: SurgeBasis
}

/**
 * Returns the multiplier to publish next. A freeze or an override by the operator takes precedence. With too few
 * samples the multiplier is 1. Otherwise the multiplier moves towards the smoothed value, by at most the step limit. If
 * the difference is below the hysteresis, the multiplier stays the same.
 */
export function nextPublication(
  published: number,
  computed: { readonly log: number; readonly effectiveSamples: number },
  intervention: Intervention | undefined,
  { cap }: Pick<SurgeRules, 'cap'>,
): Publication {
  if (intervention?.is === 'freeze') return { multiplier: 1, basis: 'frozen' }
  if (intervention?.is === 'override') return { multiplier: Math.min(cap, intervention.multiplier), basis: 'override' }
  if (computed.effectiveSamples < minSamples) return { multiplier: 1, basis: 'insufficient_data' }
  const target = Math.min(cap, Math.max(1, Math.exp(computed.log)))
  const difference = target - published
  if (Math.abs(difference) < hysteresis) return { multiplier: Math.min(cap, published), basis: 'observed' }
  const move = Math.min(riseMax, Math.max(-fallMax, difference))
  return { multiplier: Math.min(cap, inSteps(published + move)), basis: 'observed' }
}

/**
 * Rounds a surge multiplier to a multiple of the step. It calculates in whole hundredths, so that a result such as 1.15
 * is exactly the number that the literal 1.15 denotes.
 */
function inSteps(multiplier: number): number {
  return (Math.round((multiplier * 100) / stepHundredths) * stepHundredths) / 100
}
