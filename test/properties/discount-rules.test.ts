import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DiscountClass,
  type DiscountRejection,
  discountClasses,
  discountScopes,
  discountStatuses,
  discountTypes,
} from '../../registry/values/discount-terms.ts'
import type { DiscountId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { newCustomerId, newDiscountId } from '../../src/base/records.ts'
import { chooseDiscounts } from '../../src/commerce/discounts/discount-choice.ts'
import {
  classOf,
  type DiscountedOrder,
  type DiscountTerms,
  discountStateOf,
  rejectionOf,
} from '../../src/commerce/discounts/discount-rules.ts'
import { toKobo } from '../../src/commerce/money.ts'

const nowMs = Date.UTC(2026, 10, 21, 8, 30)
const now = toTimestamp(nowMs)
const customerId = newCustomerId(nowMs)
const line = { productId: 'prd_a', variantId: 'var_a', quantity: 2, unitPriceKobo: toKobo(500) }
const order: DiscountedOrder = {
  now,
  customerId,
  lines: [line, { productId: 'prd_b', variantId: 'var_b', quantity: 1, unitPriceKobo: toKobo(1) }],
  usesByCustomer: new Map(),
  hasOrderedBefore: true,
}

function terms(more: Partial<DiscountTerms> = {}): DiscountTerms {
  return {
    id: newDiscountId(nowMs),
    type: 'percentage',
    percentageBps: 1000,
    amountKobo: null,
    maxDiscountKobo: null,
    scope: 'order',
    appliesToIds: [],
    minimumSubtotalKobo: null,
    minimumQuantity: null,
    startsAt: now,
    endsAt: null,
    usageLimit: null,
    usageLimitPerCustomer: null,
    firstOrderOnly: false,
    customerIds: null,
    combinesWith: [],
    status: 'active',
    redemptionCount: 0,
    ...more,
  }
}

const inAMillisecond = toTimestamp(nowMs + 1)
const used = (id: DiscountId, count: number) => ({ ...order, usesByCustomer: new Map([[id, count]]) })

describe('a single discount', () => {
  const onA = { scope: 'products', appliesToIds: ['prd_a'] } as const
  const cases: readonly [string, Partial<DiscountTerms>, DiscountRejection | undefined][] = [
    ['that starts now applies', {}, undefined],
    ['that starts in a millisecond is rejected', { startsAt: inAMillisecond }, 'not_started'],
    ['that ends in a millisecond applies', { endsAt: inAMillisecond }, undefined],
    ['that ends now is rejected', { startsAt: toTimestamp(0), endsAt: now }, 'expired'],
    ['that is paused and has ended is rejected as paused', { status: 'paused', endsAt: now }, 'paused'],
    ['that is archived is not found', { status: 'archived' }, 'not_found'],
    ['with one use left applies', { usageLimit: 3, redemptionCount: 2 }, undefined],
    ['with no use left is rejected', { usageLimit: 3, redemptionCount: 3 }, 'usage_limit_reached'],
    ['for this customer applies', { customerIds: [newCustomerId(0), customerId] }, undefined],
    ['for other customers is rejected', { customerIds: [newCustomerId(0)] }, 'not_eligible'],
    ['for first orders is rejected for a second order', { firstOrderOnly: true }, 'not_first_order'],
    ['for a product of the order applies', onA, undefined],
    ['for a variant of the order applies', { scope: 'variants', appliesToIds: ['var_b'] }, undefined],
    ['for a product that is not in the order is rejected', { ...onA, appliesToIds: ['prd_c'] }, 'no_eligible_items'],
    ['applies at exactly its minimum subtotal', { minimumSubtotalKobo: toKobo(1001) }, undefined],
    ['is rejected one kobo below its minimum subtotal', { minimumSubtotalKobo: toKobo(1002) }, 'minimum_not_met'],
    [
      'compares only eligible items with its minimum subtotal',
      { ...onA, minimumSubtotalKobo: toKobo(1001) },
      'minimum_not_met',
    ],
    ['applies at exactly its minimum quantity', { minimumQuantity: 3 }, undefined],
    ['compares only eligible items with its minimum quantity', { ...onA, minimumQuantity: 3 }, 'minimum_not_met'],
  ]

  test.for(cases)('a discount %s', ([, more, expected]) => {
    expect(rejectionOf(terms(more), order)).toBe(expected)
  })

  test('a discount is used up for a customer who has reached the limit per customer, but not for other customers', () => {
    const limited = terms({ usageLimitPerCustomer: 2 })
    expect(rejectionOf(limited, used(limited.id, 1))).toBeUndefined()
    expect(rejectionOf(limited, used(limited.id, 2))).toBe('customer_limit_reached')
    expect(rejectionOf(limited, used(newDiscountId(0), 2))).toBeUndefined()
  })

  test('a discount that is limited to certain customers is rejected for an order without a customer record', () => {
    expect(rejectionOf(terms({ customerIds: [customerId] }), { ...order, customerId: null })).toBe('not_eligible')
  })

  test('a discount for first orders is accepted for a customer who has not ordered before', () => {
    expect(rejectionOf(terms({ firstOrderOnly: true }), { ...order, hasOrderedBefore: false })).toBeUndefined()
  })

  test('a discount can be used if and only if its state is active', () => {
    const anyTerms = fc.record({
      status: fc.constantFrom(...discountStatuses),
      startsAt: fc.integer({ min: -2, max: 2 }).map((away) => toTimestamp(nowMs + away)),
      endsAt: fc.option(fc.integer({ min: -2, max: 3 }).map((away) => toTimestamp(nowMs + away))),
      usageLimit: fc.option(fc.integer({ min: 1, max: 3 })),
      redemptionCount: fc.integer({ min: 0, max: 3 }),
    })
    fc.assert(
      fc.property(anyTerms, (more) => {
        const discount = terms(more)
        const isUsable = rejectionOf(discount, order) === undefined
        expect(discountStateOf(discount, now) === 'active').toBe(isUsable)
      }),
    )
  })
})

describe('several discounts', () => {
  const coded = (code: string, more: Partial<DiscountTerms>) => ({ code, terms: terms(more) })
  const orderCode = coded('ORDER', { combinesWith: ['product', 'shipping'] })
  const productCode = coded('PRODUCT', { scope: 'products', appliesToIds: ['prd_a'], combinesWith: ['order'] })
  const shippingCode = coded('SHIP', { type: 'free_shipping', percentageBps: null, combinesWith: ['order'] })

  test('several discounts are applied in the order product, order, shipping, regardless of the sequence of the codes in the request', () => {
    const found = [shippingCode, orderCode, productCode]
    const { accepted } = chooseDiscounts(['order', 'product'], found, order)
    expect(accepted.map(({ code }) => code)).toEqual(['PRODUCT', 'ORDER'])
    const shipped = chooseDiscounts(['ship', 'order'], found, order)
    expect(shipped.accepted.map(({ code }) => code)).toEqual(['ORDER', 'SHIP'])
  })

  test('within one class, discounts are applied by type and then by code, regardless of the sequence of the codes in the request', () => {
    const combinesWith: readonly DiscountClass[] = ['product', 'order', 'shipping']
    const fixed = { type: 'fixed_amount', percentageBps: null, amountKobo: toKobo(100), combinesWith } as const
    const found = [
      coded('A', fixed),
      coded('B', { combinesWith }),
      coded('C', { ...fixed, scope: 'products', appliesToIds: ['prd_a'] }),
      coded('D', { combinesWith }),
      coded('E', { ...fixed, type: 'free_shipping', amountKobo: null }),
    ]
    const codes = fc.shuffledSubarray(['A', 'B', 'C', 'D', 'E'], { minLength: 5 })
    fc.assert(
      fc.property(codes, fc.shuffledSubarray(found, { minLength: 5 }), (requested, stored) => {
        const { accepted } = chooseDiscounts(requested, stored, order)
        expect(accepted.map(({ code }) => code)).toEqual(['C', 'B', 'D', 'A', 'E'])
      }),
    )
  })

  test('two discounts combine only if each allows the other’s class; otherwise only the discount that is applied first is accepted', () => {
    const found = [productCode, shippingCode]
    const oneSided = [coded('A', { combinesWith: ['order'] }), coded('B', {})]
    for (const codes of [
      ['product', 'ship'],
      ['ship', 'product'],
    ]) {
      const { accepted, rejected } = chooseDiscounts(codes, found, order)
      expect(accepted.map(({ code }) => code)).toEqual(['PRODUCT'])
      expect(rejected).toEqual([{ code: 'ship', reason: 'combination_disallowed' }])
    }
    for (const codes of [
      ['A', 'B'],
      ['B', 'A'],
    ]) {
      expect(chooseDiscounts(codes, oneSided, order).rejected).toEqual([
        { code: 'B', reason: 'combination_disallowed' },
      ])
    }
  })

  test('several discounts of one class combine when each allows that class', () => {
    const found = [coded('A', { combinesWith: ['order'] }), coded('B', { combinesWith: ['order'] })]
    expect(chooseDiscounts(['A', 'B'], found, order).rejected).toEqual([])
  })

  test('discount codes are found regardless of case, and rejected codes are returned in the case of the request', () => {
    const { accepted, rejected } = chooseDiscounts(['oRdEr', 'Unknown'], [orderCode], order)
    expect(accepted).toEqual([orderCode])
    expect(rejected).toEqual([{ code: 'Unknown', reason: 'not_found' }])
  })

  test('discount codes that follow a rejected code in a request are still accepted', () => {
    const paused = coded('PAUSED', { status: 'paused' })
    const { accepted, rejected } = chooseDiscounts(['paused', 'order'], [paused, orderCode], order)
    expect(accepted).toEqual([orderCode])
    expect(rejected).toEqual([{ code: 'paused', reason: 'paused' }])
  })

  test('each of several discounts is either accepted or rejected, and all accepted discounts allow one another', () => {
    const anyTerms = fc.record({
      type: fc.constantFrom(...discountTypes),
      scope: fc.constantFrom(...discountScopes),
      status: fc.constantFrom(...discountStatuses),
      appliesToIds: fc.subarray(['prd_a', 'var_a', 'prd_c']),
      combinesWith: fc.subarray<DiscountClass>([...discountClasses]),
    })
    fc.assert(
      fc.property(fc.array(anyTerms, { maxLength: 3 }), (all) => {
        const found = all.map((more, index) => coded(`CODE${index}`, more))
        const { accepted, rejected } = chooseDiscounts(
          found.map(({ code }) => code),
          found,
          order,
        )
        const codes = [...accepted, ...rejected].map(({ code }) => code)
        expect(codes.sort()).toEqual(found.map(({ code }) => code))
        for (const one of accepted) {
          expect(rejectionOf(one.terms, order)).toBeUndefined()
          for (const other of accepted) {
            if (one !== other) expect(one.terms.combinesWith).toContain(classOf(other.terms))
          }
        }
        const ranks = accepted.map((each) => discountClasses.indexOf(classOf(each.terms)))
        expect(ranks).toEqual([...ranks].sort())
      }),
    )
  })
})
