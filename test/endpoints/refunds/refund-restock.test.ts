import { describe, expect, test } from 'vitest'
import { hasLeftShop, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { paid } from '../../support/commerce/refund.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { operator } from '../../support/shop.ts'

const started = useApi()

async function open(quantity: number, sent = 0) {
  const { api, shop } = await openShopWith(started(), {})
  const made = await paid(api, shop, [[1000, quantity]])
  const { id } = made.order
  if (sent > 0) await send(api, shop.merchantId, id, sent)
  const [itemId] = made.itemIds
  const refund = (count: number, restock?: boolean) =>
    made.refund(1000 * count, { items: [{ itemId, quantity: count, ...(restock === undefined ? {} : { restock }) }] })
  const stock = async () => (await stockOf(api, id))[0]
  return { api, shop, ...made, refund, stock }
}

type Api = ReturnType<typeof started>

/** Stores that the given quantities of an order were shipped. */
async function send(api: Api, merchantId: string, orderId: string, sent: number) {
  await select(api, 'update order_items set fulfilled_quantity = $2 where order_id = $1', [orderId, sent])
  await select(api, 'update orders set fulfilled_quantity = $2 where id = $1', [orderId, sent])
  await select(
    api,
    `update inventory set on_hand = on_hand - $2, reserved = reserved - $2
     where variant_id in (select variant_id from order_items where order_id = $1) and merchant_id = $3`,
    [orderId, sent, merchantId],
  )
}

function stockOf(api: Api, orderId: string) {
  return select(
    api,
    `select i.on_hand, i.reserved, t.cancelled_quantity as cancelled, t.returned_quantity as returned
     from order_items t join inventory i on i.merchant_id = t.merchant_id and i.variant_id = t.variant_id
     where t.order_id = $1 order by t.position`,
    [orderId],
  )
}

function ledgerOf(api: Api, refundId: string) {
  return select(
    api,
    `select reason, on_hand_delta, reserved_delta, on_hand, reserved, order_id from stock_movements
     where refund_id = $1 order by id`,
    [refundId],
  )
}

test('a refund restocks nothing by default', async () => {
  const { refund, stock } = await open(2)
  await refund(1)
  const reply = await refund(1, false)
  expect(reply.body.items).toMatchObject([{ restock: false }])
  expect(await stock()).toEqual({ on_hand: 1000, reserved: 2, cancelled: 0, returned: 0 })
})

test('a refund with restock releases the reservation of refunded units that were not shipped', async () => {
  const { api, refund, stock, read, order } = await open(3)
  const reply = await refund(2, true)
  expect(reply.body.items).toMatchObject([{ quantity: 2, restock: true }])
  expect(await stock()).toEqual({ on_hand: 1000, reserved: 1, cancelled: 2, returned: 0 })
  expect(await ledgerOf(api, reply.body.id)).toEqual([
    { reason: 'order_released', on_hand_delta: 0, reserved_delta: -2, on_hand: 1000, reserved: 1, order_id: order.id },
  ])
  expect(await read()).toMatchObject({ items: [{ quantity: 3, refundedQuantity: 2 }] })
})

test('a refund with restock increases the quantity on hand by the refunded units that had been shipped', async () => {
  const { api, refund, stock, read, order } = await open(3, 3)
  const reply = await refund(2, true)
  expect(await stock()).toEqual({ on_hand: 999, reserved: 0, cancelled: 0, returned: 2 })
  expect(await ledgerOf(api, reply.body.id)).toEqual([
    { reason: 'refund_restocked', on_hand_delta: 2, reserved_delta: 0, on_hand: 999, reserved: 0, order_id: order.id },
  ])
  expect(await read()).toMatchObject({ fulfillmentStatus: 'partially_returned', items: [{ returnedQuantity: 2 }] })
})

test('a refund of a partially shipped order restocks the unshipped units before the shipped units', async () => {
  const { api, refund, stock } = await open(3, 1)
  const reply = await refund(3, true)
  expect(await stock()).toEqual({ on_hand: 1000, reserved: 0, cancelled: 2, returned: 1 })
  expect(await ledgerOf(api, reply.body.id)).toMatchObject([
    { reason: 'refund_restocked', on_hand_delta: 1, reserved_delta: -2, on_hand: 1000, reserved: 0 },
  ])
})

test('a refund does not restock units that were returned before', async () => {
  const { api, order, refund, stock } = await open(3, 3)
  await select(api, 'update order_items set returned_quantity = 2 where order_id = $1', [order.id])
  await select(api, 'update orders set returned_quantity = 2 where id = $1', [order.id])
  await refund(1, true)
  expect(await stock()).toMatchObject({ on_hand: 997, returned: 2 })
  await refund(2, true)
  expect(await stock()).toMatchObject({ on_hand: 998, returned: 3 })
})

test('a refund of two items of one variant changes the stock by the sum of both quantities', async () => {
  const { api, shop } = await openShopWith(started(), {})
  const { refund, itemIds, order } = await paid(api, shop, [
    [1000, 1],
    [1000, 2],
  ])
  const [first] = await select(api, 'select variant_id from order_items where id = $1', [itemIds[0]])
  await select(api, 'update order_items set variant_id = $2 where id = $1', [itemIds[1], first.variant_id])
  await select(api, 'update inventory set reserved = 3 where variant_id = $1', [first.variant_id])
  const items = [1, 2].map((quantity, index) => ({ itemId: itemIds[index], quantity, restock: true }))
  expect((await refund(3000, { items })).status).toBe(201)
  expect(await stockOf(api, order.id)).toMatchObject([
    { reserved: 0, cancelled: 1 },
    { reserved: 0, cancelled: 2 },
  ])
})

test('ten concurrent refunds restock each unit once', async () => {
  const { refund, stock } = await open(5, 2)
  const replies = await Promise.all(Array.from({ length: 10 }, () => refund(1, true)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(5)
  expect(await stock()).toEqual({ on_hand: 1000, reserved: 0, cancelled: 3, returned: 2 })
})

describe('restocking while an active shipment contains units', () => {
  async function carried(sent: number, quantity: number, ...statuses: readonly ShipmentStatus[]) {
    const opened = await open(3, sent)
    const { api, shop, order } = opened
    const itemId = OrderItemId.parse(opened.itemIds[0])
    for (const status of statuses) {
      const itemsBooked = hasLeftShop(status) ? ('sent' as const) : ('none' as const)
      await storeShipment(api, shop, { orderId: order.id, status, items: [{ itemId, quantity }], itemsBooked })
    }
    return { ...opened, itemId }
  }

  test.for([
    ['picked_up', 3, 2, 1, { on_hand: 998, reserved: 0, cancelled: 0, returned: 1 }],
    ['awaiting_courier', 0, 2, 1, { on_hand: 1000, reserved: 2, cancelled: 1, returned: 0 }],
    ['scheduled', 0, 3, 0, undefined],
    ['in_transit', 2, 2, 1, { on_hand: 998, reserved: 0, cancelled: 1, returned: 0 }],
    // The merchant marked the order of this test as shipped before the carrier picked up the parcel.
    ['at_pickup', 3, 3, 0, undefined],
  ] as const)('while a shipment is %s, a refund that restocks too many units returns order_items_unavailable with the restockable quantity', async ([
    status,
    sent,
    quantity,
    free,
    after,
  ]) => {
    const { api, itemId, refund, stock, read } = await carried(sent, quantity, status)
    const before = await contentsOf(api)
    const reply = await refund(free + 1, true)
    answers('createRefund', 'order_items_unavailable', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId, requested: free + 1, available: free }] })
    expect(await contentsOf(api)).toEqual(before)
    if (after !== undefined) {
      expect((await refund(free, true)).status).toBe(201)
      expect(await stock()).toEqual(after)
    }
    expect((await refund(3 - free)).status).toBe(201)
    expect((await read()).items[0].refundedQuantity).toBe(3)
  })

  test('a refund can restock units that another shipment delivered', async () => {
    const { refund, stock } = await carried(1, 1, 'delivered', 'awaiting_courier', 'dispatching')
    expect((await refund(1, true)).status).toBe(201)
    expect(await stock()).toEqual({ on_hand: 1000, reserved: 2, cancelled: 0, returned: 1 })
  })

  test('setting an order to returned fails with order_items_unavailable only if the request restocks an item in transit', async () => {
    const { api, shop, order, itemId, stock } = await carried(3, 2, 'in_transit')
    await select(api, "update orders set status = 'shipped', shipped_at = now() where id = $1", [order.id])
    const move = (more: object) =>
      api.send('POST', `/api/v1/orders/${order.id}/transition`, {
        token: shop.token,
        body: { to: 'returned', ...more },
      })
    const reply = await move({ restockItemIds: [itemId] })
    answers('transitionOrder', 'order_items_unavailable', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId, requested: 3, available: 1 }] })
    expect((await move({})).status).toBe(200)
    expect(await stock()).toMatchObject({ on_hand: 997, returned: 3 })
  })
})

describe('the status of an order after a refund', () => {
  async function handedOver(status: 'shipped' | 'delivered') {
    const { api, shop } = await openShopWith(started(), {})
    const order = await orderAt(api, shop, status)
    const send = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
    await send(`/orders/${order.id}/payments`, { amountKobo: 3_000_000, method: 'cash', reference: order.id })
    const refund = (quantity: number, restock: boolean) => {
      const items = [{ itemId: order.itemId, quantity, restock }]
      return send('/refunds', { orderId: order.id, amountKobo: 1_000_000 * quantity, reason: 'damaged', items })
    }
    return { api, shop, order, refund }
  }

  test.for([
    'shipped',
    'delivered',
  ] as const)('an order that is %s becomes returned when a refund restocks its last unit', async (status) => {
    const { api, shop, order, refund } = await handedOver(status)
    await refund(2, true)
    expect(await order.read()).toMatchObject({ status, fulfillmentStatus: 'partially_returned' })
    await refund(1, true)
    expect(await order.read()).toMatchObject({
      status: 'returned',
      fulfillmentStatus: 'returned',
      returnedAt: expect.any(String),
    })
    const [change] = (await eventsOf(api, shop.merchantId, 'order.status_changed')).filter(
      ({ data }) => data.to === 'returned',
    )
    expect(change?.data).toMatchObject({ from: status, reason: 'refunded' })
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 0 })
  })

  test('the database rejects a delivered order whose units are all restocked', async () => {
    const { api, order } = await handedOver('delivered')
    const update = select(api, 'update orders set returned_quantity = item_quantity where id = $1', [order.id])
    await expect(update).rejects.toMatchObject({ constraint: 'order_is_returned_with_its_units' })
  })
})

describe('a unit that a carrier lost', () => {
  async function lost() {
    const { api, shop } = await openShopWith(started(), {})
    const order = await orderAt(api, shop, 'processing')
    const itemId = OrderItemId.parse(order.itemId)
    const send = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
    await send(`/orders/${order.id}/payments`, { amountKobo: 3_000_000, method: 'cash', reference: order.id })
    const key = await storeShipment(api, shop, { orderId: order.id, items: [{ itemId, quantity: 1 }] })
    const closing = { id: key.id, to: 'lost', reason: 'The carrier paid for it.' } as const
    await closeShipment(api.context, operator, shop.tenant, closing)
    return { api, order, itemId, send }
  }

  test('a lost unit cannot be restocked by a refund or by a return, but the other units of its item can', async () => {
    const { order, itemId, send } = await lost()
    await order.move('shipped')
    const refund = (quantity: number) => {
      const items = [{ itemId, quantity, restock: true }]
      return send('/refunds', { orderId: order.id, amountKobo: 1000, reason: 'damaged', items })
    }
    const reply = await refund(3)
    answers('createRefund', 'order_items_unavailable', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId, requested: 3, available: 2 }] })
    expect((await refund(2)).status).toBe(201)
    expect(await order.stock()).toEqual({ onHand: 9, reserved: 0 })
    const returned = await order.move('returned', { restockItemIds: [itemId] })
    answers('transitionOrder', 'order_items_unavailable', returned)
    expect(returned.body.error.details).toEqual({ items: [{ itemId, requested: 1, available: 0 }] })
  })

  test('the transition of an order to returned restocks all of its units except the lost unit', async () => {
    const { order, itemId } = await lost()
    expect((await order.move('shipped')).status).toBe(200)
    const { status, text } = await order.move('returned', { restockItemIds: [itemId] })
    expect(status, text).toBe(200)
    expect((await order.read()).items).toMatchObject([{ quantity: 3, returnedQuantity: 2 }])
    expect(await order.stock()).toEqual({ onHand: 9, reserved: 0 })
  })

  test('the status and the fulfilment status of an order become returned when its lost unit is refunded and its other unit is restocked', async () => {
    const { api, shop } = await openShopWith(started(), {})
    const { order, itemIds, refund, read } = await paid(api, shop, [
      [1000, 1],
      [1000, 1],
    ])
    for (const [index, to] of (['delivered', 'lost'] as const).entries()) {
      const items = [{ itemId: OrderItemId.parse(itemIds[index]), quantity: 1 }]
      const { id } = await storeShipment(api, shop, { orderId: order.id, items, status: 'in_transit' })
      await closeShipment(api.context, operator, shop.tenant, { id, to, reason: 'The carrier said so.' })
    }
    const [delivered, lost] = itemIds
    await refund(1000, { items: [{ itemId: lost, quantity: 1 }] })
    expect(await read()).toMatchObject({ status: 'delivered', fulfillmentStatus: 'fulfilled' })
    const { body } = await refund(1000, { items: [{ itemId: delivered, quantity: 1, restock: true }] })
    expect(body).toMatchObject({ amountKobo: 1000 })
    expect(await read()).toMatchObject({ status: 'returned', fulfillmentStatus: 'returned' })
    const listed = async (status: string) => {
      const { body } = await api.send('GET', `/api/v1/orders?fulfillmentStatus=${status}`, { token: shop.token })
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await listed('returned')).toEqual([order.id])
    expect(await listed('partially_returned')).toEqual([])
  })

  test('the database rejects a restock of a unit that a carrier lost', async () => {
    const { api, order } = await lost()
    const update = select(api, 'update order_items set returned_quantity = 1 where order_id = $1', [order.id])
    await expect(update).rejects.toMatchObject({ constraint: 'item_returns_no_lost_unit' })
  })
})

describe('a failed refund', () => {
  test('a failed refund leaves its restocked units in stock, and the next refund does not restock them again', async () => {
    const { api, shop } = await openShopWith(started(), {})
    const { refund, server, work, order } = await paidByPaystack(api, shop, { priceKobo: 1000 })
    const items = [{ itemId: order.items[0]?.id, quantity: 1, restock: true }]
    const { id } = (await refund(1000, { items })).body
    server.failRefund(id, 'create', 'refuses')
    await work()
    expect(await stockOf(api, order.id)).toEqual([{ on_hand: 1000, reserved: 0, cancelled: 1, returned: 0 }])
    const again = await refund(1000, { items })
    expect(again.status).toBe(201)
    expect(await ledgerOf(api, again.body.id)).toEqual([])
    expect(await stockOf(api, order.id)).toEqual([{ on_hand: 1000, reserved: 0, cancelled: 1, returned: 0 }])
  })
})
