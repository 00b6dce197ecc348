import type { SightingKind, Sightings } from '../../store/logistics/surge/surge-signals.ts'
import { assignPrior, merchantShareMax, noCourierPrior, pricePrior, usualDemandPerMinute } from './surge-rules.ts'

/**
 * Limits what one merchant counts for in a place, so that nobody raises the fares of others alone. Each signal's weight is
 * shared by the merchants seen and by what is usual, which counts as its prior. A merchant with more than the largest
 * share is scaled down to it; the mean of what it saw stays as it is.
 */

type Signal = 'assignment' | 'answers' | 'dispatches' | 'quotes' | 'prices'

const signalOf: Readonly<Record<SightingKind, Signal>> = {
  assigned: 'assignment',
  open: 'assignment',
  no_courier: 'answers',
  accepted: 'answers',
  dispatched: 'dispatches',
  converted: 'quotes',
  unconverted: 'quotes',
  price: 'prices',
}

/** The sightings of one place, which span so many minutes when a sighting's weight falls with its age. */
export function withinShares(sightings: readonly Sightings[], minutes: number): Sightings[] {
  const usualWeights: Readonly<Record<Signal, number>> = {
    assignment: assignPrior,
    answers: noCourierPrior,
    dispatches: usualDemandPerMinute * minutes,
    quotes: usualDemandPerMinute * minutes,
    prices: pricePrior,
  }
  return [...Map.groupBy(sightings, ({ kind }) => signalOf[kind])].flatMap(([signal, seen]) => {
    const weights = new Map<string, number>()
    for (const { merchantId, weight } of seen) weights.set(merchantId, (weights.get(merchantId) ?? 0) + weight)
    const limit = largestWeight([...weights.values()], usualWeights[signal])
    return seen.map((each) => {
      const scale = Math.min(1, limit / (weights.get(each.merchantId) ?? limit))
      return { ...each, weight: each.weight * scale, total: each.total * scale }
    })
  })
}

/**
 * The weight that is the largest share of all weights once every larger one is cut down to it:
 * `limit = share × (usual + the smaller ones + limit × the number of larger ones)`. Infinite where none is too large.
 */
export function largestWeight(weights: readonly number[], usualWeight: number): number {
  const descending = weights.toSorted((a, b) => b - a)
  let restWeight = descending.reduce((sum, weight) => sum + weight, usualWeight)
  for (const [larger, weight] of descending.entries()) {
    const limit = (merchantShareMax * restWeight) / (1 - merchantShareMax * larger)
    if (weight <= limit) return larger === 0 ? Number.POSITIVE_INFINITY : limit
    restWeight -= weight
  }
  return (merchantShareMax * restWeight) / (1 - merchantShareMax * descending.length)
}
