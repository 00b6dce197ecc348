import { expect, test } from 'vitest'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { messageOf } from '../../src/notifications/messages.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { chargeEvent, flutterwaveTransaction, openFlutterwaveBench } from '../partners/payments/flutterwave-bench.ts'
import { openPaystackBench } from '../partners/payments/paystack-bench.ts'
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
  const send = async (content: object) => {
    const headers = { 'content-type': 'application/json', 'verif-hash': bench.callbackSecret ?? '' }
    return (await connected.sendCallback(bench, { body: JSON.stringify(content), headers })).status
  }
  const post = async (content: object) => {
    expect(await send(content)).toBe(200)
    await connected.apply()
  }
  const chargeOf = (claimed: object = {}, more: object = {}) =>
    chargeEvent(flutterwaveTransaction({ ...payment, ...claimed }, { id: 9_000_000, ...more }))
  const charge = (claimed: object = {}) => post(chargeOf(claimed))
  /** Advances the clock through the delays after failed confirmations, and applies the callbacks that are then due. */
  const retry = async (...minutes: readonly number[]) => {
    for (const each of minutes) {
      api.clock.advance(each * 60_000)
      await connected.apply()
    }
  }
  const reads = () => bench.requests.filter(({ line }) => line.startsWith('GET')).length
  const reasons = async () => (await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)
  const orderNow = () => connected.read(`/orders/${order.id}`)
  return {
    ...connected,
    api,
    shop,
    bench,
    order,
    payment,
    send,
    post,
    chargeOf,
    charge,
    retry,
    reads,
    reasons,
    orderNow,
  }
}

test('a forged callback about a payment that the provider does not have records nothing', async () => {
  const { charge, retry, reasons, orderNow } = await open()
  await charge()
  await retry(1, 5, 15, 60)
  expect(await orderNow()).toMatchObject({ status: 'pending', paidKobo: 0 })
  expect(await reasons()).toEqual(['not_found'])
})

test('a forged callback about an unpaid transaction records nothing', async () => {
  const { bench, payment, charge, retry, reasons, orderNow } = await open()
  bench.receive({ ...payment, isPaid: false })
  await charge()
  await retry(1, 5, 15, 60)
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
  const { bench, payment, charge, orderNow, retry, reasons } = await open()
  bench.receive(payment)
  bench.failReads('answers_500', 'never_answers')
  await charge()
  expect(await orderNow()).toMatchObject({ paidKobo: 0 })
  await retry(1, 5)
  expect(await orderNow()).toMatchObject({ status: 'processing', paidKobo: 1_000_000 })
  expect(await reasons()).toEqual([null])
})

test('a callback waits while the merchant has no key of its provider', async () => {
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

test('a provider that does not respond is asked once for all due callbacks of a merchant, and after 1, 5, 15 and 60 minutes', async () => {
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

test('a payment that Flutterwave shows some minutes after its callback is recorded', async () => {
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

test('a forged callback with the id of a transaction of another reference records nothing', async () => {
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
] as const)('of two successful transactions with one reference, %s records the first and reports the second once', async (how) => {
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

test('a refund returns the recorded one of two successful transactions with one reference', async () => {
  const { bench, payment, chargeOf, post, order, refund, work } = await open()
  for (let each = 0; each < 2; each++) bench.receive(payment)
  await post(chargeOf({}, { id: 9_000_001 }))
  await refund(order.id, 400_000)
  await work()
  const submitted = bench.requests.filter(({ line }) => line.startsWith('POST'))
  expect(submitted).toMatchObject([{ line: 'POST /transactions/9000001/refund' }])
})

test('callbacks about one payment are confirmed by one request', async () => {
  const { api, bench, payment, chargeOf, send, apply, reads, orderNow } = await open()
  bench.receive(payment)
  for (let each = 0; each < 5; each++) await send(chargeOf({}, { device_fingerprint: `${each}` }))
  api.clock.advance(1)
  await apply()
  expect(reads()).toBe(1)
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('callbacks about chargebacks are confirmed by one list', async () => {
  const { api, send, apply, reads } = await open()
  for (let id = 1; id <= 5; id++) await send({ event: 'chargeback.created', data: { id, status: 'lost' } })
  api.clock.advance(1)
  await apply()
  expect(reads()).toBe(1)
})

test('a job reads sixty records of a merchant, and the other callbacks are confirmed a minute later', async () => {
  const { chargeOf, send, apply, retry, reads } = await open()
  for (let each = 0; each < 70; each++) await send(chargeOf({ reference: `T-${each}` }, { id: 500 + each }))
  await apply()
  await apply()
  expect(reads()).toBe(60)
  await retry(1)
  expect(reads()).toBe(120)
}, 30_000)

test('callbacks that the provider did not confirm for three days are ignored without a request, and the merchant is notified once', async () => {
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

test('a request that the provider rejects ends after an hour, and does not delay other callbacks', async () => {
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

test('a forged callback about a chargeback that cannot be parsed is ignored without a notification', async () => {
  const { api, shop, post, reasons } = await open()
  await post({ event: 'chargeback.created', data: { note: 'forged' } })
  expect(await reasons()).toEqual(['unreadable'])
  expect(await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })).toEqual([])
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

test('the jobs that apply the callbacks of a merchant run one after the other', async () => {
  const { api, shop, send, chargeOf } = await open()
  await send(chargeOf())
  const name = `apply_callbacks:${shop.merchantId}`
  const rows = await select(api, 'select queue_name from graphile_worker.jobs where key = $1', [name])
  expect(rows).toEqual([{ queue_name: name }])
})

test('a forged callback about a refund changes nothing, because the status of the refund is read from the provider', async () => {
  const { bench, payment, charge, post, order, refund, work, read, retry, reasons } = await open()
  bench.receive(payment)
  await charge()
  const { id } = (await refund(order.id, 400_000)).body
  await work()
  const reference = Number(bench.refunds()[0]?.reference)
  const forged = { AmountRefunded: 4_000, status: 'completed-offline', FlwRef: 'URF', TransactionId: 1 }
  await post({ ...forged, id: reference })
  expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'processing' })
  await post({ ...forged, id: 999 })
  await retry(1, 5, 15, 60)
  expect(await reasons()).toEqual([null, expect.any(String), 'not_found'])
})

test('the body of a refund callback is deleted when it is processed, because only its id has an effect', async () => {
  const { api, shop, post, retry } = await open()
  await post({ id: 999, AmountRefunded: 4_000, status: 'completed', TransactionId: 1, customer: 'Adaeze Okafor' })
  const bodies = async () => {
    const statement = 'select body, reason from provider_callbacks where merchant_id = $1'
    return (await select(api, statement, [shop.merchantId])).map(({ body, reason }) => [body.toString() === '', reason])
  }
  expect(await bodies()).toEqual([[false, null]])
  await retry(1, 5, 15, 60)
  expect(await bodies()).toEqual([[true, 'not_found']])
})

test('a forged callback about a chargeback changes nothing, and the daily comparison records the chargebacks of the provider', async () => {
  const { api, shop, bench, payment, charge, post, order, refund, reconcile, retry, reasons } = await open()
  bench.receive(payment)
  await charge()
  await post({
    event: 'chargeback.created',
    data: { id: 4, status: 'lost', tx_ref: payment.reference, amount: 10_000 },
  })
  await retry(1, 5, 15, 60)
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

test('a missed payment is recorded although refunds and chargebacks cannot be listed', async () => {
  const { api, bench, payment, reconcile, orderNow } = await open()
  bench.receive({ ...payment, paidAt: new Date(api.clock.nowMs() - 3_600_000).toISOString() })
  // The comparison of other merchants sends requests with their own keys, which the server rejects without a fault.
  const isOwn = () => bench.requests.at(-1)?.authorization === `Bearer ${bench.secretKey}`
  bench.onRequest((line) => {
    if (isOwn() && (line === 'GET /refunds' || line === 'GET /chargebacks')) bench.failReads('answers_500')
  })
  await reconcile()
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('a refund made in the dashboard whose transaction cannot be read is reported, and does not hide other refunds', async () => {
  const { api, shop, bench, payment, charge, reconcile, orderNow } = await open()
  bench.receive(payment)
  await charge()
  bench.refundByHand(payment, 400_000)
  bench.onRequest((line) => {
    if (line.endsWith('/verify')) bench.failReads('answers_500')
  })
  await reconcile()
  const all = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  const differences = [{ kind: 'refund_not_recorded', reference: '77', providerAmountKobo: 400_000 }]
  expect(all).toMatchObject([{ kind: 'payment.differences', data: { differences } }])
  bench.onRequest(() => undefined)
  await reconcile()
  expect(await orderNow()).toMatchObject({ refundedKobo: 400_000 })
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

test('a callback whose confirmation takes long is claimed by another job after ten minutes, and is applied once', async () => {
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
