/**
 * The distribution of a duration as its 5%, 10%, … 95% quantiles, in seconds, ascending. Other quantiles are
 * interpolated and extrapolated as lognormal, which fits working and travel times: always positive, with a long upper
 * tail.
 */
export type Quantiles = readonly number[]

export interface ObservedQuantiles {
  readonly count: number
  readonly seconds: Quantiles
}

/**
 * Probabilities of the stored quantiles. Steps of 5% show the shape of the distribution. A merchant's few dozen orders
 * do not support a finer resolution.
 */
export const shares: readonly number[] = Array.from({ length: 19 }, (_, index) => (index + 1) / 20)

const scores = shares.map(normalScore)
const middle = 9
const last = shares.length - 1

/** Minimum duration in seconds, so that every duration has a finite logarithm. */
const minSeconds = 1

/** Smallest probability for which a quantile can be extrapolated: 0.1%. The largest probability is 99.9%. */
const minShare = 0.001

/** `sigma` is the standard deviation of the logarithm. */
export function lognormal(medianSeconds: number, sigma: number): Quantiles {
  return scores.map((score) => Math.max(minSeconds, medianSeconds * Math.exp(sigma * score)))
}

/** Returns the lognormal distribution with the given median and 90th percentile, in seconds. */
export function lognormalThrough({ p50, p90 }: { readonly p50: number; readonly p90: number }): Quantiles {
  const median = Math.max(minSeconds, p50)
  return lognormal(median, Math.log(Math.max(median, p90) / median) / normalScore(0.9))
}

/** Returns the duration quantile at `share` (0 to 1), in seconds. */
export function quantileAt(quantiles: Quantiles, share: number): number {
  const score = normalScore(Math.min(1 - minShare, Math.max(minShare, share)))
  const above = scores.findIndex((each) => each >= score)
  // Values beyond the outermost stored quantiles are extrapolated with the slope over the outer four steps, because a
  // single unusual order could distort the slope of the last step.
  if (above === 0) return along(quantiles, 0, 4, score)
  if (above < 0) return along(quantiles, last - 4, last, score)
  return along(quantiles, above - 1, above, score)
}

/**
 * Interpolates or extrapolates between two quantiles: the logarithm of the duration is linear in the normal score. This
 * is exact for a lognormal distribution.
 */
function along(quantiles: Quantiles, from: number, to: number, score: number): number {
  const start = logAt(quantiles, from)
  const slope = (logAt(quantiles, to) - start) / (at(scores, to) - at(scores, from))
  return Math.exp(start + slope * (score - at(scores, from)))
}

/**
 * Weight of the parent distribution's median, as a number of observations, when an observed median is shrunk towards
 * the median of the parent distribution. In trials with a parent distribution that was wrong by a third, shrinkage
 * reduced the cost with fewer than eight observations. With more observations, it hardly increased the cost.
 */
export const medianPriorWeight = 6

/**
 * Weight of the parent distribution's spread, as a number of observations, when an observed spread is shrunk towards
 * the parent's spread. It is higher than the weight of the median, because a reliable spread needs more observations.
 */
const spreadPriorWeight = 20

/**
 * Returns the observed quantiles, shrunk towards the quantiles of the parent distribution. The result is a weighted
 * average of the logarithms, computed separately for the median and for the spread around the median.
 */
export function shrunkTowards(parent: Quantiles, own: ObservedQuantiles | undefined): Quantiles {
  if (own === undefined || own.count === 0) return parent
  const { count, seconds } = own
  const ownMiddle = logAt(seconds, middle)
  const parentMiddle = logAt(parent, middle)
  const center = average(ownMiddle, count, parentMiddle, medianPriorWeight)
  return shares.map((_, index) => {
    const ownSpread = logAt(seconds, index) - ownMiddle
    const parentSpread = logAt(parent, index) - parentMiddle
    return Math.exp(center + average(ownSpread, count, parentSpread, spreadPriorWeight))
  })
}

/**
 * Stretches the upper half of the distribution on a logarithmic scale, by a factor. A factor below 1 compresses the
 * upper half.
 */
export function widen(quantiles: Quantiles, factor: number): Quantiles {
  const center = logAt(quantiles, middle)
  return quantiles.map((seconds, index) =>
    index <= middle ? seconds : Math.exp(center + factor * (logAt(quantiles, index) - center)),
  )
}

function average(own: number, count: number, parent: number, parentWeight: number): number {
  return (count * own + parentWeight * parent) / (count + parentWeight)
}

function logAt(quantiles: Quantiles, index: number): number {
  return Math.log(Math.max(minSeconds, at(quantiles, index)))
}

function at(values: readonly number[], index: number): number {
  const value = values[index]
  if (value === undefined)
    throw new Error(`Quantile index ${index} is out of range: there are ${shares.length} quantiles.`)
  return value
}

/**
 * Returns the quantile of the standard normal distribution, by Hastings' approximation with an error of at most
 * 0.00045.
 */
function normalScore(share: number): number {
  if (share > 0.5) return -normalScore(1 - share)
  const t = Math.sqrt(-2 * Math.log(share))
  const fraction = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  return fraction - t
}
