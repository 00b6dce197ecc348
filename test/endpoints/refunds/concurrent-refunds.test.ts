import { expect, onTestFinished, test } from 'vitest'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { openPaystack } from '../../../src/partners/payments/paystack.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { useApi } from '../../support/api.ts'
import { providersWith } from '../../support/commerce/payment-providers.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { eventsOf } from '../../support/database-contents.ts'

const started = useApi()

async function open(settings: Settings = {}) {
  const { api, shop } = await openShopWith(started(), settings)
  const paid = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
  const { context, server } = paid
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => outbound.close())
  // Concurrent submissions of refunds need the worker's own timeout, which is longer than the timeout in other tests.
  const providers = providersWith(openPaystack(outbound.fetch, server.url))
  return { api, shop, ...paid, work: () => payRefunds({ ...context, providers }, shop.merchantId) }
}

test('ten concurrent workers submit each refund to Paystack once', async () => {
  const { refund, server, work, getOrder } = await open()
  await Promise.all(Array.from({ length: 10 }, () => refund(100_000)))
  server.newStatus = 'processed'
  await Promise.all(Array.from({ length: 10 }, () => work()))
  expect(server.refunds).toHaveLength(10)
  expect(new Set(server.refunds.map(({ merchantNote }) => merchantNote)).size).toBe(10)
  expect(await getOrder()).toMatchObject({ refundedKobo: 1_000_000, refundPendingKobo: 0, paymentStatus: 'refunded' })
})

test('if 20 concurrent refunds each request a tenth of the payment, exactly 10 are created', async () => {
  const { api, shop, refund, server, work, getOrder } = await open({ tax_registered: true })
  const replies = await Promise.all(Array.from({ length: 20 }, () => refund(100_000)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(await getOrder()).toMatchObject({ refundPendingKobo: 1_000_000, refundableKobo: 0, refundedKobo: 0 })
  server.newStatus = 'processed'
  await work()
  const order = await getOrder()
  expect(order).toMatchObject({ refundPendingKobo: 0, refundedKobo: 1_000_000 })
  expect(server.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000_000)
  const emitted = await eventsOf(api, shop.merchantId, 'order.refunded')
  expect(emitted).toHaveLength(10)
  expect(emitted.filter(({ data }) => data.fullyRefunded)).toHaveLength(1)
  const tax = emitted.reduce((sum, { data }) => sum + data.refund.taxKobo, 0)
  expect(tax).toBe(order.taxKobo)
})
