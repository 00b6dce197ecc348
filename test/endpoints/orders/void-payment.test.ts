import { describe, expect, test } from 'vitest'
import { newPaymentId } from '../../../src/base/records.ts'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { connectShop } from '../../support/commerce/paystack.ts'
import { auditRows, contentsOf, eventsOf } from '../../support/database-contents.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()

/** Creates an order of 1,000,000 kobo that was paid outside the payment provider. */
async function place() {
  const api = started()
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  const path = `/api/v1/orders/${order.id}`
  const send = (to: string, body: object) => api.send('POST', to, { token: shop.token, body })
  const pay = (amountKobo: number, reference: string, more: object = {}) =>
    send(`${path}/payments`, { amountKobo, method: 'bank_transfer', reference, ...more })
  const payment = (await pay(1_000_000, 'GTB-1')).body
  return {
    ...{ api, shop, order, payment, send, pay },
    refund: (amountKobo: number) => send('/api/v1/refunds', { orderId: order.id, amountKobo, reason: 'damaged' }),
    voidIt: (id: string = payment.id, reason = 'wrong_amount') => send(`/api/v1/payments/${id}/void`, { reason }),
    read: async () => (await api.send('GET', path, { token: shop.token })).body,
    list: async () => (await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })).body.data,
  }
}

describe('200 responses of voidPayment', () => {
  test('a voided payment is no longer part of the paid amount of its order, and the audit log and the event contain the reason for the void', async () => {
    const { api, shop, payment, voidIt, read, list } = await place()
    api.clock.advance(1000)
    const reply = await voidIt()
    const now = new Date(api.clock.nowMs()).toISOString()
    const order = { status: 'processing', paymentStatus: 'unpaid', paidKobo: 0, balanceKobo: 1_000_000 }
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ ...payment, voidedAt: now, voidReason: 'wrong_amount', order })
    expect(await read()).toMatchObject({ ...order, paidAt: null, refundableKobo: 0 })
    const { order: _, ...summary } = reply.body
    expect(await list()).toEqual([summary])
    expect((await auditRows(api, shop.merchantId)).at(-1)).toMatchObject({
      action: 'payment.void',
      resource_type: 'payment',
      resource_id: payment.id,
      changes: { voidReason: [null, 'wrong_amount'], paidKobo: [1_000_000, 0] },
    })
    const events = await eventsOf(api, shop.merchantId, 'payment.voided')
    expect(events).toMatchObject([{ data: { payment: reply.body } }])
  })

  test('the reference of a voided payment can be recorded again, and the new payment can be voided too', async () => {
    const { api, pay, voidIt, read, list } = await place()
    await voidIt()
    api.clock.advance(1)
    const second = await pay(600_000, 'GTB-1')
    expect(second.status).toBe(201)
    answers('recordPayment', 'payment_reference_in_use', await pay(1, 'GTB-1'))
    expect((await voidIt(second.body.id, 'wrong_order')).status).toBe(200)
    api.clock.advance(1)
    expect((await pay(1_000_000, 'GTB-1')).status).toBe(201)
    expect(await read()).toMatchObject({ paidKobo: 1_000_000, paymentStatus: 'paid' })
    expect(await list()).toMatchObject([
      { voidReason: null },
      { voidReason: 'wrong_order' },
      { voidReason: 'wrong_amount' },
    ])
  })

  test('one of two payments can be voided while the other payment covers the refunds', async () => {
    const { pay, refund, voidIt, read } = await place()
    const twice = await pay(1_000_000, 'GTB-2', { allowOverpayment: true })
    await refund(1_000_000)
    expect((await voidIt(twice.body.id, 'duplicate')).status).toBe(200)
    expect(await read()).toMatchObject({ paidKobo: 1_000_000, refundedKobo: 1_000_000, paymentStatus: 'refunded' })
  })

  test('ten concurrent voidPayment requests void the payment once', async () => {
    const { api, shop, voidIt, read } = await place()
    const replies = await Promise.all(Array.from({ length: 10 }, () => voidIt()))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await read()).toMatchObject({ paidKobo: 0 })
    expect(await eventsOf(api, shop.merchantId, 'payment.voided')).toHaveLength(1)
  })

  test('a concurrent refund and void of a payment never return more money than was paid', async () => {
    for (let round = 0; round < 10; round++) {
      const { refund, voidIt, read } = await place()
      const replies = await Promise.all([refund(1_000_000), voidIt()])
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
      const { paidKobo, refundedKobo } = await read()
      expect(paidKobo).toBe(refundedKobo)
    }
  })
})

describe('400 validation_failed', () => {
  test.for([
    {},
    { reason: 'because' },
    { reason: '' },
    { reason: 'other', note: 'x' },
  ])('voidPayment returns 400 validation_failed for the body %j', async (body) => {
    const { send, payment } = await place()
    answers('voidPayment', 'validation_failed', await send(`/api/v1/payments/${payment.id}/void`, body))
  })
})

describe('404 payment_not_found', () => {
  test('voidPayment returns 404 payment_not_found for an unknown id', async () => {
    const { voidIt } = await place()
    answers('voidPayment', 'payment_not_found', await voidIt(newPaymentId(0)))
  })
})

describe('409 payment_not_voidable', () => {
  test('voidPayment returns 409 payment_not_voidable for a voided payment', async () => {
    const { voidIt } = await place()
    await voidIt()
    const reply = await voidIt()
    answers('voidPayment', 'payment_not_voidable', reply)
    expect(reply.body.error.details).toEqual({ reason: 'voided' })
  })

  test('voidPayment returns 409 payment_not_voidable for a partially refunded payment, and changes nothing', async () => {
    const { api, refund, voidIt } = await place()
    await refund(1)
    const before = await contentsOf(api)
    const reply = await voidIt()
    answers('voidPayment', 'payment_not_voidable', reply)
    expect(reply.body.error.details).toEqual({ reason: 'refunded' })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('voidPayment returns 409 payment_not_voidable for a payment received through a payment provider', async () => {
    const { api, shop, voidIt } = await place()
    const order = await placeOrder(api, shop, { isPaid: false })
    const { charge } = await connectShop(api, shop)
    await charge(order.id, order.totalKobo)
    const { data } = (await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })).body
    const reply = await voidIt(data[0].id)
    answers('voidPayment', 'payment_not_voidable', reply)
    expect(reply.body.error.details).toEqual({ reason: 'provider' })
  })
})

test('if the payment that covered the rest of an order is voided, the order is again reported as partly paid', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  const send = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
  const pay = async (amountKobo: number) => {
    const body = { amountKobo, method: 'cash', reference: `cash-${amountKobo}` }
    return (await send(`/orders/${order.id}/payments`, body)).body.id
  }
  const isReported = async () => {
    const rows = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 50, state: 'open' })
    return rows.some(({ kind }) => kind === 'order.partly_paid')
  }
  await pay(400_000)
  api.clock.advance(3 * 24 * 3_600_000)
  await expireOrders(api.context)
  expect(await isReported()).toBe(true)
  await send(`/orders/${order.id}/transition`, { to: 'on_hold' })
  const rest = await pay(600_000)
  expect(await isReported()).toBe(false)
  expect((await send(`/payments/${rest}/void`, { reason: 'other' })).status).toBe(200)
  expect(await isReported()).toBe(true)
})
