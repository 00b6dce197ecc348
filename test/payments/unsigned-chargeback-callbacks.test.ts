import { expect, test } from 'vitest'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { openFlutterwaveShop } from '../support/commerce/flutterwave-shop.ts'
import { allProviderUrls } from '../support/commerce/providers.ts'

/**
 * Tests chargeback callbacks that contain a secret but no signature of the body, such as those of Flutterwave. Anyone
 * who has seen one of these callbacks can forge others. The service therefore trusts only the provider's API.
 */

const started = useApi({ paymentProviders: { urls: allProviderUrls } })
const open = () => openFlutterwaveShop(started())

test('several callbacks about chargebacks are confirmed with one request for the provider’s list of chargebacks', async () => {
  const { api, send, apply, reads } = await open()
  for (let id = 1; id <= 5; id++) await send({ event: 'chargeback.created', data: { id, status: 'lost' } })
  api.clock.advance(1)
  await apply()
  expect(reads()).toBe(1)
})

test('a forged chargeback callback that cannot be parsed is ignored without a notification', async () => {
  const { api, shop, post, reasons } = await open()
  await post({ event: 'chargeback.created', data: { note: 'forged' } })
  expect(await reasons()).toEqual(['unreadable'])
  expect(await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })).toEqual([])
})

test('a forged callback about a chargeback changes nothing; the daily comparison with the provider records the provider’s real chargebacks', async () => {
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

test('the daily comparison with the provider records a missed payment even if the provider cannot list refunds and chargebacks', async () => {
  const { api, bench, payment, reconcile, orderNow } = await open()
  bench.receive({ ...payment, paidAt: new Date(api.clock.nowMs() - 3_600_000).toISOString() })
  // The fault applies only to requests of this merchant. Requests of other merchants, which the comparison also sends,
  // have other keys. The server rejects these requests anyway.
  const isOwn = () => bench.requests.at(-1)?.authorization === `Bearer ${bench.secretKey}`
  bench.onRequest((line) => {
    if (isOwn() && (line === 'GET /refunds' || line === 'GET /chargebacks')) bench.failReads('answers_500')
  })
  await reconcile()
  expect(await orderNow()).toMatchObject({ paidKobo: 1_000_000 })
})

test('a chargeback of a payment that is not recorded is stored, and applies when the payment is recorded', async () => {
  const { bench, payment, charge, order, refund, reconcile } = await open()
  bench.dispute({ ...payment, reference: payment.reference }, 'lost')
  for (let day = 0; day < 2; day++) await reconcile()
  bench.receive(payment)
  await charge()
  expect((await refund(order.id, 1_000)).body.error.code).toBe('payment_disputed')
})
