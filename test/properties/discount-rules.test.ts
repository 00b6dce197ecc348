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

describe('a discount by itself', () => {
  const onA = { scope: 'products', appliesToIds: ['prd_a'] } as const
  const cases: readonly [string, Partial<DiscountTerms>, DiscountRejection | undefined][] = [
    ['that starts this very moment counts', {}, undefined],
    ['that starts in a millisecond does not', { startsAt: inAMillisecond }, 'not_started'],
    ['that ends in a millisecond counts', { endsAt: inAMillisecond }, undefined],
    ['that ends this very moment does not', { startsAt: toTimestamp(0), endsAt: now }, 'expired'],
    ['that is paused says so, even when it is over', { status: 'paused', endsAt: now }, 'paused'],
    ['that is archived is not there', { status: 'archived' }, 'not_found'],
    ['with one use left counts', { usageLimit: 3, redemptionCount: 2 }, undefined],
    ['with no use left does not', { usageLimit: 3, redemptionCount: 3 }, 'usage_limit_reached'],
    ['for this customer counts', { customerIds: [newCustomerId(0), customerId] }, undefined],
    ['for other customers does not', { customerIds: [newCustomerId(0)] }, 'not_eligible'],
    ['for first orders does not count for a second', { firstOrderOnly: true }, 'not_first_order'],
    ['for a product of the order counts', onA, undefined],
    ['for a variant of the order counts', { scope: 'variants', appliesToIds: ['var_b'] }, undefined],
    ['for what the order does not hold does not', { ...onA, appliesToIds: ['prd_c'] }, 'no_eligible_items'],
    ['whose minimum is just met counts', { minimumSubtotalKobo: toKobo(1001) }, undefined],
    ['whose minimum is missed by a kobo does not', { minimumSubtotalKobo: toKobo(1002) }, 'minimum_not_met'],
    ['looks at its own lines only for a minimum', { ...onA, minimumSubtotalKobo: toKobo(1001) }, 'minimum_not_met'],
    ['with as many pieces as it asks for counts', { minimumQuantity: 3 }, undefined],
    ['counts the pieces of its own lines only', { ...onA, minimumQuantity: 3 }, 'minimum_not_met'],
  ]

  test.for(cases)('%s', ([, more, expected]) => {
    expect(rejectionOf(terms(more), order)).toBe(expected)
  })

  test('is used up for a customer at their limit, but not for others', () => {
    const limited = terms({ usageLimitPerCustomer: 2 })
    expect(rejectionOf(limited, used(limited.id, 1))).toBeUndefined()
    expect(rejectionOf(limited, used(limited.id, 2))).toBe('customer_limit_reached')
    expect(rejectionOf(limited, used(newDiscountId(0), 2))).toBeUndefined()
  })

  test('with eligible customers is rejected for a customer without a record', () => {
    expect(rejectionOf(terms({ customerIds: [customerId] }), { ...order, customerId: null })).toBe('not_eligible')
  })

  test('for first orders applies to a first order', () => {
    expect(rejectionOf(terms({ firstOrderOnly: true }), { ...order, hasOrderedBefore: false })).toBeUndefined()
  })

  test('can be used in exactly one of its states', () => {
    const anyTerms = fc.record({
      status: fc.constantFrom(...discountStatuses),
      startsAt: fc.integer({ min: -2, max: 2 }).map((away) => toTimestamp(nowMs + away)),
      endsAt: fc.option(fc.integer({ min: -2, max: 3 }).map((away) => toTimestamp(nowMs + away))),
      usageLimit: fc.option(fc.integer({ min: 1, max: 3 })),
      redemptionCount: fc.integer({ min: 0, max: 3 }),
    })
    fc.assert(
      fc.property(anyTerms, (more) => {
        const judged = terms(more)
        const isUsable = rejectionOf(judged, order) === undefined
        expect(discountStateOf(judged, now) === 'active').toBe(isUsable)
      }),
    )
  })
})

describe('several discounts', () => {
  const coded = (code: string, more: Partial<DiscountTerms>) => ({ code, terms: terms(more) })
  const orderCode = coded('ORDER', { combinesWith: ['product', 'shipping'] })
  const productCode = coded('PRODUCT', { scope: 'products', appliesToIds: ['prd_a'], combinesWith: ['order'] })
  const shippingCode = coded('SHIP', { type: 'free_shipping', percentageBps: null, combinesWith: ['order'] })

  test('are applied by class, regardless of the order of the codes', () => {
    const found = [shippingCode, orderCode, productCode]
    const { accepted } = chooseDiscounts(['order', 'product'], found, order)
    expect(accepted.map(({ code }) => code)).toEqual(['PRODUCT', 'ORDER'])
    const shipped = chooseDiscounts(['ship', 'order'], found, order)
    expect(shipped.accepted.map(({ code }) => code)).toEqual(['ORDER', 'SHIP'])
  })

  test('must each allow the other’s class; otherwise the first one stays', () => {
    const found = [productCode, shippingCode]
    const { accepted, rejected } = chooseDiscounts(['product', 'ship'], found, order)
    expect(accepted.map(({ code }) => code)).toEqual(['PRODUCT'])
    expect(rejected).toEqual([{ code: 'ship', reason: 'combination_disallowed' }])
    const oneSided = [coded('A', { combinesWith: ['order'] }), coded('B', {})]
    expect(chooseDiscounts(['B', 'A'], oneSided, order).rejected).toEqual([
      { code: 'A', reason: 'combination_disallowed' },
    ])
  })

  test('of one class combine when both list it', () => {
    const found = [coded('A', { combinesWith: ['order'] }), coded('B', { combinesWith: ['order'] })]
    expect(chooseDiscounts(['A', 'B'], found, order).rejected).toEqual([])
  })

  test('are found regardless of the code’s case, and returned as sent', () => {
    const { accepted, rejected } = chooseDiscounts(['oRdEr', 'Nobody'], [orderCode], order)
    expect(accepted).toEqual([orderCode])
    expect(rejected).toEqual([{ code: 'Nobody', reason: 'not_found' }])
  })

  test('after a rejected code are still accepted', () => {
    const paused = coded('PAUSED', { status: 'paused' })
    const { accepted, rejected } = chooseDiscounts(['paused', 'order'], [paused, orderCode], order)
    expect(accepted).toEqual([orderCode])
    expect(rejected).toEqual([{ code: 'paused', reason: 'paused' }])
  })

  test('are each accepted or rejected, and accepted ones all allow one another', () => {
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
        const told = [...accepted, ...rejected].map(({ code }) => code)
        expect(told.sort()).toEqual(found.map(({ code }) => code))
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
