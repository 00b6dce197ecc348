import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type RefundStatus,
  refundStatuses,
  refundsUnderWay,
  refundTransitions,
} from '../../registry/refunds/refund-states.ts'
import { amountMaxKobo } from '../../registry/values/limits.ts'
import { newOrderItemId, newPaymentId } from '../../src/base/records.ts'
import { share, toKobo } from '../../src/commerce/money.ts'
import { refundedItems } from '../../src/commerce/refunds/refund-items.ts'
import { choosePayment } from '../../src/commerce/refunds/refund-payment.ts'
import {
  leftKobo as leftKoboOf,
  type OrderMoney,
  refundableKobo,
  refundTaxKobo,
} from '../../src/commerce/refunds/refund-rules.ts'

const nothing = toKobo(0)

describe('successful and failed refunds of one order', () => {
  const order = fc
    .record({
      totalKobo: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: amountMaxKobo })),
      rate: fc.oneof(fc.constantFrom(0, 1, 750, 9999, 10_000), fc.integer({ min: 0, max: 10_000 })),
    })
    .map(({ totalKobo, rate }): OrderMoney => {
      const taxKobo = share(toKobo(totalKobo), rate, 10_000 + rate)
      const paid = { totalKobo: toKobo(totalKobo), taxKobo, paidKobo: toKobo(totalKobo) }
      return { ...paid, refundedKobo: nothing, refundPendingKobo: nothing, refundedTaxKobo: nothing }
    })
  const step = fc.oneof(
    fc.record({ is: fc.constant('refund' as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ is: fc.constant('refund' as const), part: fc.constant(0) }),
    fc.record({ is: fc.constant('fail' as const), chosen: fc.nat() }),
    fc.record({ is: fc.constant('succeed' as const), chosen: fc.nat() }),
  )

  interface Live {
    readonly amountKobo: number
    readonly taxKobo: number
    isSettled: boolean
  }

  const sumOf = (live: readonly Live[], field: 'amountKobo' | 'taxKobo') =>
    live.reduce((sum, refund) => sum + refund[field], 0)

  function moneyOf(start: OrderMoney, live: readonly Live[]): OrderMoney {
    const settled = live.filter(({ isSettled }) => isSettled)
    const pending = live.filter(({ isSettled }) => !isSettled)
    return {
      ...start,
      refundedKobo: toKobo(sumOf(settled, 'amountKobo')),
      refundPendingKobo: toKobo(sumOf(pending, 'amountKobo')),
      refundedTaxKobo: toKobo(sumOf(live, 'taxKobo')),
    }
  }

  test('even if some refunds of an order fail, the others never exceed the payment or its VAT, and a refund of the remaining amount makes both sums exact', () => {
    fc.assert(
      fc.property(order, fc.array(step, { maxLength: 60 }), (start, steps) => {
        const live: Live[] = []
        const refund = (amountKobo: number) => {
          const taxKobo = refundTaxKobo(moneyOf(start, live), toKobo(amountKobo))
          expect(taxKobo).toBeGreaterThanOrEqual(0)
          expect(taxKobo).toBeLessThanOrEqual(amountKobo)
          live.push({ amountKobo, taxKobo, isSettled: false })
        }
        for (const each of steps) {
          const left = refundableKobo(moneyOf(start, live))
          if (each.is === 'refund') {
            // A fraction of the amount that rounds down to zero is replaced with 1 kobo, the smallest refund.
            if (left > 0) refund(Math.max(1, Math.floor(left * each.part)))
          } else if (live.length > 0) {
            const index = each.chosen % live.length
            const [found] = each.is === 'fail' ? live.splice(index, 1) : live.slice(index, index + 1)
            if (found !== undefined) found.isSettled = true
          }
          expect(sumOf(live, 'amountKobo')).toBeLessThanOrEqual(start.paidKobo)
          expect(sumOf(live, 'taxKobo')).toBeLessThanOrEqual(start.taxKobo)
        }
        const rest = refundableKobo(moneyOf(start, live))
        if (rest > 0) refund(rest)
        expect([sumOf(live, 'amountKobo'), sumOf(live, 'taxKobo')]).toEqual([start.paidKobo, start.taxKobo])
      }),
      { numRuns: 500 },
    )
  })
})

describe('the choice of the payment to refund', () => {
  const payment = fc.record({ leftKobo: fc.nat(1000), lostKobo: fc.nat(1000), isDisputed: fc.boolean() })
  const payments = fc.array(payment, { maxLength: 6 })

  test('the payment chosen for a refund is not disputed, and its remaining amount covers the refund', () => {
    fc.assert(
      fc.property(payments, fc.nat(1000), fc.integer({ min: 1, max: 2000 }), (made, byHandKobo, amountKobo) => {
        const known = made.map(({ leftKobo, lostKobo, isDisputed }) => {
          const unrefundedKobo = toKobo(leftKobo + lostKobo)
          return {
            isDisputed,
            lostKobo: toKobo(lostKobo),
            unrefundedKobo,
            id: newPaymentId(0),
            provider: 'paystack' as const,
          }
        })
        const leftKobo = toKobo(known.reduce((sum, { unrefundedKobo }) => sum + unrefundedKobo, byHandKobo))
        fc.pre(amountKobo <= leftKobo)
        const choice = choosePayment(known, leftKobo, toKobo(amountKobo))
        const most = Math.max(byHandKobo, ...known.map(leftKoboOf))
        if (choice.is === 'chosen') {
          const payment = known.find(({ id }) => id === choice.payment?.id)
          expect(amountKobo).toBeLessThanOrEqual(payment === undefined ? byHandKobo : leftKoboOf(payment))
          expect(payment?.isDisputed ?? false).toBe(false)
        } else {
          // The refund may be rejected only if no single payment is large enough for it.
          expect(amountKobo).toBeGreaterThan(most)
          if (choice.is === 'too_much_for_one') expect(choice.mostKobo).toBe(most)
        }
      }),
    )
  })
})

describe('the restocked units of a line', () => {
  const counts = fc.array(fc.nat(20), { minLength: 8, maxLength: 8 })

  test('a restock contains at most the requested units of an order item, and only unsent and sent units that can be restocked', () => {
    fc.assert(
      fc.property(counts, ([quantity = 0, a = 0, b = 0, c = 0, d = 0, e = 0, asked = 0, f = 0]) => {
        const fulfilledQuantity = Math.min(a, quantity)
        const cancelledQuantity = Math.min(b, quantity - fulfilledQuantity)
        const returnedQuantity = Math.min(c, fulfilledQuantity)
        const restockedQuantity = Math.min(d, quantity)
        const lostQuantity = Math.min(e, fulfilledQuantity - returnedQuantity)
        const line = {
          ...{ id: newOrderItemId(0), variantId: null, totalKobo: nothing, refundedQuantity: 0 },
          ...{ quantity, fulfilledQuantity, cancelledQuantity, returnedQuantity, lostQuantity, restockedQuantity },
          underReturnQuantity: Math.min(f, fulfilledQuantity - returnedQuantity - lostQuantity),
        }
        const { unsent, sent } = refundedItems(line, asked)
        expect(Math.min(unsent, sent)).toBeGreaterThanOrEqual(0)
        expect(unsent + sent).toBeLessThanOrEqual(asked)
        expect(unsent).toBeLessThanOrEqual(quantity - fulfilledQuantity - cancelledQuantity)
        expect(sent).toBeLessThanOrEqual(fulfilledQuantity - returnedQuantity - lostQuantity - line.underReturnQuantity)
      }),
    )
  })
})

describe('the state machine of refunds', () => {
  const movesOf = (status: RefundStatus): readonly RefundStatus[] => refundTransitions[status]

  test('every open refund can succeed or fail, and only failed and cancelled refunds are final', () => {
    for (const status of refundsUnderWay)
      expect(movesOf(status)).toEqual(expect.arrayContaining(['succeeded', 'failed']))
    expect(refundStatuses.filter((status) => movesOf(status).length === 0)).toEqual(['failed', 'cancelled'])
  })

  test('a refund never returns to pending, and never leaves a final status', () => {
    for (const status of refundStatuses) expect(movesOf(status)).not.toContain('pending')
    expect(movesOf('succeeded')).toEqual(['failed'])
  })
})
