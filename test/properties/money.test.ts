import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountMaxKobo } from '../../registry/values/limits.ts'
import { allocate, share, sum, toKobo } from '../../src/commerce/money.ts'
import { totalsOf } from '../../src/commerce/orders/totals.ts'
import { type OrderMoney, refundableKobo, refundTaxKobo } from '../../src/commerce/refunds/refund-rules.ts'

const kobo = fc.integer({ min: 0, max: amountMaxKobo }).map(toKobo)
const rateBps = fc.oneof(fc.constantFrom(0, 1, 750, 9999, 10_000), fc.integer({ min: 0, max: 10_000 }))

describe('the function allocate()', () => {
  const weights = fc.array(fc.integer({ min: 0, max: amountMaxKobo }), { minLength: 1, maxLength: 100 })

  test('allocate returns parts that add up to the amount exactly', () => {
    fc.assert(
      fc.property(kobo, weights, (amount, by) => {
        expect(sum(allocate(amount, by))).toBe(amount)
      }),
    )
  })

  test('allocate returns no negative part, and every part differs from its exact share by less than a kobo', () => {
    fc.assert(
      fc.property(kobo, weights, (amount, by) => {
        const total = by.reduce((all, weight) => all + BigInt(weight), 0n)
        fc.pre(total > 0n)
        for (const [index, part] of allocate(amount, by).entries()) {
          const away = BigInt(part) * total - BigInt(amount) * BigInt(by[index] ?? 0)
          expect(part).toBeGreaterThanOrEqual(0)
          expect(away < total && away > -total).toBe(true)
        }
      }),
    )
  })

  test('allocate returns zero for a part with the weight zero if another part has a positive weight', () => {
    fc.assert(
      fc.property(kobo, weights, (amount, by) => {
        fc.pre(by.some((weight) => weight > 0))
        const parts = allocate(amount, by)
        for (const [index, weight] of by.entries()) if (weight === 0) expect(parts[index]).toBe(0)
      }),
    )
  })
})

describe('the function share()', () => {
  test('share returns the exact share of an amount, rounded half up', () => {
    fc.assert(
      fc.property(
        kobo,
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        (amount, up, down) => {
          fc.pre(up <= down)
          const doubled = 2n * (BigInt(amount) * BigInt(up) - BigInt(share(amount, up, down)) * BigInt(down))
          expect(doubled >= -BigInt(down) && doubled < BigInt(down)).toBe(true)
        },
      ),
    )
  })
})

describe('totalsOf', () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 1000 }),
    unitPriceKobo: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1_000_000 })).map(toKobo),
    isTaxExempt: fc.boolean(),
  })
  const lines = fc.array(line, { minLength: 1, maxLength: 100 })
  const shipping = fc.integer({ min: 0, max: 10_000_000 }).map(toKobo)

  test('totalsOf returns totals that are the sums of their parts', () => {
    fc.assert(
      fc.property(lines, shipping, rateBps, fc.boolean(), (priced, shippingKobo, rate, isInclusive) => {
        const totals = totalsOf({ lines: priced, shippingKobo, tax: { rateBps: rate, isInclusive } })
        const lineTax = sum(totals.lines.map((each) => each.taxKobo))
        const shippingTax = totals.taxKobo - lineTax
        expect(totals.subtotalKobo).toBe(sum(totals.lines.map((each) => each.subtotalKobo)))
        expect(totals.totalKobo).toBe(
          sum(totals.lines.map((each) => each.totalKobo)) + shippingKobo + (isInclusive ? 0 : shippingTax),
        )
        // Checks the same rule as the database constraint order_total_adds_up.
        const added = isInclusive ? 0 : totals.taxKobo
        expect(totals.totalKobo).toBe(totals.subtotalKobo - totals.discountKobo + shippingKobo + added)
      }),
    )
  })

  test('the VAT of an item is 0 if the item is exempt, and otherwise at most the VAT rate’s share of the subtotal, rounded up', () => {
    fc.assert(
      fc.property(lines, shipping, rateBps, fc.boolean(), (priced, shippingKobo, rate, isInclusive) => {
        const totals = totalsOf({ lines: priced, shippingKobo, tax: { rateBps: rate, isInclusive } })
        for (const [index, each] of totals.lines.entries()) {
          expect(each.taxKobo).toBeLessThanOrEqual(Math.ceil((each.subtotalKobo * rate) / 10_000))
          if (priced[index]?.isTaxExempt) expect([each.taxKobo, each.taxRateBps]).toEqual([0, 0])
          // Checks the same rule as the database constraint item_total_adds_up.
          expect(each.totalKobo - each.subtotalKobo).toBe(isInclusive ? 0 : each.taxKobo)
        }
        expect(totals.taxKobo).toBeLessThanOrEqual(totals.totalKobo)
      }),
    )
  })
})

describe('amounts of refunds', () => {
  const order = fc
    .record({
      totalKobo: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: amountMaxKobo })),
      rate: rateBps,
    })
    .map(({ totalKobo, rate }): OrderMoney => {
      const nothing = toKobo(0)
      return {
        totalKobo: toKobo(totalKobo),
        taxKobo: share(toKobo(totalKobo), rate, 10_000 + rate),
        paidKobo: toKobo(totalKobo),
        refundedKobo: nothing,
        refundPendingKobo: nothing,
        refundedTaxKobo: nothing,
      }
    })
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })

  function refund(money: OrderMoney, amountKobo: number): OrderMoney {
    const taxKobo = refundTaxKobo(money, toKobo(amountKobo))
    expect(taxKobo).toBeGreaterThanOrEqual(0)
    expect(taxKobo).toBeLessThanOrEqual(amountKobo)
    return {
      ...money,
      refundedKobo: toKobo(money.refundedKobo + amountKobo),
      refundedTaxKobo: toKobo(money.refundedTaxKobo + taxKobo),
    }
  }

  test('random partial refunds of a whole payment add up to the payment and its VAT', () => {
    fc.assert(
      fc.property(order, cuts, (start, parts) => {
        let money = start
        for (const part of parts) {
          const amountKobo = Math.floor(refundableKobo(money) * part)
          if (amountKobo > 0) money = refund(money, amountKobo)
        }
        if (refundableKobo(money) > 0) money = refund(money, refundableKobo(money))
        expect([money.refundedKobo, money.refundedTaxKobo]).toEqual([start.paidKobo, start.taxKobo])
      }),
    )
  })

  test('when a payment is refunded kobo by kobo, the refunds add up to the payment and its VAT', () => {
    fc.assert(
      fc.property(order, (start) => {
        fc.pre(start.totalKobo <= 300)
        let money = start
        while (refundableKobo(money) > 0) money = refund(money, 1)
        expect(money.refundedTaxKobo).toBe(start.taxKobo)
      }),
    )
  })

  test('the VAT of each refund is within a kobo of the refund’s exact share of the order’s VAT', () => {
    fc.assert(
      fc.property(order, cuts, (start, parts) => {
        let money = start
        for (const part of parts) {
          const amountKobo = Math.floor(refundableKobo(money) * part)
          if (amountKobo === 0) continue
          const next = refund(money, amountKobo)
          const tax = BigInt(next.refundedTaxKobo - money.refundedTaxKobo) * BigInt(start.totalKobo)
          const away = tax - BigInt(amountKobo) * BigInt(start.taxKobo)
          expect(away <= BigInt(start.totalKobo) && away >= -BigInt(start.totalKobo)).toBe(true)
          money = next
        }
      }),
    )
  })

  test('if an order was overpaid, refunds of the whole payment together contain exactly the VAT of the order', () => {
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 1000 }), cuts, (start, more, parts) => {
        let money: OrderMoney = { ...start, paidKobo: toKobo(start.paidKobo + more) }
        for (const part of [...parts, 1]) {
          const amountKobo = Math.floor(refundableKobo(money) * part)
          if (amountKobo > 0) money = refund(money, amountKobo)
        }
        expect(money.refundedTaxKobo).toBe(start.taxKobo)
      }),
    )
  })
})
