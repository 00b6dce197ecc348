import { expect, test } from 'vitest'
import { resolveNotification } from '../../src/notifications/resolve.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { answers } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { select } from '../support/database-contents.ts'
import { operator } from '../support/shop.ts'

/** Refunds of a payment whose dispute opens before the service submits the refunds. */

const started = useApi()

async function open() {
  const { api, shop } = await openShopWith(started(), {})
  const opened = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
  const { server, sendCallback, apply, reference } = opened
  const sendEvent = async (event: string, more: object = {}) => {
    await sendCallback(server.callback(event, { id: 358950, transaction: { reference }, ...more }))
    await apply()
  }
  const cancel = (id: string) => api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  return { api, shop, ...opened, sendEvent, cancel }
}

test('a refund waits while its payment is disputed and is submitted when the merchant wins the dispute', async () => {
  const { refund, work, later, server, get, sendEvent } = await open()
  const { id } = (await refund(400_000)).body
  await sendEvent('charge.dispute.create')
  await work()
  await later()
  expect(server.requests).toEqual([])
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: null })
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  await work()
  expect(server.refunds).toMatchObject([{ merchantNote: id, amount: 400_000 }])
})

test.for([
  ['auto-accepted', { resolution: 'auto-accepted' }],
  ['reversed', { transaction: { reference: '', status: 'reversed' } }],
] as const)('a refund that waits for the result of a dispute fails when the dispute is lost with the result %s', async ([
  ,
  more,
]) => {
  const { refund, work, server, get, getOrder, sendEvent, reference } = await open()
  const { id } = (await refund(400_000)).body
  await sendEvent('charge.dispute.create')
  await work()
  const transaction = 'transaction' in more ? { ...more.transaction, reference } : { reference }
  await sendEvent('charge.dispute.resolve', { ...more, transaction })
  await work()
  expect(server.requests).toEqual([])
  expect(await get(id)).toMatchObject({ status: 'failed', failureCode: 'dispute_lost', order: { refundableKobo: 0 } })
  expect(await getOrder()).toMatchObject({ refundPendingKobo: 0, refundableKobo: 0 })
  answers('createRefund', 'payment_disputed', await refund(400_000))
})

test('refunds of a disputed payment still wait after the dispute ends with an unknown result', async () => {
  const { refund, work, later, server, get, sendEvent } = await open()
  const { id } = (await refund(400_000)).body
  await sendEvent('charge.dispute.resolve', { resolution: 'partly-something' })
  await work()
  await later()
  expect(server.requests).toEqual([])
  expect(await get(id)).toMatchObject({ status: 'pending' })
})

test('after a dispute is partly lost, the waiting refunds that the remaining amount covers are submitted, the oldest first', async () => {
  const { api, refund, work, later, server, get, sendEvent } = await open()
  const ids: string[] = []
  for (const amountKobo of [400_000, 300_000]) {
    ids.push((await refund(amountKobo)).body.id)
    api.clock.advance(1)
  }
  await sendEvent('charge.dispute.create')
  await work()
  const accepted = { resolution: 'merchant-accepted', refund_amount: 500_000, currency: 'NGN' }
  await sendEvent('charge.dispute.resolve', accepted)
  await work()
  await later()
  expect(server.refunds).toMatchObject([{ merchantNote: ids[0] }])
  expect(await get(ids[1] ?? '')).toMatchObject({ status: 'failed', failureCode: 'dispute_lost' })
})

test('after a partly lost dispute, a waiting refund above the remaining amount fails, and a newer refund within the remaining amount is submitted', async () => {
  const { api, refund, work, later, server, get, sendEvent } = await open()
  const older = (await refund(600_000)).body.id
  api.clock.advance(1)
  const newer = (await refund(400_000)).body.id
  await sendEvent('charge.dispute.create')
  await work()
  await sendEvent('charge.dispute.resolve', {
    resolution: 'merchant-accepted',
    refund_amount: 500_000,
    currency: 'NGN',
  })
  await work()
  expect(await get(older)).toMatchObject({ status: 'failed', failureCode: 'dispute_lost' })
  expect(await get(newer)).toMatchObject({ status: 'pending' })
  await later()
  expect(server.refunds).toMatchObject([{ merchantNote: newer, amount: 400_000 }])
  expect(await get(newer)).toMatchObject({ failureCode: null })
})

test('a refund that waits for the result of a dispute can be cancelled', async () => {
  const { refund, work, server, cancel, sendEvent } = await open()
  const { id } = (await refund(400_000)).body
  await sendEvent('charge.dispute.create')
  await work()
  expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', order: { refundableKobo: 0 } })
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  await work()
  expect(server.requests).toEqual([])
})

test('a refund is not submitted to Paystack if a dispute opens after the service has searched for the refund at Paystack', async () => {
  const { refund, later, work, server, sendEvent } = await open()
  const { id } = (await refund(400_000)).body
  server.failRefund(id, 'create', 'never_answers')
  await work()
  await later()
  server.onRequest = async (line) => {
    if (line !== 'GET /refund') return
    server.onRequest = () => undefined
    await sendEvent('charge.dispute.create')
  }
  await later()
  await later()
  expect(server.requests.filter(({ line }) => line === 'POST /refund')).toHaveLength(1)
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  await work()
  expect(server.refunds).toMatchObject([{ merchantNote: id }])
})

test('a bank account is not submitted to the provider while the payment is disputed', async () => {
  const { api, shop, refund, work, later, server, sendEvent } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  server.move('needs-attention')
  await later()
  await sendEvent('charge.dispute.create')
  const body = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
  await api.send('POST', `/api/v1/refunds/${id}/bank-details`, { token: shop.token, body })
  await work()
  expect(server.refunds).toMatchObject([{ status: 'needs-attention' }])
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  await work()
  expect(server.refunds).toMatchObject([{ status: 'processing', account: { accountNumber: '0123456789' } }])
})

/** Creates a refund in the status needs_attention. The payment of the refund is disputed. */
async function openStopped() {
  const opened = await open()
  const { api, shop, refund, work, later, server, sendEvent } = opened
  const { id } = (await refund(400_000)).body
  await work()
  server.move('needs-attention')
  await later()
  await sendEvent('charge.dispute.create')
  const body = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
  const give = () => api.send('POST', `/api/v1/refunds/${id}/bank-details`, { token: shop.token, body })
  const notified = async () =>
    (await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })).filter(
      ({ kind }) => kind === 'refund.dispute_lost',
    )
  return { ...opened, id, give, notified }
}

test('setRefundBankDetails returns 409 payment_disputed after a dispute of the payment was lost, and the merchant is notified once', async () => {
  const { api, id, give, notified, work, later, server, get, sendEvent } = await openStopped()
  await sendEvent('charge.dispute.resolve', { resolution: 'merchant-accepted' })
  await work()
  await later()
  answers('setRefundBankDetails', 'payment_disputed', await give())
  expect(await select(api, 'select account_number from refunds where id = $1', [id])).toEqual([
    { account_number: null },
  ])
  expect(await notified()).toMatchObject([{ data: { refundId: id, amountKobo: 400_000 }, resolvedAt: null }])
  server.move('failed')
  await later()
  expect(await get(id)).toMatchObject({ status: 'failed' })
  expect(await notified()).toMatchObject([{ resolvedAt: expect.any(String) }])
})

test('a refund that waits at the provider after a lost dispute is reported again a week after its notification was resolved', async () => {
  const { api, shop, notified, later, sendEvent } = await openStopped()
  await sendEvent('charge.dispute.resolve', { resolution: 'merchant-accepted' })
  await later()
  const [reported] = await notified()
  await resolveNotification(api.context, operator, shop.tenant, reported?.id ?? '')
  await later()
  expect(await notified()).toHaveLength(1)
  api.clock.advance(7 * 24 * 3_600_000)
  await later()
  expect(await notified()).toMatchObject([{ resolvedAt: null }, { resolvedAt: expect.any(String) }])
})

test('the bank account that was set for a refund during a dispute is deleted when the dispute is lost', async () => {
  const { api, id, give, notified, work, later, server, get, sendEvent } = await openStopped()
  expect((await give()).status).toBe(200)
  await work()
  await sendEvent('charge.dispute.resolve', { resolution: 'merchant-accepted' })
  await work()
  await later()
  expect(await get(id)).toMatchObject({ status: 'needs_attention', account: null, failureCode: 'dispute_lost' })
  expect(await select(api, 'select account_number from refunds where id = $1', [id])).toEqual([
    { account_number: null },
  ])
  expect(server.refunds).toMatchObject([{ status: 'needs-attention', account: undefined }])
  expect(await notified()).toHaveLength(1)
})

test('the refundable amount of an order excludes disputed amounts', async () => {
  const { refund, getOrder, get, sendEvent, work, server, later } = await open()
  const { id } = (await refund(100_000)).body
  await work()
  await sendEvent('charge.dispute.create')
  expect(await getOrder()).toMatchObject({ paidKobo: 1_000_000, refundPendingKobo: 100_000, refundableKobo: 0 })
  answers('createRefund', 'payment_disputed', await refund(1_000_000))
  server.move('failed')
  await later()
  expect(await get(id)).toMatchObject({ status: 'failed', order: { refundableKobo: 0 } })
  const accepted = { resolution: 'merchant-accepted', refund_amount: 300_000, currency: 'NGN' }
  await sendEvent('charge.dispute.resolve', accepted)
  expect(await getOrder()).toMatchObject({ refundableKobo: 700_000 })
  expect((await refund(1_000_001)).body.error.details).toEqual({ refundableKobo: 700_000 })
  expect((await refund(200_000)).body).toMatchObject({ order: { refundableKobo: 500_000 } })
  expect(await getOrder()).toMatchObject({ refundableKobo: 500_000 })
})
