import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { orderAt, statusChanges } from '../../support/commerce/order-transitions.ts'
import { contentsOf, eventsOf } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()

async function shopAt(status: Parameters<typeof orderAt>[2]) {
  const api = started()
  const shop = await openShop(api.context)
  const order = await orderAt(api, shop, status)
  const cancel = (body: object = { reason: 'customer' }) =>
    api.send('POST', `${order.path}/cancel`, { token: shop.token, body })
  return { api, shop, order, cancel }
}

describe('200 responses of cancelOrder', () => {
  test.for([
    'pending',
    'on_hold',
    'processing',
  ] as const)('cancelOrder releases the reserved stock of a %s order', async (status) => {
    const { api, shop, order, cancel } = await shopAt(status)
    const reply = await cancel({ reason: 'inventory', note: 'The last one was torn.' })
    expect(reply.body).toEqual(await order.read())
    expect(reply.body).toMatchObject({
      status: 'cancelled',
      cancelReason: 'inventory',
      cancelNote: 'The last one was torn.',
      cancelledAt: reply.body.updatedAt,
      expiresAt: null,
      allowedTransitions: [],
      items: [{ quantity: 3, cancelledQuantity: 3 }],
    })
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 0 })
    expect((await statusChanges(api, order.id)).at(-1)).toMatchObject({ from: status, to: 'cancelled' })
    const emitted = await eventsOf(api, shop.merchantId, 'order.status_changed')
    expect(emitted.filter(({ data }) => data.to === 'cancelled')).toMatchObject([
      { data: { orderId: order.id, from: status, reason: 'inventory' } },
    ])
  })

  test('cancelOrder leaves the payments of a paid order refundable', async () => {
    const { api, shop, order, cancel } = await shopAt('pending')
    const body = { amountKobo: 3_000_000, method: 'cash', reference: 'paid' }
    await api.send('POST', `${order.path}/payments`, { token: shop.token, body })
    const reply = await cancel()
    expect(reply.body).toMatchObject({ status: 'cancelled', paymentStatus: 'paid', refundableKobo: 3_000_000 })
    const refund = { orderId: order.id, amountKobo: 3_000_000, reason: 'order_cancelled' }
    const refunded = await api.send('POST', '/api/v1/refunds', { token: shop.token, body: refund })
    expect(refunded.status).toBe(201)
    expect(await order.read()).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
  })

  test('cancelOrder changes nothing when repeated with any reason, and returns the same body', async () => {
    const { api, cancel } = await shopAt('pending')
    const first = await cancel()
    const before = await contentsOf(api)
    const again = await cancel({ reason: 'fraud' })
    expect(again.text).toBe(first.text)
    expect(await contentsOf(api)).toEqual(before)
  })

  test('ten concurrent cancelOrder requests cancel the order once', async () => {
    const { api, shop, order, cancel } = await shopAt('pending')
    const replies = await Promise.all(Array.from({ length: 10 }, () => cancel()))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 0 })
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toHaveLength(1)
  })
})

describe('400 validation_failed', () => {
  test('cancelOrder returns 400 validation_failed for the reason `expired`, which only the service sets', async () => {
    const { cancel } = await shopAt('pending')
    const reply = await cancel({ reason: 'expired' })
    answers('cancelOrder', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: 'body.reason', code: 'invalid_enum_value' }])
  })
})

describe('404 order_not_found', () => {
  test('cancelOrder returns 404 order_not_found for an unknown id', async () => {
    const { api, shop } = await shopAt('pending')
    const path = `/api/v1/orders/${newOrderId(api.clock.nowMs())}/cancel`
    const reply = await api.send('POST', path, { token: shop.token, body: { reason: 'customer' } })
    answers('cancelOrder', 'order_not_found', reply)
  })
})

describe('409 order_not_cancellable', () => {
  test.for([
    'shipped',
    'delivered',
    'returned',
  ] as const)('cancelOrder returns 409 order_not_cancellable for an order that is %s', async (status) => {
    const { api, cancel } = await shopAt(status)
    const before = await contentsOf(api)
    const reply = await cancel()
    answers('cancelOrder', 'order_not_cancellable', reply)
    expect(reply.body.error.details).toEqual({ status })
    expect(await contentsOf(api)).toEqual(before)
  })
})
