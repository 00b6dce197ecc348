import { expect, test } from 'vitest'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { messageOf } from '../../src/notifications/messages.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { openMerchantRuns } from '../../src/worker/merchant-runs.ts'
import { openPaystackBench } from '../partners/payments/paystack-bench.ts'
import { useApi, vault } from '../support/api.ts'
import { openFlutterwaveShop } from '../support/commerce/flutterwave-shop.ts'
import { allProviderUrls, connect, connectProviders } from '../support/commerce/providers.ts'
import { asOwner } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { operator } from '../support/shop.ts'

/**
 * Callbacks about payments from a provider whose secret does not sign the body, such as Flutterwave. Anyone who has
 * seen one callback can forge others, so the service trusts only the response of the provider's API.
 */

const started = useApi({ paymentProviders: { urls: allProviderUrls } })
const open = () => openFlutterwaveShop(started())

test('a forged callback about a payment that the provider does not have records nothing', async () => {
  const { charge, retry, reasons, orderNow } = await open()
  await charge()
  await retry(1, 5, 15, 60)
  expect(await orderNow()).toMatchObject({ status: 'pending', paidKobo: 0 })
  expect(await reasons()).toEqual(['not_found'])
})

test('a forged callback about an unpaid transaction records no payment', async () => {
  const { bench, payment, charge, retry, reasons, orderNow } = await open()
  bench.receive({ ...payment, isPaid: false })
  await charge()
  await retry(1, 5, 15, 60)
  expect(await orderNow()).toMatchObject({ status: 'pending', paidKobo: 0 })
  expect(await reasons()).toEqual(['not_paid'])
})

test('the service ignores the amount, the order and the currency of a forged callback, and records the provider’s values', async () => {
  const { bench, payment, charge, orderNow, order } = await open()
  const other = await open()
  bench.receive({ ...payment, amountKobo: 100 })
  await charge({ amountKobo: 1_000_000, orderId: other.order.id })
  expect(await orderNow()).toMatchObject({ id: order.id, status: 'pending', paidKobo: 100 })
  expect(await other.orderNow()).toMatchObject({ paidKobo: 0 })
})

test('a callback that cannot be confirmed is applied when the provider responds again', async () => {
  const { bench, payment, charge, orderNow, retry, reasons } = await open()
  bench.receive(payment)
  bench.failReads('answers_500', 'never_answers')
  await charge()
  expect(await orderNow()).toMatchObject({ paidKobo: 0 })
  await retry(1, 5)
  expect(await orderNow()).toMatchObject({ status: 'processing', paidKobo: 1_000_000 })
  expect(await reasons()).toEqual([null])
})

test('a callback is not applied while the merchant has no key of the callback’s payment provider', async () => {
  const { api, shop, bench, payment, charge, orderNow, retry } = await open()
  bench.receive(payment)
  bench.failReads('answers_500')
  await charge()
  await asOwner(api, `delete from payment_provider_keys where merchant_id = '${shop.merchantId}'`)
  await retry(1)
  expect(await orderNow()).toMatchObject({ paidKobo: 0 })
  await connect(api, shop, bench)
  await retry(5)
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('while a provider fails, the service sends one request for all due callbacks of a merchant, and repeats it after 1, 5, 15 and 60 minutes', async () => {
  const { bench, chargeOf, send, apply, retry, reads } = await open()
  for (let each = 0; each < 5; each++) await send(chargeOf({ reference: `T-${each}` }, { id: 500 + each }))
  bench.failReads(...Array.from({ length: 10 }, () => 'answers_500' as const))
  await apply()
  expect(reads()).toBe(1)
  await retry(0.9, 0.1)
  expect(reads()).toBe(2)
  await retry(4, 1)
  expect(reads()).toBe(3)
  await retry(14, 1)
  expect(reads()).toBe(4)
  await retry(59, 1, 59, 1)
  expect(reads()).toBe(6)
})

test('a payment is recorded even if Flutterwave does not return the payment until a few minutes after its callback', async () => {
  const { bench, payment, charge, retry, orderNow, reasons } = await open()
  await charge()
  await retry(1)
  bench.receive(payment)
  await retry(5)
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
  expect(await reasons()).toEqual([null])
})

test('a payment that succeeds after a failed attempt with the same reference is recorded', async () => {
  const { bench, payment, chargeOf, post, orderNow } = await open()
  bench.receive({ ...payment, isPaid: false })
  bench.receive(payment)
  await post(chargeOf({}, { id: 9_000_001 }))
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('a forged callback records no payment if its transaction id belongs to another payment reference', async () => {
  const { bench, payment, charge, retry, reasons, orderNow } = await open()
  bench.receive({ ...payment, reference: 'T-other' })
  await charge()
  await retry(1, 5, 15, 60)
  expect(await orderNow()).toMatchObject({ paidKobo: 0 })
  expect(await reasons()).toEqual(['not_found'])
})

test.for([
  'callbacks',
  'the daily comparison',
] as const)('if two successful transactions have the same reference, the first is recorded as a payment and the second is reported once (source: %s)', async (how) => {
  const { api, shop, bench, payment, chargeOf, post, reconcile, orderNow } = await open()
  const paid = { ...payment, paidAt: new Date(api.clock.nowMs() - 3_600_000).toISOString() }
  for (const id of [9_000_000, 9_000_001]) {
    bench.receive(paid)
    if (how === 'callbacks') await post(chargeOf({}, { id }))
  }
  for (let day = 0; day < 2; day++) await reconcile()
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
  const all = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  const data = { reason: 'reference_in_use', reference: payment.reference, providerId: '9000001' }
  expect(all).toMatchObject([{ kind: 'payment.not_recorded', data, resolvedAt: null }])
})

test('several callbacks about one payment are confirmed with a single request to the provider', async () => {
  const { api, bench, payment, chargeOf, send, apply, reads, orderNow } = await open()
  bench.receive(payment)
  for (let each = 0; each < 5; each++) await send(chargeOf({}, { device_fingerprint: `${each}` }))
  api.clock.advance(1)
  await apply()
  expect(reads()).toBe(1)
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('for the callbacks of one merchant, one job sends at most sixty confirmation requests to the provider, and a job a minute later sends further requests', async () => {
  const { chargeOf, send, apply, retry, reads } = await open()
  for (let each = 0; each < 70; each++) await send(chargeOf({ reference: `T-${each}` }, { id: 500 + each }))
  await apply()
  await apply()
  expect(reads()).toBe(60)
  await retry(1)
  expect(reads()).toBe(120)
}, 30_000)

test('callbacks that the provider did not confirm within three days are ignored without a further request to the provider, and the merchant is notified once', async () => {
  const { api, shop, bench, chargeOf, send, apply, retry, reads, reasons } = await open()
  for (let each = 0; each < 3; each++) await send(chargeOf({ reference: `T-${each}` }, { id: 500 + each }))
  bench.failReads('answers_500')
  await apply()
  await retry(3 * 24 * 60)
  expect(reads()).toBe(1)
  expect(await reasons()).toEqual(Array.from({ length: 3 }, () => 'not_confirmed'))
  const notified = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  const data = { reason: 'not_confirmed', provider: 'flutterwave' }
  expect(notified).toMatchObject([{ kind: 'payment.not_recorded', data }])
  const { text } = messageOf({ merchantId: shop.merchantId, kind: 'payment.not_recorded', endpointId: null, data })
  expect(text).toContain('did not respond for three days')
})

test('if the provider rejects the requests to confirm a callback for an hour, the callback is ignored; other callbacks are not delayed', async () => {
  const { bench, payment, chargeOf, send, charge, retry, reasons, orderNow } = await open()
  bench.receive(payment)
  await send(chargeOf({ reference: 'T-other' }, { id: 500 }))
  bench.failReads('refuses')
  await charge()
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
  bench.failReads(...Array.from({ length: 4 }, () => 'refuses' as const))
  await retry(1, 5, 15, 60)
  expect(await reasons()).toEqual(['http_400', null])
})

test('an unsigned callback of more than 16 KiB is rejected and stored nowhere', async () => {
  const { send, chargeOf, reasons } = await open()
  expect(await send(chargeOf({}, { narration: 'x'.repeat(16 * 1024) }))).toBe(413)
  expect(await reasons()).toEqual([])
})

test('a signed callback is applied before unsigned callbacks that arrived earlier', async () => {
  const { api, shop, bench, chargeOf, send } = await open()
  const paystack = await openPaystackBench()
  const both = await connectProviders(api, shop, [paystack, bench])
  const order = await both.order()
  const paid = { reference: 'PS-1', amountKobo: order.totalKobo, orderId: order.id }
  await send(chargeOf())
  await both.sendCallback(paystack, paystack.chargeCallback(paid))
  const seen: number[] = []
  bench.onRequest(async () => void seen.push((await both.read(`/orders/${order.id}`)).paidKobo))
  await both.apply()
  expect(seen).toEqual([1_000_000])
})

test('the jobs that apply the callbacks of a merchant run one after the other, and the running job applies a callback that arrives in the meantime', async () => {
  const { shop, bench, payment, chargeOf, send, apply, reads, orderNow } = await open()
  bench.receive(payment)
  await send(chargeOf())
  const stalled = Promise.withResolvers<void>()
  bench.onRequest(() => stalled.promise)
  const runOf = openMerchantRuns(apply)
  const first = runOf(shop.merchantId)
  await expect.poll(reads).toBe(1)
  await send(chargeOf({ reference: 'T-other' }, { id: 500 }))
  await Promise.all([runOf(shop.merchantId), runOf(shop.merchantId)])
  expect(reads()).toBe(1)
  stalled.resolve()
  await first
  expect(reads()).toBe(2)
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('a payment provider’s secret key and callback secret are stored encrypted; connecting a provider requires a valid callback secret', async () => {
  const { api, shop, bench } = await open()
  const rows = await select(api, 'select * from payment_provider_keys where merchant_id = $1', [shop.merchantId])
  expect(rows).toMatchObject([{ provider: 'flutterwave', last_four: bench.secretKey.slice(-4) }])
  const text = rows[0].sealed_secret.toString('latin1')
  expect([text.includes(bench.secretKey), text.includes(bench.callbackSecret)]).toEqual([false, false])
  const context = { ...api.context, vault, isProduction: true }
  for (const callbackSecret of [undefined, '', 'too-short', 'with a space in it', 'line\nbreak-in-the-text']) {
    const secrets = { provider: bench.adapter, secretKey: bench.secretKey, callbackSecret }
    expect(await connectProvider(context, operator, shop.tenant, secrets)).toEqual({ is: 'not_a_callback_secret' })
  }
})

test('if the provider takes more than ten minutes to confirm a callback, a second job claims the callback, and the callback is still applied only once', async () => {
  const { api, bench, payment, chargeOf, send, apply, reads, read, order } = await open()
  bench.receive(payment)
  await send(chargeOf())
  const stalled = Promise.withResolvers<void>()
  bench.onRequest(() => (reads() === 1 ? stalled.promise : undefined))
  const first = apply()
  await expect.poll(reads).toBe(1)
  api.clock.advance(599_000)
  await apply()
  expect(reads()).toBe(1)
  api.clock.advance(1_000)
  await apply()
  expect(reads()).toBe(2)
  stalled.resolve()
  await first
  expect((await read(`/payments?orderId=${order.id}`)).data).toMatchObject([{ amountKobo: 1_000_000 }])
})
