import { expect, test } from 'vitest'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { useApi } from '../support/api.ts'
import { providersWith } from '../support/commerce/payment-providers.ts'
import { callbacksOf, paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { eventsOf, select } from '../support/database-contents.ts'

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

test('a refund callback with the amount as a string is applied, and a callback with a different amount than the refund’s is ignored', async () => {
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

test('the service matches a refund callback to its refund by the merchant note if Paystack’s response to the refund request was lost', async () => {
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

test('callbacks with earlier statuses that arrive late do not change a refund that has succeeded', async () => {
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

test('a late callback with the status `processing` does not change a refund that awaits bank details', async () => {
  const { refund, work, server, sendCallback, apply, get } = await openPaid()
  const { id } = (await refund(400_000)).body
  await work()
  await sendCallback(server.refundCallback(server.move('needs-attention')))
  await apply()
  await sendCallback(server.refundCallback({ ...server.move('needs-attention'), status: 'processing' }))
  await apply()
  expect(await get(id)).toMatchObject({ status: 'needs_attention' })
})

test('a needs-attention callback that arrives after the bank details were sent to Paystack does not delete these details', async () => {
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

test('if a refund fails after its success, its effect on the order is reversed once, and no second success event is emitted', async () => {
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

test('if a succeeded refund later fails and Paystack’s callback names only the payment, the service still finds out which refund failed', async () => {
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
  const due = 'select 1 from refunds where merchant_id = $1 and next_check_at is not null'
  expect(await select(api, due, [shop.merchantId])).toEqual([])
})

test('the service detects that two equal refunds of one payment failed after their success, although their callbacks are identical', async () => {
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

test('a callback about a refund that is being submitted or checked makes the service check the refund’s status again at once', async () => {
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
