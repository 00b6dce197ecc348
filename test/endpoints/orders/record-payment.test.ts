import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { transitionsTo } from '../../support/commerce/order-transitions.ts'
import { placeUnpaid } from '../../support/commerce/unpaid-order.ts'
import { contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()

const place = () => placeUnpaid(started())

const changes = (api: TestApi, shop: Shop) => eventsOf(api, shop.merchantId, 'order.status_changed')

describe('201 responses of recordPayment', () => {
  test('a partial payment of an order leaves the order pending', async () => {
    const { api, shop, order, pay, read } = await place()
    const reply = await pay(400_000)
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(`/api/v1/payments/${reply.body.id}`)
    expect(reply.body).toMatchObject({
      orderId: order.id,
      amountKobo: 400_000,
      currency: 'NGN',
      order: { status: 'pending', paymentStatus: 'partially_paid', paidKobo: 400_000, balanceKobo: 600_000 },
    })
    expect(await read()).toMatchObject({ status: 'pending', paymentStatus: 'partially_paid', paidAt: null, version: 2 })
    expect(await changes(api, shop)).toEqual([])
  })

  test('a payment of the remaining amount confirms the order, and emits one order.status_changed event', async () => {
    const { api, shop, order, pay, read } = await place()
    await pay(400_000)
    api.clock.advance(1000)
    const reply = await pay(600_000)
    const now = new Date(api.clock.nowMs()).toISOString()
    expect(reply.body.order).toEqual({
      status: 'processing',
      paymentStatus: 'paid',
      paidKobo: 1_000_000,
      balanceKobo: 0,
    })
    expect(await read()).toMatchObject({
      status: 'processing',
      paidAt: now,
      confirmedAt: now,
      expiresAt: null,
      version: 3,
    })
    expect(await changes(api, shop)).toMatchObject([
      {
        createdAt: now,
        data: {
          orderId: order.id,
          number: order.number,
          from: 'pending',
          to: 'processing',
          reason: 'payment_received',
          actor: { type: 'token', id: shop.tokenId },
          version: 3,
          occurredAt: now,
        },
      },
    ])
    const history = 'select from_status, to_status, version from order_status_changes where order_id = $1'
    expect(await select(api, history, [order.id])).toEqual([
      { from_status: 'pending', to_status: 'processing', version: 3 },
    ])
  })

  test('an overpayment with allowOverpayment is recorded in full, without a notification to the merchant', async () => {
    const { api, shop, pay, read } = await place()
    const reply = await pay(1_000_001, { allowOverpayment: true })
    expect(await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })).toEqual([])
    const [{ data }] = await eventsOf(api, shop.merchantId, 'payment.recorded')
    expect(data).toEqual({ payment: reply.body, excessKobo: 1 })
    expect(reply.body.order).toEqual({
      status: 'processing',
      paymentStatus: 'paid',
      paidKobo: 1_000_001,
      balanceKobo: -1,
    })
    expect(await read()).toMatchObject({ balanceKobo: -1, refundableKobo: 1_000_001 })
  })

  test('a further payment for a paid order does not change the order’s status', async () => {
    const { api, shop, pay, read } = await place()
    await pay(1_000_000)
    const { paidAt } = await read()
    api.clock.advance(1000)
    expect((await pay(5, { allowOverpayment: true })).body.order).toMatchObject({
      status: 'processing',
      paidKobo: 1_000_005,
      balanceKobo: -5,
    })
    expect((await read()).paidAt).toBe(paidAt)
    expect(await changes(api, shop)).toHaveLength(1)
  })

  test.for([
    'on_hold',
    'processing',
    'shipped',
    'delivered',
    'returned',
    'cancelled',
  ] as const)('a late payment for an order that is %s is recorded, can be refunded and does not change the order’s status', async (status) => {
    const { api, shop, order, pay, read } = await place()
    for (const to of transitionsTo(status)) {
      await api.send('POST', `/api/v1/orders/${order.id}/transition`, { token: shop.token, body: { to } })
    }
    const before = await changes(api, shop)
    const reply = await pay(1_000_000)
    expect(reply.body.order).toMatchObject({ status, paymentStatus: 'paid' })
    expect(await read()).toMatchObject({ status, refundableKobo: 1_000_000 })
    expect(await changes(api, shop)).toEqual(before)
  })

  test('a refunded order can be paid again', async () => {
    const { api, shop, order, pay, read } = await place()
    await pay(1_000_000)
    const body = { orderId: order.id, amountKobo: 1_000_000, reason: 'duplicate' }
    await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
    const reply = await pay(1_000_000, { allowOverpayment: true })
    expect(reply.body.order.paymentStatus).toBe('partially_refunded')
    expect(await read()).toMatchObject({ paymentStatus: 'partially_refunded', refundableKobo: 1_000_000 })
  })

  test('recordPayment converts a paidAt with another UTC offset to UTC', async () => {
    const { pay } = await place()
    const reply = await pay(1, { paidAt: '2026-11-21T09:30:00.5+01:00' })
    expect(reply.body.paidAt).toBe('2026-11-21T08:30:00.500Z')
  })

  test('the paidAt of a payment defaults to the current time', async () => {
    const { api, pay } = await place()
    const { paidAt, createdAt } = (await pay(1)).body
    expect([paidAt, createdAt]).toEqual([new Date(api.clock.nowMs()).toISOString(), paidAt])
  })

  test('a dry run of recordPayment returns the confirmed order and emits no event', async () => {
    const { api, order, shop, read } = await place()
    const reply = await api.send('POST', `/api/v1/orders/${order.id}/payments`, {
      token: shop.token,
      body: { amountKobo: 1_000_000, method: 'cash', reference: 'dry' },
      headers: { 'Service-Dry-Run': 'true' },
    })
    expect(reply.body.order.status).toBe('processing')
    expect(await read()).toMatchObject({ status: 'pending', paidKobo: 0 })
    expect(await changes(api, shop)).toEqual([])
  })
})

describe('400 validation_failed', () => {
  test.for<[string, object, string]>([
    ['an amount of 0', { amountKobo: 0 }, 'amountKobo'],
    ['a negative amount', { amountKobo: -1 }, 'amountKobo'],
    ['half a kobo', { amountKobo: 1.5 }, 'amountKobo'],
    ['an amount as text', { amountKobo: '1' }, 'amountKobo'],
    ['an amount above the maximum of an order', { amountKobo: 100_000_000_001 }, 'amountKobo'],
    ['an unknown method', { method: 'barter' }, 'method'],
    ['no reference', { reference: undefined }, 'reference'],
    ['an empty reference', { reference: '' }, 'reference'],
    ['a long reference', { reference: 'x'.repeat(101) }, 'reference'],
    ['a date without a time', { paidAt: '2026-11-21' }, 'paidAt'],
    ['a number as timestamp', { paidAt: 1_795_336_200 }, 'paidAt'],
    ['an unknown field', { currency: 'NGN' }, 'currency'],
  ])('recordPayment returns 400 validation_failed for a body with %s', async ([, more, field]) => {
    const { pay } = await place()
    const reply = await pay(1, more)
    answers('recordPayment', 'validation_failed', reply)
    const paths = reply.body.error.errors.map((problem: { path: string }) => problem.path)
    expect(new Set(paths)).toEqual(new Set([`body.${field}`]))
  })

  // A payment time must be a real date: the service must not change 30 February to 2 March without an error, and a year
  // that PostgreSQL cannot store must not cause a 500.
  test.for([
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+10:00',
    '9999-12-31T23:59:59-10:00',
  ])('recordPayment returns 400 validation_failed for paidAt %s', async (paidAt) => {
    const { pay } = await place()
    const reply = await pay(1, { paidAt })
    answers('recordPayment', 'validation_failed', reply)
  })
})

describe('404 order_not_found', () => {
  test('recordPayment returns 404 order_not_found for an unknown id', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const body = { amountKobo: 1, method: 'cash', reference: 'none' }
    const path = `/api/v1/orders/${newOrderId(0)}/payments`
    answers('recordPayment', 'order_not_found', await api.send('POST', path, { token: shop.token, body }))
  })
})

describe('409 payment_reference_in_use', () => {
  test('recordPayment returns 409 payment_reference_in_use with the payment that already has the reference, and records nothing', async () => {
    const { api, pay } = await place()
    const first = await pay(400_000, { reference: 'once' })
    const before = await contentsOf(api)
    const reply = await pay(600_000, { reference: 'once' })
    answers('recordPayment', 'payment_reference_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.body.id })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('recordPayment returns 409 payment_reference_in_use for the reference of a payment of another order', async () => {
    const { api, shop, pay } = await place()
    await pay(1, { reference: 'shared' })
    const other = await placeOrder(api, shop, { isPaid: false })
    const body = { amountKobo: 1, method: 'cash', reference: 'shared' }
    const reply = await api.send('POST', `/api/v1/orders/${other.id}/payments`, { token: shop.token, body })
    answers('recordPayment', 'payment_reference_in_use', reply)
  })

  test('recordPayment accepts a reference that another merchant uses', async () => {
    const first = await place()
    const second = await place()
    expect((await first.pay(1, { reference: 'theirs' })).status).toBe(201)
    expect((await second.pay(1, { reference: 'theirs' })).status).toBe(201)
  })
})

describe('409 payment_exceeds_due', () => {
  test.for([
    ['an amount above the total', 0, 1_000_001, 1_000_000],
    ['an amount above the rest', 400_000, 600_001, 600_000],
    ['any amount for an order that is paid', 1_000_000, 1, 0],
  ] as const)('recordPayment returns 409 payment_exceeds_due for %s, with the amount due, and records nothing', async ([
    ,
    paid,
    amount,
    dueKobo,
  ]) => {
    const { api, pay } = await place()
    if (paid > 0) await pay(paid)
    const before = await contentsOf(api)
    const reply = await pay(amount)
    answers('recordPayment', 'payment_exceeds_due', reply)
    expect(reply.body.error.details).toEqual({ dueKobo })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('recordPayment returns 409 payment_exceeds_due to all but one of ten concurrent payments of the whole total', async () => {
    const { pay, read } = await place()
    const replies = await Promise.all(Array.from({ length: 10 }, () => pay(1_000_000)))
    for (const reply of replies) if (reply.status !== 201) answers('recordPayment', 'payment_exceeds_due', reply)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await read()).toMatchObject({ paidKobo: 1_000_000 })
  })
})

describe('409 paid_at_out_of_range', () => {
  const minuteMs = 60_000

  test.for([
    ['in 1999', () => '1999-12-31T23:59:59Z'],
    ['in 2030', () => '2030-01-01T00:00:00Z'],
    ['a minute before the order', (createdMs: number) => new Date(createdMs - minuteMs).toISOString()],
    [
      'five minutes and a millisecond ahead',
      (_: number, nowMs: number) => new Date(nowMs + 5 * minuteMs + 1).toISOString(),
    ],
  ] as const)('recordPayment returns 409 paid_at_out_of_range for a paidAt %s, with the accepted range, and records nothing', async ([
    ,
    timeOf,
  ]) => {
    const { api, pay } = await place()
    const createdMs = api.clock.nowMs()
    api.clock.advance(30 * minuteMs)
    const before = await contentsOf(api)
    const reply = await pay(1, { paidAt: timeOf(createdMs, api.clock.nowMs()) })
    answers('recordPayment', 'paid_at_out_of_range', reply)
    const { earliest, latest } = reply.body.error.details
    expect(Date.parse(earliest)).toBe(Math.floor(createdMs / minuteMs) * minuteMs)
    expect(Date.parse(latest)).toBe(api.clock.nowMs() + 5 * minuteMs)
    expect(await contentsOf(api)).toEqual(before)
    for (const paidAt of [earliest, latest]) expect((await pay(1, { paidAt })).status).toBe(201)
  })
})

describe('409 amount_too_large', () => {
  test('recordPayment returns 409 amount_too_large when an order’s payments would exceed a billion naira', async () => {
    const { api, pay } = await place()
    expect((await pay(100_000_000_000, { allowOverpayment: true })).status).toBe(201)
    const before = await contentsOf(api)
    const reply = await pay(1)
    answers('recordPayment', 'amount_too_large', reply)
    expect(await contentsOf(api)).toEqual(before)
  })
})
