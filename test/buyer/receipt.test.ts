import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { openReceipt } from '../support/commerce/buyer-pages.ts'
import { discount } from '../support/commerce/discount.ts'
import { openEditableOrder, units } from '../support/commerce/editable-order.ts'
import { exchangesAt } from '../support/commerce/exchange.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { placeUnpaid } from '../support/commerce/unpaid-order.ts'
import { asOwner } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { openShop, orderBody, placeOrder, stockVariant } from '../support/shop.ts'

const started = useApi()

describe('the receipt of an order', () => {
  test('the receipt shows the shop, the number, the customer, the items, the amounts, the payments and an amount due of zero', async () => {
    const { api, shop, order, pay } = await openEditableOrder(started(), { body: { shippingKobo: 50_000 } })
    await pay(2_050_000)
    const { text } = await openReceipt(api, shop, order.id)
    const parts = [
      'Adire Lagos Receipt Receipt number 1 Issued 21 Nov 2026',
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

  test('the receipt shows VAT with its rate: contained in the total if prices include VAT, and added to the prices otherwise', async () => {
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

  test('after an edit of an order, the receipt shows the VAT of the changed items, calculated from the discounted prices', async () => {
    const settings = { tax_registered: true, tax_rate_bps: 750, tax_inclusive: false }
    const { api, shop, order, dress, pay, edit } = await openEditableOrder(started(), { settings })
    await pay(2_150_000)
    await edit({ items: [units(dress.variantId, 3)] })
    expect((await openReceipt(api, shop, order.id)).text).toContain('VAT ₦2,250.00 at 7.5 % Total ₦32,250.00')
    const { code } = await discount(api, shop)
    const edited = await edit({ items: [units(dress.variantId, 1)], discountCodes: [code] })
    expect(edited.status, edited.text).toBe(200)
    const { text } = await openReceipt(api, shop, order.id)
    expect(text).toContain(`Discounts -₦1,000.00 ${code} Shipping ₦0.00 VAT ₦675.00 at 7.5 % Total ₦9,675.00`)
  })

  test('the receipt shows the VAT contained in a partial refund', async () => {
    const settings = { tax_registered: true, tax_rate_bps: 750, tax_inclusive: true }
    const { api, shop, order, pay, refund } = await openEditableOrder(started(), { settings })
    await pay(2_000_000)
    expect((await refund(107_500)).body).toMatchObject({ taxKobo: 7_500 })
    expect((await openReceipt(api, shop, order.id)).text).toMatch(/VAT contained Amount .* ₦75.00 ₦1,075.00/)
  })

  test('the receipt marks the items without VAT', async () => {
    const { api, shop } = await openShopWith(started(), {
      tax_registered: true,
      tax_rate_bps: 750,
      tax_inclusive: false,
    })
    const [taxed, exempt] = [
      await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 }),
      await stockVariant(api, shop.merchantId, { priceKobo: 200_000 }),
    ]
    await select(api, `update products set tax_exempt = true, title = 'Yam tubers' where id = $1`, [exempt.productId])
    const items = [units(taxed.variantId, 1), units(exempt.variantId, 1)]
    const created = await api.send('POST', '/api/v1/orders', {
      token: shop.token,
      body: orderBody(taxed.variantId, { items }),
    })
    const body = { amountKobo: 1_275_000, method: 'cash', reference: created.body.id }
    await api.send('POST', `/api/v1/orders/${created.body.id}/payments`, { token: shop.token, body })
    expect((await openReceipt(api, shop, created.body.id)).text).toContain(
      'VAT ₦750.00 at 7.5 % No VAT on: Yam tubers Total ₦12,750.00',
    )
  })

  test('the receipt shows a disputed payment as disputed, and as returned by the bank after the dispute is lost', async () => {
    const shop = await openShop(started().context)
    const paid = await paidByPaystack(started(), shop, { priceKobo: 1_000_000 })
    const { order, server, reference } = paid
    const dispute = { id: 358950, transaction: { reference } }
    const report = async (event: string, more: object) => {
      await paid.sendCallback(server.callback(event, { ...dispute, ...more }))
      await paid.apply()
      return (await openReceipt(started(), shop, order.id)).text
    }
    const disputed = await report('charge.dispute.create', {})
    expect(disputed).toContain('₦10,000.00 disputed')
    expect(disputed).toContain('Paid ₦10,000.00 Refunded ₦0.00 Disputed ₦10,000.00 Still due ₦0.00')
    const lost = await report('charge.dispute.resolve', { status: 'resolved', resolution: 'merchant-accepted' })
    expect(lost).toContain('₦10,000.00 returned by the bank')
    expect(lost).toContain('Paid ₦10,000.00 Refunded ₦0.00 Returned by the bank ₦10,000.00 Still due ₦0.00')
  })

  test('the receipt shows a receipt number above 999 without a separator, as the API returns it', async () => {
    const shop = await openShop(started().context)
    await asOwner(started(), 'insert into receipt_counters values ($1, 1233)', [shop.merchantId])
    const order = await placeOrder(started(), shop)
    expect((await openReceipt(started(), shop, order.id)).text).toContain('Receipt number 1234 Issued')
  })

  test('the receipt shows a note that only the latest 100 payments and refunds are listed, if there are more', async () => {
    const { api, shop, order, pay, refund } = await openEditableOrder(started())
    for (let part = 1; part <= 100; part += 1) await pay(part)
    await pay(2_000_000 - 5_050)
    for (let part = 1; part <= 100; part += 1) await refund(100)
    const { text } = await openReceipt(api, shop, order.id)
    expect(text.match(/Only the latest 100 are shown\./g)).toHaveLength(1)
    expect(text).toContain('Still due ₦0.00')
    await refund(100)
    const { text: next } = await openReceipt(api, shop, order.id)
    expect(next.match(/Only the latest 100 are shown\./g)).toHaveLength(2)
  })

  test('the receipt shows refunds and the refunded amount', async () => {
    const { api, shop, order, pay, refund } = await openEditableOrder(started())
    await pay(2_000_000)
    expect((await refund(500_000)).status).toBe(201)
    const { text } = await openReceipt(api, shop, order.id)
    expect(text).toMatch(/Refunds Date Status Amount .* Refunded ₦5,000.00/)
    expect(text).toContain('Paid ₦20,000.00 Refunded ₦5,000.00 Still due ₦0.00')
  })

  test('after an edit raises the total or a payment is voided, the receipt shows the amount due under the same receipt number', async () => {
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

  test('the receipt shows the amount that was paid in excess of the total, and states the cancellation of a cancelled order', async () => {
    const { api, shop, order, pay } = await placeUnpaid(started())
    await pay(1_200_000, { allowOverpayment: true })
    expect((await openReceipt(api, shop, order.id)).text).toContain('Paid in excess of the total ₦2,000.00')
    const path = `/api/v1/orders/${order.id}/cancel`
    expect((await api.send('POST', path, { token: shop.token, body: { reason: 'customer' } })).status).toBe(200)
    expect((await openReceipt(api, shop, order.id)).text).toContain('The order was cancelled.')
  })

  test('the credit of an exchange is a payment on the receipt of the new order and a refund on the receipt of the returned order', async () => {
    const api = started()
    const { paid, exchange } = exchangesAt(started)
    const sold = await paid()
    const { reply } = await exchange(sold, await sold.approved(1))
    expect((await openReceipt(api, sold.shop, reply.body.id)).text).toContain('Credit of an exchange')
    expect((await openReceipt(api, sold.shop, sold.order.id)).text).toContain('Credited to an exchange ₦10,000.00')
  })

  test('the receipt of an order whose price is 0 states that no payment was due', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 0 })
    const { body } = await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId) })
    expect((await openReceipt(api, shop, body.id)).text).toContain('Payments No payment was due.')
  })

  test('the receipt escapes markup in names', async () => {
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
