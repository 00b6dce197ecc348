import { describe, expect, test } from 'vitest'
import { newCustomerId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer } from '../../support/commerce/customer.ts'
import { discount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { contentsOf } from '../../support/database-contents.ts'
import { everyScope, mintToken, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const orders = '/api/v1/orders'
const open = (settings: Settings = {}) => openShopWith(started(), settings)

function preview(api: TestApi, shop: Shop, body: object) {
  return api.send('POST', `${orders}/preview`, { token: shop.token, body })
}

describe('200 responses of previewOrder', () => {
  test('previewOrder returns the price that the order would have, and stores nothing', async () => {
    const { api, shop } = await open({ tax_registered: true, tax_rate_bps: 750, tax_inclusive: false })
    const classes = ['order', 'product', 'shipping']
    const dear = await stockVariant(api, shop.merchantId, { priceKobo: 999_999 })
    const cheap = await stockVariant(api, shop.merchantId, { priceKobo: 333 })
    const appliesTo = { scope: 'products', ids: [dear.productId] }
    const codes: string[] = []
    for (const more of [
      { percentageBps: 1234, combinesWith: classes, usageLimit: 1 },
      { percentageBps: 777, appliesTo, combinesWith: classes, usageLimitPerCustomer: 1 },
      { type: 'free_shipping', combinesWith: classes, firstOrderOnly: true },
    ]) {
      codes.push((await discount(api, shop, more)).code)
    }
    const items = [
      { variantId: dear.variantId, quantity: 1 },
      { variantId: cheap.variantId, quantity: 7, unitPriceKobo: 321 },
    ]
    const body = orderBody(dear.variantId, { items, shippingKobo: 123_456, discountCodes: codes })
    const before = await contentsOf(api)
    const shown = await preview(api, shop, body)
    expect(shown.status, shown.text).toBe(200)
    expect(await contentsOf(api)).toEqual(before)
    const expected = { ...body, expectedTotalKobo: shown.body.totalKobo }
    const created = await api.send('POST', orders, { token: shop.token, body: expected })
    expect(created.status, created.text).toBe(201)
    const { canBeOrdered, rejected, shortages, discounts, items: lines, ...sums } = shown.body
    expect({ canBeOrdered, rejected, shortages }).toEqual({ canBeOrdered: true, rejected: [], shortages: [] })
    expect(created.body).toMatchObject(sums)
    expect(created.body.items).toMatchObject(lines)
    const variantOf = new Map(
      created.body.items.map((item: { id: string; variantId: string }) => [item.id, item.variantId]),
    )
    const named = created.body.discounts.map((each: { allocations: { itemId: string; amountKobo: number }[] }) => ({
      ...each,
      allocations: each.allocations.map(({ itemId, amountKobo }) => ({
        variantId: variantOf.get(itemId) ?? itemId,
        amountKobo,
      })),
    }))
    expect(discounts).toEqual(named)
    expect(discounts).toHaveLength(3)
  })

  test('previewOrder returns the same total for any sequence of the discount codes', async () => {
    const { api, shop } = await open()
    const combinesWith = ['order']
    const tenth = await discount(api, shop, { percentageBps: 1000, combinesWith })
    const fixed = await discount(api, shop, { type: 'fixed_amount', amountKobo: 200, combinesWith })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1000 })
    for (const discountCodes of [
      [tenth.code, fixed.code],
      [fixed.code, tenth.code],
    ]) {
      const shown = await preview(api, shop, orderBody(variantId, { discountCodes }))
      // The total of 1,000 kobo is reduced by 10 %, then by 200 kobo. The reverse order of the discounts would result
      // in 720 kobo.
      expect(shown.body, shown.text).toMatchObject({ totalKobo: 700 })
      expect(shown.body.discounts.map(({ code }: { code: string }) => code)).toEqual([tenth.code, fixed.code])
    }
  })

  test('previewOrder returns every discount code that does not apply, and the price without these codes', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { percentageBps: 1000 })
    const late = await discount(api, shop, { startsAt: new Date(api.clock.nowMs() + 1).toISOString() })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1000 })
    const shown = await preview(api, shop, orderBody(variantId, { discountCodes: ['unknown', code, late.code] }))
    expect(shown.body).toMatchObject({
      totalKobo: 900,
      canBeOrdered: false,
      rejected: [
        { code: 'unknown', reason: 'not_found' },
        { code: late.code, reason: 'not_started' },
      ],
    })
  })

  test('previewOrder returns every item with insufficient stock', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 1, priceKobo: 1000 })
    const shown = await preview(api, shop, orderBody(variantId, { items: [{ variantId, quantity: 3 }] }))
    expect(shown.body).toMatchObject({
      totalKobo: 3000,
      canBeOrdered: false,
      shortages: [{ variantId, requested: 3, available: 1 }],
    })
  })

  test('previewOrder detects a customer’s repeated use of a discount code by the e-mail address alone', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { usageLimitPerCustomer: 1 })
    const first = await discount(api, shop, { firstOrderOnly: true })
    const customer = { name: 'Ngozi', email: 'ngozi@example.com' }
    await order(api, shop, {}, { customer, discountCodes: [code] })
    const { variantId } = await stockVariant(api, shop.merchantId)
    const again = { customer: { ...customer, email: 'NGOZI+a@example.com' }, discountCodes: [code, first.code] }
    expect((await preview(api, shop, orderBody(variantId, again))).body.rejected).toEqual([
      { code, reason: 'customer_limit_reached' },
      { code: first.code, reason: 'not_first_order' },
    ])
  })

  test('previewOrder ignores externalReference and expectedTotalKobo', async () => {
    const { api, shop } = await open()
    const { body } = await order(api, shop, {}, { externalReference: 'shop-1' })
    const more = { externalReference: 'shop-1', expectedTotalKobo: 1 }
    const again = await preview(api, shop, orderBody(body.items[0].variantId, more))
    expect(again.status, again.text).toBe(200)
  })

  test('previewOrder requires no write scope', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const scopes = everyScope.filter((scope) => scope === 'orders:read')
    const { token } = await mintToken(api.context, shop.tenant, { scopes })
    const reply = await api.send('POST', `${orders}/preview`, { token, body: orderBody(variantId) })
    expect(reply.status).toBe(200)
  })
})

describe('errors of previewOrder', () => {
  test('previewOrder returns 404 variant_not_found and customer_not_found, as createOrder does', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const unknown = newVariantId(0)
    const reply = await preview(api, shop, orderBody(unknown))
    answers('previewOrder', 'variant_not_found', reply)
    expect(reply.body.error.details).toEqual({ variantIds: [unknown] })
    const body = orderBody(variantId, { customer: undefined, customerId: newCustomerId(0) })
    answers('previewOrder', 'customer_not_found', await preview(api, shop, body))
  })

  test('previewOrder returns 409 customer_anonymised when customerId or the placeholder e-mail identifies an anonymised customer', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const { id } = await createdCustomer(api, shop)
    const erased = await api.send('POST', `/api/v1/customers/${id}/anonymise`, { token: shop.token })
    const { name, email } = erased.body
    for (const by of [{ customerId: id, customer: undefined }, { customer: { name, email } }]) {
      answers('previewOrder', 'customer_anonymised', await preview(api, shop, orderBody(variantId, by)))
    }
  })

  test('previewOrder returns 409 product_not_available for a product that is not for sale', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { status: 'draft' })
    answers('previewOrder', 'product_not_available', await preview(api, shop, orderBody(variantId)))
  })

  test('previewOrder returns 409 amount_too_large for a total above the maximum', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 100_000_000_000 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 1000 }] })
    answers('previewOrder', 'amount_too_large', await preview(api, shop, body))
  })
})
