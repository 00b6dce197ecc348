import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { discount, readDiscount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { auditRows, eventsOf, select } from '../../support/database-contents.ts'
import { orderBody, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = (settings: Settings = {}) => openShopWith(started(), settings)

describe('an order with a discount', () => {
  test('an order shows its discount per item in the reply, in the event and in a later read', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop, { percentageBps: 1000 })
    const dear = await stockVariant(api, shop.merchantId, { priceKobo: 1005 })
    const cheap = await stockVariant(api, shop.merchantId, { priceKobo: 10 })
    const items = [
      { variantId: dear.variantId, quantity: 1 },
      { variantId: cheap.variantId, quantity: 2 },
    ]
    const body = orderBody(dear.variantId, { items, shippingKobo: 500, discountCodes: [code.toLowerCase()] })
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.status, reply.text).toBe(201)
    const [first, second] = reply.body.items
    // A discount of 10 % of 1025 kobo is 102.5, which is rounded to 103: 101 for the expensive item and 2 for the cheap
    // one.
    expect(reply.body).toMatchObject({ subtotalKobo: 1025, discountKobo: 103, shippingKobo: 500, totalKobo: 1422 })
    expect(first).toMatchObject({ subtotalKobo: 1005, discountKobo: 101, totalKobo: 904 })
    expect(second).toMatchObject({ subtotalKobo: 20, discountKobo: 2, totalKobo: 18 })
    const allocations = [
      { itemId: first.id, amountKobo: 101 },
      { itemId: second.id, amountKobo: 2 },
    ]
    expect(reply.body.discounts).toEqual([{ discountId: id, code, type: 'percentage', amountKobo: 103, allocations }])
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(read.body).toEqual(reply.body)
    expect(await eventsOf(api, shop.merchantId, 'order.created')).toMatchObject([{ data: { order: reply.body } }])
    const created = (await auditRows(api, shop.merchantId)).filter(({ action }) => action === 'order.create')
    expect(created).toMatchObject([{ changes: { discountCodes: [null, [code]] } }])
  })

  test('an order with a discount counts as one use of that discount', async () => {
    const { api, shop } = await open()
    const capped = await discount(api, shop, { usageLimit: 5, combinesWith: ['order'] })
    const uncapped = await discount(api, shop, { combinesWith: ['order'] })
    const reply = await order(api, shop, {}, { discountCodes: [capped.code, uncapped.code] })
    expect(reply.status, reply.text).toBe(201)
    expect(await readDiscount(api, shop, capped.id)).toMatchObject({ redemptionCount: 1, version: 1 })
    expect(await readDiscount(api, shop, uncapped.id)).toMatchObject({ redemptionCount: 1, version: 1 })
    const rows = 'select redemption_count as count from discounts where id = any($1) order by usage_limit'
    expect(await select(api, rows, [[capped.id, uncapped.id]])).toEqual([{ count: 1 }, { count: 0 }])
  })

  test('an order with a discount has VAT on the discounted amounts and none on free shipping', async () => {
    const { api, shop } = await open({ tax_registered: true, tax_rate_bps: 750, tax_inclusive: false })
    const half = await discount(api, shop, { percentageBps: 5000, combinesWith: ['shipping'] })
    const free = await discount(api, shop, { type: 'free_shipping', combinesWith: ['order'] })
    const more = { shippingKobo: 250_000, discountCodes: [free.code, half.code] }
    const { body } = await order(api, shop, { priceKobo: 1_000_000 }, more)
    expect(body).toMatchObject({ discountKobo: 750_000, taxKobo: 37_500, totalKobo: 537_500 })
    expect(body.discounts).toMatchObject([
      { code: half.code, amountKobo: 500_000, allocations: [{ itemId: body.items[0].id, amountKobo: 500_000 }] },
      { code: free.code, amountKobo: 250_000, allocations: [{ itemId: 'shipping', amountKobo: 250_000 }] },
    ])
  })

  test('an order applies product discounts first, and then order discounts to the reduced amounts', async () => {
    const { api, shop } = await open()
    const { productId, variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1000 })
    const other = await stockVariant(api, shop.merchantId, { priceKobo: 1000 })
    const all = await discount(api, shop, { percentageBps: 1000, combinesWith: ['product'] })
    const appliesTo = { scope: 'products', ids: [productId] }
    const some = await discount(api, shop, { percentageBps: 5000, appliesTo, combinesWith: ['order'] })
    const items = [variantId, other.variantId].map((id) => ({ variantId: id, quantity: 1 }))
    const body = orderBody(variantId, { items, discountCodes: [all.code, some.code] })
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.body.discounts).toMatchObject([
      { code: some.code, amountKobo: 500 },
      { code: all.code, amountKobo: 150 },
    ])
    expect(reply.body.totalKobo).toBe(1350)
  })

  test('a fixed discount is at most the order’s total, and a total of 0 confirms the order', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { type: 'fixed_amount', amountKobo: 5_000_000 })
    const { body } = await order(api, shop, { priceKobo: 1_000_000 }, { discountCodes: [code] })
    expect(body).toMatchObject({ discountKobo: 1_000_000, totalKobo: 0, status: 'processing', paymentStatus: 'paid' })
  })

  test('a percentage discount takes off at most the maximum amount that is set for the discount', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { percentageBps: 9000, maxDiscountKobo: 1234 })
    expect((await order(api, shop, {}, { discountCodes: [code] })).body.discountKobo).toBe(1234)
  })

  test('free shipping deducts nothing from an order without a shipping cost, but is recorded as a use of the discount', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop, { type: 'free_shipping' })
    const { body } = await order(api, shop, {}, { discountCodes: [code] })
    expect(body.discounts).toMatchObject([{ amountKobo: 0, allocations: [] }])
    expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 1 })
  })
})

describe('the unit price of an item', () => {
  test('a token with the scope for prices can set the unit price of an item, and discounts apply to that price', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const { code } = await discount(api, shop, { percentageBps: 1000 })
    const items = [{ variantId, quantity: 2, unitPriceKobo: 700_000 }]
    const body = orderBody(variantId, { items, discountCodes: [code] })
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.body).toMatchObject({
      subtotalKobo: 1_400_000,
      totalKobo: 1_260_000,
      items: [{ unitPriceKobo: 700_000 }],
    })
  })

  test('the unit price of an item can be 0', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const body = orderBody(variantId, { items: [{ variantId, quantity: 1, unitPriceKobo: 0 }] })
    expect((await api.send('POST', path, { token: shop.token, body })).body.totalKobo).toBe(0)
  })
})

describe('an order with paymentMethod pay_on_delivery', () => {
  const payOnDelivery = { paymentMethod: 'pay_on_delivery' }

  test('a pay_on_delivery order is pending until it is confirmed', async () => {
    const { api, shop } = await open()
    const { body } = await order(api, shop, {}, payOnDelivery)
    expect(body).toMatchObject({ status: 'pending', confirmedAt: null })
    expect(body.expiresAt).not.toBeNull()
  })

  test('a pay_on_delivery order is confirmed at once, unpaid, when the merchant’s settings auto-confirm such orders', async () => {
    const { api, shop } = await open({ auto_confirm_pay_on_delivery: true })
    const reply = await order(api, shop, {}, payOnDelivery)
    expect(reply.body).toMatchObject({
      status: 'processing',
      paymentStatus: 'unpaid',
      confirmedAt: reply.body.createdAt,
      paidAt: null,
      expiresAt: null,
    })
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toEqual([])
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(read.body).toEqual(reply.body)
    expect((await order(api, shop)).body.status).toBe('pending')
  })
})
