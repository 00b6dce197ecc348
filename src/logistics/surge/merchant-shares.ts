import type { SurgeObservationKind, SurgeObservations } from '../../store/logistics/surge/surge-signals.ts'
import { assignPrior, merchantShareMax, noCourierPrior, pricePrior, priorDemandPerMinute } from './surge-rules.ts'

/**
 * Limits the weight of one merchant in a zone or city, so that no merchant alone can raise the fares of other
 * merchants. Each signal has a total weight: the weights of all merchants plus the prior weight of the baseline. A
 * merchant's weight is reduced to the maximum share of the total weight if it exceeds this share. The mean of the
 * merchant's observations does not change.
 */

type Signal = 'assignment' | 'answers' | 'dispatches' | 'quotes' | 'prices'

const signalOf: Readonly<Record<SurgeObservationKind, Signal>> = {
  assigned: 'assignment',
  open: 'assignment',
  no_courier: 'answers',
  accepted: 'answers',
  dispatched: 'dispatches',
  converted: 'quotes',
  unconverted: 'quotes',
  price: 'prices',
}

/**
 * Returns the observations of one zone or city. The weight of every merchant is limited to the maximum share. `minutes`
 * is the time-decayed length of the observation window: the total weight of the observations if there were one
 * observation a minute.
 */
export function capMerchantShares(observations: readonly SurgeObservations[], minutes: number): SurgeObservations[] {
  const baselineWeights: Readonly<Record<Signal, number>> = {
    assignment: assignPrior,
    answers: noCourierPrior,
    dispatches: priorDemandPerMinute * minutes,
    quotes: priorDemandPerMinute * minutes,
    prices: pricePrior,
  }
  return [...Map.groupBy(observations, ({ kind }) => signalOf[kind])].flatMap(([signal, seen]) => {
    const weights = new Map<string, number>()
    for (const { merchantId, weight } of seen) weights.set(merchantId, (weights.get(merchantId) ?? 0) + weight)
    const limit = maxMerchantWeight([...weights.values()], baselineWeights[signal])
    return seen.map((each) => {
      const scale = Math.min(1, limit / (weights.get(each.merchantId) ?? limit))
      return { ...each, weight: each.weight * scale, total: each.total * scale }
    })
  })
}

/**
 * Returns the limit to which the weights of large merchants are reduced. A merchant at the limit has the maximum share
 * of the reduced total: `limit = share × (baseline + smaller weights + limit × number of larger weights)`. Infinity
 * when no weight exceeds the share.
 */
export function maxMerchantWeight(weights: readonly number[], baselineWeight: number): number {
  const descending = weights.toSorted((a, b) => b - a)
  let restWeight = descending.reduce((sum, weight) => sum + weight, baselineWeight)
  for (const [larger, weight] of descending.entries()) {
    const limit = (merchantShareMax * restWeight) / (1 - merchantShareMax * larger)
    if (weight <= limit) return larger === 0 ? Number.POSITIVE_INFINITY : limit
    restWeight -= weight
  }
  return (merchantShareMax * restWeight) / (1 - merchantShareMax * descending.length)
}
