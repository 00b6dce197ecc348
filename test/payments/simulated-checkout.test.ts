import { createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { signText } from '../../src/base/signed-text.ts'
import { expireOrders } from '../../src/commerce/orders/expire-orders.ts'
import { buyerPagePlaces } from '../../src/http/places.ts'
import { applyCallbacks } from '../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { openPage } from '../support/commerce/buyer-pages.ts'
import { eventsOf } from '../support/database-contents.ts'
import { openTestShop } from '../support/logistics/parcel-run.ts'
import { placeOrder } from '../support/shop.ts'

/** The checkout page of test mode, on which a tester pays a payment link as a buyer would. */

const started = useApi({ sendsCallbacks: true })

const amountKobo = 1_000_000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A little longer than a step of the simulation, so that the next step is due. */
const stepMs = 31_000

/** Creates an order in test mode and its payment link. Returns the functions that the tests use with the order. */
async function openCheckout(body: object = {}) {
  const api = started()
  const shop = await openTestShop(api)
  const { token, merchantId } = shop
  const order = await placeOrder(api, shop, { priceKobo: amountKobo, isPaid: false })
  const created = await api.send('POST', `/api/v1/orders/${order.id}/payment-link`, { token, body })
  expect(created.status, created.text).toBe(201)
  const url: string = created.body.url
  const read = async (path: string) => (await api.send('GET', `/api/v1${path}`, { token })).body
  const context = { ...api.payments, log: silentLog }
  /** Sends the callbacks that are due and applies them, as the worker does. */
  const work = async () => {
    await payRefunds(context, merchantId)
    await api.simulator.tick()
    await applyCallbacks(context, merchantId)
  }
  const submit = async (fields: Record<string, string>) => {
    const page = await openPage(url, { method: 'POST', body: new URLSearchParams(fields) })
    await applyCallbacks(context, merchantId)
    return page
  }
  return {
    ...{ api, shop, order, url, read, submit, work },
    link: created.body,
    readOrder: () => read(`/orders/${order.id}`),
    readLink: () => read(`/orders/${order.id}/payment-link`),
    readPayments: async () => (await read(`/payments?orderId=${order.id}`)).data,
    notified: async () => {
      const notifications = await listNotifications(api.database, { merchantId, limit: 10 })
      return notifications.map(({ kind }) => kind)
    },
  }
}

/** Sends a form to a page without the end of its body. Resolves when the service waits for the body. */
async function sendIncomplete(url: string): Promise<void> {
  const { pathname, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const type = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12'
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: a\r\n${type}\r\nExpect: 100-continue\r\n\r\noutcome`)
  const [head] = await once(socket, 'data')
  expect(String(head)).toMatch(/^HTTP\/1\.1 100/)
}

describe('the simulated checkout page', () => {
  test('the URL of a payment link in test mode opens a page with the amount, the order and the reference', async () => {
    const { url, order, link } = await openCheckout()
    const { status, headers, text } = await openPage(url)
    expect(status).toBe(200)
    for (const shown of ['Test mode', '₦10,000.00', order.id, link.reference]) expect(text).toContain(shown)
    expect(headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  test('buyers’ pages open while an address sends as many incomplete forms to a checkout page as it may request pages', async () => {
    const { url } = await openCheckout()
    await Promise.all(Array.from({ length: buyerPagePlaces.eachMax }, () => sendIncomplete(url)))
    expect((await openPage(url)).status).toBe(200)
  })

  test('a payment on the simulated checkout page sends a signed callback, which sets the order and its payment link to paid', async () => {
    const { api, shop, submit, readOrder, readLink, readPayments, link, notified } = await openCheckout()
    expect((await submit({ outcome: 'paid' })).text).toContain('The buyer paid ₦10,000.00')
    expect(await readOrder()).toMatchObject({ status: 'processing', paymentStatus: 'paid', balanceKobo: 0 })
    expect((await readLink()).status).toBe('paid')
    const paid = { amountKobo, method: 'card', provider: 'paystack', reference: link.reference }
    expect(await readPayments()).toMatchObject([paid])
    expect(await eventsOf(api, shop.merchantId, 'payment.recorded')).toHaveLength(1)
    expect(await notified()).toEqual([])
  })

  test('a simulated checkout page on which the buyer has paid shows the payment, and submitting the page again records no second payment', async () => {
    const { url, submit, readPayments } = await openCheckout()
    await Promise.all([1, 2, 3].map(() => submit({ outcome: 'paid' })))
    await submit({ outcome: 'paid', payments: '2' })
    expect((await openPage(url)).text).toContain('The buyer paid ₦10,000.00')
    expect(await readPayments()).toHaveLength(1)
  })

  test('a payment that the provider reports without the order’s id leaves the order unpaid, and the merchant is notified', async () => {
    const { api, shop, submit, readOrder, notified } = await openCheckout()
    await submit({ outcome: 'paid', behaviour: 'unmatched' })
    expect((await readOrder()).paymentStatus).toBe('unpaid')
    expect(await eventsOf(api, shop.merchantId, 'payment.unmatched')).toHaveLength(1)
    expect(await notified()).toEqual(['payment.not_recorded'])
  })

  test('after a declined payment, the order is unpaid and the buyer can try again on the simulated checkout page', async () => {
    const { submit, readOrder, readLink, readPayments } = await openCheckout()
    expect((await submit({ outcome: 'declined' })).text).toContain('The payment was declined.')
    expect(await readPayments()).toEqual([])
    expect((await readLink()).status).toBe('open')
    await submit({ outcome: 'paid' })
    expect((await readOrder()).paymentStatus).toBe('paid')
  })

  test('a callback that the simulated checkout page sends a second time records no second payment', async () => {
    const { api, shop, submit, readPayments } = await openCheckout()
    await submit({ outcome: 'paid' })
    expect((await submit({ outcome: 'repeated' })).status).toBe(200)
    expect(await readPayments()).toHaveLength(1)
    expect(await eventsOf(api, shop.merchantId, 'payment.recorded')).toHaveLength(1)
  })

  test('after the payment, the simulated checkout page links to the shop’s callback URL with the reference, as the real provider’s page does', async () => {
    const callbackUrl = `https://shop.example.com/thanks?basket=1&note=${'x'.repeat(1_100)}`
    const { submit, link } = await openCheckout({ callbackUrl })
    const { html } = await submit({ outcome: 'paid' })
    const [, href = ''] = /<a href="([^"]*)"/.exec(html) ?? []
    const returned = new URL(href.replaceAll('&amp;', '&'))
    expect(returned.origin).toBe('https://shop.example.com')
    expect(returned.searchParams.get('basket')).toBe('1')
    expect(returned.searchParams.get('reference')).toBe(link.reference)
    expect(returned.searchParams.get('trxref')).toBe(link.reference)
  })
})

test('a payment link in test mode with a callback URL of more than 1,200 characters is rejected', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const order = await placeOrder(api, shop, { isPaid: false })
  const body = { callbackUrl: `https://shop.example.com/${'x'.repeat(1_200)}` }
  const { status, text } = await api.send('POST', `/api/v1/orders/${order.id}/payment-link`, {
    token: shop.token,
    body,
  })
  expect(status).toBe(409)
  expect(text).toContain('a callback URL of at most 1,200 characters')
})

describe('unusual payments on the simulated checkout page', () => {
  test('a payment of less than the amount due is recorded as a partial payment, and the payment link becomes void', async () => {
    const { submit, readOrder, readLink } = await openCheckout()
    await submit({ outcome: 'paid', amountKobo: '400000' })
    expect(await readOrder()).toMatchObject({ paymentStatus: 'partially_paid', balanceKobo: 600_000 })
    expect((await readLink()).status).not.toBe('open')
  })

  test('a payment of more than the amount due is recorded in full, and the merchant is notified of the excess', async () => {
    const { submit, readOrder, notified } = await openCheckout()
    await submit({ outcome: 'paid', amountKobo: '1000001' })
    expect((await readOrder()).balanceKobo).toBe(-1)
    expect(await notified()).toEqual(['payment.overpaid'])
  })

  test('if a buyer pays twice, two payments with different references are recorded, and the merchant is notified of the excess', async () => {
    const { submit, readOrder, readPayments, notified } = await openCheckout()
    await submit({ outcome: 'paid', payments: '2' })
    const payments = await readPayments()
    expect(new Set(payments.map(({ reference }: { reference: string }) => reference)).size).toBe(2)
    expect((await readOrder()).balanceKobo).toBe(-amountKobo)
    expect(await notified()).toEqual(['payment.overpaid'])
  })

  test('a delayed callback of the simulated checkout records the payment with the time at which the buyer paid', async () => {
    const { api, submit, work, readOrder, readPayments } = await openCheckout()
    const paidAt = new Date(api.clock.nowMs()).toISOString()
    await submit({ outcome: 'paid', callbackDelayMinutes: '60' })
    expect((await readOrder()).paymentStatus).toBe('unpaid')
    api.clock.advance(60 * minuteMs)
    await work()
    expect(await readPayments()).toMatchObject([{ paidAt }])
  })

  test('a payment on the checkout page of an expired order is recorded, and the merchant is notified', async () => {
    const { api, submit, readOrder, readPayments, notified } = await openCheckout()
    const { expiresAt } = await readOrder()
    api.clock.advance(Date.parse(expiresAt) - api.clock.nowMs() + dayMs)
    await expireOrders(api.context)
    expect((await readOrder()).status).toBe('cancelled')
    await submit({ outcome: 'paid' })
    expect(await readPayments()).toMatchObject([{ amountKobo }])
    expect(await notified()).toEqual(['payment.of_cancelled_order'])
  })

  test.for([
    ['refund_fails', 'failed'],
    ['refund_refused', 'failed'],
    ['refund_needs_attention', 'needs_attention'],
    ['success', 'succeeded'],
  ] as const)('a refund of a payment for which the simulated behaviour %s was chosen gets the status %s', async ([
    behaviour,
    status,
  ]) => {
    const { api, shop, order, submit, work, read } = await openCheckout()
    await submit({ outcome: 'paid', behaviour })
    const body = { orderId: order.id, amountKobo: 300_000, reason: 'damaged' }
    const { id } = (await api.send('POST', '/api/v1/refunds', { token: shop.token, body })).body
    await work()
    for (const _ of [1, 2]) {
      api.clock.advance(stepMs)
      await work()
    }
    expect((await read(`/refunds/${id}`)).status).toBe(status)
  })

  test('a payment that the buyer disputes is reported as a dispute of the full amount of the payment', async () => {
    const { api, submit, work, readPayments } = await openCheckout()
    await submit({ outcome: 'paid', behaviour: 'disputed', amountKobo: '900000' })
    api.clock.advance(stepMs)
    await work()
    expect(await readPayments()).toMatchObject([{ amountKobo: 900_000, disputedAt: expect.any(String) }])
  })
})

describe('a request to the simulated checkout page that is not valid', () => {
  test.for([
    [{}, 'The outcome must be paid, declined or repeated.'],
    [{ outcome: 'paid', amountKobo: '0' }, 'The amount must be at least 1 kobo.'],
    [{ outcome: 'paid', amountKobo: '15,000' }, 'The amount must be a whole number of kobo'],
    [{ outcome: 'paid', amountKobo: '1.5' }, 'The amount must be a whole number of kobo'],
    [{ outcome: 'paid', amountKobo: '99999999999999' }, 'The amount must be at most'],
    [{ outcome: 'paid', payments: '3' }, 'The number of payments must be 1 or 2.'],
    [{ outcome: 'paid', callbackDelayMinutes: '-1' }, 'The delay of the callback must be one of 0, 5, 60, 1440'],
    [{ outcome: 'paid', behaviour: 'abandoned' }, 'The behaviour must be one of success'],
    [{ outcome: 'repeated' }, 'No payment was made on this page'],
  ] as const)('the simulated checkout page rejects the form %j with the message “%s”, and no payment is recorded', async ([
    fields,
    message,
  ]) => {
    const { submit, readPayments } = await openCheckout()
    const { status, text } = await submit(fields)
    expect(status).toBe(422)
    expect(text).toContain(message)
    expect(await readPayments()).toEqual([])
  })

  test('the simulated checkout returns 404 without order data for an altered, forged or overlong token', async () => {
    const { url } = await openCheckout()
    const [root, token = ''] = url.split('/checkout/')
    const forged = signText([{ id: 1, secret: createSecretKey(Buffer.alloc(32, 1)) }], '["mer","ord","sim",1,null]')
    for (const wrong of [`${token.slice(0, -2)}AA`, forged, 'x', 'x'.repeat(2_100)]) {
      for (const method of ['GET', 'POST']) {
        const page = await openPage(`${root}/checkout/${wrong}`, { method })
        expect(page.status, wrong).toBe(404)
        expect(page.text).not.toContain('ord_')
      }
    }
  })

  test('the simulated checkout page rejects the method PUT, a JSON body, and a body of 5,000 characters', async () => {
    const { url } = await openCheckout()
    expect((await openPage(url, { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST')
    const json = { method: 'POST', body: '{"outcome":"paid"}', headers: { 'Content-Type': 'application/json' } }
    expect((await openPage(url, json)).status).toBe(415)
    const long = { method: 'POST', body: new URLSearchParams({ outcome: 'x'.repeat(5_000) }) }
    expect((await openPage(url, long)).status).toBe(413)
  })
})
