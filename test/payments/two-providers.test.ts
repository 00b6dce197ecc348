import { expect, test } from 'vitest'
import { messageOf } from '../../src/notifications/messages.ts'
import { recordVerifiedPayment } from '../../src/payments/verify-payment.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { openFlutterwaveBench } from '../partners/payments/flutterwave-bench.ts'
import { openPaystackBench } from '../partners/payments/paystack-bench.ts'
import { useApi } from '../support/api.ts'
import { callbacksOf } from '../support/commerce/paystack.ts'
import { allProviderUrls, connectProviders } from '../support/commerce/providers.ts'
import { eventsOf } from '../support/database-contents.ts'
import { openShop, operator } from '../support/shop.ts'

const started = useApi({ paymentProviders: { urls: allProviderUrls } })

async function open() {
  const api = started()
  const shop = await openShop(api.context)
  const [paystack, flutterwave] = [await openPaystackBench(), await openFlutterwaveBench()]
  const connected = await connectProviders(api, shop, [paystack, flutterwave])
  const order = await connected.order()
  const paidAt = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  const payment = { amountKobo: order.totalKobo, orderId: order.id, paidAt }
  const [ofPaystack, ofFlutterwave] = [
    { ...payment, reference: 'PS-1' },
    { ...payment, reference: 'FW-1' },
  ]
  const charge = async (bench: typeof paystack, paid: typeof ofPaystack) => {
    bench.receive(paid)
    await connected.sendCallback(bench, bench.chargeCallback(paid))
    await connected.apply()
  }
  const notifications = () => listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  return { ...connected, api, shop, paystack, flutterwave, order, ofPaystack, ofFlutterwave, charge, notifications }
}

test('if an order is paid at two payment providers, both payments are recorded, and the merchant is notified of the overpayment', async () => {
  const { api, shop, paystack, flutterwave, order, ofPaystack, ofFlutterwave, charge, read, notifications } =
    await open()
  await charge(paystack, ofPaystack)
  await charge(flutterwave, ofFlutterwave)
  expect(await read(`/orders/${order.id}`)).toMatchObject({ status: 'processing', paidKobo: 2_000_000 })
  expect((await read(`/payments?orderId=${order.id}`)).data).toMatchObject([
    { provider: 'flutterwave', reference: 'FW-1' },
    { provider: 'paystack', reference: 'PS-1' },
  ])
  expect(await notifications()).toMatchObject([{ kind: 'payment.overpaid', data: { reference: 'FW-1' } }])
  const recorded = await eventsOf(api, shop.merchantId, 'payment.recorded')
  expect(recorded).toMatchObject([{ data: { excessKobo: 0 } }, { data: { excessKobo: 1_000_000 } }])
})

test('each refund is submitted to the payment provider of its payment', async () => {
  const { paystack, flutterwave, order, ofPaystack, ofFlutterwave, charge, read, refund, work } = await open()
  await charge(paystack, ofPaystack)
  await charge(flutterwave, ofFlutterwave)
  const [first, second] = [(await refund(order.id, 1_000_000)).body, (await refund(order.id, 700_000)).body]
  expect([first.provider, second.provider]).toEqual(['flutterwave', 'paystack'])
  await work()
  expect(flutterwave.refunds()).toMatchObject([{ note: first.id, amountKobo: 1_000_000 }])
  expect(paystack.refunds()).toMatchObject([{ note: second.id, amountKobo: 700_000 }])
  expect(await read(`/refunds/${first.id}`)).toMatchObject({ providerReference: flutterwave.refunds()[0]?.reference })
  expect(await read(`/refunds/${second.id}`)).toMatchObject({ providerReference: paystack.refunds()[0]?.reference })
})

test('a merchant with two payment providers must name the provider of a payment link, and the link is created at that provider', async () => {
  const { order, createLink } = await open()
  const providers = ['paystack', 'flutterwave']
  expect(await createLink(order.id)).toEqual({ is: 'provider_required', providers })
  const link = { provider: 'flutterwave', url: expect.stringMatching(/^https:\/\/checkout\.flutterwave\.com\//) }
  expect(await createLink(order.id, 'flutterwave')).toMatchObject({ is: 'created', link })
  expect(await createLink(order.id)).toMatchObject({ is: 'existing', link })
  expect(await createLink(order.id, 'paystack')).toMatchObject({ is: 'created', link: { provider: 'paystack' } })
})

test('a callback of one payment provider is rejected at the callback URL of another provider', async () => {
  const { api, shop, paystack, flutterwave, ofPaystack, ofFlutterwave, sendCallback } = await open()
  flutterwave.receive(ofPaystack)
  const replies = [
    await sendCallback(flutterwave, paystack.chargeCallback(ofPaystack)),
    await sendCallback(paystack, flutterwave.chargeCallback(ofFlutterwave)),
  ]
  expect(replies.map(({ status }) => status)).toEqual([401, 401])
  expect(await callbacksOf(api, shop.merchantId)).toEqual([])
})

test('the daily comparison with two payment providers records the missed payments of both, and a failure of one provider does not stop the comparison with the other', async () => {
  const { paystack, flutterwave, order, ofPaystack, ofFlutterwave, reconcile, read } = await open()
  paystack.receive(ofPaystack)
  flutterwave.receive(ofFlutterwave)
  paystack.failReads('answers_500')
  await reconcile()
  expect((await read(`/payments?orderId=${order.id}`)).data).toMatchObject([{ provider: 'flutterwave' }])
  await reconcile()
  expect(await read(`/orders/${order.id}`)).toMatchObject({ paidKobo: 2_000_000 })
})

test('a second payment with the reference of another provider’s payment is not recorded, and the merchant is notified once', async () => {
  const { api, shop, paystack, flutterwave, order, ofPaystack, ofFlutterwave, charge, read, notifications, ...rest } =
    await open()
  const { context, reconcile } = rest
  const same = { ...ofFlutterwave, reference: ofPaystack.reference }
  await charge(paystack, ofPaystack)
  await charge(flutterwave, same)
  await reconcile()
  expect(await read(`/orders/${order.id}`)).toMatchObject({ paidKobo: 1_000_000 })
  const data = { reason: 'reference_in_use', reference: 'PS-1', amountKobo: 1_000_000, orderId: order.id }
  const notified = await notifications()
  expect(notified).toMatchObject([{ kind: 'payment.not_recorded', data, resolvedAt: null }])
  expect(await eventsOf(api, shop.merchantId, 'payment.unmatched')).toMatchObject([{ data }])
  const { merchantId } = shop
  const { text } = messageOf({ merchantId, kind: 'payment.not_recorded', endpointId: null, data })
  expect(text).toContain('record it with another reference and without a provider')
  const named = { tenant: shop.tenant, actor: operator, provider: 'flutterwave', reference: 'PS-1' } as const
  expect(await recordVerifiedPayment(context, named)).toMatchObject({ is: 'reference_in_use' })
})

test('a payment without an order is reported even if another provider’s payment with the same reference is recorded', async () => {
  const { paystack, flutterwave, ofPaystack, ofFlutterwave, charge, notifications } = await open()
  await charge(paystack, ofPaystack)
  await charge(flutterwave, { ...ofFlutterwave, reference: ofPaystack.reference, orderId: '' })
  const data = { reason: 'no_order', reference: 'PS-1' }
  expect(await notifications()).toMatchObject([{ kind: 'payment.not_recorded', data }])
})

test('the notification of a payment that could not be recorded stays open when another provider’s payment with the same reference is recorded', async () => {
  const { paystack, flutterwave, ofPaystack, ofFlutterwave, charge, read, order, notifications } = await open()
  await charge(paystack, { ...ofPaystack, orderId: '' })
  await charge(flutterwave, { ...ofFlutterwave, reference: ofPaystack.reference })
  expect(await read(`/orders/${order.id}`)).toMatchObject({ paidKobo: 1_000_000 })
  expect(await notifications()).toMatchObject([{ kind: 'payment.not_recorded', resolvedAt: null }])
})

test('a chargeback at one provider does not apply to another provider’s payment with the same reference', async () => {
  const { paystack, flutterwave, ofPaystack, ofFlutterwave, charge, reconcile, order, refund } = await open()
  flutterwave.dispute({ ...ofFlutterwave, reference: ofPaystack.reference }, 'lost')
  await reconcile()
  await charge(paystack, ofPaystack)
  expect((await refund(order.id, 1_000)).status).toBe(201)
})

test('a payment that the merchant has recorded manually with the provider’s reference is not reported when the provider’s callback arrives', async () => {
  const { api, shop, flutterwave, order, ofFlutterwave, charge, read, notifications } = await open()
  const body = { amountKobo: 1_000_000, method: 'card', reference: ofFlutterwave.reference }
  await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
  await charge(flutterwave, ofFlutterwave)
  expect(await read(`/orders/${order.id}`)).toMatchObject({ paidKobo: 1_000_000 })
  expect(await notifications()).toEqual([])
})
