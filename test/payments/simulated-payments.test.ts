import { describe, expect, test } from 'vitest'
import {
  type TestPaymentBehaviourName,
  testPaymentBehaviours,
  testPaymentOf,
  testPaymentReference,
} from '../../registry/service/test-payments.ts'
import { silentLog } from '../../src/base/log.ts'
import { applyCallbacks } from '../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { eventsOf } from '../support/database-contents.ts'
import { openTestShop } from '../support/logistics/parcel-run.ts'
import { placeOrder } from '../support/shop.ts'

/** Payments in test mode. The reference of a payment selects how the payment and its refunds behave. */

const started = useApi({ sendsCallbacks: true })

/** Duration that is a little longer than a simulation step, so that the next step is due. */
const stepMs = 31_000

async function open(behaviour: TestPaymentBehaviourName, amountKobo = 1_000_000) {
  const api = started()
  const shop = await openTestShop(api)
  const order = await placeOrder(api, shop, { priceKobo: amountKobo, isPaid: false })
  const reference = testPaymentReference({ amountKobo, behaviour }, 'a1')
  const body = { amountKobo, method: 'card', reference, provider: 'paystack' }
  const paid = await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
  const refund = (refunded = 400_000) =>
    api.send('POST', '/api/v1/refunds', {
      token: shop.token,
      body: { orderId: order.id, amountKobo: refunded, reason: 'damaged' },
    })
  const context = { ...api.payments, log: silentLog }
  const work = async () => {
    await payRefunds(context, shop.merchantId)
    await api.simulator.tick()
    await applyCallbacks(context, shop.merchantId)
  }
  const pass = async (steps: number) => {
    for (let step = 0; step < steps; step++) {
      api.clock.advance(stepMs)
      await work()
    }
  }
  const notified = async () => {
    const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
    return notifications.map(({ kind }) => kind)
  }
  const read = async (id: string) => (await api.send('GET', `/api/v1/refunds/${id}`, { token: shop.token })).body
  const payment = async () =>
    (await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })).body.data[0]
  return { api, shop, order, paid, refund, work, pass, read, payment, notified }
}

test('the simulated payment provider has a test reference for each behaviour', () => {
  for (const { name } of testPaymentBehaviours) {
    const meant = { amountKobo: 3_250_000, behaviour: name }
    expect(testPaymentOf(testPaymentReference(meant, 'a1'))).toEqual(meant)
  }
  for (const wrong of ['sim-0-success-a', 'sim-1-other-a', 'sim-1-success-', 'sim-x-success-a', 'T1']) {
    expect(testPaymentOf(wrong)).toBeUndefined()
  }
})

test('the simulated payment provider records a test payment as a Paystack payment', async () => {
  const { paid } = await open('success')
  expect(paid.status).toBe(201)
  expect(paid.body).toMatchObject({ provider: 'paystack', amountKobo: 1_000_000, order: { status: 'processing' } })
})

test('recordPayment returns payment_not_verified with the reason not_paid for a test payment that the buyer abandoned', async () => {
  const { paid } = await open('abandoned')
  expect(paid.body.error).toMatchObject({ code: 'payment_not_verified', details: { reason: 'not_paid' } })
})

describe('a refund in test mode', () => {
  test('a refund in test mode is pending, then processing, then succeeded', async () => {
    const { refund, work, pass, read } = await open('success')
    const { id } = (await refund()).body
    await work()
    expect(await read(id)).toMatchObject({
      status: 'pending',
      provider: 'paystack',
      providerReference: expect.stringMatching(/^\d+$/),
    })
    await pass(1)
    expect(await read(id)).toMatchObject({ status: 'processing' })
    await pass(1)
    expect(await read(id)).toMatchObject({ status: 'succeeded', order: { paymentStatus: 'partially_refunded' } })
  })

  test('a refund in test mode succeeds for a payment without a special test reference', async () => {
    const { api, shop, order, pass, read } = await open('success')
    await api.database.pool.query("update payments set reference = 'demo-1' where merchant_id = $1", [shop.merchantId])
    const body = { orderId: order.id, amountKobo: 1_000, reason: 'damaged' }
    const { id } = (await api.send('POST', '/api/v1/refunds', { token: shop.token, body })).body
    await pass(4)
    expect(await read(id)).toMatchObject({ status: 'succeeded' })
  })

  test('a refund of a payment with the test behaviour refund_fails fails after two steps of the simulated provider', async () => {
    const { refund, work, pass, read } = await open('refund_fails')
    const { id } = (await refund()).body
    await work()
    await pass(2)
    expect(await read(id)).toMatchObject({ status: 'failed', failureCode: 'provider_failed' })
  })

  test('a refund that the provider reports as failed emits refund.updated and refund.failed with the failed refund', async () => {
    const { api, shop, refund, work, pass } = await open('refund_fails')
    const { id } = (await refund()).body
    await work()
    await pass(2)
    const failed = { id, status: 'failed', failureCode: 'provider_failed' }
    expect(await eventsOf(api, shop.merchantId, 'refund.failed')).toMatchObject([{ data: { refund: failed } }])
    expect(await eventsOf(api, shop.merchantId, 'refund.updated')).toMatchObject([
      { data: { refund: { id, status: 'processing' }, previousStatus: 'pending' } },
      { data: { refund: failed, previousStatus: 'processing' } },
    ])
  })

  test('if the simulated provider reports a failed refund as succeeded one step later, the refund stays failed, and the merchant is notified', async () => {
    const { refund, work, pass, read, notified } = await open('refund_contradicted')
    const { id } = (await refund()).body
    await work()
    await pass(2)
    expect(await notified()).toEqual(['refund.failed'])
    await pass(1)
    expect(await notified()).toContain('refund.contradicted')
    expect(await read(id)).toMatchObject({ status: 'failed' })
  })

  test('if both a callback and a poll report an amount that differs from the amount of a test-mode refund, the merchant is notified once', async () => {
    const { api, shop, refund, work, pass, read } = await open('refund_differs')
    const { id } = (await refund()).body
    await work()
    await pass(20)
    expect(await read(id)).toMatchObject({ status: 'succeeded' })
    const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
    expect(notifications.filter(({ kind }) => kind === 'refund.amount_differs')).toMatchObject([
      { data: { refundId: id, amountKobo: 400_000, providerAmountKobo: 399_900 } },
    ])
  })

  test('a refund in test mode that needs attention is reported to the merchant again when the payer wins a dispute of the payment', async () => {
    const { refund, work, pass, read, notified } = await open('dispute_lost_during_refund')
    const { id } = (await refund()).body
    await work()
    await pass(2)
    expect(await notified()).toEqual(expect.arrayContaining(['refund.needs_bank_details', 'payment.dispute_opened']))
    await pass(2)
    expect(await notified()).toContain('refund.dispute_lost')
    expect(await read(id)).toMatchObject({ status: 'needs_attention' })
  })

  test('in test mode, the provider refunds half of a payment with the test reference refunded_by_provider, and the merchant is notified', async () => {
    const { api, shop, order, pass, notified } = await open('refunded_by_provider')
    await pass(3)
    const { body } = await api.send('GET', `/api/v1/refunds?orderId=${order.id}`, { token: shop.token })
    expect(body.data).toMatchObject([{ amountKobo: 500_000, source: 'provider', status: 'succeeded' }])
    expect(await notified()).toContain('refund.by_provider')
  })

  test('a refund in test mode fails at once if the test reference of its payment selects a rejection', async () => {
    const { refund, work, read } = await open('refund_refused')
    const { id } = (await refund()).body
    await work()
    expect(await read(id)).toMatchObject({ status: 'failed', failureCode: 'transaction_reversed' })
  })

  test('a refund in test mode with a test reference for bank details waits for these details, is processing once they are set, and then succeeds', async () => {
    const { api, shop, refund, work, pass, read } = await open('refund_needs_attention')
    const { id } = (await refund()).body
    await work()
    await pass(3)
    expect(await read(id)).toMatchObject({ status: 'needs_attention' })
    const body = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
    await api.send('POST', `/api/v1/refunds/${id}/bank-details`, { token: shop.token, body })
    await work()
    expect(await read(id)).toMatchObject({ status: 'processing' })
    await pass(2)
    expect(await read(id)).toMatchObject({ status: 'succeeded', destination: 'bank_account' })
  })
})

describe('a dispute in test mode', () => {
  test.for([
    ['disputed', 409, { disputeLostKobo: 0, disputedAt: expect.any(String) }],
    ['dispute_won', 201, { disputeLostKobo: 0, disputedAt: null }],
    ['dispute_lost', 409, { disputeLostKobo: 1_000_000, disputedAt: expect.any(String) }],
    ['dispute_partly_lost', 201, { disputeLostKobo: 500_000, disputedAt: null }],
    ['dispute_unclear', 409, { disputeLostKobo: 0, disputedAt: expect.any(String) }],
  ] as const)('after a simulated dispute with the test behaviour %s, a refund request returns %i', async ([
    behaviour,
    status,
    shown,
  ]) => {
    const { refund, pass, payment } = await open(behaviour)
    await pass(1)
    expect((await payment()).disputedAt).not.toBeNull()
    expect((await refund()).status).toBe(409)
    await pass(2)
    expect(await payment()).toMatchObject(shown)
    expect((await refund()).status).toBe(status)
  })
})
