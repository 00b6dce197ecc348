import { expect, test } from 'vitest'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { vendorExample } from '../partners/examples/example.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { callbacksOf, connectShop, paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { select } from '../support/database-contents.ts'
import { placeOrder, type Shop } from '../support/shop.ts'

/** Paystack's callbacks about payment disputes, and their effect on refunds. */

const started = useApi()

async function openPaid() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await paidByPaystack(api, shop, { priceKobo: 1_000_000 })) }
}

const dispute = (reference: string, id = 358950) => ({ id, transaction: { reference } })

async function disputeNotifications(api: TestApi, { merchantId }: Shop) {
  const all = await listNotifications(api.database, { merchantId, limit: 10 })
  return all.filter(({ kind }) => kind === 'payment.dispute_lost' || kind === 'payment.dispute_unclear')
}

test.for([
  ['declined', 'payment.dispute_opened', []],
  ['merchant-accepted', 'payment.dispute_opened', ['order.refunded_unshipped', 'payment.dispute_lost']],
  ['partly-something', 'payment.dispute_opened', ['payment.dispute_unclear']],
] as const)('an open dispute has one notification with its due date, which is resolved when the dispute ends with the resolution %s', async ([
  resolution,
  kind,
  kindsAfter,
]) => {
  const { api, shop, order, server, sendCallback, apply, reference } = await openPaid()
  const { data } = vendorExample('paystack-dispute-create').body
  const opened = { ...data, ...dispute(reference) }
  for (const event of ['charge.dispute.create', 'charge.dispute.remind']) {
    await sendCallback(server.callback(event, opened))
    await apply()
  }
  const open = () => listNotifications(api.database, { merchantId: shop.merchantId, limit: 10, state: 'open' })
  const reported = { orderId: order.id, disputeId: '358950', amountKobo: 1_000_000, dueAt: '2020-11-25T18:00:00.000Z' }
  expect(await open()).toMatchObject([{ kind, data: reported }])
  await sendCallback(server.callback('charge.dispute.resolve', { ...dispute(reference), resolution }))
  await apply()
  expect((await open()).map((each) => each.kind).toSorted()).toEqual(kindsAfter)
})

test('createRefund rejects a refund of a disputed payment until the dispute is resolved', async () => {
  const { server, sendCallback, apply, refund, reference } = await openPaid()
  await sendCallback(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  const refused = await refund(1000)
  expect(refused.status).toBe(409)
  expect(refused.body.error.code).toBe('payment_disputed')
  await sendCallback(server.callback('charge.dispute.resolve', { ...dispute(reference), resolution: 'declined' }))
  await apply()
  expect((await refund(1000)).status).toBe(201)
})

test('a payment whose dispute was lost is not refundable, because the dispute returned the money to the payer', async () => {
  const { api, shop, server, sendCallback, apply, refund, reference } = await openPaid()
  const lost = { ...dispute(reference), status: 'resolved', resolution: 'merchant-accepted' }
  await sendCallback(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  await sendCallback(server.callback('charge.dispute.resolve', lost))
  await apply()
  const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
  expect((await refund(1000, { destination })).body.error.code).toBe('payment_disputed')
  expect((await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)).toEqual([null, null, null])
})

test('a lost dispute is recorded regardless of the sequence of its callbacks', async () => {
  const { server, sendCallback, apply, refund, reference } = await openPaid()
  await sendCallback(
    server.callback('charge.dispute.resolve', { ...dispute(reference), resolution: 'merchant-accepted' }),
  )
  await apply()
  await sendCallback(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
})

/** Every resolution of a dispute that Paystack may report, apart from a win of the merchant. */
const notWon: readonly (readonly [title: string, more: object, kind: string])[] = [
  ['auto-accepted', { resolution: 'auto-accepted' }, 'payment.dispute_lost'],
  ['merchant-accepted', { resolution: 'merchant-accepted' }, 'payment.dispute_lost'],
  ['declined, with a reversed transaction', { resolution: 'declined', isReversed: true }, 'payment.dispute_unclear'],
  ['without a resolution', {}, 'payment.dispute_unclear'],
  ['with an unknown resolution', { resolution: 'partly-something' }, 'payment.dispute_unclear'],
  ['without a resolution, with a reversed transaction', { isReversed: true }, 'payment.dispute_lost'],
]

test.for(
  notWon,
)('if the dispute of a payment is resolved %s, the payment stays locked against refunds and the merchant is notified', async ([
  ,
  more,
  kind,
]) => {
  const { api, shop, server, sendCallback, apply, refund, reference } = await openPaid()
  const { isReversed = false, ...resolved }: { isReversed?: boolean } = more
  const transaction = { reference, status: isReversed ? 'reversed' : 'success' }
  await sendCallback(server.callback('charge.dispute.create', dispute(reference)))
  await sendCallback(server.callback('charge.dispute.resolve', { ...dispute(reference), ...resolved, transaction }))
  await apply()
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
  expect(await disputeNotifications(api, shop)).toMatchObject([{ kind, data: { disputeId: '358950' } }])
})

test('the notification about an unclear result of a dispute is resolved when a later callback reports a clear result', async () => {
  const { api, shop, server, sendCallback, apply, reference } = await openPaid()
  const notifications = () => disputeNotifications(api, shop)
  await sendCallback(server.callback('charge.dispute.create', dispute(reference)))
  await sendCallback(server.callback('charge.dispute.resolve', dispute(reference)))
  await apply()
  expect(await notifications()).toMatchObject([{ kind: 'payment.dispute_unclear', resolvedAt: null }])
  await sendCallback(
    server.callback('charge.dispute.resolve', { ...dispute(reference), resolution: 'merchant-accepted' }),
  )
  await apply()
  expect(await notifications()).toMatchObject([
    { kind: 'payment.dispute_lost', resolvedAt: null },
    { kind: 'payment.dispute_unclear', resolvedAt: expect.any(String) },
  ])
})

test('the dispute in Paystack’s sample callback locks its payment against refunds', async () => {
  const { api, shop } = await openShopWith(started(), {})
  const { server, sendCallback, apply } = await connectShop(api, shop)
  const { event, data } = vendorExample('paystack-dispute-resolve').body
  const order = await placeOrder(api, shop, { priceKobo: data.transaction.amount, isPaid: false })
  const charge = { ...data.transaction, metadata: { orderId: order.id } }
  await sendCallback(server.callback('charge.success', charge))
  await sendCallback(server.callback(event, data))
  await apply()
  const body = { orderId: order.id, amountKobo: 100, reason: 'damaged' }
  const reply = await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  expect(reply.body.error.code).toBe('payment_disputed')
  const [payment] = (await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })).body.data
  expect(payment).toMatchObject({ disputeLostKobo: 5700, disputedAt: expect.any(String) })
})

test('after a partly accepted dispute, the accepted amount of the payment cannot be refunded, not even to a bank account', async () => {
  const { api, shop, order, server, sendCallback, apply, refund, reference } = await openPaid()
  const accepted = { ...dispute(reference), resolution: 'merchant-accepted', refund_amount: 400_000, currency: 'NGN' }
  await sendCallback(server.callback('charge.dispute.create', dispute(reference)))
  await sendCallback(server.callback('charge.dispute.resolve', accepted))
  await apply()
  expect((await refund(600_001)).body.error.details).toEqual({ refundableKobo: 600_000 })
  const { refundableKobo } = (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body
  expect(refundableKobo).toBe(600_000)
  expect((await refund(1000, { expectedRefundableKobo: 1_000_000 })).body.error.code).toBe('refundable_changed')
  const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
  expect((await refund(600_001, { destination })).status).toBe(409)
  expect((await refund(600_000, { expectedRefundableKobo: refundableKobo })).status).toBe(201)
  expect((await refund(1)).body.error.code).toBe('payment_disputed')
  const [payment] = (await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })).body.data
  expect(payment).toMatchObject({ disputeLostKobo: 400_000, disputedAt: null })
})

test('after a lost dispute, a payment stays locked against refunds, even if later callbacks report this dispute and another dispute as won', async () => {
  const { server, sendCallback, apply, refund, reference } = await openPaid()
  const resolve = (id: number, resolution: string) =>
    sendCallback(server.callback('charge.dispute.resolve', { ...dispute(reference, id), resolution }))
  await resolve(1, 'auto-accepted')
  await resolve(2, 'declined')
  await resolve(1, 'declined')
  await apply()
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
})

test('a dispute reminder from Paystack locks the payment when the first dispute callback was lost', async () => {
  const { server, sendCallback, apply, refund, reference } = await openPaid()
  await sendCallback(server.callback('charge.dispute.remind', dispute(reference)))
  await apply()
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
})

test('a disputed payment becomes refundable again when the merchant wins the dispute of the payment', async () => {
  const { server, sendCallback, apply, refund, reference } = await openPaid()
  for (const event of ['charge.dispute.create', 'charge.dispute.resolve']) {
    await sendCallback(server.callback(event, { ...dispute(reference), resolution: 'declined' }))
    await apply()
  }
  expect((await refund(1000)).status).toBe(201)
})

test('a dispute callback that arrives after the resolution is ignored', async () => {
  const { api, shop, server, sendCallback, apply, refund, reference } = await openPaid()
  await sendCallback(server.callback('charge.dispute.resolve', { ...dispute(reference), resolution: 'declined' }))
  await apply()
  await sendCallback(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  expect((await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)).toEqual([null, null, 'resolved_before'])
  expect((await refund(1000)).status).toBe(201)
})

test('anonymising a customer redacts the customer’s payment callbacks', async () => {
  const { api, shop, order, server, sendCallback, apply, reference } = await openPaid()
  const customer = { first_name: 'Adaeze', email: 'adaeze.okafor@example.com' }
  const data = { id: 1, transaction: { reference }, customer }
  for (const event of ['charge.dispute.create', 'charge.dispute.remind', 'charge.dispute.resolve']) {
    await sendCallback(server.callback(event, data))
    await apply()
  }
  const { customer: person } = (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body
  await api.send('POST', `/api/v1/orders/${order.id}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  const path = `/api/v1/customers/${person.id}/anonymise`
  const reply = await api.send('POST', path, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
  const kept = await select(api, 'select body from provider_callbacks where merchant_id = $1', [shop.merchantId])
  expect(kept.map(({ body }) => body.length)).toEqual([0, 0, 0, 0])
  // The service recognises the repeated dispute callback, although the stored callbacks are redacted.
  await sendCallback(server.callback('charge.dispute.create', data))
  expect(await callbacksOf(api, shop.merchantId)).toHaveLength(4)
})

test('callbacks about an anonymised customer are applied and then redacted', async () => {
  const { api, shop, order, server, sendCallback, apply, reference } = await openPaid()
  await api.send('POST', `/api/v1/orders/${order.id}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  const { customer: person } = (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body
  const path = `/api/v1/customers/${person.id}/anonymise`
  expect((await api.send('POST', path, { token: shop.token })).status).toBe(200)
  const customer = { first_name: 'Adaeze', email: 'adaeze.okafor@example.com' }
  const charge = { amount: 5000, currency: 'NGN', channel: 'card', metadata: { orderId: order.id }, customer }
  await sendCallback(server.callback('charge.success', { ...charge, reference: 'T-late' }))
  await sendCallback(server.callback('charge.success', { ...charge, reference: 'T-late', id: 2 }))
  await sendCallback(server.callback('charge.dispute.create', { id: 1, transaction: { reference }, customer }))
  await apply()
  expect((await callbacksOf(api, shop.merchantId)).slice(1)).toMatchObject([
    { outcome: 'applied' },
    { outcome: 'ignored', reason: 'reference_in_use' },
    { outcome: 'applied' },
  ])
  const kept = await select(api, 'select body from provider_callbacks where merchant_id = $1', [shop.merchantId])
  expect(kept.map(({ body }) => body.length)).toEqual([0, 0, 0, 0])
})
