import { describe, expect, test } from 'vitest'
import { newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { order } from '../../support/commerce/order.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { orderBody, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = (settings: Settings = {}) => openShopWith(started(), settings)

describe('totals of an order', () => {
  const vat = { tax_registered: true, tax_rate_bps: 750 }

  test('an order adds no VAT to prices that include VAT, and returns the included VAT', async () => {
    const { api, shop } = await open({ ...vat, tax_inclusive: true })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 2 }], shippingKobo: 250_000 })
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.body).toMatchObject({
      subtotalKobo: 2_000_000,
      shippingKobo: 250_000,
      taxKobo: 139_535 + 17_442, // 2,000,000 and 250,000, each × 750 / 10750, rounded half up
      totalKobo: 2_250_000,
      taxInclusive: true,
      taxRateBps: 750,
      items: [{ subtotalKobo: 2_000_000, taxKobo: 139_535, totalKobo: 2_000_000, taxRateBps: 750 }],
    })
  })

  test('an order adds VAT to prices that exclude it', async () => {
    const { api, shop } = await open({ ...vat, tax_inclusive: false })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 2 }], shippingKobo: 250_000 })
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.body).toMatchObject({
      subtotalKobo: 2_000_000,
      taxKobo: 150_000 + 18_750,
      totalKobo: 2_418_750,
      taxInclusive: false,
      items: [{ subtotalKobo: 2_000_000, taxKobo: 150_000, totalKobo: 2_150_000 }],
    })
  })

  test('the VAT of an order is rounded half up on each item', async () => {
    const { api, shop } = await open({ tax_registered: true, tax_rate_bps: 5000, tax_inclusive: false })
    const first = await stockVariant(api, shop.merchantId, { priceKobo: 1 })
    const second = await stockVariant(api, shop.merchantId, { priceKobo: 3 })
    const items = [first, second].map(({ variantId }) => ({ variantId, quantity: 1 }))
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(first.variantId, { items }) })
    expect(reply.body.items).toMatchObject([{ taxKobo: 1 }, { taxKobo: 2 }])
    expect(reply.body).toMatchObject({ subtotalKobo: 4, taxKobo: 3, totalKobo: 7 })
  })

  test('an order contains no VAT for a VAT-exempt product', async () => {
    const { api, shop } = await open({ ...vat, tax_inclusive: true })
    const { productId, variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    await select(api, 'update products set tax_exempt = true where id = $1', [productId])
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    expect(reply.body).toMatchObject({ taxKobo: 0, taxRateBps: 750, items: [{ taxRateBps: 0, taxKobo: 0 }] })
  })

  test('a merchant who is not registered for VAT charges no VAT', async () => {
    const { api, shop } = await open({ tax_registered: false, tax_inclusive: false })
    const reply = await order(api, shop, { priceKobo: 1_000_000 })
    expect(reply.body).toMatchObject({ taxKobo: 0, taxRateBps: 0, totalKobo: 1_000_000 })
  })

  test('createOrder accepts a correct expectedTotalKobo', async () => {
    const { api, shop } = await open()
    const more = { shippingKobo: 5, expectedTotalKobo: 12 }
    expect((await order(api, shop, { priceKobo: 7 }, more)).body.totalKobo).toBe(12)
  })
})

describe('409 total_mismatch', () => {
  test('createOrder returns 409 total_mismatch with the expected and the actual total, and stores nothing', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 7 })
    const before = await contentsOf(api)
    const body = orderBody(variantId, { expectedTotalKobo: 8 })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'total_mismatch', reply)
    expect(reply.body.error.details).toEqual({ expectedKobo: 8, actualKobo: 7 })
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 amount_too_large', () => {
  const most = 100_000_000_000

  test('createOrder accepts a total of exactly the maximum amount', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: most })
    expect(reply.body.totalKobo).toBe(most)
  })

  test('createOrder returns 409 amount_too_large when the shipping cost exceeds the maximum', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: most }, { shippingKobo: 1 })
    answers('createOrder', 'amount_too_large', reply)
    expect(reply.body.error.details).toEqual({ maxKobo: most })
  })

  test('createOrder returns 409 amount_too_large when the added VAT exceeds the maximum', async () => {
    const { api, shop } = await open({ tax_registered: true, tax_rate_bps: 750, tax_inclusive: false })
    answers('createOrder', 'amount_too_large', await order(api, shop, { priceKobo: most }))
  })

  test('createOrder returns 409 amount_too_large for sums above the safe integer range, without rounding', async () => {
    const { api, shop } = await open()
    const items: object[] = []
    for (let line = 0; line < 100; line++) {
      const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: most })
      items.push({ variantId, quantity: 1000 })
    }
    const body = orderBody(newVariantId(0), { items })
    answers('createOrder', 'amount_too_large', await api.send('POST', path, { token: shop.token, body }))
  })
})
