import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { reconcileAll } from '../../src/payments/reconcile-payments.ts'
import { recordVerifiedPayment } from '../../src/payments/verify-payment.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { vendorExample } from '../partners/examples/example.ts'
import { useApi } from '../support/api.ts'
import { callbacksOf, connectShop } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { signedIn } from '../support/dashboard.ts'
import { asOwner } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { operator, placeOrder } from '../support/shop.ts'

/** Disputes that Paystack reports before their payment is recorded. */

const started = useApi()

const migration = 'src/store/migrations/0180_unmatched_dispute_notifications.sql'

const dispute = (reference: string, id = 358950) => ({ id, transaction: { reference } })

async function openUnpaid() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await connectShop(api, shop)) }
}

/** The ways in which the service records a payment whose dispute the provider has already reported. */
const recordings = ['a callback', 'a verification'] as const

async function recordLate(how: (typeof recordings)[number] | 'the reconciliation') {
  const opened = await openUnpaid()
  const { api, shop, server, sendCallback, apply, context } = opened
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  const data = { reference: 'T-late', amount: order.totalKobo, currency: 'NGN', metadata: { orderId: order.id } }
  const sendEvent = async (event: string, more: object = {}) => {
    await sendCallback(server.callback(event, { ...dispute('T-late'), ...more }))
    await apply()
  }
  const record = async () => {
    if (how === 'a callback') {
      await sendCallback(server.callback('charge.success', data))
      return apply()
    }
    server.transactions.push({ ...data, status: 'success', channel: 'card' })
    if (how === 'the reconciliation') return reconcileAll(context)
    return recordVerifiedPayment(context, {
      tenant: shop.tenant,
      actor: operator,
      provider: 'paystack',
      reference: 'T-late',
    })
  }
  const refund = (amountKobo = 1000) =>
    api.send('POST', '/api/v1/refunds', {
      token: shop.token,
      body: { orderId: order.id, amountKobo, reason: 'damaged' },
    })
  const payment = async () =>
    (await api.send('GET', `/api/v1/payments?orderId=${order.id}`, { token: shop.token })).body.data[0]
  const list = (state: 'all' | 'open') => () =>
    listNotifications(api.database, { merchantId: shop.merchantId, limit: 10, state })
  return { ...opened, order, sendEvent, record, refund, payment, all: list('all'), open: list('open') }
}

test.for(
  recordings,
)('a payment recorded by %s is locked against refunds when its dispute was reported earlier', async (how) => {
  const { sendEvent, record, refund, payment } = await recordLate(how)
  await sendEvent('charge.dispute.create')
  await record()
  expect(await payment()).toMatchObject({ disputedAt: expect.any(String), disputeLostKobo: 0 })
  expect((await refund()).body.error.code).toBe('payment_disputed')
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  expect((await refund()).status).toBe(201)
})

test.for(
  recordings,
)('if a dispute was lost before its payment was recorded by %s, later reports that the dispute was won do not make the lost amount refundable', async (how) => {
  const { api, shop, sendEvent, record, refund, payment } = await recordLate(how)
  await sendEvent('charge.dispute.resolve', {
    resolution: 'merchant-accepted',
    refund_amount: 400_000,
    currency: 'NGN',
  })
  await sendEvent('charge.dispute.create')
  await sendEvent('charge.dispute.remind')
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  await record()
  expect(await payment()).toMatchObject({ disputeLostKobo: 400_000 })
  expect((await refund(600_001)).status).toBe(409)
  await sendEvent('charge.dispute.resolve', { resolution: 'declined', id: 358950, note: 'once more' })
  expect(await payment()).toMatchObject({ disputeLostKobo: 400_000 })
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(notifications).toMatchObject([{ kind: 'payment.dispute_lost', data: { lostKobo: 400_000 } }])
})

test('if a disputed payment is not recorded, a repeated dispute callback adds the due date to the existing notification', async () => {
  const { sendEvent, all } = await recordLate('a callback')
  await sendEvent('charge.dispute.create')
  await sendEvent('charge.dispute.remind', { dueAt: '2026-12-24T10:00:00.000Z' })
  expect(await all()).toMatchObject([{ kind: 'payment.dispute_opened', data: { dueAt: '2026-12-24T10:00:00.000Z' } }])
})

test('if an earlier release stored a dispute without a notification, a repeated dispute callback creates the notification', async () => {
  const { api, shop, sendEvent, all } = await recordLate('a callback')
  await sendEvent('charge.dispute.create')
  await asOwner(api, 'delete from notifications where merchant_id = $1', [shop.merchantId])
  await sendEvent('charge.dispute.remind')
  await sendEvent('charge.dispute.remind')
  expect(await all()).toMatchObject([{ kind: 'payment.dispute_opened' }])
})

test('a payment stays refundable if its dispute was won before the payment was recorded', async () => {
  const { sendEvent, record, refund, payment } = await recordLate('a callback')
  await sendEvent('charge.dispute.create')
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  await record()
  expect(await payment()).toMatchObject({ disputedAt: null, disputeLostKobo: 0 })
  expect((await refund()).status).toBe(201)
})

test.for(
  recordings,
)('a payment recorded by %s is locked against refunds even if an earlier release ignored its dispute', async (how) => {
  const { api, shop, server, sendCallback, apply, record, refund, payment } = await recordLate(how)
  await sendCallback(server.callback('charge.dispute.create', dispute('T-late')))
  await select(
    api,
    `update provider_callbacks
     set outcome = 'ignored', reason = 'payment_unknown', processed_at = received_at, next_attempt_at = null
     where merchant_id = $1`,
    [shop.merchantId],
  )
  await record()
  await apply()
  expect(await payment()).toMatchObject({ disputedAt: expect.any(String) })
  expect((await refund()).body.error.code).toBe('payment_disputed')
})

test('a dispute is recorded on its payment even if the dispute and the payment are reported at the same moment', async () => {
  const { server, sendCallback, apply, record, payment } = await recordLate('a verification')
  await sendCallback(server.callback('charge.dispute.create', dispute('T-late')))
  await Promise.all([apply(), record()])
  expect(await payment()).toMatchObject({ disputedAt: expect.any(String) })
})

test('a callback about a dispute of an unknown payment is stored with the reason payment_unknown', async () => {
  const { api, shop, server, sendCallback, apply } = await openUnpaid()
  await sendCallback(server.callback('charge.dispute.create', dispute('T0')))
  await sendCallback(server.callback('charge.dispute.create', { id: 1 }))
  await apply()
  const reasons = (await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)
  expect(reasons).toEqual(['payment_unknown', 'payment_unknown'])
})

const sample = () => vendorExample('paystack-dispute-create').body.data

/** The data of the notification about Paystack's sample dispute, whose payment is not recorded. */
const reportedSample = {
  reference: 'T-late',
  disputeId: '358950',
  amountKobo: 5800,
  dueAt: '2020-11-25T18:00:00.000Z',
}

test('a dispute whose payment is not recorded is reported once, with its due date, its amount and the reference of the payment', async () => {
  const { api, shop, sendEvent, open } = await recordLate('a callback')
  const opened = { ...sample(), transaction: { ...sample().transaction, reference: 'T-late' } }
  await sendEvent('charge.dispute.create', opened)
  await sendEvent('charge.dispute.remind', opened)
  expect(await open()).toMatchObject([{ kind: 'payment.dispute_opened', data: reportedSample }])
  const { text } = await (await signedIn(api, shop.merchantId, 'owner')).get('/dashboard')
  expect(text).toContain('Payments, refunds, returns and disputes with a problem (1)')
  expect(text).toContain('until 25 Nov 2020')
  expect(text).toContain('T-late')
})

test.for([
  ...recordings,
  'the reconciliation',
] as const)('when %s records the disputed payment, the order is added to the existing notification of the dispute, and no second notification is created', async (how) => {
  const { api, order, sendEvent, record, open, all, payment } = await recordLate(how)
  const opened = { ...sample(), transaction: { ...sample().transaction, reference: 'T-late' } }
  await sendEvent('charge.dispute.create', opened)
  const [before] = await all()
  api.clock.advance(3_600_000)
  await record()
  await sendEvent('charge.dispute.remind', opened)
  const { id: paymentId } = await payment()
  const data = { ...reportedSample, amountKobo: 1_000_000, orderId: order.id, paymentId }
  expect(await all()).toEqual([{ ...before, data }])
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  expect(await open()).toEqual([])
})

test.for([
  ['merchant-accepted', ['payment.dispute_lost']],
  ['partly-something', ['payment.dispute_unclear']],
  ['declined', []],
] as const)('if a dispute ends as %s before its payment is recorded, the notification of the open dispute is resolved', async ([
  resolution,
  kinds,
]) => {
  const { sendEvent, record, open } = await recordLate('a callback')
  await sendEvent('charge.dispute.create')
  await sendEvent('charge.dispute.resolve', { resolution })
  expect((await open()).map(({ kind }) => kind)).toEqual(kinds)
  await record()
  const after = (await open()).map(({ kind }) => kind).filter((kind) => kind.startsWith('payment.dispute'))
  expect(after).toEqual(kinds)
})

test('if a member has resolved the notification of a lost dispute, the notification stays resolved when the payment is recorded', async () => {
  const { api, shop, sendEvent, record, all } = await recordLate('a callback')
  await sendEvent('charge.dispute.resolve', { resolution: 'merchant-accepted', refund_amount: 1000 })
  await select(api, 'update notifications set resolved_at = created_at where merchant_id = $1', [shop.merchantId])
  await record()
  const reports = (await all()).filter(({ kind }) => kind === 'payment.dispute_lost')
  expect(reports).toMatchObject([{ resolvedAt: expect.any(String), data: { lostKobo: 1000 } }])
})

test('if an earlier release stored a dispute without a notification, the dispute is reported when its payment is recorded', async () => {
  const { api, shop, order, sendEvent, record, all } = await recordLate('a callback')
  await sendEvent('charge.dispute.create')
  await select(api, 'delete from notifications where merchant_id = $1', [shop.merchantId])
  await record()
  expect(await all()).toMatchObject([{ kind: 'payment.dispute_opened', data: { orderId: order.id } }])
})

test('the migration 0180 creates a notification of each stored dispute whose payment is not recorded, unless the dispute was won', async () => {
  const { api, shop, server, sendCallback, apply, open } = await recordLate('a callback')
  for (const [id, resolution] of [
    [1, undefined],
    [2, 'merchant-accepted'],
    [3, 'partly-something'],
    [4, 'declined'],
  ] as const) {
    const event = resolution === undefined ? 'charge.dispute.create' : 'charge.dispute.resolve'
    await sendCallback(server.callback(event, { ...dispute('T-late', id), resolution }))
  }
  await apply()
  await select(api, 'delete from notifications where merchant_id = $1', [shop.merchantId])
  const [insert = ''] = readFileSync(migration, 'utf8').split(';')
  await select(api, insert)
  const reported = (await open()).map(({ kind, data }) => [kind, Reflect.get(Object(data), 'disputeId')])
  expect(reported.toSorted()).toEqual([
    ['payment.dispute_lost', '2'],
    ['payment.dispute_opened', '1'],
    ['payment.dispute_unclear', '3'],
  ])
})

test('a dispute without the reference of its payment has one notification, which is resolved when the dispute is won', async () => {
  const { sendEvent, open } = await recordLate('a callback')
  const transaction = null
  for (const event of ['charge.dispute.create', 'charge.dispute.remind']) await sendEvent(event, { transaction })
  expect(await open()).toMatchObject([
    { kind: 'payment.dispute_opened', data: { disputeId: '358950', reference: null } },
  ])
  await sendEvent('charge.dispute.resolve', { transaction, resolution: 'declined' })
  expect(await open()).toEqual([])
})

test('a callback about a dispute without an id is reported to the merchant', async () => {
  const { api, shop, sendEvent, open } = await recordLate('a callback')
  await sendEvent('charge.dispute.create', { id: null })
  expect(await open()).toMatchObject([
    { kind: 'payment.dispute_unclear', data: { reason: 'dispute_unreadable', callbackId: expect.any(String) } },
  ])
  expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: 'ignored', reason: 'dispute_unreadable' }])
})
