import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dispatchStrategies, type ServiceLevel, serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import { OfferId } from '../../../registry/values/vocabulary.ts'
import { newOfferId } from '../../../src/base/records.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import {
  expectedCostKobo,
  type PlanRules,
  planDispatch,
  type RankedOffer,
  rankByValue,
} from '../../../src/logistics/quotes/plan-offers.ts'
import { reliabilityOf } from '../../../src/logistics/quotes/reliability.ts'

const rules: PlanRules = {
  strategy: 'best_value',
  carriers: null,
  excludeCarriers: null,
  maxPriceKobo: null,
  maxPriceIncreaseKobo: null,
}

function offer(carrier: string, priceKobo: number, minutes: number | null, reliability = 0.9): RankedOffer {
  const dropoffMinutes = minutes === null ? null : { p50: minutes, p90: minutes }
  const serviceLevel = 'on_demand'
  return { offerId: newOfferId(0), carrier, serviceLevel, priceKobo: toKobo(priceKobo), dropoffMinutes, reliability }
}

function at(serviceLevel: ServiceLevel, carrier: string, priceKobo: number): RankedOffer {
  return { ...offer(carrier, priceKobo, 60), serviceLevel }
}

const swift = offer('swift', 300_000, 20, 0.8)
const steady = offer('steady', 250_000, 60, 0.95)
const saver = offer('saver', 100_000, 240, 0.9)
const all = [swift, steady, saver]
/** A price limit above the price of every offer, so that only the order of the offers matters. */
const free = { ...rules, maxPriceKobo: toKobo(10_000_000) }
const namesOf = (offers: readonly RankedOffer[]) => offers.map(({ carrier }) => carrier)

describe('the order of offers', () => {
  test.for<[PlanRules['strategy'], string[]]>([
    ['best_value', ['swift', 'steady', 'saver']],
    ['cheapest', ['saver', 'steady', 'swift']],
    ['fastest', ['swift', 'steady', 'saver']],
    ['most_reliable', ['steady', 'saver', 'swift']],
  ])('offers are ordered by the strategy %s', ([strategy, expected]) => {
    expect(namesOf(planDispatch(all, { ...free, strategy }).offers)).toEqual(expected)
  })

  test('if the strategy is preferred, a dispatch plan contains only the carriers that the request names, in the same sequence', () => {
    const carriers = ['saver', 'swift']
    expect(namesOf(planDispatch(all, { ...free, strategy: 'preferred', carriers }).offers)).toEqual(carriers)
    expect(namesOf(planDispatch(all, { ...free, strategy: 'preferred' }).offers)).toEqual(namesOf(rankByValue(all)))
  })

  test('a dispatch plan excludes a carrier in excludeCarriers even if the request also names that carrier', () => {
    const excludeCarriers = ['swift']
    expect(namesOf(planDispatch(all, { ...free, carriers: ['swift', 'saver'], excludeCarriers }).offers)).toEqual([
      'saver',
    ])
  })

  test('a dispatch plan starts with the offer that the request has chosen', () => {
    const [first] = planDispatch(all, free, OfferId.parse(saver.offerId)).offers
    expect(first).toBe(saver)
  })

  test('the expected cost of an offer counts a minute as 20 naira, adds time for an uncertain estimate, and counts a missing estimate as four hours', () => {
    const sure = { ...steady, reliability: 1 }
    expect(expectedCostKobo(sure, 0)).toBe(250_000 + 60 * 2_000)
    expect(expectedCostKobo({ ...sure, dropoffMinutes: { p50: 60, p90: 90 } }, 0)).toBe(250_000 + 70 * 2_000)
    expect(expectedCostKobo({ ...sure, dropoffMinutes: null }, 0)).toBe(250_000 + 240 * 2_000)
    // A failed dispatch attempt costs five minutes and the price difference to the next offer.
    expect(expectedCostKobo({ ...sure, reliability: 0.5 }, 40_000)).toBe(250_000 + 120_000 + 0.5 * (10_000 + 40_000))
  })
})

describe('the service level of a dispatch plan', () => {
  const now = at('on_demand', 'swift', 300_000)
  const nowToo = at('on_demand', 'steady', 250_000)
  const today = at('same_day', 'steady', 150_000)
  const tomorrow = at('next_day', 'saver', 50_000)
  const someday = at('standard', 'fez', 20_000)
  const plan = (offers: readonly RankedOffer[], more: Partial<PlanRules> = {}, first?: RankedOffer) => {
    const planned = planDispatch(offers, { ...rules, ...more }, first?.offerId ?? undefined)
    return [...planned.offers, ...planned.overCeiling]
  }

  test('by default, a dispatch plan contains the offers of all carriers for the fastest available service level, and no other offers', () => {
    expect(plan([tomorrow, now, today, nowToo])).toEqual([nowToo, now])
    expect(plan([tomorrow, at('next_day', 'fez', 60_000), someday])).toHaveLength(2)
  })

  test('if only one carrier offers the fastest service level, the dispatch plan also contains the offers of the next service level', () => {
    expect(plan([someday, tomorrow, now])).toEqual([now, tomorrow])
    // `nowToo` and `today` are offers of the same carrier, so the plan also contains `someday`, the offer of the next
    // service level.
    expect(plan([someday, today, nowToo])).toEqual([nowToo, today, someday])
  })

  test('a dispatch plan contains the offers of all service levels that the request names or, with the strategy cheapest, the offers of every service level', () => {
    const offers = [now, today, tomorrow]
    expect(plan(offers, { serviceLevels: ['on_demand', 'same_day', 'next_day'] })).toHaveLength(3)
    expect(plan(offers, { strategy: 'cheapest' })).toEqual([tomorrow, today, now])
  })

  test('a dispatch plan lists the offers of the chosen service level first, then offers of faster levels, then offers of slower levels', () => {
    expect(plan([now, today, tomorrow, at('next_day', 'fez', 40_000)], {}, tomorrow)).toHaveLength(2)
    expect(plan([now, nowToo, tomorrow, someday], {}, tomorrow)).toEqual([tomorrow, nowToo, now])
    expect(plan([tomorrow, someday], {}, tomorrow)).toEqual([tomorrow, someday])
  })

  test('a dispatch plan with a price limit starts with the fastest service level that has an offer within the limit', () => {
    const limited = planDispatch([now, nowToo, today, tomorrow], { ...rules, maxPriceKobo: toKobo(200_000) })
    expect(limited.offers).toEqual([today, tomorrow])
    const { offers, cheapestKobo } = planDispatch([now, tomorrow], { ...rules, maxPriceKobo: toKobo(1) })
    expect({ offers, cheapestKobo }).toEqual({ offers: [], cheapestKobo: tomorrow.priceKobo })
  })
})

describe('the price ceiling of a dispatch plan', () => {
  test.for<[string, Partial<PlanRules>, number, string[]]>([
    ['is 1.5 times the first offer', {}, 450_000, ['swift', 'steady', 'saver']],
    ['is the price of the next carrier if higher', { strategy: 'cheapest' }, 250_000, ['saver', 'steady']],
    ['is the given price limit', { maxPriceKobo: toKobo(250_000) }, 250_000, ['steady', 'saver']],
    [
      'is the given increase above the first offer',
      { strategy: 'cheapest', maxPriceIncreaseKobo: toKobo(150_000) },
      250_000,
      ['saver', 'steady'],
    ],
    [
      'is the first offer with an increase of 0',
      { strategy: 'cheapest', maxPriceIncreaseKobo: toKobo(0) },
      100_000,
      ['saver'],
    ],
  ])('the price ceiling of a dispatch plan %s', ([, more, ceilingKobo, expected]) => {
    const plan = planDispatch(all, { ...rules, ...more })
    expect({ ceilingKobo: plan.ceilingKobo, offers: namesOf(plan.offers) }).toEqual({ ceilingKobo, offers: expected })
  })

  test('the default price ceiling is the offer’s price plus half of that price, and this half is rounded up to a multiple of 50 naira', () => {
    expect(planDispatch([offer('odd', 101_001, 20)], rules).ceilingKobo).toBe(101_001 + 55_000)
  })

  test('the default price ceiling ignores the price of a second, more expensive service of the first carrier', () => {
    const bike = { ...saver, priceKobo: toKobo(200_000) }
    expect(planDispatch([saver, bike, swift], { ...rules, strategy: 'cheapest' }).ceilingKobo).toBe(300_000)
  })

  test('the price ceiling never exceeds the maximum amount of the API, even if the allowed price increase is larger', () => {
    const plan = planDispatch(all, { ...rules, maxPriceIncreaseKobo: toKobo(amountMaxKobo) })
    expect(plan.ceilingKobo).toBe(amountMaxKobo)
  })

  test('if every offer is above the price ceiling, the dispatch plan contains no offers, but states the lowest price of all offers', () => {
    const plan = planDispatch(all, { ...rules, maxPriceKobo: toKobo(99_999) })
    expect({ ...plan, overCeiling: namesOf(plan.overCeiling) }).toEqual({
      offers: [],
      overCeiling: ['swift', 'steady', 'saver'],
      ceilingKobo: 99_999,
      cheapestKobo: 100_000,
    })
    expect(planDispatch([], rules)).toEqual({ offers: [], overCeiling: [], ceilingKobo: 0, cheapestKobo: undefined })
  })
})

const anyOffer = fc
  .record({
    carrier: fc.constantFrom('a', 'b', 'c', 'd'),
    serviceLevel: fc.constantFrom(...serviceLevels),
    price: fc.integer({ min: 0, max: 1_000_000 }),
    minutes: fc.option(fc.integer({ min: 1, max: 3_000 })),
    reliability: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ carrier, serviceLevel, price, minutes, reliability }) => ({
    ...offer(carrier, price, minutes, reliability),
    serviceLevel,
  }))

const anyRules = fc.record({
  strategy: fc.constantFrom(...dispatchStrategies),
  carriers: fc.option(fc.subarray(['a', 'b', 'c', 'd'])),
  excludeCarriers: fc.option(fc.subarray(['a', 'b', 'c', 'd'])),
  maxPriceKobo: fc.option(fc.integer({ min: 0, max: 1_000_000 }).map(toKobo)),
  maxPriceIncreaseKobo: fc.option(fc.integer({ min: 0, max: 1_000_000 }).map(toKobo)),
  serviceLevels: fc.constant<readonly ServiceLevel[]>(serviceLevels),
})

describe('dispatch plans for random offers', () => {
  test('a dispatch plan contains each allowed offer that is not above the price ceiling exactly once', () => {
    fc.assert(
      fc.property(fc.array(anyOffer, { maxLength: 12 }), anyRules, (offers, any) => {
        const { offers: planned, ceilingKobo } = planDispatch(offers, any)
        const allowed = offers.filter(
          ({ carrier, priceKobo }) =>
            (any.carriers?.includes(carrier) ?? true) &&
            !(any.excludeCarriers?.includes(carrier) ?? false) &&
            priceKobo <= ceilingKobo,
        )
        expect(new Set(planned)).toEqual(new Set(allowed))
        expect(planned).toHaveLength(allowed.length)
      }),
    )
  })

  test('a default dispatch plan has at least two carriers if two make offers, and contains every offer of the fastest service level whose price is not above the price ceiling', () => {
    fc.assert(
      fc.property(fc.array(anyOffer, { maxLength: 12 }), (offers) => {
        const { offers: planned, overCeiling } = planDispatch(offers, rules)
        const carriersOf = (some: readonly RankedOffer[]) => new Set(namesOf(some)).size
        expect(carriersOf(planned)).toBeGreaterThanOrEqual(Math.min(2, carriersOf(offers)))
        const fastest = serviceLevels.find((level) => offers.some(({ serviceLevel }) => serviceLevel === level))
        const ofFastest = offers.filter(({ serviceLevel }) => serviceLevel === fastest)
        expect([...planned, ...overCeiling]).toEqual(expect.arrayContaining(ofFastest))
      }),
    )
  })

  test('a dispatch plan without a price limit contains an offer, unless the request excludes all offers', () => {
    fc.assert(
      fc.property(fc.array(anyOffer, { minLength: 1 }), anyRules, (offers, any) => {
        const { offers: planned, cheapestKobo } = planDispatch(offers, { ...any, maxPriceKobo: null })
        expect(planned.length > 0).toBe(cheapestKobo !== undefined)
      }),
    )
  })
})

describe('reliability of a carrier', () => {
  const record = { carrier: 'a', succeeded: 0, failed: 0, succeededHere: 0, failedHere: 0 }

  test('the estimated reliability of a carrier without any dispatch attempts is 0.9', () => {
    expect(reliabilityOf('a', [])).toBeCloseTo(0.9)
    expect(reliabilityOf('a', [record])).toBeCloseTo(0.9)
  })

  test('the reliability of a carrier that never failed approaches 1, and that of a carrier that always failed approaches 0', () => {
    expect(reliabilityOf('a', [{ ...record, succeeded: 990, succeededHere: 990 }])).toBeGreaterThan(0.99)
    expect(reliabilityOf('a', [{ ...record, failed: 990, failedHere: 990 }])).toBeLessThan(0.02)
  })

  test('a carrier’s reliability is between 0 and 1, rises with each success in the zone, and falls with each failure', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(1000),
        (succeeded, failed, succeededHere, failedHere) => {
          const now = reliabilityOf('a', [{ ...record, succeeded, failed, succeededHere, failedHere }])
          expect(now).toBeGreaterThan(0)
          expect(now).toBeLessThan(1)
          expect(
            reliabilityOf('a', [{ ...record, succeeded, failed, succeededHere: succeededHere + 1, failedHere }]),
          ).toBeGreaterThan(now)
          expect(
            reliabilityOf('a', [{ ...record, succeeded, failed: failed + 1, succeededHere, failedHere }]),
          ).toBeLessThan(now)
        },
      ),
    )
  })
})
