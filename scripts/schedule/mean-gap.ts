import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { leadOf, prepOf } from '../../src/logistics/estimates/duration-estimates.ts'
import { type Quantiles, quantileAt } from '../../src/logistics/estimates/quantiles.ts'
import type { StoredEstimate } from '../../src/store/logistics/schedule/quantiles.ts'

/** The rule that is compared with: the mean of preparing less the mean of the rider’s way, by the same knowledge. */
export function meanGapSeconds(learnt: StoredEstimate, now: Timestamp): number {
  return meanOf(prepOf(learnt, now).quantiles) - meanOf(leadOf(learnt, now))
}

const steps = 200

function meanOf(quantiles: Quantiles): number {
  const values = Array.from({ length: steps }, (_, index) => quantileAt(quantiles, (index + 0.5) / steps))
  return values.reduce((sum, value) => sum + value, 0) / steps
}
