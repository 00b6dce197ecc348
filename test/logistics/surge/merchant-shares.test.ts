import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capMerchantShares, maxMerchantWeight } from '../../../src/logistics/surge/merchant-shares.ts'
import { merchantShareMax, noCourierPrior } from '../../../src/logistics/surge/surge-rules.ts'
import type { SurgeObservationKind, SurgeObservations } from '../../../src/store/logistics/surge/surge-signals.ts'

function seen(merchantId: string, kind: SurgeObservationKind, weight: number): SurgeObservations {
  const place = { book: 'live', zoneId: 'lag-lekki-1', priced: null } as const
  return { ...place, merchantId, kind, weight, total: weight * 600, count: Math.ceil(weight) }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

describe('maxMerchantWeight', () => {
  test('maxMerchantWeight limits each merchant to the maximum share of the total weight, and leaves a weight with a lower share unchanged', () => {
    const weights = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { maxLength: 30 })
    fc.assert(
      fc.property(weights, fc.double({ min: 0.1, max: 30, noNaN: true }), (all, usual) => {
        const limit = maxMerchantWeight(all, usual)
        const cut = all.map((weight) => Math.min(weight, limit))
        const most = merchantShareMax * (sumOf(cut) + usual)
        for (const [index, weight] of cut.entries()) {
          expect(weight).toBeLessThanOrEqual(most * (1 + 1e-9))
          if (weight < (all[index] ?? 0)) expect(weight).toBeCloseTo(most, 6)
        }
      }),
    )
  })

  test('maxMerchantWeight returns infinity for five or more merchants with equal weights', () => {
    expect(maxMerchantWeight([7, 7, 7, 7, 7], 4)).toBe(Number.POSITIVE_INFINITY)
    expect(maxMerchantWeight([], 4)).toBeLessThan(4)
  })
})

describe('capMerchantShares', () => {
  test('capMerchantShares limits a single merchant to a fifth of the total weight, and keeps the mean and count of the merchant’s observations', () => {
    const [busy, accepted] = capMerchantShares([seen('a', 'no_courier', 90), seen('a', 'accepted', 10)], 11)
    const weight = (busy?.weight ?? 0) + (accepted?.weight ?? 0)
    expect(weight / (weight + noCourierPrior)).toBeCloseTo(merchantShareMax)
    expect((busy?.weight ?? 0) / weight).toBeCloseTo(0.9)
    expect((busy?.total ?? 0) / (busy?.weight ?? 1)).toBeCloseTo(600)
    expect(busy?.count).toBe(90)
  })

  test('capMerchantShares caps the merchants’ shares of each signal separately', () => {
    const refused = seen('a', 'no_courier', 90)
    const others = ['b', 'c', 'd', 'e', 'f'].map((merchant) => seen(merchant, 'assigned', 2))
    const kept = capMerchantShares([refused, ...others], 11)
    expect(kept.filter(({ kind }) => kind === 'assigned')).toEqual(others)
  })
})
