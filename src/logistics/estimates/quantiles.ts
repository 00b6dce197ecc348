/**
 * A stretch of time that is not known for sure, told by its quantiles: what it stays under in 5, 10, … 95 of a hundred
 * cases, in seconds, rising. Between and beyond them it is taken for lognormal, as times of work and of ways nearly are: none is
 * below nothing, and a late one may be very late.
 */
export type Quantiles = readonly number[]

/** What was seen of it, and how often. */
export interface Seen {
  readonly count: number
  readonly seconds: Quantiles
}

/** Steps of five show the shape, and a merchant’s few dozen orders tell no finer ones apart. */
export const shares: readonly number[] = Array.from({ length: 19 }, (_, index) => (index + 1) / 20)

const scores = shares.map(normalScore)
const middle = 9
const last = shares.length - 1

/** Nothing takes less, so that every time has a logarithm. */
const leastSeconds = 1

/** Beyond one case in a thousand nobody has seen anything. */
const leastShare = 0.001

export function lognormal(medianSeconds: number, sigma: number): Quantiles {
  return scores.map((score) => Math.max(leastSeconds, medianSeconds * Math.exp(sigma * score)))
}

/** The one that meets somebody’s own two estimates. */
export function lognormalThrough({ p50, p90 }: { readonly p50: number; readonly p90: number }): Quantiles {
  const median = Math.max(leastSeconds, p50)
  return lognormal(median, Math.log(Math.max(median, p90) / median) / normalScore(0.9))
}

/** What it stays under in such a share of all cases. */
export function quantileAt(quantiles: Quantiles, share: number): number {
  const score = normalScore(Math.min(1 - leastShare, Math.max(leastShare, share)))
  const above = scores.findIndex((each) => each >= score)
  // The tails go on as steeply as the outer quarter of what is known: its last step alone would be one odd order.
  if (above === 0) return along(quantiles, 0, 4, score)
  if (above < 0) return along(quantiles, last - 4, last, score)
  return along(quantiles, above - 1, above, score)
}

/** The straight line through two of them, in logarithms over normal scores, where a lognormal one is straight. */
function along(quantiles: Quantiles, from: number, to: number, score: number): number {
  const start = logAt(quantiles, from)
  const slope = (logAt(quantiles, to) - start) / (at(scores, to) - at(scores, from))
  return Math.exp(start + slope * (score - at(scores, from)))
}

/**
 * So many cases of one’s own weigh as much as all that is known of others. Trials with a prior that is wrong by a third:
 * leaning on it pays below eight cases, and costs little after.
 */
export const medianLean = 6

/** The spread takes more cases to show than the middle does: ten have hardly met one that is rare. */
const spreadLean = 20

/**
 * What is known of one’s own, leaning on what is known of others while there is little of it: averages of logarithms, for
 * the median and for the spread about it.
 */
export function leanOn(parent: Quantiles, own: Seen | undefined): Quantiles {
  if (own === undefined || own.count === 0) return parent
  const { count, seconds } = own
  const ownMiddle = logAt(seconds, middle)
  const parentMiddle = logAt(parent, middle)
  const center = average(ownMiddle, count, parentMiddle, medianLean)
  return shares.map((_, index) => {
    const ownSpread = logAt(seconds, index) - ownMiddle
    const parentSpread = logAt(parent, index) - parentMiddle
    return Math.exp(center + average(ownSpread, count, parentSpread, spreadLean))
  })
}

/** Stretches what is above the median, where it turned out to promise too much; a factor below one draws it in. */
export function widen(quantiles: Quantiles, factor: number): Quantiles {
  const center = logAt(quantiles, middle)
  return quantiles.map((seconds, index) =>
    index <= middle ? seconds : Math.exp(center + factor * (logAt(quantiles, index) - center)),
  )
}

function average(own: number, count: number, parent: number, lean: number): number {
  return (count * own + lean * parent) / (count + lean)
}

function logAt(quantiles: Quantiles, index: number): number {
  return Math.log(Math.max(leastSeconds, at(quantiles, index)))
}

function at(values: readonly number[], index: number): number {
  const value = values[index]
  if (value === undefined) throw new Error(`There are ${shares.length} quantiles, and none numbered ${index}.`)
  return value
}

/** How many standard deviations off the mean a normal variable is at such a share: Hastings’ formula, exact to 0.00045. */
function normalScore(share: number): number {
  if (share > 0.5) return -normalScore(1 - share)
  const t = Math.sqrt(-2 * Math.log(share))
  const fraction = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  return fraction - t
}
