import { expect, test } from 'vitest'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { chargeEvent, flutterwaveTransaction, openFlutterwaveBench } from '../partners/payments/flutterwave-bench.ts'
import { useApi, vault } from '../support/api.ts'
import { callbacksOf } from '../support/commerce/paystack.ts'
import { allProviderUrls, connect, connectProviders } from '../support/commerce/providers.ts'
import { asOwner } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { openShop, operator } from '../support/shop.ts'

/**
 * Callbacks whose secret does not sign the body, as those of Flutterwave. Anyone who saw one callback can forge others, so
 * only the response of the provider's API counts.
 */

const started = useApi({ paymentProviders: { urls: allProviderUrls } })

async function open() {
  const api = started()
  const shop = await openShop(api.context)
  const bench = await openFlutterwaveBench()
  const connected = await connectProviders(api, shop, [bench])
  const order = await connected.order()
  const payment = { reference: `T_${order.id.slice(-8)}`, amountKobo: order.totalKobo, orderId: order.id }
  const post = async (content: object) => {
    const headers = { 'content-type': 'application/json', 'verif-hash': bench.callbackSecret ?? '' }
    const { status } = await connected.sendCallback(bench, { body: JSON.stringify(content), headers })
    expect(status).toBe(200)
    await connected.apply()
  }
  const charge = (claimed: object = {}) => post(chargeEvent(flutterwaveTransaction({ ...payment, ...claimed })))
  const reasons = async () => (await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)
  const orderNow = () => connected.read(`/orders/${order.id}`)
  return { ...connected, api, shop, bench, order, payment, post, charge, reasons, orderNow }
}

test('a forged callback about a payment that the provider does not have records nothing', async () => {
  const { charge, reasons, orderNow } = await open()
  await charge()
  expect(await orderNow()).toMatchObject({ status: 'pending', paidKobo: 0 })
  expect(await reasons()).toEqual(['not_found'])
})

test('a forged callback about an unpaid transaction records nothing', async () => {
  const { bench, payment, charge, reasons, orderNow } = await open()
  bench.receive({ ...payment, isPaid: false })
  await charge()
  expect(await orderNow()).toMatchObject({ status: 'pending', paidKobo: 0 })
  expect(await reasons()).toEqual(['not_paid'])
})

test('the amount, the order and the currency of a forged callback have no effect: those of the provider are recorded', async () => {
  const { bench, payment, charge, orderNow, order } = await open()
  const other = await open()
  bench.receive({ ...payment, amountKobo: 100 })
  await charge({ amountKobo: 1_000_000, orderId: other.order.id })
  expect(await orderNow()).toMatchObject({ id: order.id, status: 'pending', paidKobo: 100 })
  expect(await other.orderNow()).toMatchObject({ paidKobo: 0 })
})

test('a callback that cannot be confirmed is applied when the provider responds again', async () => {
  const { api, bench, payment, charge, orderNow, apply, reasons } = await open()
  bench.receive(payment)
  bench.failReads('answers_500', 'never_answers')
  await charge()
  expect(await orderNow()).toMatchObject({ paidKobo: 0 })
  for (let minute = 0; minute < 2; minute++) {
    api.clock.advance(60_000)
    await apply()
  }
  expect(await orderNow()).toMatchObject({ status: 'processing', paidKobo: 1_000_000 })
  expect(await reasons()).toEqual([null])
})

test('a callback waits while the merchant has no key of its provider', async () => {
  const { api, shop, bench, payment, charge, orderNow, apply } = await open()
  bench.receive(payment)
  bench.failReads('answers_500')
  await charge()
  await asOwner(api, `delete from payment_provider_keys where merchant_id = '${shop.merchantId}'`)
  api.clock.advance(60_000)
  await apply()
  expect(await orderNow()).toMatchObject({ paidKobo: 0 })
  await connect(api, shop, bench)
  api.clock.advance(60_000)
  await apply()
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('a forged callback about a refund changes nothing, because the status of the refund is read from the provider', async () => {
  const { bench, payment, charge, post, order, refund, work, read, reasons } = await open()
  bench.receive(payment)
  await charge()
  const { id } = (await refund(order.id, 400_000)).body
  await work()
  const reference = Number(bench.refunds()[0]?.reference)
  const forged = { AmountRefunded: 4_000, status: 'completed-offline', FlwRef: 'URF', TransactionId: 1 }
  await post({ ...forged, id: reference })
  expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'processing' })
  await post({ ...forged, id: 999 })
  expect(await reasons()).toEqual([null, expect.any(String), 'not_found'])
})

test('a forged callback about a chargeback changes nothing, and the daily comparison records the chargebacks of the provider', async () => {
  const { api, shop, bench, payment, charge, post, order, refund, reconcile, reasons } = await open()
  bench.receive(payment)
  await charge()
  await post({
    event: 'chargeback.created',
    data: { id: 4, status: 'lost', tx_ref: payment.reference, amount: 10_000 },
  })
  expect(await reasons()).toEqual([null, 'not_found'])
  bench.dispute(payment, 'open')
  for (let day = 0; day < 2; day++) await reconcile()
  expect((await refund(order.id, 1_000)).body.error.code).toBe('payment_disputed')
  bench.dispute(payment, 'won')
  await reconcile()
  expect((await refund(order.id, 1_000)).status).toBe(201)
  const all = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(all.map(({ kind }) => kind)).toEqual(['payment.dispute_opened'])
})

test('a chargeback of a payment that is not recorded is stored, and applies when the payment is recorded', async () => {
  const { bench, payment, charge, order, refund, reconcile } = await open()
  bench.dispute({ ...payment, reference: payment.reference }, 'lost')
  for (let day = 0; day < 2; day++) await reconcile()
  bench.receive(payment)
  await charge()
  expect((await refund(order.id, 1_000)).body.error.code).toBe('payment_disputed')
})

test('the secret key and the secret of the callbacks are stored encrypted, and a provider with such a secret needs one', async () => {
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
