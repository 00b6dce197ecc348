import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { leadOf, prepOf } from '../../src/logistics/estimates/duration-estimates.ts'
import { type Quantiles, quantileAt } from '../../src/logistics/estimates/quantiles.ts'
import type { StoredEstimate } from '../../src/store/logistics/schedule/quantiles.ts'

/**
 * Returns the delay until the dispatch under a simple rule, with which predictive schedules are compared: the mean
 * preparation time minus the mean lead time of the rider, from the same estimates.
 */
export function meanGapSeconds(learnt: StoredEstimate, now: Timestamp): number {
  return meanOf(prepOf(learnt, now).quantiles) - meanOf(leadOf(learnt, now))
}

/** Number of quantiles from which the mean of an estimate is computed. */
const steps = 200

function meanOf(quantiles: Quantiles): number {
  const values = Array.from({ length: steps }, (_, index) => quantileAt(quantiles, (index + 0.5) / steps))
  return values.reduce((sum, value) => sum + value, 0) / steps
}
