import { expect, test } from 'vitest'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { openFlutterwaveShop } from '../support/commerce/flutterwave-shop.ts'
import { allProviderUrls } from '../support/commerce/providers.ts'
import { select } from '../support/database-contents.ts'

/**
 * Refund callbacks of a provider such as Flutterwave, whose secret does not sign the body. Anyone who saw one callback
 * can forge others, so only the response of the provider's API counts.
 */

const started = useApi({ paymentProviders: { urls: allProviderUrls } })
const open = () => openFlutterwaveShop(started())

test('if two successful transactions have the same reference, a refund is submitted for the transaction that is recorded as the payment', async () => {
  const { bench, payment, chargeOf, post, order, refund, work } = await open()
  for (let each = 0; each < 2; each++) bench.receive(payment)
  await post(chargeOf({}, { id: 9_000_001 }))
  await refund(order.id, 400_000)
  await work()
  const submitted = bench.requests.filter(({ line }) => line.startsWith('POST'))
  expect(submitted).toMatchObject([{ line: 'POST /transactions/9000001/refund' }])
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

test('the body of an unsigned refund callback is deleted when the callback is processed, because the service uses only the refund’s id', async () => {
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

test('while the transaction of a refund that was made in the provider’s dashboard cannot be read, the daily comparison reports the refund as a difference and does not record it', async () => {
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
