import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../src/base/records.ts'
import { recordVerifiedPayment } from '../../src/payments/verify-payment.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { providerBenches } from '../partners/payments/benches.ts'
import { useApi } from '../support/api.ts'
import { callbacksOf } from '../support/commerce/paystack.ts'
import { allProviderUrls, connect, connectProviders } from '../support/commerce/providers.ts'
import { asOwner } from '../support/database.ts'
import { eventsOf } from '../support/database-contents.ts'
import { openShop, operator } from '../support/shop.ts'

/** Payments, refunds and disputes of a shop through every payment provider, faults included. */

const started = useApi({ paymentProviders: { urls: allProviderUrls } })

describe.for(providerBenches)('a shop with %s', ([name, openBench]) => {
  const open = async () => {
    const api = started()
    const shop = await openShop(api.context)
    const bench = await openBench()
    const connected = await connectProviders(api, shop, [bench])
    const order = await connected.order()
    const payment = { reference: `T_${order.id.slice(-8)}`, amountKobo: order.totalKobo, orderId: order.id }
    const notified = async (kind: string) => {
      const all = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 20 })
      return all.filter((each) => each.kind === kind)
    }
    const send = (callback: ReturnType<typeof bench.chargeCallback>) => connected.sendCallback(bench, callback)
    return { ...connected, api, shop, bench, order, payment, notified, send }
  }

  const openPaid = async () => {
    const opened = await open()
    const { bench, payment, send, apply, read, order } = opened
    bench.receive(payment)
    expect((await send(bench.chargeCallback(payment))).status).toBe(200)
    await apply()
    expect(await read(`/orders/${order.id}`)).toMatchObject({ status: 'processing', paidKobo: 1_000_000 })
    return opened
  }

  test(`an order is paid through ${name}, and a refund of its payment is submitted once and succeeds`, async () => {
    const { api, shop, bench, order, payment, send, apply, work, read, refund } = await openPaid()
    const provider = bench.adapter.name
    const { data } = await read(`/payments?orderId=${order.id}`)
    expect(data).toMatchObject([{ provider, reference: payment.reference, amountKobo: 1_000_000, method: 'card' }])
    const { id } = (await refund(order.id, 400_050)).body
    await work()
    expect(bench.refunds()).toMatchObject([{ note: id, amountKobo: 400_050 }])
    const reference = bench.refunds()[0]?.reference ?? ''
    expect(await read(`/refunds/${id}`)).toMatchObject({ provider, providerReference: reference })
    bench.moveRefund(reference, 'succeeded')
    expect((await send(bench.refundCallback(reference))).status).toBe(200)
    await apply()
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'succeeded' })
    expect(await read(`/orders/${order.id}`)).toMatchObject({ refundedKobo: 400_050, refundableKobo: 599_950 })
    expect(bench.submissions()).toBe(1)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  })

  test(`a buyer’s payment at ${name} through a payment link sets the link to paid and the order to processing`, async () => {
    const { bench, order, payment, send, apply, read, createLink } = await open()
    const created = await createLink(order.id)
    const link = { provider: bench.adapter.name, status: 'open', amountKobo: 1_000_000 }
    expect(created).toMatchObject({ is: 'created', link })
    const { reference } = await read(`/orders/${order.id}/payment-link`)
    const paid = { ...payment, reference }
    bench.receive(paid)
    await send(bench.chargeCallback(paid))
    await apply()
    expect(await read(`/orders/${order.id}/payment-link`)).toMatchObject({ ...link, status: 'paid' })
    expect(await read(`/orders/${order.id}`)).toMatchObject({ status: 'processing', paidKobo: 1_000_000 })
  })

  test.for([
    ['answers_500', { is: 'unavailable' }],
    ['accepts_and_answers_half', { is: 'unavailable' }],
    ['answers_429', { is: 'unavailable', reason: 'http_429' }],
    ['refuses', { is: 'rejected' }],
  ] as const)(`when ${name} %s, no payment link is created, and a repeated request creates one`, async ([
    fault,
    outcome,
  ]) => {
    const { bench, order, createLink } = await open()
    bench.failCheckouts(fault)
    expect(await createLink(order.id)).toMatchObject(outcome)
    expect(await createLink(order.id)).toMatchObject({ is: 'created', link: { status: 'open' } })
  })

  test(`a callback that ${name} sends several times records its payment once`, async () => {
    const { api, shop, bench, order, payment, send, apply, read } = await open()
    bench.receive(payment)
    const callback = bench.chargeCallback(payment)
    await Promise.all([send(callback), send(callback)])
    await Promise.all([apply(), apply()])
    expect((await send(callback)).status).toBe(200)
    await apply()
    expect(await read(`/orders/${order.id}`)).toMatchObject({ paidKobo: 1_000_000 })
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: 'applied' }])
  })

  test(`a callback without the secret that the merchant shares with ${name} is rejected and stored nowhere`, async () => {
    const { api, shop, bench, payment, send } = await open()
    bench.receive(payment)
    const callback = bench.chargeCallback(payment)
    const replies = [await send(bench.forge(callback)), await send({ ...callback, headers: {} })]
    for (const { status, body } of replies) {
      expect([status, body.error.code]).toEqual([401, 'invalid_signature'])
    }
    expect(await callbacksOf(api, shop.merchantId)).toEqual([])
  })

  test(`an order stays pending after a payment through ${name} that is less than the total of the order`, async () => {
    const { bench, order, payment, send, apply, read } = await open()
    const part = { ...payment, amountKobo: 999_999 }
    bench.receive(part)
    await send(bench.chargeCallback(part))
    await apply()
    expect(await read(`/orders/${order.id}`)).toMatchObject({ status: 'pending', paidKobo: 999_999 })
  })

  test.for([
    ['in another currency', { currency: 'USD' }, 'currency'],
    ['of an unknown order', { orderId: newOrderId(0) }, 'order_unknown'],
    ['without an order', { orderId: '' }, 'no_order'],
  ] as const)(`a payment through ${name} %s is not recorded, and the merchant is notified once`, async ([
    ,
    more,
    reason,
  ]) => {
    const { api, shop, bench, order, payment, send, apply, read, notified, reconcile } = await open()
    const paidAt = new Date(api.clock.nowMs() - 3_600_000).toISOString()
    const other = { ...payment, ...more, paidAt }
    bench.receive(other)
    await send(bench.chargeCallback(other))
    await apply()
    await reconcile()
    expect(await read(`/orders/${order.id}`)).toMatchObject({ paidKobo: 0 })
    const data = { reason, reference: payment.reference }
    expect(await notified('payment.not_recorded')).toMatchObject([{ data }])
    expect(await eventsOf(api, shop.merchantId, 'payment.unmatched')).toMatchObject([{ data }])
  })

  test(`a payment at ${name} whose callback was lost is recorded by the daily comparison with the provider, or earlier by an operator who names the payment’s reference`, async () => {
    const { api, shop, bench, order, payment, reconcile, read, context } = await open()
    const paidAt = new Date(api.clock.nowMs() - 3_600_000).toISOString()
    bench.receive({ ...payment, paidAt })
    await reconcile()
    await reconcile()
    expect(await read(`/orders/${order.id}`)).toMatchObject({ paidKobo: 1_000_000 })
    bench.receive({ ...payment, reference: 'T-second', paidAt })
    const named = { tenant: shop.tenant, actor: operator, provider: bench.adapter.name, reference: 'T-second' }
    expect(await recordVerifiedPayment(context, named)).toMatchObject({ is: 'recorded' })
    expect(await recordVerifiedPayment(context, named)).toMatchObject({ is: 'reference_in_use' })
  })

  test(`a refund that ${name} rejects becomes failed, and its amount is refundable again`, async () => {
    const { bench, order, work, read, refund } = await openPaid()
    const { id } = (await refund(order.id, 400_000)).body
    bench.failRefund(id, 'refuses')
    await work()
    const failureMessage = expect.stringContaining('Transaction has been fully')
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'failed', failureMessage })
    expect(await read(`/orders/${order.id}`)).toMatchObject({ refundableKobo: 1_000_000 })
  })

  test.for([
    'accepts_and_never_answers',
    'accepts_and_breaks_off',
    'accepts_and_answers_500',
    'accepts_and_answers_nonsense',
    'accepts_and_answers_half',
    'accepts_and_answers_too_much',
  ] as const)(`when ${name} %s, the service finds the refund by its note and does not submit it again`, async (fault) => {
    const { bench, order, work, later, read, refund } = await openPaid()
    const { id } = (await refund(order.id, 400_000)).body
    bench.failRefund(id, fault)
    await work()
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'pending', providerReference: null })
    const reference = bench.refunds()[0]?.reference ?? ''
    bench.moveRefund(reference, 'succeeded')
    await later()
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'succeeded', providerReference: reference })
    expect(bench.submissions()).toBe(1)
  })

  test.for([
    'never_answers',
    'answers_500',
    'answers_502_as_html',
    'redirects',
  ] as const)(`when ${name} %s, the service submits a refund again only after two searches, ten minutes apart, have not found the refund`, async (fault) => {
    const { api, bench, order, work, later, read, refund } = await openPaid()
    const { id } = (await refund(order.id, 400_000)).body
    bench.failRefund(id, fault)
    await work()
    const submittedMs = api.clock.nowMs()
    await later()
    expect(bench.submissions()).toBe(1)
    await later()
    expect(api.clock.nowMs() - submittedMs).toBeGreaterThanOrEqual(600_000)
    expect(bench.submissions()).toBe(2)
    expect(bench.refunds()).toHaveLength(1)
    expect(await read(`/refunds/${id}`)).toMatchObject({ providerReference: bench.refunds()[0]?.reference })
  })

  test.for([
    'answers_429',
    'answers_401',
  ] as const)(`when ${name} %s, a refund stays pending, is not created at the provider, and can be cancelled`, async (fault) => {
    const { api, shop, bench, order, work, read, refund } = await openPaid()
    const { id } = (await refund(order.id, 400_000)).body
    bench.failRefund(id, fault)
    await work()
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'pending', providerReference: null })
    const cancelled = await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
    expect(cancelled.body).toMatchObject({ status: 'cancelled' })
    expect(bench.refunds()).toEqual([])
  })

  test(`a refund has its last reported status even if ${name}’s callbacks arrive before the response, repeatedly and out of order`, async () => {
    const { api, shop, bench, order, send, apply, work, later, read, refund } = await openPaid()
    const { id } = (await refund(order.id, 400_000)).body
    let early: Promise<unknown> | undefined
    bench.onRequest(async (line) => {
      if (early !== undefined || !line.startsWith('GET') || bench.refunds().length === 0) return
      const reference = bench.refunds()[0]?.reference ?? ''
      bench.moveRefund(reference, 'succeeded')
      early = send(bench.refundCallback(reference))
      await early
    })
    bench.failRefund(id, 'accepts_and_never_answers')
    await work()
    await later()
    await apply()
    await later()
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'succeeded' })
    const reference = bench.refunds()[0]?.reference ?? ''
    bench.moveRefund(reference, 'processing')
    await send(bench.refundCallback(reference))
    await apply()
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'succeeded' })
    expect(await read(`/orders/${order.id}`)).toMatchObject({ refundedKobo: 400_000, refundPendingKobo: 0 })
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  })

  test(`a refund made in the dashboard of ${name} is recorded only once, even if the daily comparison with ${name} runs again`, async () => {
    const { bench, order, payment, reconcile, read, refund } = await openPaid()
    bench.refundByHand(payment, 400_000)
    await reconcile()
    await reconcile()
    expect(await read(`/orders/${order.id}`)).toMatchObject({ refundedKobo: 400_000, refundableKobo: 600_000 })
    const { data } = await read(`/refunds?orderId=${order.id}`)
    const provider = bench.adapter.name
    expect(data).toMatchObject([{ source: 'provider', provider, status: 'succeeded', amountKobo: 400_000 }])
    expect((await refund(order.id, 600_001)).status).toBe(409)
  })

  test(`if a refund through ${name} fails after it has succeeded, its amount is refundable again`, async () => {
    const { bench, order, send, apply, work, read, refund } = await openPaid()
    const { id } = (await refund(order.id, 400_000)).body
    await work()
    const reference = bench.refunds()[0]?.reference ?? ''
    for (const status of ['succeeded', 'failed'] as const) {
      bench.moveRefund(reference, status)
      await send(bench.refundCallback(reference))
      await apply()
    }
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'failed', succeededAt: expect.any(String) })
    expect(await read(`/orders/${order.id}`)).toMatchObject({ refundedKobo: 0, refundableKobo: 1_000_000 })
  })

  test.for([
    ['won', 201, []],
    ['lost', 409, ['payment.dispute_lost']],
  ] as const)(`the end of a dispute at ${name} decides whether refunds of the disputed payment are allowed again: %s`, async ([
    end,
    status,
    kinds,
  ]) => {
    const { bench, order, payment, send, apply, refund, notified } = await openPaid()
    for (const state of ['open', 'open'] as const) {
      await send(bench.dispute(payment, state))
      await apply()
    }
    expect((await refund(order.id, 1_000)).body.error.code).toBe('payment_disputed')
    expect(await notified('payment.dispute_opened')).toHaveLength(1)
    await send(bench.dispute(payment, end))
    await apply()
    expect((await refund(order.id, 1_000)).status).toBe(status)
    expect((await notified('payment.dispute_lost')).map(({ kind }) => kind)).toEqual(kinds)
  })

  test(`refunds wait while the merchant has no key of ${name}, and are submitted after a key is connected`, async () => {
    const { api, shop, bench, order, work, later, read, refund } = await openPaid()
    const { id } = (await refund(order.id, 400_000)).body
    await asOwner(api, `delete from payment_provider_keys where merchant_id = '${shop.merchantId}'`)
    await work()
    expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'pending', providerReference: null })
    expect(bench.submissions()).toBe(0)
    await connect(api, shop, bench)
    await later()
    expect(await read(`/refunds/${id}`)).toMatchObject({ providerReference: bench.refunds()[0]?.reference })
    expect(bench.submissions()).toBe(1)
  })
})
