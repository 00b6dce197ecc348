import { pino } from 'pino'
import { expect, test } from 'vitest'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { newOrderId } from '../../src/base/records.ts'
import { reconcileAll, reconcilePayments } from '../../src/payments/reconcile-payments.ts'
import { recordVerifiedPayment } from '../../src/payments/verify-payment.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { callbacksOf, unpaidAtPaystack } from '../support/commerce/paystack.ts'
import { eventsOf } from '../support/database-contents.ts'
import { openShop, operator } from '../support/shop.ts'

/** The daily comparison of payments and refunds with Paystack, which finds those whose callbacks were lost. */

const started = useApi()

async function open() {
  const api = started()
  const shop = await openShop(api.context)
  return { api, shop, ...(await unpaidAtPaystack(api, shop)) }
}

test('the reconciliation records each unrecorded Paystack payment that names an order, and notifies the merchant once of all other differences', async () => {
  const { api, shop, order, server, context, refund, transaction, charge } = await openPaid()
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  transaction({ reference: 'T-lost', metadata: { orderId: order.id }, paid_at })
  transaction({ reference: 'T-shop-plugin', metadata: { custom: 1 }, paid_at })
  const stored = await charge(order.id, 500_000, { paid_at })
  transaction({ reference: stored, amount: 400_000, paid_at })
  const gone = await charge(order.id, 500_000, { paid_at })
  await refund(gone)
  api.clock.advance(3_600_000)
  const outcome = await reconcilePayments(context, { merchantId: shop.merchantId, provider: 'paystack' })
  if (outcome.is !== 'compared') throw new Error(outcome.is)
  expect(outcome.differences).toEqual([
    expect.objectContaining({ kind: 'payment_not_recorded', reference: 'T-lost', providerAmountKobo: 1_000_000 }),
    expect.objectContaining({ kind: 'payment_not_recorded', reference: 'T-shop-plugin', id: null }),
    expect.objectContaining({ kind: 'payment_amount_differs', reference: stored, amountKobo: 500_000 }),
    expect.objectContaining({ kind: 'payment_not_at_provider', reference: gone }),
    expect.objectContaining({ kind: 'refund_not_recorded', reference: String(server.refunds[0]?.id) }),
  ])
  await reconcileAll(context)
  await reconcileAll(context)
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  // The notifications were created in the same millisecond, so their order is random.
  expect(notifications.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    { kind: 'payment.differences', data: { count: 3 } },
    { kind: 'payment.not_recorded', data: { reason: 'no_order', reference: 'T-shop-plugin' } },
    // The order was already paid, so the payment whose callback was lost is an overpayment.
    { kind: 'payment.overpaid', data: { reference: 'T-lost' } },
  ])
  expect(await reconcilePayments(context, { merchantId: shop.merchantId, provider: 'paystack' })).toMatchObject({
    differences: [{}, {}, {}, {}],
  })
})

test('if Paystack rejects the request for reversed payments, the reconciliation continues without reversed payments and logs a warning', async () => {
  const { shop, order, server, context, transaction, charge, api } = await open()
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  transaction({ reference: 'T-lost', metadata: { orderId: order.id }, paid_at })
  transaction({ reference: await charge(order.id, 1_000_000, { paid_at }), status: 'reversed', paid_at })
  const body = { orderId: order.id, amountKobo: 1_000_000, reason: 'damaged' }
  expect((await api.send('POST', '/api/v1/refunds', { token: shop.token, body })).status).toBe(201)
  api.clock.advance(3_600_000)
  server.reversedFilter = 'refused'
  const { log, lines } = listenToLog()
  expect(
    await reconcilePayments({ ...context, log }, { merchantId: shop.merchantId, provider: 'paystack' }),
  ).toMatchObject({
    is: 'compared',
    differences: [{ kind: 'payment_not_recorded', reference: 'T-lost' }],
  })
  expect(lines()).toMatchObject([{ merchantId: shop.merchantId, reason: 'invalid_params' }])
})

test('if the callback of a charge was lost, the reconciliation records the charge once, and the service ignores a callback that arrives later', async () => {
  const { api, shop, order, server, context, transaction, sendCallback, apply, paid } = await open()
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  const data = transaction({ reference: 'T-lost', metadata: { orderId: order.id }, paid_at })
  await Promise.all([reconcileAll(context), reconcileAll(context)])
  await sendCallback(server.callback('charge.success', data))
  await apply()
  await reconcileAll(context)
  expect(await paid()).toBe(1_000_000)
  expect(await eventsOf(api, shop.merchantId, 'payment.recorded')).toHaveLength(1)
  const { body } = await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
  expect(body.status).toBe('processing')
  const audit = `select actor_label from audit_log where merchant_id = $1 and action = 'payment.record'`
  expect((await api.database.pool.query(audit, [shop.merchantId])).rows).toEqual([
    { actor_label: 'reconcile_payments' },
  ])
  expect(await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })).toEqual([])
})

test('one reconciliation records a missed charge and the refund of this charge that was made at Paystack', async () => {
  const { api, shop, order, server, context, transaction } = await open()
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  transaction({ reference: 'T-lost', metadata: { orderId: order.id }, paid_at })
  server.refunds.push({
    ...{ id: 3_000_098, transactionReference: 'T-lost', amount: 1_000_000, merchantNote: 'by hand', status: 'pending' },
    ...{ createdAt: new Date(api.clock.nowMs()).toISOString(), reason: null, account: undefined },
  })
  await reconcileAll(context)
  const { body } = await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
  expect(body).toMatchObject({ status: 'processing', paidKobo: 1_000_000, refundableKobo: 0 })
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(notifications.map(({ kind }) => kind).toSorted()).toEqual(['order.refunded_unshipped', 'refund.by_provider'])
})

test('if the reconciliation records a missed charge above the amount due, the charge is reported as an overpayment', async () => {
  const { api, shop, order, context, transaction, paid } = await open()
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  for (const reference of ['T-one', 'T-two']) transaction({ reference, metadata: { orderId: order.id }, paid_at })
  await reconcileAll(context)
  expect(await paid()).toBe(2_000_000)
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(notifications.map(({ kind }) => kind)).toEqual(['payment.overpaid'])
})

test.for([
  ['names no order', { metadata: '' }, 'no_order'],
  ['names its order by number', { metadata: { orderId: 'ORD-7K2M9QX4' } }, 'no_order'],
  ['names an unknown order', { metadata: { orderId: newOrderId(0) } }, 'order_unknown'],
  ['is in another currency', { currency: 'USD' }, 'currency'],
  ['has no currency', { currency: null }, 'unreadable'],
] as const)('if the callback of a Paystack charge that %s was lost, the reconciliation reports the charge once, and the report stays open until the charge is recorded', async ([
  ,
  more,
  reason,
]) => {
  const { api, shop, order, server, context, transaction, sendCallback, apply } = await open()
  const { merchantId } = shop
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  const data = transaction({ reference: 'T-lost', paid_at, ...more })
  await Promise.all([reconcileAll(context), reconcileAll(context)])
  api.clock.advance(24 * 3_600_000)
  await reconcileAll(context)
  const reported = { reason, reference: 'T-lost', paidAt: paid_at }
  const notifications = (state: 'all' | 'open' = 'all') =>
    listNotifications(api.database, { merchantId, limit: 10, state })
  const expectOneReport = async () => {
    expect(await notifications()).toMatchObject([{ kind: 'payment.not_recorded', data: reported, resolvedAt: null }])
    expect(await eventsOf(api, merchantId, 'payment.unmatched')).toMatchObject([{ data: reported }])
  }
  await expectOneReport()
  await sendCallback(server.callback('charge.success', data))
  await apply()
  await expectOneReport()
  expect(await callbacksOf(api, merchantId)).toMatchObject([{ outcome: 'ignored', reason }])
  server.transactions.splice(0, 1, { ...data, currency: 'NGN' })
  const orderId = OrderId.parse(order.id)
  const wanted = { tenant: shop.tenant, actor: operator, provider: 'paystack' as const, reference: 'T-lost', orderId }
  expect(await recordVerifiedPayment(context, wanted)).toMatchObject({ is: 'recorded' })
  expect(await notifications('open')).toEqual([])
})

test.for([
  ['no reference', { id: 4099260516, reference: null }, '4099260516'],
  ['a reference that cannot be stored', { id: 4099260516, reference: 'T\u0000' }, '4099260516'],
  ['neither a reference nor an id', { id: null, reference: null }, null],
] as const)('the reconciliation reports a Paystack charge with %s once, and the report contains every field that could be read', async ([
  ,
  more,
  providerId,
]) => {
  const { api, shop, order, server, context, transaction, sendCallback, apply } = await open()
  const { merchantId } = shop
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  const data = transaction({ paid_at, metadata: { orderId: order.id }, ...more })
  transaction({ ...data, amount: 5000, id: 4099260517 })
  const outcome = await reconcilePayments(context, { merchantId, provider: 'paystack' })
  if (outcome.is !== 'compared') throw new Error(outcome.is)
  expect(outcome.differences).toMatchObject([
    { kind: 'payment_not_recorded', reference: null, providerAmountKobo: 1_000_000, id: order.id },
    { kind: 'payment_not_recorded', reference: null, providerAmountKobo: 5000, id: order.id },
  ])
  await Promise.all([reconcileAll(context), reconcileAll(context)])
  api.clock.advance(24 * 3_600_000)
  await reconcileAll(context)
  if (providerId !== null) {
    await sendCallback(server.callback('charge.success', data))
    await apply()
  }
  const known = { reason: 'unreadable', reference: null, orderId: order.id, paidAt: paid_at }
  const reported = [
    { ...known, providerId, amountKobo: 1_000_000 },
    { ...known, providerId: '4099260517', amountKobo: 5000 },
  ]
  const notifications = await listNotifications(api.database, { merchantId, limit: 10 })
  expect(notifications.map(({ kind }) => kind)).toEqual(['payment.not_recorded', 'payment.not_recorded'])
  const notified = reported.map((each) => ({ ...each, provider: 'paystack' }))
  expect(notifications.map(({ data: facts }) => facts)).toEqual(expect.arrayContaining(notified))
  const events = await eventsOf(api, merchantId, 'payment.unmatched')
  expect(events.map((event) => event.data)).toEqual(expect.arrayContaining(reported))
  expect(events).toHaveLength(2)
})

test('the reconciliation reports a refund that was made at Paystack and whose amount or status cannot be parsed', async () => {
  const { api, shop, order, server, context, transaction, charge } = await open()
  const paid_at = new Date(api.clock.nowMs()).toISOString()
  const reference = await charge(order.id, 1_000_000, { paid_at })
  transaction({ reference, paid_at })
  const made = {
    transactionReference: reference,
    merchantNote: 'by hand',
    reason: null,
    account: undefined,
    createdAt: '',
  }
  server.refunds.push(
    { ...made, id: 3_000_097, amount: 0.5, status: 'processed' },
    Object.assign({ ...made, id: 3_000_098, amount: 100, status: 'processed' as const }, { status: 'new-status' }),
  )
  api.clock.advance(3_600_000)
  for (let time = 0; time < 2; time++) await reconcileAll(context)
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(notifications).toMatchObject([{ kind: 'payment.differences', data: { count: 2 } }])
})

test('if a callback has already reported a charge without a matching order, the reconciliation does not report the charge again', async () => {
  const { api, shop, server, context, transaction, sendCallback, apply } = await open()
  const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
  const data = transaction({ reference: 'T-plugin', metadata: { custom: 1 }, paid_at })
  await sendCallback(server.callback('charge.success', data))
  await apply()
  await reconcileAll(context)
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(notifications).toMatchObject([{ kind: 'payment.not_recorded', data: { callbackId: expect.any(String) } }])
})

test('the reconciliation notifies the merchant of each difference to the provider’s payments once, even if it finds further differences later', async () => {
  const { api, shop, order, context, transaction, charge } = await open()
  const differing = async () => {
    const paid_at = new Date(api.clock.nowMs() - 3_600_000).toISOString()
    const reference = await charge(order.id, 500_000, { paid_at })
    transaction({ reference, amount: 400_000, paid_at })
    return reference
  }
  const first = await differing()
  await reconcileAll(context)
  api.clock.advance(24 * 3_600_000)
  const second = await differing()
  await reconcileAll(context)
  await reconcileAll(context)
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(notifications).toMatchObject([
    { data: { count: 1, differences: [{ reference: second }] } },
    { data: { count: 1, differences: [{ reference: first }] } },
  ])
})

test('the reconciliation of payments continues with other merchants after a failure for one merchant, and logs that merchant’s id', async () => {
  const broken = await open()
  const { api, shop, context, transaction } = await open()
  transaction({ reference: 'T-lost', metadata: { orderId: newOrderId(0) } })
  const vault = {
    ...context.vault,
    open: (...[sealed, binding]: Parameters<typeof context.vault.open>) => {
      if ('merchantId' in binding && binding.merchantId === broken.shop.merchantId)
        throw new Error('The database is gone.')
      return context.vault.open(sealed, binding)
    },
  }
  const { log, lines } = listenToLog()
  await reconcileAll({ ...context, vault, log })
  expect(lines().filter(({ err }) => err !== undefined)).toMatchObject([{ merchantId: broken.shop.merchantId }])
  const notifications = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(notifications).toMatchObject([{ kind: 'payment.not_recorded' }])
})

test('a process that is stopping does not start the reconciliation of a merchant’s payments', async () => {
  const { server, context } = await open()
  expect(await reconcileAll({ ...context, stopping: AbortSignal.abort() })).toBe(0)
  expect(server.requests).toEqual([])
})

function listenToLog() {
  const written: string[] = []
  const log = pino({ level: 'warn', base: null }, { write: (line) => written.push(line) })
  return { log, lines: () => written.map((line) => JSON.parse(line)) }
}

async function openPaid() {
  const opened = await open()
  const { server } = opened
  /** Adds a refund at Paystack whose note contains a refund id, although the service has no refund with this id. */
  const refund = async (transaction: string) => {
    server.refunds.push({
      ...{
        id: 3_000_099,
        transactionReference: transaction,
        amount: 100,
        merchantNote: 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k',
      },
      ...{ createdAt: new Date().toISOString(), status: 'processed', reason: null, account: undefined },
    })
  }
  return { ...opened, refund }
}
