import { describe, expect, test } from 'vitest'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { useApi } from '../../support/api.ts'
import { attentionRows } from '../../support/attention.ts'
import { openLinkShop } from '../../support/commerce/payment-links.ts'
import { exchangeableProvider } from '../../support/commerce/paystack.ts'
import { signedIn } from '../../support/dashboard.ts'
import { eventsOf } from '../../support/database-contents.ts'

/**
 * Payments on pages of payment links. A provider may accept a payment at any time, and the service records every such
 * payment.
 */

const exchanged = exchangeableProvider()
const started = useApi({ provider: exchanged.provider })

const dayMs = 24 * 3_600_000

/**
 * Creates a payment link. Returns functions that pay the link and read the resulting payments, events and
 * notifications.
 */
async function openLink() {
  const opened = await openLinkShop(started(), exchanged)
  const { api, shop, order, create, payPage } = opened
  const { body: link } = await create()
  return {
    ...opened,
    link,
    pay: () => payPage(link.reference),
    /** Returns the recorded payments, the events about them, the notifications, and whether the order needs attention. */
    reported: async () => {
      const { body } = await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })
      const events = await eventsOf(api, shop.merchantId, 'payment.recorded')
      const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
      const member = await signedIn(api, shop.merchantId, 'operations')
      return {
        payments: body.data,
        excessKobo: events.map(({ data }) => data.excessKobo),
        notified: notifications.map(({ kind }) => kind),
        attention: (await attentionRows(member, `/orders/${order.id}`)).length,
      }
    },
  }
}

test('a payment on the page of an open link marks the order and the link as paid, and raises no notification', async () => {
  const { link, pay, get, readOrder, reported } = await openLink()
  await pay()
  expect(await readOrder()).toMatchObject({ status: 'processing', paymentStatus: 'paid', balanceKobo: 0 })
  expect((await get()).body).toEqual({ ...link, status: 'paid' })
  expect(await reported()).toMatchObject({
    payments: [{ provider: 'paystack', reference: link.reference, amountKobo: 1_000_000 }],
    ...{ excessKobo: [0], notified: [], attention: 0 },
  })
})

describe('a payment on the page of a link that is not open', () => {
  test('a payment for a void link of a paid order is recorded as an overpayment', async () => {
    const { link, pay, payByHand, get, readOrder, reported } = await openLink()
    await payByHand()
    expect((await get()).body).toMatchObject({ status: 'void', voidReason: 'order_paid' })
    await pay()
    expect((await readOrder()).balanceKobo).toBe(-1_000_000)
    expect((await get()).body).toEqual({ ...link, status: 'paid' })
    expect(await reported()).toMatchObject({
      payments: [{ reference: link.reference }, { provider: 'manual' }],
      ...{ excessKobo: [0, 1_000_000], notified: ['payment.overpaid'], attention: 1 },
    })
  })

  test('a payment for the void link of an unpaid order that was returned is recorded, and a notification reports it until it is refunded', async () => {
    const { api, shop, order, orderPath, pay, get, readOrder, reported } = await openLink()
    const { token } = shop
    for (const to of ['processing', 'shipped', 'returned']) {
      expect((await api.send('POST', `${orderPath}/transition`, { token, body: { to } })).status).toBe(200)
    }
    expect((await get()).body).toMatchObject({ status: 'void', voidReason: 'order_returned' })
    await pay()
    expect(await readOrder()).toMatchObject({ status: 'returned', refundableKobo: 1_000_000 })
    expect(await reported()).toMatchObject({ excessKobo: [1_000_000], notified: ['payment.overpaid'], attention: 1 })
    const account = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
    const body = { orderId: order.id, amountKobo: 1_000_000, reason: 'other', destination: account }
    const refunded = await api.send('POST', '/api/v1/refunds', { token, body })
    expect(refunded.status, refunded.text).toBe(201)
    expect(await reported()).toMatchObject({ attention: 0 })
  })

  test('a payment through a void payment link of a cancelled order is recorded, and the merchant gets a notification about the payment', async () => {
    const { link, pay, cancel, get, readOrder, reported } = await openLink()
    await cancel()
    expect((await get()).body).toMatchObject({ status: 'void', voidReason: 'order_cancelled' })
    await pay()
    expect(await readOrder()).toMatchObject({ status: 'cancelled', paidKobo: 1_000_000 })
    expect((await get()).body).toEqual({ ...link, status: 'paid' })
    expect(await reported()).toMatchObject({ notified: ['payment.of_cancelled_order'], attention: 1 })
  })

  test('if a buyer pays through a link that an edit of the order has voided, the order is partially paid, and a new link has the remaining amount', async () => {
    const { pay, double, create, get, readOrder, reported } = await openLink()
    await double()
    await pay()
    expect(await readOrder()).toMatchObject({
      status: 'pending',
      paymentStatus: 'partially_paid',
      balanceKobo: 1_000_000,
    })
    expect((await get()).body).toMatchObject({ status: 'paid' })
    expect(await reported()).toMatchObject({ excessKobo: [0], notified: [] })
    expect((await create()).body).toMatchObject({ status: 'open', amountKobo: 1_000_000 })
  })

  test('a payment through an expired payment link of an expired order is recorded, and the merchant gets a notification about the payment', async () => {
    const { api, link, pay, get, readOrder, reported } = await openLink()
    api.clock.advance(dayMs)
    await expireOrders(api.context)
    expect((await get()).body).toEqual({ ...link, status: 'expired' })
    await pay()
    expect(await readOrder()).toMatchObject({ status: 'cancelled', cancelReason: 'expired', paidKobo: 1_000_000 })
    expect((await get()).body).toMatchObject({ status: 'paid' })
    expect(await reported()).toMatchObject({ notified: ['payment.of_cancelled_order'], attention: 1 })
  })

  test('a payment for an expired link of an open order pays the order', async () => {
    const { api, create, payPage, get, readOrder } = await openLinkShop(started(), exchanged)
    const { body: link } = await create({ expiresInMinutes: 5 })
    api.clock.advance(5 * 60_000)
    await payPage(link.reference)
    expect(await readOrder()).toMatchObject({ status: 'processing', balanceKobo: 0 })
    expect((await get()).body).toEqual({ ...link, status: 'paid' })
  })

  test('if the provider reports a payment of a link a second time, the payment is recorded only once', async () => {
    const { pay, readOrder, reported } = await openLink()
    await pay()
    await pay()
    expect((await readOrder()).paidKobo).toBe(1_000_000)
    expect((await reported()).payments).toHaveLength(1)
  })

  test('payments on the pages of a replaced link and of its successor are both recorded', async () => {
    const { link, double, create, payPage, readOrder, reported } = await openLink()
    await double()
    const { body: successor } = await create()
    await payPage(successor.reference)
    await payPage(link.reference)
    expect((await readOrder()).balanceKobo).toBe(-1_000_000)
    expect(await reported()).toMatchObject({ notified: ['payment.overpaid'], attention: 1 })
  })
})
