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
  nothingObserved,
  type Observed,
  rawLog,
  signalsOf,
  smoothed,
  spread,
} from '../../../src/logistics/surge/surge-formula.ts'
import { fallMax, fullBetas, riseMax, surgeRules } from '../../../src/logistics/surge/surge-rules.ts'

const usual: Baseline = { assignSeconds: 240, noCourierRate: 0.08, demandPerMinute: 0.5, conversion: 0.3 }

const amount = (max: number) => fc.double({ min: 0, max, noNaN: true })

const observed: fc.Arbitrary<Observed> = fc
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

/** Every number that can be published. */
const multiplier = fc.integer({ min: 20, max: 40 }).map((steps) => (steps * 5) / 100)

/** The product of printed decimals, exactly: in whole millionths, as somebody with pencil and paper would have it. */
function productOf(factors: readonly { readonly factor: number }[]): string {
  const millionths = factors.map(({ factor }) => BigInt(factor.toFixed(6).replace('.', '')))
  const product = millionths.reduce((all, one) => all * one, 1n)
  const unit = 10n ** BigInt(6 * factors.length - 2)
  const hundredths = (product + unit / 2n) / unit
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

describe('the factors', () => {
  test('multiply to the published number, whatever was seen and whatever was made of it', () => {
    fc.assert(
      fc.property(observed, baseline, multiplier, fc.boolean(), (seen, expected, published, isFull) => {
        const rules = isFull ? { ...surgeRules, betas: fullBetas } : surgeRules
        const factors = factorsOf(signalsOf(seen, expected, rules), expected, published)
        expect(factors.map(({ code }) => code)).toEqual([
          'assignment_time',
          'no_courier_rate',
          'market_price',
          'demand',
          'blend_and_smoothing',
        ])
        expect(productOf(factors)).toBe(published.toFixed(2))
        // What is stored and sent are these very digits.
        expect(productOf(JSON.parse(JSON.stringify(factors)))).toBe(published.toFixed(2))
        for (const { factor } of factors) expect(factor).toBe(Number(factor.toFixed(6)))
        Surge.shape.factors.parse(factors)
      }),
      { numRuns: 5_000 },
    )
  })

  test('are those of the worked example', () => {
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
    const factors = factorsOf(signals, { ...usual, assignSeconds: 320 }, 1.25)
    expect(factors.map(({ factor }) => factor.toFixed(3))).toEqual(['1.169', '1.040', '1.000', '1.028', '1.000'])
  })
})

describe('a signal', () => {
  test('says nothing where nothing was seen', () => {
    const signals = signalsOf(nothingObserved, { ...usual, demandPerMinute: null }, surgeRules)
    expect(signals).toMatchObject({ assignSeconds: 240, noCourierRate: 0.08, priceIndex: 1, effectiveSamples: 0 })
    expect(rawLog(signals)).toBe(0)
  })

  test('never makes anything cheaper than plain, and is finite, whatever was seen', () => {
    fc.assert(
      fc.property(observed, baseline, (seen, expected) => {
        const { logs } = signalsOf(seen, expected, surgeRules)
        for (const log of Object.values(logs)) expect(log >= 0 && Number.isFinite(log)).toBe(true)
      }),
    )
  })

  test('counts shipments that still wait with what they have waited', () => {
    const waiting = { ...nothingObserved, openCount: 6, openWeight: 6, openSeconds: 6 * 1200 }
    expect(signalsOf(waiting, usual, surgeRules).assignSeconds).toBe((6 * 1200 + 3 * 240) / 9)
  })

  test('of refusals is how much rarer a yes has become', () => {
    const { noCourierRate, logs } = signalsOf(
      { ...nothingObserved, noCourierWeight: 8, acceptedWeight: 8 },
      usual,
      surgeRules,
    )
    expect(noCourierRate).toBeCloseTo((8 + 4 * 0.08) / 20, 12)
    expect(logs.noCourier).toBeCloseTo(0.25 * Math.log(0.92 / (1 - noCourierRate)), 12)
  })

  test('of demand takes quotes nobody used for the share of them that usually becomes shipments', () => {
    const seen = { ...nothingObserved, dispatchedWeight: 10, unconvertedWeight: 20 }
    expect(signalsOf(seen, usual, surgeRules).demandPerMinute).toBeCloseTo((16 * Math.LN2) / 8, 12)
  })

  test('of one odd price is drawn towards none', () => {
    const seen = { ...nothingObserved, priceWeight: 1, priceLog: Math.log(3) }
    expect(signalsOf(seen, usual, surgeRules).priceIndex).toBeCloseTo(3 ** (1 / 5), 12)
  })

  test('moves half as much with half the strength', () => {
    const seen = { ...nothingObserved, assignedWeight: 20, assignedSeconds: 20 * 700, noCourierWeight: 9 }
    const full = rawLog(signalsOf(seen, usual, { betas: fullBetas }))
    expect(rawLog(signalsOf(seen, usual, surgeRules))).toBeCloseTo(full / 2, 12)
  })
})

describe('what is made of the signals', () => {
  test('a zone of which little was seen is taken to be like its city', () => {
    const few = signalsOf({ ...nothingObserved, assignedWeight: 4, assignedSeconds: 4 * 900 }, usual, surgeRules)
    expect(blended(few, 0.4)).toBeCloseTo(0.5 * rawLog(few) + 0.2, 12)
    expect(blended(signalsOf(nothingObserved, usual, surgeRules), 0.4)).toBe(0.4)
  })

  test('a fifth comes from the neighbours, where there are any', () => {
    expect(spread(0.5, [0.1, 0.3])).toBeCloseTo(0.44, 12)
    expect(spread(0.5, [])).toBe(0.5)
  })

  test('smoothing over missed minutes ends where the minutes would have ended', () => {
    let each = smoothed(undefined, 0.5, 0)
    for (let minute = 1; minute <= 7; minute++) each = smoothed(each, 0.5, minute * 60_000)
    const atOnce = smoothed(smoothed(undefined, 0.5, 0), 0.5, 7 * 60_000)
    expect(atOnce.log).toBeCloseTo(each.log, 12)
  })

  test('a clock that was set back changes nothing', () => {
    expect(smoothed({ log: 0.3, atMs: 60_000 }, 0.9, 0).log).toBe(0.3)
  })
})

describe('the next publication', () => {
  const seen = (target: number, effectiveSamples = 50) => ({ log: Math.log(target), effectiveSamples })

  test('is in steps, within the limits of one publication and the cap, whatever is seen', () => {
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
    [1.1, 1.13, 1.1, 'what is closer than three quarters of a step'],
    [1.1, 1.14, 1.15, 'what is further'],
    [1.1, 1.9, 1.3, 'a rise of at most a fifth'],
    [1.5, 1.0, 1.4, 'a fall of at most a tenth'],
    [1.9, 5.0, 2.0, 'nothing above the cap'],
  ] as const)('from %s towards %s it is %s: %s', ([published, target, expected]) => {
    expect(nextPublication(published, seen(target), undefined, surgeRules)).toEqual({
      multiplier: expected,
      basis: 'observed',
    })
  })

  test('is plain at once where too little was seen', () => {
    const outcome = nextPublication(1.4, seen(1.8, 2.99), undefined, surgeRules)
    expect(outcome).toEqual({ multiplier: 1, basis: 'insufficient_data' })
  })

  test('is what an operator says, before all else, but never above the cap', () => {
    expect(nextPublication(1.4, seen(1.8, 0), { is: 'freeze' }, surgeRules)).toEqual({ multiplier: 1, basis: 'frozen' })
    const override = { is: 'override', multiplier: 1.75 } as const
    expect(nextPublication(1, seen(1, 0), override, surgeRules)).toEqual({ multiplier: 1.75, basis: 'override' })
    expect(nextPublication(1, seen(1), override, { cap: 1.5 }).multiplier).toBe(1.5)
  })
})

test('the amount is the part above the plain fare, rounded to fifty naira', () => {
  expect(surgeAmount(1, toKobo(180_000))).toBe(0)
  expect(surgeAmount(1.25, toKobo(180_000))).toBe(45_000)
  expect(surgeAmount(1.15, toKobo(220_000))).toBe(35_000)
  expect(surgeAmount(1.05, toKobo(180_000))).toBe(10_000)
})

test('the levels begin where they are said to', () => {
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
