import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Surge } from '../../../registry/logistics/surge.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { levelOf } from '../../../src/logistics/surge/current-surge.ts'
import { surgeAmount } from '../../../src/logistics/surge/surge-amount.ts'
import { factorsOf } from '../../../src/logistics/surge/surge-factors.ts'
import {
  type Baseline,
  blended,
  nextPublication,
  noObservations,
  type ObservedTotals,
  rawLog,
  signalsOf,
  smoothed,
  spread,
} from '../../../src/logistics/surge/surge-formula.ts'
import { fallMax, fullBetas, riseMax, surgeRules } from '../../../src/logistics/surge/surge-rules.ts'

const baselineValues: Baseline = { assignSeconds: 240, noCourierRate: 0.08, demandPerMinute: 0.5, conversion: 0.3 }

const amount = (max: number) => fc.double({ min: 0, max, noNaN: true })

const observed: fc.Arbitrary<ObservedTotals> = fc
  .record({
    assignedWeight: amount(500),
    meanSeconds: amount(2700),
    openCount: fc.nat(300),
    openMeanSeconds: amount(2700),
    noCourierWeight: amount(500),
    acceptedWeight: amount(500),
    dispatchedWeight: amount(1000),
    unconvertedWeight: amount(1000),
    priceWeight: amount(300),
    priceMeanLog: fc.double({ min: -2, max: 2, noNaN: true }),
    count: fc.nat(2000),
  })
  .map(({ meanSeconds, openMeanSeconds, priceMeanLog, ...rest }) => ({
    ...rest,
    openWeight: rest.openCount,
    assignedSeconds: rest.assignedWeight * meanSeconds,
    openSeconds: rest.openCount * openMeanSeconds,
    priceLog: rest.priceWeight * priceMeanLog,
  }))

const baseline: fc.Arbitrary<Baseline> = fc.record({
  assignSeconds: fc.double({ min: 120, max: 360, noNaN: true }),
  noCourierRate: fc.double({ min: 0.04, max: 0.16, noNaN: true }),
  demandPerMinute: fc.option(fc.double({ min: 0, max: 50, noNaN: true })),
  conversion: fc.double({ min: 0, max: 1, noNaN: true }),
})

/** Generates any surge multiplier that the service can publish. */
const multiplier = fc.integer({ min: 20, max: 40 }).map((steps) => (steps * 5) / 100)

/** Returns the product of factors, rounded to two decimals. It is computed exactly, in whole millionths. */
function productOf(factors: readonly { readonly factor: number }[]): string {
  const millionths = factors.map(({ factor }) => BigInt(factor.toFixed(6).replace('.', '')))
  const product = millionths.reduce((all, one) => all * one, 1n)
  const unit = 10n ** BigInt(6 * factors.length - 2)
  const hundredths = (product + unit / 2n) / unit
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

describe('factorsOf', () => {
  test('factorsOf returns factors whose product is the published multiplier', () => {
    fc.assert(
      fc.property(observed, baseline, multiplier, fc.boolean(), (totals, baseline, published, isFull) => {
        const rules = isFull ? { ...surgeRules, betas: fullBetas } : surgeRules
        const factors = factorsOf(signalsOf(totals, baseline, rules), baseline, published)
        expect(factors.map(({ code }) => code)).toEqual([
          'assignment_time',
          'no_courier_rate',
          'market_price',
          'demand',
          'blend_and_smoothing',
        ])
        expect(productOf(factors)).toBe(published.toFixed(2))
        // The surge factors have the same digits after they are written as JSON and parsed again.
        expect(productOf(JSON.parse(JSON.stringify(factors)))).toBe(published.toFixed(2))
        for (const { factor } of factors) expect(factor).toBe(Number(factor.toFixed(6)))
        Surge.shape.factors.parse(factors)
      }),
      { numRuns: 5_000 },
    )
  })

  test('factorsOf returns the factors of the worked example in the documentation', () => {
    const logs = {
      assignmentTime: 0.6 * Math.log(415 / 320),
      noCourier: 0.5 * Math.log(0.92 / 0.85),
      marketPrice: 0,
      demand: 0.15 * Math.log(0.66 / 0.55),
    }
    const signals = {
      assignSeconds: 415,
      noCourierRate: 0.15,
      priceIndex: 1,
      demandPerMinute: 0.61,
      logs,
      effectiveSamples: 41,
    }
    const factors = factorsOf(signals, { ...baselineValues, assignSeconds: 320 }, 1.25)
    expect(factors.map(({ factor }) => factor.toFixed(3))).toEqual(['1.169', '1.040', '1.000', '1.028', '1.000'])
  })
})

describe('signalsOf', () => {
  test('signalsOf returns the baseline when there are no observations', () => {
    const signals = signalsOf(noObservations, { ...baselineValues, demandPerMinute: null }, surgeRules)
    expect(signals).toMatchObject({ assignSeconds: 240, noCourierRate: 0.08, priceIndex: 1, effectiveSamples: 0 })
    expect(rawLog(signals)).toBe(0)
  })

  test('signalsOf returns the logarithm of each signal as a finite number of at least 0', () => {
    fc.assert(
      fc.property(observed, baseline, (totals, baseline) => {
        const { logs } = signalsOf(totals, baseline, surgeRules)
        for (const log of Object.values(logs)) expect(log >= 0 && Number.isFinite(log)).toBe(true)
      }),
    )
  })

  test('the assignment time that signalsOf returns includes the time that open shipments have waited for a rider', () => {
    const waiting = { ...noObservations, openCount: 6, openWeight: 6, openSeconds: 6 * 1200 }
    expect(signalsOf(waiting, baselineValues, surgeRules).assignSeconds).toBe((6 * 1200 + 3 * 240) / 9)
  })

  test('signalsOf computes the no-courier factor from the ratio of acceptance rates', () => {
    const { noCourierRate, logs } = signalsOf(
      { ...noObservations, noCourierWeight: 8, acceptedWeight: 8 },
      baselineValues,
      surgeRules,
    )
    expect(noCourierRate).toBeCloseTo((8 + 4 * 0.08) / 20, 12)
    expect(logs.noCourier).toBeCloseTo(0.25 * Math.log(0.92 / (1 - noCourierRate)), 12)
  })

  test('signalsOf counts unused quotes as demand, weighted by the usual share of quotes that become shipments', () => {
    const totals = { ...noObservations, dispatchedWeight: 10, unconvertedWeight: 20 }
    expect(signalsOf(totals, baselineValues, surgeRules).demandPerMinute).toBeCloseTo((16 * Math.LN2) / 8, 12)
  })

  test('signalsOf shrinks the price factor of a single unusual price towards 1', () => {
    const totals = { ...noObservations, priceWeight: 1, priceLog: Math.log(3) }
    expect(signalsOf(totals, baselineValues, surgeRules).priceIndex).toBeCloseTo(3 ** (1 / 5), 12)
  })

  test('halving the weights (betas) of all signals halves the logarithm of the surge', () => {
    const totals = { ...noObservations, assignedWeight: 20, assignedSeconds: 20 * 700, noCourierWeight: 9 }
    const full = rawLog(signalsOf(totals, baselineValues, { betas: fullBetas }))
    expect(rawLog(signalsOf(totals, baselineValues, surgeRules))).toBeCloseTo(full / 2, 12)
  })
})

describe('blending and smoothing', () => {
  test('blended() shrinks the signals of a zone with few samples towards the signals of its city', () => {
    const few = signalsOf(
      { ...noObservations, assignedWeight: 4, assignedSeconds: 4 * 900 },
      baselineValues,
      surgeRules,
    )
    expect(blended(few, 0.4)).toBeCloseTo(0.5 * rawLog(few) + 0.2, 12)
    expect(blended(signalsOf(noObservations, baselineValues, surgeRules), 0.4)).toBe(0.4)
  })

  test('spread() derives a fifth of a zone’s surge from the neighbouring zones, if the zone has neighbours', () => {
    expect(spread(0.5, [0.1, 0.3])).toBeCloseTo(0.44, 12)
    expect(spread(0.5, [])).toBe(0.5)
  })

  test('smoothed() treats missed surge runs as if each of them had measured the current value', () => {
    let each = smoothed(undefined, 0.5, 0)
    for (let minute = 1; minute <= 7; minute++) each = smoothed(each, 0.5, minute * 60_000)
    const atOnce = smoothed(smoothed(undefined, 0.5, 0), 0.5, 7 * 60_000)
    expect(atOnce.log).toBeCloseTo(each.log, 12)
  })

  test('smoothed() returns the previous value when the clock moves backwards', () => {
    expect(smoothed({ log: 0.3, atMs: 60_000 }, 0.9, 0).log).toBe(0.3)
  })
})

describe('nextPublication', () => {
  const computed = (target: number, effectiveSamples = 50) => ({ log: Math.log(target), effectiveSamples })

  test('nextPublication returns a multiple of 0.05 within the step limits and the maximum multiplier', () => {
    fc.assert(
      fc.property(multiplier, fc.double({ min: -1, max: 3, noNaN: true }), (published, log) => {
        const { multiplier: next } = nextPublication(published, { log, effectiveSamples: 50 }, undefined, surgeRules)
        expect(next).toBe(Math.round(next * 20) / 20)
        expect(next).toBeGreaterThanOrEqual(1)
        expect(next).toBeLessThanOrEqual(surgeRules.cap)
        expect(next - published).toBeLessThanOrEqual(riseMax + 1e-9)
        expect(published - next).toBeLessThanOrEqual(fallMax + 1e-9)
      }),
      { numRuns: 5_000 },
    )
  })

  test.for([
    [1.1, 1.13, 1.1, 'difference below the hysteresis'],
    [1.1, 1.14, 1.15, 'difference above the hysteresis'],
    [1.1, 1.9, 1.3, 'rise limited to 0.2'],
    [1.5, 1.0, 1.4, 'fall limited to 0.1'],
    [1.9, 5.0, 2.0, 'limited to the cap'],
  ] as const)('nextPublication moves the multiplier %s, with the target %s, to %s: %s', ([
    published,
    target,
    expected,
  ]) => {
    expect(nextPublication(published, computed(target), undefined, surgeRules)).toEqual({
      multiplier: expected,
      basis: 'observed',
    })
  })

  test('nextPublication returns the multiplier 1 with the basis insufficient_data if there are fewer samples than the minimum', () => {
    const outcome = nextPublication(1.4, computed(1.8, 2.99), undefined, surgeRules)
    expect(outcome).toEqual({ multiplier: 1, basis: 'insufficient_data' })
  })

  test('nextPublication applies the freeze or override of an operator, limited to the maximum multiplier', () => {
    const frozen = nextPublication(1.4, computed(1.8, 0), { is: 'freeze' }, surgeRules)
    expect(frozen).toEqual({ multiplier: 1, basis: 'frozen' })
    const override = { is: 'override', multiplier: 1.75 } as const
    expect(nextPublication(1, computed(1, 0), override, surgeRules)).toEqual({ multiplier: 1.75, basis: 'override' })
    expect(nextPublication(1, computed(1), override, { cap: 1.5 }).multiplier).toBe(1.5)
  })
})

test('surgeAmount returns the part of the price above the fare, rounded to 50 naira', () => {
  expect(surgeAmount(1, toKobo(180_000))).toBe(0)
  expect(surgeAmount(1.25, toKobo(180_000))).toBe(45_000)
  expect(surgeAmount(1.15, toKobo(220_000))).toBe(35_000)
  expect(surgeAmount(1.05, toKobo(180_000))).toBe(10_000)
})

test('levelOf returns the documented level of each multiplier', () => {
  expect([1, 1.05, 1.25, 1.3, 1.55, 1.6, 2].map(levelOf)).toEqual([
    'normal',
    'elevated',
    'elevated',
    'high',
    'high',
    'very_high',
    'very_high',
  ])
})
