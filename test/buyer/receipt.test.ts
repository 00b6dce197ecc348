import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { openReceipt } from '../support/commerce/buyer-pages.ts'
import { openEditableOrder, units } from '../support/commerce/editable-order.ts'
import { exchangesAt } from '../support/commerce/exchange.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { placeUnpaid } from '../support/commerce/unpaid-order.ts'
import { openShop, orderBody, placeOrder, stockVariant } from '../support/shop.ts'

/** The receipt that the buyer of an order opens. */

const started = useApi()

describe('a receipt shows', () => {
  test('the shop, the number, the customer, the items, the amounts, the payments and that nothing is due', async () => {
    const { api, shop, order, pay } = await openEditableOrder(started(), { body: { shippingKobo: 50_000 } })
    await pay(2_050_000)
    const { text } = await openReceipt(api, shop, order.id)
    const parts = [
      'Adire Lagos Receipt Receipt number 1 Date of payment',
      `Order ${order.number} Customer Adaeze Okafor`,
      'Ankara maxi dress M / Indigo 2 ₦10,000.00 ₦20,000.00',
      'Subtotal ₦20,000.00 Shipping ₦500.00 VAT No VAT is charged. Total ₦20,500.00',
      `Bank transfer edit-${order.number}-2050000 ₦20,500.00`,
      'Paid ₦20,500.00 Refunded ₦0.00 Still due ₦0.00',
    ]
    for (const part of parts) expect(text).toContain(part)
    expect(text).not.toContain('Refunds Date')
    expect(text).not.toContain('adaeze.okafor@example.com')
  })

  test('the VAT that the total contains, with its rate, and the VAT that is added to the prices', async () => {
    const api = started()
    const taxed = { tax_registered: true, tax_rate_bps: 750 }
    const included = await openShopWith(api, { ...taxed, tax_inclusive: true })
    const first = await placeOrder(api, included.shop, { priceKobo: 1_075_000 })
    expect((await openReceipt(api, included.shop, first.id)).text).toContain(
      'VAT contained in the total ₦750.00 at 7.5 % Total ₦10,750.00',
    )
    const added = await openShopWith(api, { ...taxed, tax_inclusive: false })
    const second = await placeOrder(api, added.shop, { priceKobo: 1_000_000 })
    expect((await openReceipt(api, added.shop, second.id)).text).toContain('VAT ₦750.00 at 7.5 % Total ₦10,750.00')
  })

  test('refunds, and the amount that is refunded', async () => {
    const { api, shop, order, pay, refund } = await openEditableOrder(started())
    await pay(2_000_000)
    expect((await refund(500_000)).status).toBe(201)
    const { text } = await openReceipt(api, shop, order.id)
    expect(text).toMatch(/Refunds Date Status Amount .* Refunded ₦5,000.00/)
    expect(text).toContain('Paid ₦20,000.00 Refunded ₦5,000.00 Still due ₦0.00')
  })

  test('the amount that is due again after an edit or a void, under the same number', async () => {
    const { api, shop, order, dress, pay, edit } = await openEditableOrder(started())
    await pay(2_000_000)
    await edit({ items: [units(dress.variantId, 3)] })
    expect((await openReceipt(api, shop, order.id)).text).toContain(
      'Paid ₦20,000.00 Refunded ₦0.00 Still due ₦10,000.00',
    )
    const { body } = await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })
    const path = `/api/v1/payments/${body.data[0].id}/void`
    expect((await api.send('POST', path, { token: shop.token, body: { reason: 'not_received' } })).status).toBe(200)
    const { text } = await openReceipt(api, shop, order.id)
    expect(text).toContain('Receipt number 1')
    expect(text).toContain('₦20,000.00 voided, not received')
    expect(text).toContain('Paid ₦0.00 Refunded ₦0.00 Still due ₦30,000.00')
  })

  test('a payment above the total, and that a cancelled order has nothing due', async () => {
    const { api, shop, order, pay } = await placeUnpaid(started())
    await pay(1_200_000, { allowOverpayment: true })
    expect((await openReceipt(api, shop, order.id)).text).toContain('Paid in excess of the total ₦2,000.00')
    const path = `/api/v1/orders/${order.id}/cancel`
    expect((await api.send('POST', path, { token: shop.token, body: { reason: 'customer' } })).status).toBe(200)
    expect((await openReceipt(api, shop, order.id)).text).toContain('The order was cancelled.')
  })

  test('the credit of an exchange as a payment, and on the receipt of the returned order as a refund', async () => {
    const api = started()
    const { paid, exchange } = exchangesAt(started)
    const sold = await paid()
    const { reply } = await exchange(sold, await sold.approved(1))
    expect((await openReceipt(api, sold.shop, reply.body.id)).text).toContain('Credit of an exchange')
    expect((await openReceipt(api, sold.shop, sold.order.id)).text).toContain('Credited to an exchange ₦10,000.00')
  })

  test('an order without an amount due, which has no payment', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 0 })
    const { body } = await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId) })
    expect((await openReceipt(api, shop, body.id)).text).toContain('Payments No payment was due.')
  })

  test('hostile names as text, not as markup', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const hostile = '<script>alert("1")</script>&<b>'
    const body = { customer: { name: hostile, email: 'mallory@example.com' } }
    const order = await placeOrder(api, shop, { body })
    const { html } = await openReceipt(api, shop, order.id)
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&lt;b&gt;')
    expect(html).not.toContain('<script')
  })
})

test('after the customer is anonymised, the receipt shows a placeholder instead of the name', async () => {
  const api = started()
  const sold = await exchangesAt(started).paid()
  const { token } = sold.shop
  const { customer } = await sold.read()
  const url = `/api/v1/customers/${customer.id}/anonymise`
  const anonymised = await api.send('POST', url, { token })
  expect(anonymised.status, anonymised.text).toBe(200)
  const { text } = await openReceipt(api, sold.shop, sold.order.id)
  expect(text).toContain('Customer Deleted customer')
  expect(text).not.toContain('Adaeze')
})
