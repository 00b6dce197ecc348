import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import type { ShipmentKey } from '../../../src/store/logistics/shipments/shipments.ts'
import { useApi } from '../../support/api.ts'
import { type MovedOrder, orderAt, statusChanges } from '../../support/commerce/order-transitions.ts'
import { auditRows, eventsOf } from '../../support/database-contents.ts'
import { cancelShipment } from '../../support/logistics/parcel-run.ts'
import { readShipment, type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

/** The delivery status of a shipment changes the status of its order by the same transitions that the API offers. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const unitsOrdered = 3

/**
 * Creates an order of three units with shipments in the given statuses. Each shipment except the first contains one
 * unit, and the first contains the rest.
 */
async function open(status: OrderStatus, shipments: readonly ShipmentStatus[] = ['awaiting_courier']) {
  const api = started()
  const order = await orderAt(api, shop, status)
  const itemId = OrderItemId.parse(order.itemId)
  const keys: ShipmentKey[] = []
  for (const [index, shipment] of shipments.entries()) {
    const quantity = index === 0 ? unitsOrdered + 1 - shipments.length : 1
    const items = [{ itemId, quantity }]
    keys.push(await storeShipment(api, shop, { status: shipment, orderId: order.id, items }))
  }
  const update = (index: number, status: ShipmentStatus) => {
    const key = keys[index] ?? expect.fail('No such shipment.')
    return applyUpdate(api, shop, key, { status: status })
  }
  const exceptions = async (index: number) => {
    const key = keys[index] ?? expect.fail('No such shipment.')
    return (await readShipment(api, key)).shipment.exceptions
  }
  return { api, order, keys, update, exceptions }
}

async function statusOf(order: MovedOrder): Promise<string> {
  return (await order.read()).status
}

describe('an order with a single shipment', () => {
  test('a shipment’s pickup sets the order to shipped and its delivery sets the order to delivered, with one event each', async () => {
    const otherShop = await openShop(started().context)
    const api = started()
    const order = await orderAt(api, otherShop, 'processing')
    const key = await storeShipment(api, otherShop, { orderId: order.id })
    await applyUpdate(api, otherShop, key, { status: 'courier_assigned' })
    expect(await statusOf(order)).toBe('processing')
    await applyUpdate(api, otherShop, key, { status: 'picked_up' })
    expect(await order.read()).toMatchObject({ status: 'shipped', fulfillmentStatus: 'fulfilled' })
    await applyUpdate(api, otherShop, key, { status: 'in_transit' })
    await applyUpdate(api, otherShop, key, { status: 'delivered' })
    expect(await statusOf(order)).toBe('delivered')
    const events = await eventsOf(api, otherShop.merchantId, 'order.status_changed')
    const changes = events.map(({ data }) => data).toSorted((a, b) => a.version - b.version)
    expect(changes.slice(-2).map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ['processing', 'shipped', 'shipment_picked_up'],
      ['shipped', 'delivered', 'shipment_delivered'],
    ])
    expect((await statusChanges(api, order.id)).slice(-2)).toMatchObject([
      { to: 'shipped', actor: 'provider' },
      { to: 'delivered', actor: 'provider' },
    ])
    const audited = (await auditRows(api, otherShop.merchantId)).filter(({ action }) => action === 'shipment.update')
    expect(audited.map(({ changes }) => changes)).toContainEqual({
      status: ['courier_assigned', 'picked_up'],
      orderStatus: ['processing', 'shipped'],
    })
  })

  test('a shipment that is delivered without a reported pickup sets its order to delivered at once', async () => {
    const { order, update } = await open('processing')
    await update(0, 'delivered')
    expect(await statusOf(order)).toBe('delivered')
  })

  test('a returned shipment sets its order to returned, without a restock', async () => {
    const { order, update } = await open('processing')
    await update(0, 'picked_up')
    const stock = await order.stock()
    await update(0, 'returning')
    expect(await statusOf(order)).toBe('shipped')
    await update(0, 'returned')
    expect(await order.read()).toMatchObject({ status: 'returned', fulfillmentStatus: 'returned' })
    expect(await order.stock()).toEqual(stock)
  })

  test.for<[OrderStatus, ShipmentStatus]>([
    ['pending', 'picked_up'],
    ['on_hold', 'delivered'],
  ])('if an order is %s and its shipment is reported as %s, the shipment changes only its own status and gets the exception order_not_moved', async ([
    from,
    to,
  ]) => {
    const { order, update, exceptions } = await open(from)
    expect(await update(0, to)).toMatchObject({ is: 'moved', shipment: { status: to } })
    expect(await statusOf(order)).toBe(from)
    expect(await exceptions(0)).toMatchObject([{ code: 'order_not_moved', facts: { orderStatus: from } }])
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
  })

  test('a shipment returned without a reported pickup sets its order to shipped and then to returned, and each of the two changes emits one event', async () => {
    const { api, order, update } = await open('processing')
    await update(0, 'returned')
    expect(await order.read()).toMatchObject({ status: 'returned', fulfillmentStatus: 'returned' })
    const changes = (await statusChanges(api, order.id)).slice(-2)
    expect(changes.map(({ to, reason }) => [to, reason])).toEqual([
      ['shipped', 'shipment_returned'],
      ['returned', 'shipment_returned'],
    ])
  })

  test('a shipment that is picked up and delivered after the merchant has set its order to delivered gets no exception', async () => {
    const { order, update, exceptions } = await open('delivered')
    await update(0, 'picked_up')
    await update(0, 'delivered')
    expect(await statusOf(order)).toBe('delivered')
    expect(await exceptions(0)).toEqual([])
  })

  test('if an order cannot ship for lack of stock, its shipment gets the exception order_not_moved, and the order’s status does not change', async () => {
    const { api, order, update, exceptions } = await open('processing')
    await api.database.pool.query('update inventory set on_hand = 0 where variant_id = $1', [order.variantId])
    expect(await update(0, 'picked_up')).toMatchObject({ is: 'moved' })
    expect(await statusOf(order)).toBe('processing')
    expect(await exceptions(0)).toMatchObject([{ code: 'order_not_moved', cause: 'out_of_stock' }])
  })
})

describe('an order with several shipments', () => {
  test('an order is partially fulfilled after its first shipment, shipped after the last, and delivered once all shipments are delivered', async () => {
    const { order, update } = await open('processing', ['awaiting_courier', 'awaiting_courier'])
    await update(0, 'picked_up')
    expect(await order.read()).toMatchObject({
      status: 'processing',
      fulfillmentStatus: 'partially_fulfilled',
      items: [{ fulfilledQuantity: 2 }],
    })
    expect(await order.stock()).toEqual({ onHand: 8, reserved: 1 })
    await update(0, 'delivered')
    expect(await statusOf(order)).toBe('processing')
    await update(1, 'picked_up')
    expect(await order.read()).toMatchObject({ status: 'shipped', fulfillmentStatus: 'fulfilled' })
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
    await update(1, 'delivered')
    expect(await statusOf(order)).toBe('delivered')
  })

  test('the units of a shipment count as shipped once, even after repeated or later tracking updates', async () => {
    const { order, update } = await open('processing', ['awaiting_courier', 'awaiting_courier'])
    for (const status of ['picked_up', 'in_transit', 'at_dropoff'] as const) await update(0, status)
    expect(await order.read()).toMatchObject({ version: 3, items: [{ fulfilledQuantity: 2 }] })
    expect(await order.stock()).toEqual({ onHand: 8, reserved: 1 })
  })

  test('the units of a cancelled shipment stay in stock, and the order does not become shipped without these units', async () => {
    const { order, update } = await open('processing', ['awaiting_courier', 'cancelled'])
    await update(0, 'delivered')
    expect(await order.read()).toMatchObject({ status: 'processing', fulfillmentStatus: 'partially_fulfilled' })
  })

  test('a lost shipment counts as shipped but not as delivered', async () => {
    const { order, update } = await open('processing', ['awaiting_courier', 'picked_up'])
    await update(1, 'lost')
    await update(0, 'delivered')
    expect(await order.read()).toMatchObject({ status: 'shipped', fulfillmentStatus: 'fulfilled' })
  })

  test('an order with one returned shipment is partially returned, and becomes delivered once its other shipments are delivered', async () => {
    const { order, update } = await open('processing', ['awaiting_courier', 'awaiting_courier'])
    await update(0, 'picked_up')
    await update(1, 'picked_up')
    await update(1, 'returned')
    expect(await order.read()).toMatchObject({ status: 'shipped', fulfillmentStatus: 'partially_returned' })
    await update(0, 'delivered')
    expect(await order.read()).toMatchObject({ status: 'delivered', items: [{ returnedQuantity: 1 }] })
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
  })

  test('an order is returned when all of its shipments are returned', async () => {
    const { order, update } = await open('processing', ['awaiting_courier', 'awaiting_courier'])
    for (const index of [0, 1]) await update(index, 'picked_up')
    for (const index of [0, 1]) await update(index, 'returned')
    expect(await order.read()).toMatchObject({ status: 'returned', fulfillmentStatus: 'returned' })
  })

  test('a returned unit that is shipped again is deducted from stock only once', async () => {
    const { api, order, update } = await open('processing', ['picked_up', 'awaiting_courier'])
    await update(0, 'in_transit')
    await update(1, 'returned')
    const items = [{ itemId: OrderItemId.parse(order.itemId), quantity: 1 }]
    const again = await storeShipment(api, shop, { orderId: order.id, items })
    await applyUpdate(api, shop, again, { status: 'picked_up' })
    expect(await order.read()).toMatchObject({ fulfillmentStatus: 'fulfilled', items: [{ returnedQuantity: 0 }] })
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
    await update(0, 'delivered')
    await applyUpdate(api, shop, again, { status: 'delivered' })
    expect(await statusOf(order)).toBe('delivered')
  })

  test('units that are picked up while the order is unpaid count as fulfilled at once, without an exception', async () => {
    const { order, update, exceptions } = await open('pending', ['awaiting_courier', 'awaiting_courier'])
    await update(0, 'picked_up')
    expect(await order.read()).toMatchObject({ status: 'pending', fulfillmentStatus: 'partially_fulfilled' })
    expect(await exceptions(0)).toEqual([])
    await order.move('processing')
    await update(1, 'picked_up')
    expect(await order.read()).toMatchObject({ status: 'shipped', fulfillmentStatus: 'fulfilled' })
  })

  test.for<[string, OrderStatus, readonly OrderStatus[]]>([
    ['released and confirmed by the merchant', 'on_hold', ['pending', 'processing']],
    ['confirmed by the merchant', 'pending', ['processing']],
  ])('when an order whose parcel was already delivered is %s, the order becomes delivered and the exception order_not_moved is resolved', async ([
    ,
    from,
    moves,
  ]) => {
    const { api, order, update, exceptions } = await open(from)
    await update(0, 'delivered')
    expect(await exceptions(0)).toMatchObject([{ code: 'order_not_moved', facts: { wanted: 'delivered' } }])
    expect((await exceptions(0))[0]).not.toHaveProperty('resolvedAt')
    for (const to of moves) await order.move(to)
    expect(await statusOf(order)).toBe('delivered')
    expect((await statusChanges(api, order.id)).slice(-2).map(({ to }) => to)).toEqual(['processing', 'delivered'])
    expect(await exceptions(0)).toMatchObject([{ code: 'order_not_moved', resolvedAt: expect.any(String) }])
  })

  test('an unpaid order whose parcel was delivered becomes delivered when it is paid', async () => {
    const { api, order, update } = await open('pending')
    await update(0, 'delivered')
    const body = { amountKobo: 3_000_000, method: 'cash', reference: 'after-delivery' }
    const paid = await api.send('POST', `${order.path}/payments`, { token: shop.token, body })
    expect(paid.body.order).toMatchObject({ status: 'delivered', paymentStatus: 'paid' })
    expect(await statusOf(order)).toBe('delivered')
  })

  describe('the last open shipment of an order', () => {
    /**
     * Creates an order with two delivered units, and with a third unit that was once returned and is now in another
     * shipment.
     */
    async function waiting(last: ShipmentStatus, more: Partial<ShipmentOptions> = {}) {
      const { api, order, update } = await open('processing', ['awaiting_courier', 'awaiting_courier'])
      await update(0, 'picked_up')
      await update(1, 'returned')
      const items = [{ itemId: OrderItemId.parse(order.itemId), quantity: 1 }]
      const key = await storeShipment(api, shop, { orderId: order.id, items, status: last, ...more })
      await update(0, 'delivered')
      expect(await statusOf(order)).toBe('shipped')
      return { api, order, key }
    }

    async function expectDelivered({ api, order, key }: Awaited<ReturnType<typeof waiting>>, end: ShipmentStatus) {
      expect((await readShipment(api, key)).shipment).toMatchObject({
        status: end,
        exceptions: end === 'failed' ? [{ code: 'dispatch_failed' }] : [],
      })
      expect(await order.read()).toMatchObject({ status: 'delivered', fulfillmentStatus: 'partially_returned' })
      expect((await statusChanges(api, order.id)).at(-1)).toMatchObject({ to: 'delivered', reason: `shipment_${end}` })
    }

    test('after all other shipments of an order were delivered, the cancellation of the last open shipment sets the order to delivered', async () => {
      const all = await waiting('scheduled', { attempts: [] })
      const reply = await cancelShipment(all.api, shop, all.key.id)
      expect(reply.status, reply.text).toBe(200)
      await expectDelivered(all, 'cancelled')
    })

    test('if the other shipments of an order were delivered, the order becomes delivered when its last open shipment fails for lack of a carrier', async () => {
      const all = await waiting('dispatching', { attempts: [], nextCheckAt: toTimestamp(started().clock.nowMs()) })
      await checkDueShipments(all.api.logistics)
      await expectDelivered(all, 'failed')
    })

    test('the cancellation of the last open shipment sets the order to delivered if all other shipments were delivered', async () => {
      const now = toTimestamp(started().clock.nowMs())
      const all = await waiting('cancelling', { attempts: [{ state: 'cancelling' }], cancelRequestedAt: now })
      await applyUpdate(all.api, shop, all.key, { status: 'cancelled' })
      await expectDelivered(all, 'cancelled')
    })

    test('the order becomes delivered when an operator closes its last open shipment after the delivery of all other shipments', async () => {
      const all = await waiting('awaiting_courier')
      const closing = { id: all.key.id, to: 'failed', reason: 'The carrier is gone.' } as const
      const closed = await closeShipment(all.api.context, operator, shop.tenant, closing)
      expect(closed).toMatchObject({ is: 'closed', orderFollowed: true })
      await expectDelivered(all, 'failed')
    })
  })

  test('if an order was moved back to processing, the next tracking update of its picked-up shipment counts the units as fulfilled again', async () => {
    const { order, update } = await open('processing')
    await update(0, 'picked_up')
    await order.move('processing')
    expect(await order.read()).toMatchObject({ status: 'processing', fulfillmentStatus: 'unfulfilled' })
    await update(0, 'delivered')
    expect(await order.read()).toMatchObject({ status: 'delivered', fulfillmentStatus: 'fulfilled' })
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
  })

  test.for([
    'delivered',
    'lost',
  ] as const)('the units of a shipment that was %s still count as fulfilled after their order is moved back to processing', async (end) => {
    const { order, update } = await open('processing', ['awaiting_courier', 'awaiting_courier'])
    await update(0, end)
    await update(1, 'picked_up')
    const { body } = await order.move('processing')
    expect(body).toMatchObject({ status: 'processing', fulfillmentStatus: 'partially_fulfilled' })
    expect(body.items).toMatchObject([{ quantity: 3, fulfilledQuantity: 2 }])
    expect(await order.stock()).toEqual({ onHand: 8, reserved: 1 })
    await update(1, 'delivered')
    expect(await order.read()).toMatchObject({ fulfillmentStatus: 'fulfilled' })
    expect(await statusOf(order)).toBe(end === 'lost' ? 'shipped' : 'delivered')
    expect(await order.stock()).toEqual({ onHand: 7, reserved: 0 })
  })

  test('if two shipments of an order are delivered concurrently, the order changes to delivered once', async () => {
    const { api, order, update } = await open('shipped', ['at_dropoff', 'at_dropoff'])
    await Promise.all([update(0, 'delivered'), update(1, 'delivered')])
    expect(await statusOf(order)).toBe('delivered')
    expect((await statusChanges(api, order.id)).filter(({ to }) => to === 'delivered')).toHaveLength(1)
  })
})
