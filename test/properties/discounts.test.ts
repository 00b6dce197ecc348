import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountMaxKobo } from '../../registry/values/limits.ts'
import type { PriceCut } from '../../src/commerce/discounts/price-cuts.ts'
import { sum, toKobo } from '../../src/commerce/money.ts'
import { totalsOf } from '../../src/commerce/orders/totals.ts'

const rateBps = fc.oneof(fc.constantFrom(0, 1, 750, 9999, 10_000), fc.integer({ min: 0, max: 10_000 }))
const tax = fc.record({ rateBps, isInclusive: fc.boolean() })
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 1000 }),
  unitPriceKobo: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1_000_000 })).map(toKobo),
  isTaxExempt: fc.boolean(),
})
const lines = fc.array(line, { minLength: 1, maxLength: 40 })
const shipping = fc.integer({ min: 0, max: 10_000_000 }).map(toKobo)
const amount = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: amountMaxKobo })).map(toKobo)
const bps = fc.oneof(fc.constantFrom(1, 5000, 10_000), fc.integer({ min: 1, max: 10_000 }))

/** Indexes of the order lines to which a discount applies. Some are beyond the last line and match no line. */
const lineIndexes = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { minLength: 1, maxLength: 40 })
const everyLine = Array.from({ length: 40 }, (_, index) => index)
const anyLines = fc.oneof(lineIndexes, fc.constant(everyLine))
const cut: fc.Arbitrary<PriceCut> = fc.oneof(
  fc
    .record({ bps, maxKobo: fc.option(amount), lineIndexes: anyLines })
    .map((more) => ({ is: 'percentage' as const, ...more })),
  fc.record({ amountKobo: amount, lineIndexes: anyLines }).map((more) => ({ is: 'fixed' as const, ...more })),
  fc.constant<PriceCut>({ is: 'shipping' }),
)
const order = fc.record({ lines, shippingKobo: shipping, tax, cuts: fc.array(cut, { maxLength: 3 }) })

describe('amounts of discounts', () => {
  test('every total of a discounted order is the sum of its parts, to the kobo', () => {
    fc.assert(
      fc.property(order, (priced) => {
        const totals = totalsOf(priced)
        const { isInclusive } = priced.tax
        for (const taken of totals.cuts) expect(sum([...taken.lines, taken.shippingKobo])).toBe(taken.amountKobo)
        expect(totals.discountKobo).toBe(sum(totals.cuts.map((taken) => taken.amountKobo)))
        for (const [index, each] of totals.lines.entries()) {
          expect(each.discountKobo).toBe(sum(totals.cuts.map((taken) => toKobo(taken.lines[index] ?? NaN))))
          // Checks the same rules as the database constraints item_total_adds_up and
          // item_discount_is_within_its_subtotal.
          expect(each.totalKobo).toBe(each.subtotalKobo - each.discountKobo + (isInclusive ? 0 : each.taxKobo))
          expect(each.discountKobo).toBeLessThanOrEqual(each.subtotalKobo)
        }
        // Checks the same rules as the database constraints order_total_adds_up and
        // order_discount_is_within_what_it_reduces.
        const net = totals.subtotalKobo - totals.discountKobo + totals.shippingKobo
        expect(totals.totalKobo).toBe(net + (isInclusive ? 0 : totals.taxKobo))
        expect(totals.discountKobo).toBeLessThanOrEqual(totals.subtotalKobo + totals.shippingKobo)
        const shippingNet = totals.shippingKobo - sum(totals.cuts.map((taken) => taken.shippingKobo))
        const shippingTax = totals.taxKobo - sum(totals.lines.map((each) => each.taxKobo))
        expect(totals.totalKobo).toBe(
          sum(totals.lines.map((each) => each.totalKobo)) + shippingNet + (isInclusive ? 0 : shippingTax),
        )
      }),
    )
  })

  test('no discounted amount is negative, and the VAT is computed on the discounted amount', () => {
    fc.assert(
      fc.property(order, (priced) => {
        const totals = totalsOf(priced)
        const amounts = [totals, ...totals.lines].flatMap((each) => [each.totalKobo, each.taxKobo, each.discountKobo])
        for (const each of [...amounts, ...totals.cuts.flatMap((taken) => taken.lines)]) {
          expect(each).toBeGreaterThanOrEqual(0)
        }
        for (const each of totals.lines) {
          expect(each.taxKobo).toBe(vat(each.subtotalKobo - each.discountKobo, each.taxRateBps, priced.tax.isInclusive))
        }
        const shippingNet = totals.shippingKobo - sum(totals.cuts.map((taken) => taken.shippingKobo))
        const shippingTax = totals.taxKobo - sum(totals.lines.map((each) => each.taxKobo))
        expect(shippingTax).toBe(vat(shippingNet, priced.tax.rateBps, priced.tax.isInclusive))
      }),
    )
  })

  test('a percentage discount applies to the amount that earlier discounts left, is rounded half up, and does not exceed its maximum amount', () => {
    fc.assert(
      fc.property(order, (priced) => {
        const totals = totalsOf(priced)
        const left = totals.lines.map((each) => BigInt(each.subtotalKobo))
        for (const [at, asked] of priced.cuts.entries()) {
          const taken = totals.cuts[at]
          if (asked.is !== 'shipping') {
            const base = left.reduce((all, each, index) => (asked.lineIndexes.includes(index) ? all + each : all), 0n)
            const wanted =
              asked.is === 'fixed' ? BigInt(asked.amountKobo) : (base * BigInt(asked.bps) + 5000n) / 10_000n
            const cap = asked.is === 'fixed' ? base : BigInt(asked.maxKobo ?? amountMaxKobo * 40)
            expect(BigInt(taken?.amountKobo ?? NaN)).toBe(wanted < cap ? wanted : cap)
          }
          for (const [index, part] of (taken?.lines ?? []).entries()) {
            if (asked.is === 'shipping' || !asked.lineIndexes.includes(index)) expect(part).toBe(0)
            left[index] = (left[index] ?? 0n) - BigInt(part)
          }
        }
      }),
    )
  })

  test('each line’s share of a discount differs from the exact proportional share by less than a kobo', () => {
    fc.assert(
      fc.property(lines, amount, (priced, amountKobo) => {
        const cuts: PriceCut[] = [{ is: 'fixed', amountKobo, lineIndexes: everyLine }]
        const totals = totalsOf({
          lines: priced,
          shippingKobo: toKobo(0),
          tax: { rateBps: 0, isInclusive: true },
          cuts,
        })
        const base = BigInt(totals.subtotalKobo)
        for (const each of totals.lines) {
          const away = BigInt(each.discountKobo) * base - BigInt(totals.discountKobo) * BigInt(each.subtotalKobo)
          expect(away < base || base === 0n).toBe(true)
          expect(away > -base || base === 0n).toBe(true)
        }
      }),
    )
  })

  test('a discount of a hundred per cent leaves only the shipping cost to pay, and free shipping in addition leaves nothing to pay', () => {
    fc.assert(
      fc.property(lines, shipping, tax, (priced, shippingKobo, rule) => {
        const everything: PriceCut = { is: 'percentage', bps: 10_000, maxKobo: null, lineIndexes: everyLine }
        const totals = totalsOf({ lines: priced, shippingKobo, tax: rule, cuts: [everything] })
        for (const each of totals.lines) expect([each.totalKobo, each.taxKobo]).toEqual([0, 0])
        expect(totals.totalKobo).toBe(shippingKobo + (rule.isInclusive ? 0 : totals.taxKobo))
        expect(totals.taxKobo).toBe(vat(shippingKobo, rule.rateBps, rule.isInclusive))
        const free = totalsOf({ lines: priced, shippingKobo, tax: rule, cuts: [everything, { is: 'shipping' }] })
        expect([free.totalKobo, free.taxKobo]).toEqual([0, 0])
        expect(free.discountKobo).toBe(free.subtotalKobo + shippingKobo)
      }),
    )
  })
})

/** Computes VAT by the formula of the design, in integers of any size. */
function vat(netKobo: number, rate: number, isInclusive: boolean): number {
  const divisor = isInclusive ? 10_000n + BigInt(rate) : 10_000n
  return Number((2n * BigInt(netKobo) * BigInt(rate) + divisor) / (2n * divisor))
}
