import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openLinkShop } from '../../support/commerce/payment-links.ts'
import { exchangeableProvider } from '../../support/commerce/paystack.ts'
import { auditRows, select } from '../../support/database-contents.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const exchanged = exchangeableProvider()
const started = useApi({ provider: exchanged.provider })
const open = () => openLinkShop(started(), exchanged)

const hourMs = 3_600_000

describe('a new payment link', () => {
  test('createPaymentLink creates a payment page at the provider for the amount due, and stores the page’s URL', async () => {
    const { server, order, create, get, shop, api, path } = await open()
    const created = await create({ callbackUrl: 'https://shop.example.com/thanks' })
    expect(created.status, created.text).toBe(201)
    expect(created.headers.get('location')).toBe(path)
    const reference = created.body.id.replace('_', '-')
    expect(created.body).toEqual({
      ...{ id: expect.stringMatching(/^pln_/), orderId: order.id, provider: 'paystack', reference },
      ...{ url: 'https://checkout.paystack.com/page1', amountKobo: 1_000_000, currency: 'NGN' },
      ...{ status: 'open', voidReason: null, createdAt: '2026-11-21T08:30:00.000Z' },
      expiresAt: order.expiresAt,
    })
    expect((await get()).body).toEqual(created.body)
    expect(server.requests.map(({ line, body }) => ({ line, body }))).toEqual([
      {
        line: 'POST /transaction/initialize',
        body: {
          ...{ reference, amount: 1_000_000, currency: 'NGN', email: order.customer.email },
          ...{ callback_url: 'https://shop.example.com/thanks', metadata: JSON.stringify({ orderId: order.id }) },
        },
      },
    ])
    const rows = (await auditRows(api, shop.merchantId)).filter(({ resource_id: id }) => id === created.body.id)
    expect(Object.fromEntries(rows.map(({ action, changes }) => [action, changes]))).toEqual({
      'payment_link.create': { orderId: [null, order.id], provider: [null, 'paystack'], amountKobo: [null, 1_000_000] },
      'payment_link.open': { status: ['pending', 'open'] },
    })
  })

  test('the amount of a new payment link is the amount that is still due after a partial payment', async () => {
    const { create, payByHand } = await open()
    await payByHand(300_000)
    expect((await create()).body).toMatchObject({ status: 'open', amountKobo: 700_000 })
  })

  test('a link expires after the requested time, after a day by default, and never later than its order', async () => {
    const { api, create, order, orderPath, shop } = await open()
    await select(api, 'update orders set expires_at = $2 where id = $1', [order.id, '2026-11-21T10:00:00.000Z'])
    expect((await create({ expiresInMinutes: 60 })).body.expiresAt).toBe('2026-11-21T09:30:00.000Z')
    api.clock.advance(hourMs)
    expect((await create({ expiresInMinutes: 60 })).body.expiresAt).toBe('2026-11-21T10:00:00.000Z')
    await api.send('POST', `${orderPath}/confirm`, { token: shop.token })
    await select(api, 'update orders set expires_at = null where id = $1', [order.id])
    api.clock.advance(hourMs)
    expect((await create()).body.expiresAt).toBe('2026-11-22T10:30:00.000Z')
  })

  test('a dry run of createPaymentLink returns a pending link, calls no provider and stores nothing', async () => {
    const { server, create, get } = await open()
    const dry = await create({}, { 'service-dry-run': 'true' })
    expect([dry.status, dry.body.status, dry.body.url]).toEqual([201, 'pending', null])
    expect(server.requests).toEqual([])
    answers('getPaymentLink', 'payment_link_not_found', await get())
  })
})

describe('a repeated request for a payment link', () => {
  test('createPaymentLink returns the open link with 200 and creates no second page, even if the request contains another expiry', async () => {
    const { server, create } = await open()
    const first = await create()
    const again = await create({ expiresInMinutes: 5, provider: 'paystack' })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(server.checkouts).toHaveLength(1)
  })

  test('createPaymentLink replaces an expired link with a link that has another reference', async () => {
    const { api, server, create, get } = await open()
    const first = (await create({ expiresInMinutes: 5 })).body
    api.clock.advance(5 * 60_000)
    expect((await get()).body).toEqual({ ...first, status: 'expired' })
    const second = await create()
    expect(second.status).toBe(201)
    expect(second.body.reference).not.toBe(first.reference)
    expect((await get()).body).toEqual(second.body)
    expect(server.checkouts.map(({ url }) => url)).toEqual([first.url, second.body.url])
  })

  test('createPaymentLink replaces a link whose amount differs from the amount now due', async () => {
    const { create, get, double } = await open()
    await create()
    expect((await double()).status).toBe(200)
    expect((await get()).body).toMatchObject({ status: 'void', voidReason: 'amount_changed' })
    expect((await create()).body).toMatchObject({ status: 'open', amountKobo: 2_000_000 })
  })

  test('if the amount of a void link is due again, createPaymentLink reopens and returns this link', async () => {
    const { create, get, payByHand, api, shop } = await open()
    const first = (await create()).body
    const payment = (await payByHand()).body
    expect((await get()).body).toEqual({ ...first, status: 'void', voidReason: 'order_paid' })
    await api.send('POST', `/api/v1/payments/${payment.id}/void`, {
      token: shop.token,
      body: { reason: 'wrong_order' },
    })
    const again = await create()
    expect([again.status, again.body.id]).toEqual([200, first.id])
  })
})

describe('requests for a payment link that are rejected', () => {
  test('createPaymentLink and getPaymentLink return 404 for an unknown order, and getPaymentLink also returns 404 for an order without a link', async () => {
    const { api, shop, get } = await open()
    const path = `/api/v1/orders/${newOrderId(0)}/payment-link`
    const { token } = shop
    answers('createPaymentLink', 'order_not_found', await api.send('POST', path, { token, body: {} }))
    answers('getPaymentLink', 'order_not_found', await api.send('GET', path, { token }))
    answers('getPaymentLink', 'payment_link_not_found', await get())
  })

  test('createPaymentLink returns 409 order_not_payable with the reason for a cancelled, a returned, an expired and a paid order', async () => {
    const cancelled = await open()
    await cancelled.cancel()
    const returned = await open()
    for (const to of ['processing', 'shipped', 'returned']) {
      const body = { token: returned.shop.token, body: { to } }
      expect((await returned.api.send('POST', `${returned.orderPath}/transition`, body)).status).toBe(200)
    }
    const expired = await open()
    expired.api.clock.advance(24 * hourMs)
    const paid = await open()
    await paid.payByHand()
    for (const [shop, reason] of [
      [cancelled, 'cancelled'],
      [returned, 'returned'],
      [expired, 'expired'],
      [paid, 'paid'],
    ] as const) {
      const reply = await shop.create()
      answers('createPaymentLink', 'order_not_payable', reply)
      expect(reply.body.error.details).toEqual({ reason })
      expect(shop.server.requests).toEqual([])
    }
  })

  test('createPaymentLink returns 409 customer_anonymised when the e-mail address of the buyer was redacted', async () => {
    const { api, shop, order, create, orderPath, server } = await open()
    const { token } = shop
    await api.send('POST', `${orderPath}/transition`, { token, body: { to: 'processing' } })
    await api.send('POST', `${orderPath}/transition`, { token, body: { to: 'delivered' } })
    const path = `/api/v1/customers/${order.customer.id}/anonymise`
    const anonymised = await api.send('POST', path, { token })
    expect(anonymised.status, anonymised.text).toBe(200)
    answers('createPaymentLink', 'customer_anonymised', await create())
    expect(server.requests).toEqual([])
  })

  test('createPaymentLink returns 409 payment_provider_not_connected to a merchant without a payment provider', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop, { isPaid: false })
    for (const body of [{}, { provider: 'paystack' }]) {
      const reply = await api.send('POST', `/api/v1/orders/${id}/payment-link`, { token: shop.token, body })
      answers('createPaymentLink', 'payment_provider_not_connected', reply)
    }
  })

  test.for([
    [{ expiresInMinutes: 4 }, 'body.expiresInMinutes'],
    [{ expiresInMinutes: 43_201 }, 'body.expiresInMinutes'],
    [{ callbackUrl: 'http://shop.example.com' }, 'body.callbackUrl'],
    [{ provider: 'manual' }, 'body.provider'],
    [{ amountKobo: 5 }, 'body.amountKobo'],
  ])('createPaymentLink returns 400 for the body %j', async ([body, path]) => {
    const { create } = await open()
    const reply = await create(Object(body))
    expect(reply.status).toBe(400)
    expect(reply.body.error.errors).toMatchObject([{ path }])
  })
})

test('in test mode, recordPayment with the reference of a payment link marks the link as paid', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { token } = shop
  const { id } = await placeOrder(api, shop, { priceKobo: 250_000, isPaid: false })
  const path = `/api/v1/orders/${id}/payment-link`
  const { body: link } = await api.send('POST', path, { token, body: {} })
  expect(link).toMatchObject({ provider: 'paystack', status: 'open', amountKobo: 250_000 })
  expect(link.url).toContain('/checkout/')
  const payment = { amountKobo: 250_000, method: 'card', provider: 'paystack', reference: link.reference }
  const paid = await api.send('POST', `/api/v1/orders/${id}/payments`, { token, body: payment })
  expect(paid.body).toMatchObject({ order: { status: 'processing', balanceKobo: 0 } })
  expect((await api.send('GET', path, { token })).body).toEqual({ ...link, status: 'paid' })
})
