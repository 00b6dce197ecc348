import { expect, test } from 'vitest'
import { reconcilePayments } from '../../src/payments/reconcile-payments.ts'
import { useApi } from '../support/api.ts'
import { unpaidAtPaystack } from '../support/commerce/paystack.ts'
import { openShop } from '../support/shop.ts'

/** Payments that Paystack reversed, in the daily comparison. */

const started = useApi()

async function open() {
  const api = started()
  const shop = await openShop(api.context)
  return { api, shop, ...(await unpaidAtPaystack(api, shop)) }
}

test('if Paystack reversed a payment, the reconciliation reports the payment until the service has recorded the reversal', async () => {
  const { api, shop, order, server, sendCallback, apply, context, transaction, charge } = await open()
  const reference = await charge(order.id, 1_000_000)
  const months = new Date(api.clock.nowMs() - 60 * 24 * 3_600_000).toISOString()
  transaction({ reference, status: 'reversed', paid_at: months })
  transaction({ reference: 'T-elsewhere', status: 'reversed', paid_at: months })
  api.clock.advance(3_600_000)
  const differences = async () => {
    const outcome = await reconcilePayments(context, { merchantId: shop.merchantId, provider: 'paystack' })
    return outcome.is === 'compared' ? outcome.differences : outcome
  }
  expect(await differences()).toMatchObject([
    { kind: 'payment_reversed', reference, amountKobo: 1_000_000, id: expect.stringMatching(/^pay_/) },
  ])
  const lost = { id: 358950, transaction: { reference, status: 'reversed' }, resolution: 'auto-accepted' }
  await sendCallback(server.callback('charge.dispute.resolve', lost))
  await apply()
  expect(await differences()).toEqual([])
})

test('the reconciliation does not report a payment that is reversed because it was refunded in full', async () => {
  const { api, shop, order, context, transaction, charge } = await open()
  const reference = await charge(order.id, 1_000_000)
  transaction({ reference, status: 'reversed' })
  const body = { orderId: order.id, amountKobo: 1_000_000, reason: 'damaged' }
  expect((await api.send('POST', '/api/v1/refunds', { token: shop.token, body })).status).toBe(201)
  api.clock.advance(3_600_000)
  expect(await reconcilePayments(context, { merchantId: shop.merchantId, provider: 'paystack' })).toMatchObject({
    is: 'compared',
    differences: [],
  })
})

test('the reconciliation reports a reversed payment even if the merchant has refunded it by bank transfer', async () => {
  const { api, shop, order, context, transaction, charge } = await open()
  const reference = await charge(order.id, 1_000_000)
  transaction({ reference, status: 'reversed' })
  const destination = {
    accountNumber: '0123456789',
    bankCode: '058',
    accountName: 'Adaeze Okafor',
  }
  const body = { orderId: order.id, amountKobo: 1_000_000, reason: 'damaged', destination }
  const refunded = await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  expect(refunded.status, refunded.text).toBe(201)
  api.clock.advance(3_600_000)
  expect(await reconcilePayments(context, { merchantId: shop.merchantId, provider: 'paystack' })).toMatchObject({
    is: 'compared',
    differences: [{ kind: 'payment_reversed', reference }],
  })
})

test('if Paystack ignores the filter for reversed payments and lists payments twice, the reconciliation compares each payment once', async () => {
  const { api, shop, order, server, context, transaction } = await open()
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  transaction({ reference: 'T-lost', metadata: { orderId: order.id }, paid_at })
  server.reversedFilter = 'ignored'
  const outcome = await reconcilePayments(context, { merchantId: shop.merchantId, provider: 'paystack' })
  if (outcome.is !== 'compared') throw new Error(outcome.is)
  expect(outcome.differences).toMatchObject([{ kind: 'payment_not_recorded', reference: 'T-lost' }])
})
