import { expect, test } from 'vitest'
import { reconcileAll } from '../../src/payments/reconcile-payments.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import type { PaystackRefund } from '../partners/payments/paystack-server.ts'
import { useApi } from '../support/api.ts'
import { callbacksOf, connectShop, paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { eventsOf } from '../support/database-contents.ts'
import { placeOrder } from '../support/shop.ts'

/** Tests the refunds that merchants make at Paystack: callbacks and the daily comparison report them to the service. */

const started = useApi()

async function openPaid() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await paidByPaystack(api, shop, { priceKobo: 1_000_000 })) }
}

const theirs = (reference: string, amount: number): PaystackRefund => ({
  id: 77,
  transactionReference: reference,
  amount,
  merchantNote: 'by hand',
  createdAt: '',
  status: 'processed',
  reason: null,
  account: undefined,
})

test.for([
  ['with its id and note', {}],
  ['with its payment only', { id: undefined, merchant_note: undefined }],
] as const)('if two callbacks report the same provider refund %s, the refund is recorded once and reduces the refundable amount once', async ([
  ,
  more,
]) => {
  const { api, shop, server, sendCallback, apply, reference, refund, getOrder, order, context } = await openPaid()
  const foreign = theirs(reference, 400_000)
  for (const processor of ['one', 'two']) {
    await sendCallback(server.refundCallback(foreign, { processor, ...more }))
    await apply()
  }
  const money = { refundedKobo: 400_000, refundPendingKobo: 0, refundableKobo: 600_000 }
  expect(await getOrder()).toMatchObject(money)
  server.refunds.push(foreign)
  await reconcileAll(context)
  expect(await getOrder()).toMatchObject({ ...money, paymentStatus: 'partially_refunded' })
  const { data } = (await api.send('GET', `/api/v1/refunds?orderId=${order.id}`, { token: shop.token })).body
  expect(data).toMatchObject([{ source: 'provider', provider: 'paystack', status: 'succeeded', amountKobo: 400_000 }])
  expect((await refund(600_001)).status).toBe(409)
  expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toMatchObject([
    { data: { refund: { id: data[0].id } } },
  ])
  const open = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10, state: 'open' })
  expect(open.filter(({ kind }) => kind === 'refund.by_provider')).toMatchObject([{ data: { refundId: data[0].id } }])
})

test.for([
  ['processing', 'processing', []],
  ['needs-attention', 'needs_attention', ['refund.needs_bank_details']],
] as const)('a refund made at the provider with the status %s emits only refund.updated; order.refunded follows when the refund succeeds', async ([
  atProvider,
  status,
  kinds,
]) => {
  const { api, shop, server, sendCallback, apply, reference } = await openPaid()
  const { merchantId } = shop
  const foreign = theirs(reference, 400_000)
  await sendCallback(server.refundCallback({ ...foreign, status: atProvider }))
  await apply()
  const recorded = { refund: { source: 'provider', status }, previousStatus: 'pending' }
  expect(await eventsOf(api, merchantId, 'refund.updated')).toMatchObject([{ data: recorded }])
  expect(await eventsOf(api, merchantId, 'order.refunded')).toEqual([])
  const notifications = await listNotifications(api.database, { merchantId, limit: 10 })
  expect(notifications.map(({ kind }) => kind).toSorted()).toEqual(['refund.by_provider', ...kinds])
  await sendCallback(server.refundCallback(foreign))
  await apply()
  const succeeded = { refund: { status: 'succeeded' }, previousStatus: status }
  expect((await eventsOf(api, merchantId, 'refund.updated')).at(-1)).toMatchObject({ data: succeeded })
  expect(await eventsOf(api, merchantId, 'order.refunded')).toHaveLength(1)
})

test('if the callback of a refund made at the provider was lost, the daily comparison with the provider’s list of refunds records the refund', async () => {
  const { server, reference, getOrder, context } = await openPaid()
  server.refunds.push(theirs(reference, 400_000))
  for (let day = 0; day < 2; day++) await reconcileAll(context)
  expect(await getOrder()).toMatchObject({ refundedKobo: 400_000, refundableKobo: 600_000 })
})

test('a refund made at the provider that exceeds the refundable amount has an open notification until the amount suffices and the refund is recorded', async () => {
  const { api, shop, server, sendCallback, apply, reference, refund, getOrder, context } = await openPaid()
  const { id } = (await refund(1_000_000)).body
  const foreign = theirs(reference, 400_000)
  await sendCallback(server.refundCallback(foreign))
  await apply()
  const open = async () =>
    (await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10, state: 'open' })).map(
      ({ kind }) => kind,
    )
  expect(await open()).toContain('refund.not_recorded')
  await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  server.refunds.push(foreign)
  await reconcileAll(context)
  expect(await getOrder()).toMatchObject({ refundedKobo: 400_000, refundPendingKobo: 0, refundableKobo: 600_000 })
  expect(await open()).not.toContain('refund.not_recorded')
})

test('if a refund made at the provider exceeds the refundable amount, the refund is reported only once, although each of its statuses causes a callback', async () => {
  const { api, shop, server, sendCallback, apply, reference, refund, context } = await openPaid()
  await refund(1_000_000)
  const foreign = theirs(reference, 400_000)
  for (const status of ['processing', 'processed'] as const) {
    await sendCallback(server.refundCallback({ ...foreign, status }))
    await apply()
  }
  server.refunds.push(foreign)
  await reconcileAll(context)
  const { merchantId } = shop
  const notifications = await listNotifications(api.database, { merchantId, limit: 10 })
  expect(notifications.filter(({ kind }) => kind === 'refund.not_recorded')).toMatchObject([
    { data: { reference: `${foreign.id}`, amountKobo: 400_000 } },
  ])
})

test('two refunds of the same amount that were made at the provider are both reported, and recording one refund resolves only that refund’s report', async () => {
  const { api, shop, server, reference, refund, context } = await openPaid()
  const { id } = (await refund(1_000_000)).body
  const foreign = theirs(reference, 600_000)
  server.refunds.push(foreign, { ...foreign, id: foreign.id + 1 })
  const reported = async () =>
    (await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 }))
      .filter(({ kind }) => kind === 'refund.not_recorded')
      .map(({ resolvedAt }) => resolvedAt !== null)
  await reconcileAll(context)
  expect(await reported()).toEqual([false, false])
  await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  await reconcileAll(context)
  expect((await reported()).toSorted()).toEqual([false, true])
})

test('a refund that both a callback without an id and the daily comparison report causes one notification, and a second refund of the same amount causes a notification of its own', async () => {
  const { api, shop, server, sendCallback, apply, reference, refund, context } = await openPaid()
  await refund(1_000_000)
  const foreign = theirs(reference, 600_000)
  await sendCallback(server.refundCallback(foreign, { id: undefined }))
  await apply()
  const reported = async () =>
    (await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 }))
      .filter(({ kind }) => kind === 'refund.not_recorded')
      .map(({ data }) => Reflect.get(Object(data), 'reference'))
  expect(await reported()).toEqual([undefined])
  server.refunds.push(foreign)
  for (let day = 0; day < 2; day++) await reconcileAll(context)
  expect(await reported()).toEqual([`${foreign.id}`])
  server.refunds.push({ ...foreign, id: foreign.id + 1 })
  await reconcileAll(context)
  expect((await reported()).toSorted()).toEqual([`${foreign.id}`, `${foreign.id + 1}`])
})

test('if a refund is cancelled and made at the provider instead, a callback without an id records the refund at once', async () => {
  const { api, shop, server, sendCallback, apply, reference, refund, getOrder } = await openPaid()
  const { id } = (await refund(400_000)).body
  expect((await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })).status).toBe(200)
  const named = { id: undefined, merchant_note: undefined }
  await sendCallback(server.refundCallback(theirs(reference, 400_000), named))
  await apply()
  expect(await getOrder()).toMatchObject({ refundedKobo: 400_000, refundableKobo: 600_000 })
})

test.for([
  ['the daily comparison records both', 0],
  ['a callback with an id identifies one, and the daily comparison records the other', 1],
] as const)('if the callbacks of two equal refunds made at the provider contain no ids, %s', async ([, identified]) => {
  const { api, shop, server, sendCallback, apply, reference, getOrder, order, context } = await openPaid()
  const made = [theirs(reference, 400_000), { ...theirs(reference, 400_000), id: 78 }]
  for (const [index, foreign] of made.entries()) {
    const named = { processor: String(index), id: undefined, merchant_note: undefined }
    await sendCallback(server.refundCallback(foreign, named))
    await apply()
  }
  // Without ids, both callbacks may report the same refund.
  expect(await getOrder()).toMatchObject({ refundedKobo: 400_000 })
  for (const foreign of made.slice(0, identified)) {
    await sendCallback(server.refundCallback(foreign))
    await apply()
  }
  server.refunds.push(...made)
  for (let day = 0; day < 2; day++) await reconcileAll(context)
  expect(await getOrder()).toMatchObject({ refundedKobo: 800_000, refundableKobo: 200_000 })
  const { data } = (await api.send('GET', `/api/v1/refunds?orderId=${order.id}`, { token: shop.token })).body
  const references = data.map(({ providerReference }: { providerReference: string }) => providerReference)
  expect(references.toSorted()).toEqual(['77', '78'])
})

test('a provider refund that is applied before the payment that it refunds is recorded once the payment is recorded', async () => {
  const { api, shop } = await openShopWith(started(), {})
  const { server, sendCallback, apply, charge } = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  await sendCallback(server.refundCallback(theirs('T-late', 400_000)))
  await apply()
  expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: null }])
  await charge(order.id, 1_000_000, { reference: 'T-late' })
  api.clock.advance(60_000)
  await apply()
  const read = await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
  expect(read.body).toMatchObject({ paidKobo: 1_000_000, refundedKobo: 400_000, refundableKobo: 600_000 })
})

test('a provider refund of a payment that is not recorded within five minutes is ignored', async () => {
  const { api, shop } = await openShopWith(started(), {})
  const { server, sendCallback, apply } = await connectShop(api, shop)
  await sendCallback(server.refundCallback(theirs('T-other', 400_000)))
  for (let minute = 0; minute < 5; minute++) {
    await apply()
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: null }])
    api.clock.advance(60_000)
  }
  await apply()
  expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: 'ignored', reason: 'refund_unknown' }])
})
