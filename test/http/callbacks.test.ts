import { describe, expect, test } from 'vitest'
import { newMerchantId, newOrderId } from '../../src/base/records.ts'
import { signed } from '../partners/payments/paystack-server.ts'
import { sendRaw, useApi } from '../support/api.ts'
import { callbacksOf, connectShop } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { asOwner } from '../support/database.ts'
import { contentsOf, eventsOf, select } from '../support/database-contents.ts'
import { openShop, placeOrder } from '../support/shop.ts'

const started = useApi()

async function open() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await connectShop(api, shop)) }
}

describe('the signature of a Paystack callback', () => {
  test('a callback signed with the merchant’s own key is accepted, its raw bytes are stored, and a job applies it at once', async () => {
    const { api, shop, server, sendCallback } = await open()
    const callback = server.callback('transfer.success', { id: 1, amount: 5, name: 'Adéọlá' })
    const reply = await sendCallback(callback)
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: { received: true } })
    const rows = await select(
      api,
      'select body, kind, outcome, host(source_ip) as ip, request_id from provider_callbacks where merchant_id = $1',
      [shop.merchantId],
    )
    expect(rows).toMatchObject([{ kind: 'transfer.success', outcome: null, ip: '127.0.0.1' }])
    expect(rows[0].body.toString()).toBe(callback.body)
    expect(rows[0].request_id).toBe(reply.headers.get('request-id'))
    const key = `apply_callbacks:${shop.merchantId}`
    expect(await select(api, 'select key from graphile_worker.jobs where key = $1', [key])).toHaveLength(1)
  })

  test('payment callbacks without a signature by the merchant’s own key all get the same error response, and nothing is stored', async () => {
    const { api, shop, server, sendCallback } = await open()
    const stranger = await openShop(api.context)
    const callback = server.callback('charge.success', { id: 1 })
    const signature = callback.headers['x-paystack-signature'] ?? ''
    const before = await contentsOf(api)
    const headers = { 'content-type': 'application/json' }
    const replies = [
      await sendCallback({ ...callback, headers }),
      await sendCallback({ ...callback, headers: { ...headers, 'x-paystack-signature': '' } }),
      await sendCallback({ ...callback, headers: { ...headers, 'x-paystack-signature': 'no hex' } }),
      await sendCallback({ ...callback, headers: { ...headers, 'x-paystack-signature': signature.slice(0, 64) } }),
      await sendCallback({ ...callback, headers: { ...headers, 'x-paystack-signature': `${signature}00` } }),
      await sendCallback({ ...callback, body: `${callback.body} ` }),
      await sendCallback(signed('sk_live_other', { event: 'charge.success', data: {} })),
      await sendCallback(callback, stranger.merchantId),
      await sendCallback(callback, shop.testMerchantId),
      await sendCallback(callback, newMerchantId(0)),
      await sendCallback(callback, 'mer_x'),
    ]
    for (const reply of replies) {
      expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status: 401, code: 'invalid_signature' })
      expect(reply.text.replace(/req_\w+/, '')).toBe(replies[0]?.text.replace(/req_\w+/, ''))
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test('a payment callback returns 413 body_too_large for a body of more than 256 KiB', async () => {
    const { api, shop } = await open()
    const path = `/callbacks/paystack/${shop.merchantId}`
    const reply = await sendRaw(api, { method: 'POST', path, body: Buffer.alloc(256 * 1024 + 1) })
    expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status: 413, code: 'body_too_large' })
  })

  test('a signed but malformed payment callback is stored and ignored', async () => {
    const { api, shop, server, sendCallback, apply } = await open()
    expect((await sendCallback(signed(server.secretKey, []))).status).toBe(200)
    expect((await sendCallback(server.callback('charge.success', { amount: 'much' }))).status).toBe(200)
    await apply()
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([
      { kind: null, outcome: 'ignored', reason: 'unreadable' },
      { kind: 'charge.success', outcome: 'ignored', reason: 'unreadable' },
    ])
  })
})

describe('the Paystack callback charge.success', () => {
  test.for<[string, (totalKobo: number) => number | string]>([
    ['a number', (totalKobo) => totalKobo],
    ['a string', (totalKobo) => String(totalKobo)],
  ])('a charge.success callback records the payment and confirms the order, with the amount as %s', async ([
    ,
    amountOf,
  ]) => {
    const { api, shop, charge } = await open()
    const order = await placeOrder(api, shop, { isPaid: false })
    const reference = await charge(order.id, amountOf(order.totalKobo), { paid_at: '2026-11-21T08:00:00.000Z' })
    const payments = await select(api, 'select * from payments where order_id = $1', [order.id])
    expect(payments).toMatchObject([
      {
        amount_kobo: order.totalKobo,
        provider: 'paystack',
        reference,
        method: 'card',
        paid_at: '2026-11-21T08:00:00.000Z',
      },
    ])
    const read = (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body
    expect(read).toMatchObject({ status: 'processing', paymentStatus: 'paid', paidKobo: order.totalKobo })
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toMatchObject([
      { data: { to: 'processing', actor: { type: 'provider', id: null } } },
    ])
    const audits = await select(api, 'select * from audit_log where resource_id = $1', [payments[0].id])
    expect(audits).toMatchObject([
      { action: 'payment.record', actor_type: 'provider', actor_label: 'paystack', source_ip: '127.0.0.1' },
    ])
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: 'applied' }])
  })

  test('a charge.success callback that arrives several times, even concurrently, records one payment', async () => {
    const { api, shop, server, sendCallback, apply } = await open()
    const order = await placeOrder(api, shop, { isPaid: false })
    const data = { reference: 'T1', amount: 1000, currency: 'NGN', channel: 'ussd', metadata: { orderId: order.id } }
    const callback = server.callback('charge.success', data)
    const replies = await Promise.all(Array.from({ length: 10 }, () => sendCallback(callback)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await Promise.all(Array.from({ length: 5 }, () => apply()))
    await sendCallback(callback)
    // A second callback reports the same payment, but its body differs.
    await sendCallback(server.callback('charge.success', { ...data, log: null }))
    await apply()
    expect(await select(api, 'select 1 from payments where order_id = $1', [order.id])).toHaveLength(1)
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([
      { outcome: 'applied' },
      { outcome: 'ignored', reason: 'reference_in_use' },
    ])
  })

  test('a charge.success callback is applied even if its metadata is a JSON string instead of an object', async () => {
    const { api, shop, charge } = await open()
    const order = await placeOrder(api, shop, { isPaid: false })
    await charge(order.id, order.totalKobo, { metadata: JSON.stringify({ orderId: order.id }) })
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: 'applied' }])
  })

  test('a charge.success callback without a valid order of the merchant is ignored, and the reason is stored', async () => {
    const { api, shop, charge } = await open()
    const other = await openShop(api.context)
    const foreign = await placeOrder(api, other, { isPaid: false })
    const own = await placeOrder(api, shop, { isPaid: false })
    await charge(newOrderId(0), 1000)
    await charge(foreign.id, 1000)
    await charge(own.id, 1000, { metadata: 'cart 5' })
    await charge(own.id, 1000, { currency: 'USD' })
    await charge(own.id, -5)
    await charge(own.id, 100_000_000_001)
    await charge((await placeOrder(api, shop)).id, Number.MAX_SAFE_INTEGER)
    const reasons = (await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)
    expect(reasons).toEqual([
      'order_unknown',
      'order_unknown',
      'no_order',
      'currency',
      'unreadable',
      'too_large',
      'too_large',
    ])
    expect(await select(api, 'select 1 from payments where order_id = any($1)', [[foreign.id, own.id]])).toEqual([])
  })

  test.for([
    '+012000-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0000-00-00 00:00:00',
    'yesterday',
    '',
  ])('a charge.success callback with the invalid time %j still records the payment', async (paid_at) => {
    const { api, shop, charge } = await open()
    const order = await placeOrder(api, shop, { isPaid: false })
    await charge(order.id, 1000, { paid_at })
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: 'applied' }])
    expect(await select(api, 'select amount_kobo from payments where order_id = $1', [order.id])).toHaveLength(1)
  })

  test('if applying a charge.success callback fails, the service stores the error and retries the callback after a minute', async () => {
    const { api, shop, server, sendCallback, apply } = await open()
    const order = await placeOrder(api, shop, { isPaid: false })
    const data = { reference: 'T1', amount: 1000, currency: 'NGN', metadata: { orderId: order.id } }
    await sendCallback(server.callback('charge.success', data))
    await asOwner(api, 'alter table payments rename to payments_gone')
    await apply()
    await asOwner(api, 'alter table payments_gone rename to payments')
    const failures = 'select outcome, failures, error from provider_callbacks where merchant_id = $1'
    expect(await select(api, failures, [shop.merchantId])).toEqual([
      { outcome: null, failures: 1, error: expect.stringContaining('payments') },
    ])
    await apply()
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: null }])
    api.clock.advance(60_000)
    await apply()
    expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ outcome: 'applied' }])
  })
})
