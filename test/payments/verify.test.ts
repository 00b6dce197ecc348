import { expect, test } from 'vitest'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { newOrderId } from '../../src/base/records.ts'
import { recordVerifiedPayment } from '../../src/payments/verify-payment.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { vendorExample } from '../partners/examples/example.ts'
import { answers } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { callbacksOf, exchangeableProvider, unpaidAtPaystack } from '../support/commerce/paystack.ts'
import { openShop, operator, placeOrder } from '../support/shop.ts'

/**
 * Payments whose callbacks were lost. The service verifies them with Paystack by reference and records each payment
 * once.
 */

const exchanged = exchangeableProvider()
const started = useApi({ provider: exchanged.provider })

async function open() {
  const api = started()
  const shop = await openShop(api.context)
  const paystack = await unpaidAtPaystack(api, shop)
  exchanged.use(paystack.provider)
  const path = `/api/v1/orders/${paystack.order.id}/payments`
  const record = (more: object = {}, headers: Record<string, string> = {}) => {
    const body = { amountKobo: 1_000_000, method: 'card', reference: 'T1', provider: 'paystack', ...more }
    return api.send('POST', path, { token: shop.token, body, headers })
  }
  return { api, shop, ...paystack, record }
}

test('if Paystack confirms a payment, recordPayment stores it with the provider, the method and the time', async () => {
  const { transaction, record, order, paid } = await open()
  transaction({ channel: 'dedicated_nuban', metadata: { orderId: order.id } })
  const reply = await record()
  expect(reply.status).toBe(201)
  expect(reply.body).toMatchObject({
    provider: 'paystack',
    reference: 'T1',
    amountKobo: 1_000_000,
    method: 'bank_transfer',
    paidAt: '2024-08-22T09:15:02.000Z',
    order: { status: 'processing', paymentStatus: 'paid' },
  })
  expect(await paid()).toBe(1_000_000)
})

test('recordPayment records the payment in the transaction verification example of Paystack’s documentation', async () => {
  const { record, server, paid } = await open()
  const { data } = vendorExample('paystack-transaction-verify').body
  server.transactions.push(data)
  expect((await record({ reference: data.reference, amountKobo: data.amount })).status).toBe(201)
  expect(await paid()).toBe(40_333)
})

test('a payment that is recorded through the API is marked as disputed if its dispute was reported before the recording', async () => {
  const { transaction, record, server, sendCallback, apply } = await open()
  transaction()
  await sendCallback(server.callback('charge.dispute.create', { id: 358950, transaction: { reference: 'T1' } }))
  await apply()
  const tried = await record({}, { 'service-dry-run': 'true' })
  expect(tried.body).toMatchObject({ disputedAt: expect.any(String) })
  expect((await record()).body).toMatchObject({ disputedAt: expect.any(String), disputeLostKobo: 0 })
})

test('a dry run of recordPayment queries Paystack and records nothing', async () => {
  const { transaction, record, paid } = await open()
  transaction()
  expect((await record({}, { 'service-dry-run': 'true' })).status).toBe(201)
  expect(await paid()).toBe(0)
})

test.for([
  ['not_found', {}, { reference: 'T2' }, null],
  ['not_paid', { status: 'abandoned' }, {}, null],
  ['not_paid', { status: 'reversed' }, {}, null],
  ['other_amount', { amount: 900_000 }, {}, 900_000],
  ['other_currency', { currency: 'USD' }, {}, 1_000_000],
] as const)('recordPayment returns 409 payment_not_verified for %s and records nothing: %j', async ([
  reason,
  fields,
  sent,
  amountKobo,
]) => {
  const { transaction, record, paid } = await open()
  transaction(fields)
  const reply = await record(sent)
  answers('recordPayment', 'payment_not_verified', reply)
  expect(reply.body.error.details).toEqual({ reason, amountKobo })
  expect(await paid()).toBe(0)
})

test('recordPayment returns 409 payment_not_verified for a payment that names another order of the merchant', async () => {
  const { api, shop, transaction, record, paid } = await open()
  const other = await placeOrder(api, shop, { isPaid: false })
  transaction({ metadata: JSON.stringify({ orderId: other.id }) })
  const reply = await record()
  answers('recordPayment', 'payment_not_verified', reply)
  expect(reply.body.error.details).toEqual({ reason: 'other_order', amountKobo: 1_000_000 })
  expect(await paid()).toBe(0)
})

test('if the metadata of a payment names an unknown order, recordPayment records the payment for the order named in the request', async () => {
  const { transaction, record, paid } = await open()
  transaction({ metadata: JSON.stringify({ orderId: newOrderId(0) }) })
  expect((await record()).status).toBe(201)
  expect(await paid()).toBe(1_000_000)
})

test('recordPayment returns 409 payment_provider_not_connected to a merchant without a Paystack key', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { isPaid: false })
  const body = { amountKobo: 1000, method: 'card', reference: 'T1', provider: 'paystack' }
  const reply = await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
  answers('recordPayment', 'payment_provider_not_connected', reply)
})

test('recordPayment returns 503 payment_provider_unavailable when Paystack responds with 500', async () => {
  const { transaction, record, server, paid } = await open()
  transaction()
  server.failReads('answers_500')
  answers('recordPayment', 'payment_provider_unavailable', await record())
  expect(await paid()).toBe(0)
  expect((await record()).status).toBe(201)
})

test('the callback of a payment and several concurrent recordPayment requests for the same payment record the payment only once', async () => {
  const { transaction, record, order, server, sendCallback, apply, paid } = await open()
  const data = transaction({ metadata: { orderId: order.id } })
  await sendCallback(server.callback('charge.success', data))
  const [first, second] = await Promise.all([record(), record(), apply()])
  const statuses = [first.status, second.status].toSorted()
  expect([
    [201, 409],
    [409, 409],
  ]).toContainEqual(statuses)
  expect(await paid()).toBe(1_000_000)
  expect((await record()).body.error.code).toBe('payment_reference_in_use')
})

test('the command `payments verify` records a payment for the order that an operator names', async () => {
  const { shop, transaction, order, context, paid } = await open()
  transaction({ metadata: { orderId: order.id } })
  const wanted = { tenant: shop.tenant, actor: operator, provider: 'paystack' as const, reference: 'T1' }
  expect(await recordVerifiedPayment(context, wanted)).toMatchObject({ is: 'recorded', payment: { orderId: order.id } })
  expect(await recordVerifiedPayment(context, wanted)).toMatchObject({ is: 'reference_in_use' })
  expect(await paid()).toBe(1_000_000)
  transaction({ reference: 'T9' })
  expect(await recordVerifiedPayment(context, { ...wanted, reference: 'T9' })).toMatchObject({ reason: 'no_order' })
})

test('if an operator has already recorded a Paystack charge for an order, a later callback of this charge without an order causes no notification', async () => {
  const { api, shop, order, server, context, transaction, sendCallback, apply } = await open()
  const data = transaction({ reference: 'T-plugin', metadata: { custom: 1 } })
  const orderId = OrderId.parse(order.id)
  const wanted = { tenant: shop.tenant, actor: operator, provider: 'paystack' as const, reference: 'T-plugin', orderId }
  expect(await recordVerifiedPayment(context, wanted)).toMatchObject({ is: 'recorded' })
  await sendCallback(server.callback('charge.success', data))
  await apply()
  const { merchantId } = shop
  expect(await callbacksOf(api, merchantId)).toMatchObject([{ outcome: 'ignored', reason: 'reference_in_use' }])
  expect(await listNotifications(api.database, { merchantId, limit: 10 })).toEqual([])
})
