import { pino } from 'pino'
import { expect, test } from 'vitest'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { newOrderId } from '../../src/base/records.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { paystack } from '../../src/partners/payments/paystack.ts'
import { applyCallbacks } from '../../src/payments/apply-callbacks.ts'
import { receivePaymentCallback } from '../../src/payments/receive-callback.ts'
import { recordVerifiedPayment } from '../../src/payments/verify-payment.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi, vault } from '../support/api.ts'
import { callbacksOf, connectShop, paidByPaystack } from '../support/commerce/paystack.ts'
import { eventsOf } from '../support/database-contents.ts'
import { openShop, operator, placeOrder } from '../support/shop.ts'

/**
 * Alerts about differences between the provider's payment records and those of the service, and about a provider key
 * that cannot be decrypted.
 */

const started = useApi()

function listen() {
  const lines: string[] = []
  const log = pino({ level: 'warn', base: null }, { write: (line) => lines.push(line) })
  return { log, lines: () => lines.map((line) => JSON.parse(line)), text: () => lines.join('') }
}

const warning = 40
const error = 50

test.for([
  ['order_unknown', () => newOrderId(0), {}],
  ['too_large', (own: string) => own, { amount: 100_000_000_001 }],
  ['currency', (own: string) => own, { currency: 'USD' }],
] as const)('if a Paystack charge is ignored for the reason %s, its callback notifies the operator and the merchant only once, even if Paystack repeats the callback', async ([
  reason,
  orderOf,
  more,
]) => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, sendCallback, context } = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { isPaid: false })
  const { log, lines, text } = listen()
  const metadata = { orderId: orderOf(order.id) }
  const customer = { email: 'adaeze@example.com' }
  const data = { reference: 'T1', amount: 1000, currency: 'NGN', customer, metadata, ...more }
  const callback = server.callback('charge.success', data)
  for (let time = 0; time < 2; time++) {
    await sendCallback(callback)
    await applyCallbacks({ ...context, log }, shop.merchantId)
  }
  const { merchantId } = shop
  expect(lines()).toMatchObject([{ level: warning, merchantId, callbackId: expect.stringMatching(/^clb_/), reason }])
  expect(text()).not.toContain('adaeze')
  const notifications = await listNotifications(api.database, { merchantId, limit: 10 })
  expect(notifications).toMatchObject([{ kind: 'payment.not_recorded', endpointId: null, data: { reason } }])
  expect(JSON.stringify(notifications)).not.toContain('adaeze')
})

test.for([
  ['names no order', { amount: 1000 }, 'no_order', 1000],
  ['names its order by number', { amount: 1000, metadata: { orderId: 'ORD-7K2M9QX4' } }, 'no_order', 1000],
  ['names its order in another field', { amount: 1000, metadata: { order: { id: newOrderId(0) } } }, 'no_order', 1000],
  ['has no amount', {}, 'unreadable', null],
] as const)('a Paystack charge that %s causes an event and a notification, and the notification is open until the charge is recorded as a payment', async ([
  ,
  more,
  reason,
  amountKobo,
]) => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, sendCallback, apply, context } = await connectShop(api, shop)
  await sendCallback(server.callback('charge.success', { reference: 'T1', currency: 'NGN', ...more }))
  await apply()
  const { merchantId } = shop
  expect(await callbacksOf(api, merchantId)).toMatchObject([{ outcome: 'ignored', reason }])
  const reported = { reason, reference: 'T1', orderId: null, amountKobo, paidAt: null }
  const notifications = () => listNotifications(api.database, { merchantId, limit: 10, state: 'open' })
  expect(await notifications()).toMatchObject([{ kind: 'payment.not_recorded', data: reported }])
  expect(await eventsOf(api, merchantId, 'payment.unmatched')).toMatchObject([{ data: reported }])
  const order = await placeOrder(api, shop, { isPaid: false })
  server.transactions.push({ reference: 'T1', amount: 1000, status: 'success', currency: 'NGN' })
  const wanted = {
    tenant: shop.tenant,
    actor: operator,
    provider: 'paystack' as const,
    reference: 'T1',
    orderId: OrderId.parse(order.id),
  }
  expect(await recordVerifiedPayment(context, wanted)).toMatchObject({ is: 'recorded' })
  expect(await notifications()).toEqual([])
})

test('for a Paystack charge without a reference, the service reports every field that it can parse', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, sendCallback, apply } = await connectShop(api, shop)
  const orderId = newOrderId(0)
  const [paid_at, paidAt] = ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z']
  const charge = { id: 4099260516, amount: 1000, currency: 'NGN', paid_at, metadata: { orderId } }
  await sendCallback(server.callback('charge.success', charge))
  await sendCallback(server.callback('charge.success', { ...charge, gateway_response: 'Approved' }))
  await apply()
  const { merchantId } = shop
  const reported = {
    reason: 'unreadable',
    reference: null,
    providerId: '4099260516',
    orderId,
    amountKobo: 1000,
    paidAt,
  }
  expect(await listNotifications(api.database, { merchantId, limit: 10 })).toMatchObject([{ data: reported }])
  expect(await eventsOf(api, merchantId, 'payment.unmatched')).toMatchObject([{ data: reported }])
})

test.for([
  ['by its name', {}],
  ['by its payment only', { id: undefined, merchant_note: undefined }],
] as const)('if a callback identifies a failed refund %s and reports that the refund succeeded, the service notifies the merchant', async ([
  ,
  more,
]) => {
  const api = started()
  const shop = await openShop(api.context)
  const { refund, work, server, sendCallback, apply, context, get } = await paidByPaystack(api, shop)
  const { log, lines } = listen()
  const { id } = (await refund(1000)).body
  await work()
  await sendCallback(server.refundCallback(server.move('failed')))
  await apply()
  expect(await get(id)).toMatchObject({ status: 'failed' })
  await sendCallback(server.refundCallback(server.move('processed'), more))
  await applyCallbacks({ ...context, log }, shop.merchantId)
  const { merchantId } = shop
  expect(lines()).toMatchObject([{ level: warning, merchantId, refundId: id, reason: 'contradicted' }])
  expect(await listNotifications(api.database, { merchantId, limit: 10 })).toMatchObject([
    { kind: 'refund.contradicted', data: { reason: 'contradicted', refundId: id } },
    { kind: 'refund.failed', data: { refundId: id } },
  ])
  expect(await get(id)).toMatchObject({ status: 'failed' })
})

test('if the provider reports the success of a succeeded refund again, the service logs no warning', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { refund, work, server, sendCallback, context } = await paidByPaystack(api, shop)
  const { log, lines } = listen()
  server.newStatus = 'processed'
  await refund(1000)
  await work()
  await sendCallback(server.refundCallback(server.move('processed'), { id: undefined, merchant_note: undefined }))
  await applyCallbacks({ ...context, log }, shop.merchantId)
  expect(lines()).toEqual([])
})

test('the Paystack callback endpoint treats a Paystack key that cannot be decrypted as a missing key, and logs an error', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, context } = await connectShop(api, shop)
  const stranger = await openShop(api.context)
  const { log, lines, text } = listen()
  const { body, headers } = server.callback('charge.success', { reference: 'T1' })
  const receive = (merchantId: string, isOpening: boolean) =>
    receivePaymentCallback(
      { ...context, log, vault: isOpening ? vault : vaultOf([Buffer.alloc(32, 8)]) },
      paystack,
      merchantId,
      { body: Buffer.from(body), headers, sourceIp: '127.0.0.1', requestId: 'req_1', userAgent: null },
    )
  expect(await receive(shop.merchantId, false)).toEqual({ is: 'not_signed' })
  expect(await receive(stranger.merchantId, false)).toEqual({ is: 'not_signed' })
  expect(lines()).toMatchObject([{ level: error, merchantId: shop.merchantId, err: { type: 'VaultError' } }])
  expect(text()).not.toContain(server.secretKey)
  expect(await receive(shop.merchantId, true)).toEqual({ is: 'stored' })
})
