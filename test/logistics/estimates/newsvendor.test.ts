import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arrivalOf,
  bestDelay,
  type Draw,
  drawOutcomes,
  expectedWaits,
  lateProbability,
} from '../../../src/logistics/estimates/newsvendor.ts'
import {
  lognormal,
  lognormalThrough,
  quantileAt,
  shares,
  shrunkTowards,
  widen,
} from '../../../src/logistics/estimates/quantiles.ts'

const minutes = fc.integer({ min: 1, max: 600 })
const sigma = fc.integer({ min: 0, max: 120 }).map((percent) => percent / 100)
const spread = fc.tuple(minutes, sigma).map(([median, wide]) => lognormal(median * 60, wide))
const share = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100)
const unknowns = fc
  .record({ prep: spread, lead: spread, travel: spread, begunSecondsAgo: fc.integer({ min: 0, max: 36_000 }) })
  .map(drawOutcomes)

describe('quantiles', () => {
  test('a quantile with a higher probability is never lower, even in the tails of the distribution', () => {
    fc.assert(
      fc.property(spread, share, share, (quantiles, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        expect(quantileAt(quantiles, less)).toBeLessThanOrEqual(quantileAt(quantiles, more) + 1e-6)
      }),
    )
  })

  test('quantileAt returns each stored value at the probability for which the value is stored', () => {
    fc.assert(
      fc.property(spread, fc.integer({ min: 0, max: 18 }), (quantiles, index) => {
        expect(quantileAt(quantiles, shares[index] ?? 0)).toBeCloseTo(quantiles[index] ?? 0, 3)
      }),
    )
  })

  test('quantiles below the first and above the last stored value are extrapolated with the lognormal distribution of the stored values', () => {
    const quantiles = lognormal(2700, 0.6)
    // The number 2.326 is the 0.99 quantile of the standard normal distribution.
    expect(quantileAt(quantiles, 0.99) / (2700 * Math.exp(0.6 * 2.3263))).toBeCloseTo(1, 2)
    expect(quantileAt(quantiles, 0.01) / (2700 * Math.exp(-0.6 * 2.3263))).toBeCloseTo(1, 2)
  })

  test('the quantile function of a merchant’s preparation time returns the given p50 at the probability 0.5, and the given p90 at 0.9', () => {
    fc.assert(
      fc.property(minutes, minutes, (p50, more) => {
        const quantiles = lognormalThrough({ p50, p90: p50 + more })
        expect(quantileAt(quantiles, 0.5)).toBeCloseTo(p50, 1)
        expect(quantileAt(quantiles, 0.9) / (p50 + more)).toBeCloseTo(1, 6)
      }),
    )
  })

  test('quantiles of a merchant with few observations are shrunk towards the quantiles of all merchants', () => {
    fc.assert(
      fc.property(minutes, minutes, fc.integer({ min: 1, max: 500 }), (mine, theirs, count) => {
        const own = lognormal(mine * 60, 0.4)
        const parent = lognormal(theirs * 60, 0.4)
        const median = quantileAt(shrunkTowards(parent, { count, seconds: own }), 0.5)
        expect(median).toBeGreaterThanOrEqual(Math.min(mine, theirs) * 60 - 0.5)
        expect(median).toBeLessThanOrEqual(Math.max(mine, theirs) * 60 + 0.5)
      }),
    )
    const parent = lognormal(3600, 0.5)
    const medianWith = (count: number) =>
      quantileAt(shrunkTowards(parent, { count, seconds: lognormal(900, 0.5) }), 0.5)
    // Six observations of the merchant weigh as much as the estimate for all merchants, so the result is the geometric
    // mean of both.
    expect(medianWith(6)).toBeCloseTo(1800, 0)
    expect(medianWith(600)).toBeLessThan(920)
    expect(shrunkTowards(parent, undefined)).toEqual(parent)
  })

  test('the widening of a distribution changes only the quantiles above the median, and all quantiles stay in ascending order', () => {
    fc.assert(
      fc.property(spread, fc.integer({ min: 70, max: 160 }), (quantiles, percent) => {
        const wider = widen(quantiles, percent / 100)
        expect(wider.slice(0, 10)).toEqual(quantiles.slice(0, 10))
        for (const [index, seconds] of wider.entries()) {
          expect(seconds).toBeGreaterThanOrEqual((wider[index - 1] ?? 0) - 1e-6)
        }
      }),
    )
  })
})

describe('the delay before a carrier is called', () => {
  test('the delay before the carrier call is never negative, with or without a deadline', () => {
    fc.assert(
      fc.property(unknowns, share, fc.integer({ min: 0, max: 100_000 }), (draws, criticalRatio, deadlineSeconds) => {
        expect(bestDelay(draws, { criticalRatio })).toBeGreaterThanOrEqual(0)
        expect(bestDelay(draws, { criticalRatio, deadlineSeconds })).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('the delay before the carrier call does not decrease if a larger share of parcels should be ready before the rider arrives', () => {
    fc.assert(
      fc.property(unknowns, share, share, (draws, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        expect(bestDelay(draws, { criticalRatio: less })).toBeLessThanOrEqual(bestDelay(draws, { criticalRatio: more }))
      }),
    )
  })

  test('the delay before the carrier call minimises the weighted sum of the rider’s wait and the parcel’s wait', () => {
    fc.assert(
      fc.property(unknowns, share, fc.integer({ min: 0, max: 600 }), (draws, criticalRatio, minute) => {
        const costAt = (delay: number) => {
          const { riderWaitSeconds, parcelWaitSeconds } = expectedWaits(draws, delay)
          return criticalRatio * riderWaitSeconds + (1 - criticalRatio) * parcelWaitSeconds
        }
        // The tolerance is for the 500 samples: the number of samples below the delay can differ by one from the exact
        // number.
        expect(costAt(bestDelay(draws, { criticalRatio }))).toBeLessThanOrEqual(costAt(minute * 60) * 1.01 + 1)
      }),
    )
  })

  test('a longer delay before the carrier call never lengthens the rider’s wait or shortens the parcel’s wait', () => {
    fc.assert(
      fc.property(
        unknowns,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        (draws, minute, more) => {
          const [sooner, later] = [expectedWaits(draws, minute * 60), expectedWaits(draws, (minute + more) * 60)]
          expect(later.riderWaitSeconds).toBeLessThanOrEqual(sooner.riderWaitSeconds)
          expect(later.parcelWaitSeconds).toBeGreaterThanOrEqual(sooner.parcelWaitSeconds)
        },
      ),
    )
  })

  test('with a deadline, the chosen delay costs at most as much as every delay that is a multiple of 15 minutes', () => {
    fc.assert(
      fc.property(unknowns, fc.integer({ min: 0, max: 40_000 }), (draws, deadlineSeconds) => {
        const criticalRatio = 1 / 3
        const costAt = (delay: number) => {
          const { riderWaitSeconds, parcelWaitSeconds } = expectedWaits(draws, delay)
          const late = draws.map((draw) => Math.max(0, arrivalOf(draw, delay) - deadlineSeconds))
          return (
            riderWaitSeconds + 2 * parcelWaitSeconds + (10 * late.reduce((sum, each) => sum + each, 0)) / draws.length
          )
        }
        const chosen = costAt(bestDelay(draws, { criticalRatio, deadlineSeconds }))
        const every = Array.from({ length: 40 }, (_, index) => costAt(index * 15 * 60))
        expect(chosen).toBeLessThanOrEqual(Math.min(...every) + 1e-6)
      }),
      { numRuns: 25 },
    )
  })

  test('a deadline never lengthens the delay before the carrier call, and a deadline in the past makes the delay 0', () => {
    const draws = drawOutcomes({
      prep: lognormal(2700, 0.45),
      lead: lognormal(1080, 0.4),
      travel: lognormal(1800, 0.3),
      begunSecondsAgo: 0,
    })
    const free = bestDelay(draws, { criticalRatio: 1 / 3 })
    const tight = bestDelay(draws, { criticalRatio: 1 / 3, deadlineSeconds: 4500 })
    expect(tight).toBeLessThan(free)
    expect(lateProbability(draws, tight, 4500)).toBeLessThanOrEqual(lateProbability(draws, free, 4500))
    expect(lateProbability(draws, 0, 0)).toBe(1)
  })

  test('with a critical ratio of one third, the parcel is ready before the rider arrives in one third of the simulated cases', () => {
    const draws = drawOutcomes({
      prep: lognormal(2700, 0.45),
      lead: lognormal(1080, 0.4),
      travel: lognormal(1800, 0.3),
      begunSecondsAgo: 0,
    })
    const delay = bestDelay(draws, { criticalRatio: 1 / 3 })
    const readyFirst = draws.filter(({ ready, lead }) => ready <= delay + lead).length / draws.length
    expect(readyFirst).toBeCloseTo(1 / 3, 1)
  })

  test('the delay before the carrier call is 0 for a parcel whose preparation began long ago', () => {
    const draws: readonly Draw[] = drawOutcomes({
      prep: lognormal(2700, 0.45),
      lead: lognormal(1080, 0.4),
      travel: lognormal(1800, 0.3),
      begunSecondsAgo: 86_400,
    })
    expect(bestDelay(draws, { criticalRatio: 0.6 })).toBe(0)
  })
})
