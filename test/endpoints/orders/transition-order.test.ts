import { describe, expect, test } from 'vitest'
import { newOrderId, newOrderItemId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { ledgerOf, orderAt, stockOf } from '../../support/commerce/order-transitions.ts'
import { contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()

async function shopAt(status: Parameters<typeof orderAt>[2]) {
  const api = started()
  const shop = await openShop(api.context)
  return { api, shop, order: await orderAt(api, shop, status) }
}

/**
 * Expects that the changes of the on-hand quantity in the inventory movements add up to the stock. The ten units of the
 * opening stock were inserted without a movement.
 */
async function expectLedger(api: TestApi, variantId: string): Promise<void> {
  const { onHand, reserved } = await ledgerOf(api, variantId)
  expect({ onHand: onHand + 10, reserved }).toEqual(await stockOf(api, variantId))
}

describe('200 responses of transitionOrder', () => {
  test.for([
    'shipped',
    'delivered',
  ] as const)('the transition of an order to %s deducts its units from stock once', async (to) => {
    const { api, order } = await shopAt('processing')
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 3 })
    const reply = await order.move(to)
    expect(reply.body).toMatchObject({ fulfillmentStatus: 'fulfilled', items: [{ fulfilledQuantity: 3 }] })
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
    if (to === 'shipped') await order.move('delivered')
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
    await expectLedger(api, order.variantId)
  })

  test('transitionOrder moves a shipped order back to processing, and reserves its units again', async () => {
    const { api, order } = await shopAt('shipped')
    const reply = await order.move('processing')
    expect(reply.body).toMatchObject({
      fulfillmentStatus: 'unfulfilled',
      shippedAt: null,
      items: [{ fulfilledQuantity: 0 }],
    })
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 3 })
    await expectLedger(api, order.variantId)
  })

  test('the transition of an order to returned restocks nothing by default', async () => {
    const { order } = await shopAt('delivered')
    const reply = await order.move('returned')
    expect(reply.body).toMatchObject({ fulfillmentStatus: 'returned', items: [{ returnedQuantity: 3 }] })
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
  })

  test('the transition of an order to returned restocks the items in restockItemIds', async () => {
    const { api, order } = await shopAt('shipped')
    await order.move('returned', { restockItemIds: [order.itemId] })
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 0 })
    await expectLedger(api, order.variantId)
  })

  test.for([
    ['fraud', 'fraud'],
    ['expired', 'other'],
    ['changed_mind', 'other'],
    [undefined, 'other'],
  ] as const)('the transition of an order to cancelled with the reason %s sets the cancelReason %s', async ([
    reason,
    cancelReason,
  ]) => {
    const { order } = await shopAt('processing')
    expect((await order.move('cancelled', { reason })).body).toMatchObject({ status: 'cancelled', cancelReason })
  })

  test('an order on hold keeps its reserved stock and does not expire', async () => {
    const { order } = await shopAt('on_hold')
    expect(await order.read()).toMatchObject({ expiresAt: null })
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 3 })
  })

  test('the expiry period of an order starts again when the order is released from hold', async () => {
    const { api, order } = await shopAt('on_hold')
    api.clock.advance(3_600_000)
    const { expiresAt } = (await order.move('pending')).body
    expect(Date.parse(expiresAt) - api.clock.nowMs()).toBe(24 * 3_600_000)
  })

  test('an order paid while on hold is released to processing', async () => {
    const { api, shop, order } = await shopAt('on_hold')
    const body = { amountKobo: 3_000_000, method: 'cash', reference: 'held' }
    await api.send('POST', `${order.path}/payments`, { token: shop.token, body })
    expect(await order.read()).toMatchObject({ status: 'on_hold', allowedTransitions: ['processing', 'cancelled'] })
    const reply = await order.move('processing')
    expect(reply.body).toMatchObject({ status: 'processing', confirmedAt: reply.body.updatedAt })
  })

  test('transitionOrder sets the timestamp field of each new status', async () => {
    const { api, order } = await shopAt('processing')
    const at = () => new Date(api.clock.nowMs()).toISOString()
    const confirmedAt = at()
    api.clock.advance(60_000)
    const shippedAt = at()
    await order.move('shipped')
    api.clock.advance(60_000)
    const deliveredAt = at()
    await order.move('delivered')
    expect(await order.read()).toMatchObject({ confirmedAt, shippedAt, deliveredAt, cancelledAt: null })
  })

  test('for a variant without stock tracking, transitionOrder changes only the reserved quantity', async () => {
    const { api, order } = await shopAt('processing')
    await select(api, 'update inventory set tracked = false, on_hand = 0 where variant_id = $1', [order.variantId])
    await order.move('shipped')
    expect(await order.stock()).toEqual({ onHand: 0, reserved: 0 })
    await order.move('returned', { restockItemIds: [order.itemId] })
    expect(await order.stock()).toEqual({ onHand: 0, reserved: 0 })
  })

  test('twenty concurrent transitions to the same status change the order once', async () => {
    const { api, shop, order } = await shopAt('processing')
    const replies = await Promise.all(Array.from({ length: 20 }, () => order.move('shipped')))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(replies.map(({ body }) => body.version)).size).toBe(1)
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
    const emitted = await eventsOf(api, shop.merchantId, 'order.status_changed')
    expect(emitted.filter(({ data }) => data.to === 'shipped')).toHaveLength(1)
  })

  test('one of two concurrent transitions of an order to different statuses returns 409', async () => {
    const { order } = await shopAt('processing')
    const replies = await Promise.all([order.move('shipped'), order.move('cancelled')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const isShipped = (await order.read()).status === 'shipped'
    expect(await order.stock()).toEqual(isShipped ? { onHand: 7, reserved: 0 } : { onHand: 10, reserved: 0 })
  })
})

describe('400 validation_failed', () => {
  test('transitionOrder returns 400 validation_failed for restockItemIds with a status other than returned', async () => {
    const { order } = await shopAt('processing')
    const reply = await order.move('shipped', { restockItemIds: [order.itemId] })
    answers('transitionOrder', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: 'body.restockItemIds' }])
  })
})

describe('404 responses of transitionOrder', () => {
  test('transitionOrder returns order_not_found for an unknown id', async () => {
    const { api, shop } = await shopAt('pending')
    const path = `/api/v1/orders/${newOrderId(api.clock.nowMs())}/transition`
    const reply = await api.send('POST', path, { token: shop.token, body: { to: 'shipped' } })
    answers('transitionOrder', 'order_not_found', reply)
  })

  test('transitionOrder returns item_not_found for an unknown item', async () => {
    const { api, order } = await shopAt('shipped')
    const itemId = newOrderItemId(api.clock.nowMs())
    const before = await contentsOf(api)
    const reply = await order.move('returned', { restockItemIds: [itemId] })
    answers('transitionOrder', 'item_not_found', reply)
    expect(reply.body.error.details).toEqual({ itemIds: [itemId] })
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 responses of transitionOrder', () => {
  test('transitionOrder returns invalid_transition for shipped and delivered if every unit of the order was refunded and restocked', async () => {
    const { api, shop, order } = await shopAt('processing')
    await api.send('POST', `${order.path}/payments`, {
      token: shop.token,
      body: { amountKobo: 3_000_000, method: 'cash', reference: 'taken-back' },
    })
    const takeBack = (quantity: number) => {
      const items = [{ itemId: order.itemId, quantity, restock: true }]
      const body = { orderId: order.id, amountKobo: 1_000_000 * quantity, reason: 'customer_request', items }
      return api.send('POST', '/api/v1/refunds', { token: shop.token, body })
    }
    await takeBack(2)
    expect((await order.read()).allowedTransitions).toContain('shipped')
    await takeBack(1)
    const before = await contentsOf(api)
    expect((await order.read()).allowedTransitions).toEqual(['on_hold', 'cancelled'])
    for (const to of ['shipped', 'delivered'] as const) {
      const reply = await order.move(to)
      answers('transitionOrder', 'invalid_transition', reply)
      expect(reply.body.error.details.allowed).toEqual(['on_hold', 'cancelled'])
    }
    expect(await contentsOf(api)).toEqual(before)
    const held = await order.move('on_hold')
    expect(held.body.allowedTransitions).toEqual(['processing', 'cancelled'])
    expect((await order.move('processing')).body.allowedTransitions).toEqual(['on_hold', 'cancelled'])
    expect((await order.move('cancelled')).status).toBe(200)
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 0 })
  })

  test('transitionOrder returns invalid_transition for a forbidden status, and lists the allowed statuses', async () => {
    const { order } = await shopAt('delivered')
    const reply = await order.move('pending')
    answers('transitionOrder', 'invalid_transition', reply)
    expect(reply.body.error.details).toEqual({ from: 'delivered', to: 'pending', allowed: ['returned'] })
  })

  test('transitionOrder with the status shipped returns insufficient_stock when units that the order reserved were written off', async () => {
    const { api, order } = await shopAt('processing')
    await select(api, 'update inventory set on_hand = 2 where variant_id = $1', [order.variantId])
    const before = await contentsOf(api)
    const reply = await order.move('shipped')
    answers('transitionOrder', 'insufficient_stock', reply)
    expect(reply.body.error.details.items).toMatchObject([{ variantId: order.variantId, requested: 3, available: 2 }])
    expect(await contentsOf(api)).toEqual(before)
  })
})

test('an order with a total of 0 starts in processing', async () => {
  const api = started()
  const order = await placeOrder(api, await openShop(api.context), { priceKobo: 0, isPaid: false })
  expect(order).toMatchObject({
    status: 'processing',
    allowedTransitions: ['on_hold', 'shipped', 'delivered', 'cancelled'],
  })
})
