import { expect, test } from 'vitest'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { reconcileAll } from '../../src/payments/reconcile-payments.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import type { PaystackRefund } from '../partners/payments/paystack-server.ts'
import { useApi } from '../support/api.ts'
import { providersWith } from '../support/commerce/payment-providers.ts'
import { callbacksOf, paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { eventsOf, select } from '../support/database-contents.ts'

/** Tests the callbacks from Paystack about refunds. */

const started = useApi()

async function openPaid() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await paidByPaystack(api, shop, { priceKobo: 1_000_000 })) }
}

test('refund callbacks update the refund, and only the refund’s success emits an event', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  await work()
  api.clock.advance(1)
  for (const status of ['processing', 'processed'] as const) {
    await sendCallback(server.refundCallback(server.move(status)))
    await apply()
  }
  expect(await get(id)).toMatchObject({ status: 'succeeded' })
  expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  const audits = await select(
    api,
    "select actor_type, source_ip from audit_log where resource_id = $1 and action = 'refund.update' order by id",
    [id],
  )
  expect(audits.map(({ actor_type }) => actor_type)).toEqual(['system', 'provider', 'provider'])
})

test('a refund callback may contain the amount as a string, and a callback with an amount other than the refund’s is ignored', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  await work()
  await sendCallback(server.refundCallback(server.move('processed'), { amount: '400001' }))
  await apply()
  expect(await get(id)).toMatchObject({ status: 'pending' })
  server.sendsAmountsAsStrings = true
  await sendCallback(server.refundCallback(server.move('processed')))
  await apply()
  expect(await get(id)).toMatchObject({ status: 'succeeded' })
  expect((await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)).toEqual([null, 'other_amount', null])
})

test('a refund callback is matched to its refund by the merchant note after Paystack’s response was lost', async () => {
  const { refund, work, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  server.failRefund(id, 'create', 'accepts_and_never_answers')
  await work()
  await sendCallback(server.refundCallback(server.move('processed')))
  await apply()
  expect(await get(id)).toMatchObject({ status: 'succeeded', providerReference: '3000000' })
  await work()
  expect(server.refunds).toHaveLength(1)
})

test('a refund callback with neither an id nor a merchant note makes the service look up the refund at Paystack at once', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  await work()
  await sendCallback(server.refundCallback(server.move('processed'), { id: undefined, merchant_note: undefined }))
  await apply()
  expect((await callbacksOf(api, shop.merchantId)).at(-1)).toMatchObject({
    outcome: 'ignored',
    reason: 'refunds_rechecked',
  })
  await work()
  expect(await get(id)).toMatchObject({ status: 'succeeded' })
})

test('refund callbacks change nothing if they arrive out of order', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, get, getOrder } = await openPaid()
  const { id } = (await refund(400_000)).body
  await work()
  for (const status of ['processed', 'processing', 'pending', 'needs-attention'] as const) {
    await sendCallback(server.refundCallback(server.move(status)))
    await apply()
  }
  expect(await get(id)).toMatchObject({ status: 'succeeded' })
  expect(await getOrder()).toMatchObject({ refundedKobo: 400_000, refundPendingKobo: 0 })
  const outcomes = (await callbacksOf(api, shop.merchantId)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['applied', 'applied', 'ignored', 'ignored', 'ignored'])
})

test('a late callback with the status processing does not change a refund that awaits bank details', async () => {
  const { refund, work, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  await work()
  await sendCallback(server.refundCallback(server.move('needs-attention')))
  await apply()
  await sendCallback(server.refundCallback({ ...server.move('needs-attention'), status: 'processing' }))
  await apply()
  expect(await get(id)).toMatchObject({ status: 'needs_attention' })
})

test('a late needs-attention callback does not delete the refund’s bank details, and makes the service read the status from Paystack', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  server.newStatus = 'needs-attention'
  await work()
  const stopped = server.refundCallback(server.move('needs-attention'))
  const body = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
  await api.send('POST', `/api/v1/refunds/${id}/bank-details`, { token: shop.token, body })
  await work()
  await sendCallback(stopped)
  await apply()
  expect(await get(id)).toMatchObject({ status: 'processing', destination: 'bank_account' })
  expect(await callbacksOf(api, shop.merchantId)).toMatchObject([
    {},
    { outcome: 'ignored', reason: 'refunds_rechecked' },
  ])
  await work()
  expect(await get(id)).toMatchObject({ status: 'processing', destination: 'bank_account' })
})

test('if a refund fails after its success, the refund is reversed once and emits no second success event', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, get, getOrder, order } = await openPaid()
  const items = [{ itemId: order.items[0]?.id, quantity: 1 }]
  const { id } = (await refund(1_000_000, { items })).body
  server.newStatus = 'processed'
  await work()
  expect(await getOrder()).toMatchObject({ paymentStatus: 'refunded', refundableKobo: 0 })
  api.clock.advance(60_000)
  const failed = server.refundCallback(server.move('failed'))
  await Promise.all([sendCallback(failed), sendCallback(failed)])
  await apply()
  await sendCallback(server.refundCallback(server.move('failed'), { processor: 'other' }))
  await apply()
  const failedRefund = await get(id)
  expect(failedRefund).toMatchObject({
    status: 'failed',
    succeededAt: expect.any(String),
    failedAt: failedRefund.updatedAt,
    failureCode: 'provider_failed',
  })
  expect((await callbacksOf(api, shop.merchantId)).map(({ outcome }) => outcome)).toEqual([
    'applied',
    'applied',
    'ignored',
  ])
  expect(await getOrder()).toMatchObject({
    refundedKobo: 0,
    refundPendingKobo: 0,
    refundableKobo: 1_000_000,
    paymentStatus: 'paid',
    items: [{ refundedQuantity: 0 }],
  })
  await sendCallback(server.refundCallback(server.move('processed'), { processor: 'third' }))
  await apply()
  expect(await get(id)).toMatchObject({ status: 'failed' })
  expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  expect((await refund(1_000_000, { items })).status).toBe(201)
})

test('the service identifies a refund that failed after its success even though Paystack’s callback names only the payment', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, get, getOrder } = await openPaid()
  server.newStatus = 'processed'
  const first = (await refund(400_000)).body
  const second = (await refund(400_000)).body
  await work()
  expect(await getOrder()).toMatchObject({ refundedKobo: 800_000 })
  const back = server.move('failed', 'Account closed')
  await sendCallback(server.refundCallback(back, { id: undefined, merchant_note: undefined }))
  await apply()
  expect((await callbacksOf(api, shop.merchantId)).at(-1)).toMatchObject({ reason: 'refunds_rechecked' })
  await work()
  const [kept, failed] = back.merchantNote === first.id ? [second, first] : [first, second]
  expect(await get(failed.id)).toMatchObject({
    status: 'failed',
    failureMessage: 'Account closed',
    succeededAt: expect.any(String),
  })
  expect(await get(kept.id)).toMatchObject({ status: 'succeeded' })
  expect(await getOrder()).toMatchObject({ refundedKobo: 400_000, refundPendingKobo: 0, refundableKobo: 600_000 })
  expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(2)
  // The service has scheduled no other lookup of the refund at the provider.
  const due = 'select 1 from refunds where merchant_id = $1 and next_check_at is not null'
  expect(await select(api, due, [shop.merchantId])).toEqual([])
})

test('the service identifies two equal refunds of a payment that failed after their success, although their callbacks are identical', async () => {
  const { api, shop, refund, work, server, sendCallback, apply, getOrder } = await openPaid()
  server.newStatus = 'processed'
  for (let count = 0; count < 2; count++) await refund(400_000)
  await work()
  const bodies = new Set<string>()
  for (const back of server.refunds) {
    back.status = 'failed'
    const callback = server.refundCallback(back, { id: undefined, merchant_note: undefined })
    bodies.add(callback.body)
    expect((await sendCallback(callback)).status).toBe(200)
    await apply()
    await work()
  }
  expect(bodies.size).toBe(1)
  expect(await getOrder()).toMatchObject({ refundedKobo: 0, refundPendingKobo: 0, refundableKobo: 1_000_000 })
  expect((await callbacksOf(api, shop.merchantId)).slice(1)).toMatchObject([{ reason: 'refunds_rechecked' }])
})

test('a refund callback during the submission or a status check triggers an immediate status check', async () => {
  const { api, shop, refund, context, provider, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  /**
   * Sends a callback while the provider is responding to a request. The response therefore contains an older state than
   * the callback.
   */
  const sendCallbackDuring = async <Outcome>(status: 'processing' | 'processed', outcome: Outcome) => {
    const moved = server.refunds[0]?.status === status ? undefined : server.move(status)
    if (moved !== undefined) {
      await sendCallback(server.refundCallback(moved, { id: undefined, merchant_note: undefined }))
      await apply()
    }
    return outcome
  }
  const interrupted: typeof provider = {
    ...provider,
    refund: async (...request) => sendCallbackDuring('processing', await provider.refund(...request)),
  }
  await payRefunds({ ...context, providers: providersWith(interrupted) }, shop.merchantId)
  expect(await get(id)).toMatchObject({ status: 'processing', providerReference: '3000000' })
  api.clock.advance(24 * 60 * 60_000)
  interrupted.findRefund = async (...request) => sendCallbackDuring('processed', await provider.findRefund(...request))
  await payRefunds({ ...context, providers: providersWith(interrupted) }, shop.merchantId)
  expect(await get(id)).toMatchObject({ status: 'succeeded' })
})

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
] as const)('a refund made at the provider, reported %s, is recorded once and reduces the refundable amount', async ([
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
] as const)('if a refund made at the provider has the status %s there, the service emits refund.updated, and emits order.refunded when the refund succeeds', async ([
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

test('if the callback of a refund made at the provider was lost, the daily comparison with the provider’s list records the refund', async () => {
  const { server, reference, getOrder, context } = await openPaid()
  server.refunds.push(theirs(reference, 400_000))
  for (let day = 0; day < 2; day++) await reconcileAll(context)
  expect(await getOrder()).toMatchObject({ refundedKobo: 400_000, refundableKobo: 600_000 })
})

test('a refund made at the provider is reported if it exceeds the refundable amount, and is recorded once the refundable amount suffices', async () => {
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

test('two refunds of one amount that were made at the provider are both reported, and the record of one resolves only its own report', async () => {
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

test('a refund that a callback without an id and the daily comparison report has one report, and another refund of its amount has its own', async () => {
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
