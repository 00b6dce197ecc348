import { expect, test } from 'vitest'
import { Phone, PhoneInput } from '../../registry/values/phone.ts'
import {
  type MerchantId,
  OrderId,
  OrderItemId,
  type ProductId,
  type VariantId,
} from '../../registry/values/vocabulary.ts'
import { newMerchantId } from '../../src/base/records.ts'
import { toKobo } from '../../src/commerce/money.ts'
import { catalogue } from '../../src/demo/catalogue.ts'
import { optionValuesOf, skuOf } from '../../src/demo/catalogue-product.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { generateOrders, type OrderPlan } from '../../src/demo/generate-orders.ts'
import { demoOrderNumber } from '../../src/demo/order-number.ts'
import { personOf } from '../../src/demo/people.ts'

const nowMs = Date.parse('2026-11-21T09:00:00.000Z')
const merchantId = newMerchantId(nowMs)
const plan = planOf(merchantId)
const range = { index: 0, position: 0, count: 500, attempt: 0, ledgerMs: nowMs }

test('generateOrders returns the same orders for the same arguments, and different orders for another random seed', () => {
  expect(generateOrders(plan, range)).toEqual(generateOrders(plan, range))
  expect(generateOrders({ ...plan, seed: 'other' }, range)).not.toEqual(generateOrders(plan, range))
})

test('generateOrders returns equal orders with different ids for another merchant with the same seed', () => {
  const mine = generateOrders(plan, range)
  const theirs = generateOrders(planOf(newMerchantId(nowMs + 1)), range)
  const faces = (orders: typeof mine) =>
    orders.map(({ order, items }) => [order.number, order.customerName, order.totalKobo, items.map((item) => item.sku)])
  expect(faces(theirs)).toEqual(faces(mine))
  const ids = new Set(mine.map(({ order }) => order.id))
  expect(theirs.filter(({ order }) => ids.has(order.id))).toEqual([])
})

test('generateOrders returns the same orders regardless of batch sizes', () => {
  const tail = { ...range, index: 480, position: 480, count: 20 }
  expect(generateOrders(plan, tail)).toEqual(generateOrders(plan, range).slice(480))
})

test('generated orders have increasing creation times within the last half year', () => {
  const moments = generateOrders(plan, range).map(({ order }) => Date.parse(order.createdAt))
  expect(moments).toEqual([...moments].sort((a, b) => a - b))
  expect(moments[0]).toBeGreaterThan(nowMs - 181 * 24 * 60 * 60 * 1000)
  expect(moments.at(-1)).toBeLessThanOrEqual(nowMs)
})

test('generated orders have no payment or status change in the future or before the order’s creation', () => {
  for (const { order, payments, statusChanges } of generateOrders(plan, range)) {
    const moments = [...payments.map((each) => each.paidAt), ...statusChanges.map((each) => each.occurredAt)]
    for (const moment of moments) {
      expect(moment > order.createdAt).toBe(true)
      expect(moment <= order.updatedAt).toBe(true)
    }
    expect(Date.parse(order.updatedAt)).toBeLessThanOrEqual(nowMs)
  }
})

test('generated orders have ids in the format of the contract', () => {
  const ids = demoIds(merchantId, 'form')
  for (let round = 0; round < 200; round++) {
    expect(OrderId.safeParse(ids.order(nowMs)).success).toBe(true)
    expect(OrderItemId.safeParse(ids.item(nowMs)).success).toBe(true)
  }
  expect(uuidOf(ids.order(nowMs))).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  expect(uuidOf(ids.movement(nowMs, 5))).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  expect(Number.parseInt(uuidOf(ids.order(nowMs)).slice(0, 12), 16)).toBe(nowMs)
})

test('a hundred thousand generated orders have distinct order numbers', () => {
  const numbers = new Set(Array.from({ length: 100_000 }, (_, position) => demoOrderNumber(position, 0)))
  expect(numbers.size).toBe(100_000)
  expect([...numbers][7]).toMatch(/^ORD-[0-9A-HJKMNP-TV-Z]{8}$/)
  expect(numbers.has(demoOrderNumber(7, 1))).toBe(false)
})

test('the demo catalogue has unique SKUs and option values, and prices in whole naira', () => {
  const skus = catalogue.flatMap((product) => product.variants.map((variant) => skuOf(product, variant)))
  expect(new Set(skus).size).toBe(skus.length)
  for (const { variants } of catalogue) {
    expect(new Set(variants.map((variant) => JSON.stringify(optionValuesOf(variant)))).size).toBe(variants.length)
    expect(variants.length).toBeGreaterThanOrEqual(2)
    expect(variants.length).toBeLessThanOrEqual(6)
    for (const [, , priceKobo] of variants) expect(priceKobo % 100).toBe(0)
  }
})

test('generated customers have phone numbers in the +234 format and unique e-mail addresses', () => {
  const people = Array.from({ length: 300 }, (_, index) => personOf('demo', index))
  expect(new Set(people.map((person) => person.email)).size).toBe(people.length)
  for (const { phone, email } of people) {
    expect(Phone.safeParse(phone).success).toBe(true)
    expect(PhoneInput.safeParse(phone).success).toBe(true)
    expect(email).toMatch(/^[a-z]+\.[a-z]+\d+@example\.com$/)
  }
})

function planOf(merchant: MerchantId): OrderPlan {
  const ids = demoIds(merchant, 'variants')
  const variants = catalogue.flatMap((product) => {
    const productId: ProductId = ids.product(nowMs)
    return product.variants.map((variant) => {
      const variantId: VariantId = ids.variant(nowMs)
      return {
        variantId,
        productId,
        sku: skuOf(product, variant),
        title: product.title,
        variantTitle: '',
        optionValues: optionValuesOf(variant),
        priceKobo: toKobo(variant[2]),
        compareAtPriceKobo: null,
        isTaxExempt: false,
      }
    })
  })
  const tax = { rateBps: 750, isInclusive: true }
  return { seed: 'demo', merchantId: merchant, nowMs, count: 500, tax, pendingOrderTtlMinutes: 1440, variants }
}

/** Decodes an id in Crockford's base32 to the 128 bits of the UUID. */
function uuidOf(id: string): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  const value = [...id.slice(4)].reduce((all, digit) => all * 32n + BigInt(digits.indexOf(digit)), 0n)
  return value.toString(16).padStart(32, '0')
}
