import { beforeAll, describe, expect, test } from 'vitest'
import type { OrderStatus } from '../../registry/order-states.ts'
import type { ShipmentStatus } from '../../registry/shipment-states.ts'
import { toTimestamp } from '../../src/clock.ts'
import type { ShipmentKey } from '../../src/store/shipments.ts'
import { useApi } from '../support/api.ts'
import { auditRows, eventsOf } from '../support/contents.ts'
import { type MovedOrder, orderAt, statusChanges } from '../support/moves.ts'
import { keepShipment, keptShipment } from '../support/shipment.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { tell } from '../support/told.ts'

/** Orders go where their shipments are, by the verb that everybody uses. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

async function open(status: OrderStatus, shipments: readonly ShipmentStatus[] = ['awaiting_courier']) {
  const api = started()
  const order = await orderAt(api, shop, status)
  const keys: ShipmentKey[] = []
  for (const shipment of shipments) keys.push(await keepShipment(api, shop, { status: shipment, orderId: order.id }))
  const told = (index: number, said: ShipmentStatus) => {
    const key = keys[index] ?? expect.fail('No such shipment.')
    return tell(api, shop, key, { status: said })
  }
  const exceptions = async (index: number) => {
    const key = keys[index] ?? expect.fail('No such shipment.')
    return (await keptShipment(api, key)).shipment.exceptions
  }
  return { api, order, keys, told, exceptions }
}

async function statusOf(order: MovedOrder): Promise<string> {
  return (await order.read()).status
}

describe('one shipment', () => {
  test('fetched ships the order, delivered delivers it, each told of once', async () => {
    const lone = await openShop(started().context)
    const api = started()
    const order = await orderAt(api, lone, 'processing')
    const key = await keepShipment(api, lone, { orderId: order.id })
    await tell(api, lone, key, { status: 'courier_assigned' })
    expect(await statusOf(order)).toBe('processing')
    await tell(api, lone, key, { status: 'picked_up' })
    expect(await order.read()).toMatchObject({ status: 'shipped', fulfillmentStatus: 'fulfilled' })
    await tell(api, lone, key, { status: 'in_transit' })
    await tell(api, lone, key, { status: 'delivered' })
    expect(await statusOf(order)).toBe('delivered')
    const events = await eventsOf(api, lone.merchantId, 'order.status_changed')
    const told = events.map(({ data }) => data).toSorted((a, b) => a.version - b.version)
    expect(told.slice(-2).map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ['processing', 'shipped', 'shipment_picked_up'],
      ['shipped', 'delivered', 'shipment_delivered'],
    ])
    expect((await statusChanges(api, order.id)).slice(-2)).toMatchObject([
      { to: 'shipped', actor: 'provider' },
      { to: 'delivered', actor: 'provider' },
    ])
    const audited = (await auditRows(api, lone.merchantId)).filter(({ action }) => action === 'shipment.update')
    expect(audited.map(({ changes }) => changes)).toContainEqual({
      status: ['courier_assigned', 'picked_up'],
      orderStatus: ['processing', 'shipped'],
    })
  })

  test('delivered without a word of the pickup delivers it at once', async () => {
    const { order, told } = await open('processing')
    await told(0, 'delivered')
    expect(await statusOf(order)).toBe('delivered')
  })

  test('that comes back returns it, and nothing goes on the shelf by itself', async () => {
    const { order, told } = await open('processing')
    await told(0, 'picked_up')
    const shelf = await order.stock()
    await told(0, 'returning')
    expect(await statusOf(order)).toBe('shipped')
    await told(0, 'returned')
    expect(await order.read()).toMatchObject({ status: 'returned', fulfillmentStatus: 'returned' })
    expect(await order.stock()).toEqual(shelf)
  })

  test.for<[OrderStatus, ShipmentStatus]>([
    ['pending', 'picked_up'],
    ['on_hold', 'delivered'],
    ['cancelled', 'picked_up'],
    ['processing', 'returned'],
  ])('of an order that is %s, %s: the shipment moves, the order stays, and a person is told', async ([from, to]) => {
    const { order, told, exceptions } = await open(from)
    expect(await told(0, to)).toMatchObject({ is: 'moved', shipment: { status: to } })
    expect(await statusOf(order)).toBe(from)
    expect(await exceptions(0)).toMatchObject([{ code: 'order_not_moved', message: expect.stringContaining(from) }])
  })

  test('a person who was quicker is not contradicted', async () => {
    const { order, told, exceptions } = await open('delivered')
    await told(0, 'picked_up')
    await told(0, 'delivered')
    expect(await statusOf(order)).toBe('delivered')
    expect(await exceptions(0)).toEqual([])
  })

  test('what could not be handed over for want of stock stays, and a person is told', async () => {
    const { api, order, told, exceptions } = await open('processing')
    await api.database.pool.query('update inventory set on_hand = 0 where variant_id = $1', [order.variantId])
    expect(await told(0, 'picked_up')).toMatchObject({ is: 'moved' })
    expect(await statusOf(order)).toBe('processing')
    expect(await exceptions(0)).toMatchObject([{ code: 'order_not_moved', message: expect.stringContaining('stock') }])
  })
})

describe('several shipments', () => {
  test('the first that is fetched ships the order, the last that arrives delivers it', async () => {
    const { order, told } = await open('processing', ['awaiting_courier', 'awaiting_courier'])
    await told(0, 'picked_up')
    expect(await statusOf(order)).toBe('shipped')
    await told(1, 'picked_up')
    await told(0, 'delivered')
    expect(await statusOf(order)).toBe('shipped')
    await told(1, 'delivered')
    expect(await statusOf(order)).toBe('delivered')
  })

  test('those that were cancelled or failed are not waited for, and one that was lost is', async () => {
    const { order, told } = await open('processing', ['picked_up', 'cancelled', 'failed'])
    await told(0, 'delivered')
    expect(await statusOf(order)).toBe('delivered')
    const other = await open('processing', ['picked_up', 'lost'])
    await other.told(0, 'delivered')
    expect(await statusOf(other.order)).toBe('shipped')
  })

  test('the last that is not waited for any more delivers the order, and alone does nothing', async () => {
    const api = started()
    const order = await orderAt(api, shop, 'shipped')
    await keepShipment(api, shop, { status: 'delivered', attempts: [], orderId: order.id })
    const cancelRequestedAt = toTimestamp(api.clock.nowMs())
    const key = await keepShipment(api, shop, { orderId: order.id, cancelRequestedAt })
    await tell(api, shop, key, { status: 'cancelled' })
    expect(await statusOf(order)).toBe('delivered')
    const lone = await orderAt(api, shop, 'processing')
    const other = await keepShipment(api, shop, { orderId: lone.id, cancelRequestedAt })
    await tell(api, shop, other, { status: 'cancelled' })
    expect(await statusOf(lone)).toBe('processing')
    expect((await keptShipment(api, other)).shipment).toMatchObject({ status: 'cancelled', exceptions: [] })
  })

  test('two that arrive at once deliver it once', async () => {
    const { api, order, told } = await open('shipped', ['at_dropoff', 'at_dropoff'])
    await Promise.all([told(0, 'delivered'), told(1, 'delivered')])
    expect(await statusOf(order)).toBe('delivered')
    expect((await statusChanges(api, order.id)).filter(({ to }) => to === 'delivered')).toHaveLength(1)
  })
})
