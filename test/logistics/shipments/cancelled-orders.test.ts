import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { ShipmentKey } from '../../../src/store/logistics/shipments/shipments.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { ledgerOf, orderAt } from '../../support/commerce/order-transitions.ts'
import { sell } from '../../support/commerce/product.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** The stock of an order that is cancelled while a carrier has its parcel: three units of ten. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

/** Creates a confirmed order with parcels of these sizes, and cancels it. */
async function cancelled(...parcels: readonly number[]) {
  const api = started()
  const order = await orderAt(api, shop, 'processing')
  const itemId = OrderItemId.parse(order.itemId)
  const keys: ShipmentKey[] = []
  for (const quantity of parcels) {
    keys.push(await storeShipment(api, shop, { orderId: order.id, items: [{ itemId, quantity }] }))
  }
  const reply = await api.send('POST', `${order.path}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  expect(reply.status, reply.text).toBe(200)
  const update = async (index: number, ...statuses: readonly ShipmentStatus[]) => {
    const key = keys[index] ?? expect.fail('No such shipment.')
    for (const status of statuses) await applyUpdate(api, shop, key, { status })
  }
  const expectStock = async (onHand: number, reserved: number) => {
    expect(await order.stock()).toEqual({ onHand, reserved })
    const ledger = await ledgerOf(api, order.variantId)
    expect({ onHand: ledger.onHand + 10, reserved: ledger.reserved }).toEqual({ onHand, reserved })
  }
  return { api, order, update, expectStock }
}

test('units in a shipment stay reserved, and the others are released', async () => {
  const { order, expectStock } = await cancelled(2)
  await expectStock(10, 2)
  expect(await order.read()).toMatchObject({ status: 'cancelled', items: [{ cancelledQuantity: 1 }] })
})

test('a unit in a shipment cannot be sold again', async () => {
  const { api, order } = await cancelled(3)
  answers('createOrder', 'insufficient_stock', await sell(api, shop, order.variantId, 8))
  expect((await sell(api, shop, order.variantId, 7)).status).toBe(201)
})

describe('the end of the shipment decides on its units', () => {
  test.for<[last: ShipmentStatus, before: readonly ShipmentStatus[], stock: readonly [number, number], units: object]>([
    ['delivered', ['picked_up'], [7, 0], { fulfilledQuantity: 3, cancelledQuantity: 0 }],
    ['delivered', [], [7, 0], { fulfilledQuantity: 3, cancelledQuantity: 0 }],
    ['returned', ['picked_up', 'returning'], [10, 0], { fulfilledQuantity: 3, returnedQuantity: 3 }],
    ['returned', [], [10, 0], { fulfilledQuantity: 3, returnedQuantity: 3 }],
    ['lost', ['picked_up'], [7, 0], { fulfilledQuantity: 3, returnedQuantity: 0 }],
    ['lost', [], [7, 0], { fulfilledQuantity: 3, returnedQuantity: 0 }],
  ])('as %s, from %j', async ([last, before, [onHand, reserved], units]) => {
    const { order, update, expectStock } = await cancelled(3)
    await update(0, ...before)
    if (before.length > 0) await expectStock(7, 0)
    await update(0, last)
    await expectStock(onHand, reserved)
    expect(await order.read()).toMatchObject({ status: 'cancelled', items: [units] })
  })

  test('as cancelled by the carrier, without another carrier', async () => {
    const { order, update, expectStock, api } = await cancelled(3)
    const { shipments } = await order.read()
    const path = `/api/v1/logistics/shipments/${shipments[0].id}/cancel`
    await api.send('POST', path, { token: shop.token, body: { reason: 'other' } })
    await update(0, 'cancelled')
    await expectStock(10, 0)
    expect(await order.read()).toMatchObject({ items: [{ fulfilledQuantity: 0, cancelledQuantity: 3 }] })
  })

  test('each shipment on its own', async () => {
    const { update, expectStock } = await cancelled(1, 1)
    await expectStock(10, 2)
    await update(0, 'delivered')
    await expectStock(9, 1)
    await update(1, 'picked_up', 'returned')
    await expectStock(9, 0)
  })

  test('as delivered although a stock count found fewer units: the units are no longer reserved', async () => {
    const { api, order, update } = await cancelled(3)
    await api.database.pool.query('update inventory set on_hand = 1 where variant_id = $1', [order.variantId])
    await update(0, 'delivered')
    expect(await order.stock()).toEqual({ onHand: 0, reserved: 0 })
  })
})
