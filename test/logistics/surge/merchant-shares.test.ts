import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { largestWeight, withinShares } from '../../../src/logistics/surge/merchant-shares.ts'
import { merchantShareMax, noCourierPrior } from '../../../src/logistics/surge/surge-rules.ts'
import type { SightingKind, Sightings } from '../../../src/store/logistics/surge/surge-signals.ts'

/** What one merchant counts for beside the others of a place. */

function seen(merchantId: string, kind: SightingKind, weight: number): Sightings {
  const place = { book: 'live', zoneId: 'lag-lekki-1', priced: null } as const
  return { ...place, merchantId, kind, weight, total: weight * 600, count: Math.ceil(weight) }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

describe('the largest weight', () => {
  test('leaves no merchant more than its share of all, the usual included, and cuts nobody below it', () => {
    const weights = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { maxLength: 30 })
    fc.assert(
      fc.property(weights, fc.double({ min: 0.1, max: 30, noNaN: true }), (all, usual) => {
        const limit = largestWeight(all, usual)
        const cut = all.map((weight) => Math.min(weight, limit))
        const most = merchantShareMax * (sumOf(cut) + usual)
        for (const [index, weight] of cut.entries()) {
          expect(weight).toBeLessThanOrEqual(most * (1 + 1e-9))
          if (weight < (all[index] ?? 0)) expect(weight).toBeCloseTo(most, 6)
        }
      }),
    )
  })

  test('is none where five or more see as much', () => {
    expect(largestWeight([7, 7, 7, 7, 7], 4)).toBe(Number.POSITIVE_INFINITY)
    expect(largestWeight([], 4)).toBeLessThan(4)
  })
})

describe('the sightings of a place', () => {
  test('of one merchant alone weigh a fifth of all answers, with the mean and count they had', () => {
    const [busy, accepted] = withinShares([seen('a', 'no_courier', 90), seen('a', 'accepted', 10)], 11)
    const weight = (busy?.weight ?? 0) + (accepted?.weight ?? 0)
    expect(weight / (weight + noCourierPrior)).toBeCloseTo(merchantShareMax)
    expect((busy?.weight ?? 0) / weight).toBeCloseTo(0.9)
    expect((busy?.total ?? 0) / (busy?.weight ?? 1)).toBeCloseTo(600)
    expect(busy?.count).toBe(90)
  })

  test('of one kind do not take from another: each signal has its own shares', () => {
    const refused = seen('a', 'no_courier', 90)
    const others = ['b', 'c', 'd', 'e', 'f'].map((merchant) => seen(merchant, 'assigned', 2))
    const kept = withinShares([refused, ...others], 11)
    expect(kept.filter(({ kind }) => kind === 'assigned')).toEqual(others)
  })
})
