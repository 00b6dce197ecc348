import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { randomCode } from '../../../src/base/ids.ts'
import type { ShipmentKey } from '../../../src/store/logistics/shipments/shipments.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { reportedCodes, shownCodes } from '../../support/attention.ts'
import { ledgerOf, type MovedOrder, orderAt } from '../../support/commerce/order-transitions.ts'
import { sell } from '../../support/commerce/product.ts'
import { signedIn } from '../../support/dashboard.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { inOrder, openTestShop, orderTo, post } from '../../support/logistics/parcel-run.ts'
import { readShipment, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** The stock of an order that is cancelled while a carrier has its parcel: three units of ten. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

/** The stock of the order's variant, of which ten were on hand, and its ledger. */
async function expectStockOf(order: MovedOrder, expected: { onHand: number; reserved: number }): Promise<void> {
  expect(await order.stock()).toEqual(expected)
  const ledger = await ledgerOf(started(), order.variantId)
  expect({ onHand: ledger.onHand + 10, reserved: ledger.reserved }).toEqual(expected)
}

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
  const expectStock = (onHand: number, reserved: number) => expectStockOf(order, { onHand, reserved })
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

test('a parcel that is delivered after the cancellation is shown, notified and sent as an event, at each step once', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const order = await orderAt(api, shop, 'processing')
  const key = await storeShipment(api, shop, { orderId: order.id })
  await applyUpdate(api, shop, key, { status: 'courier_assigned' })
  await api.send('POST', `${order.path}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  const member = await signedIn(api, shop.merchantId, 'owner')
  const facts = async () => ({
    ...(await reportedCodes(api, shop.merchantId, key.id)),
    shown: await shownCodes(member, key.id),
  })
  const expectStock = (onHand: number, reserved: number) => expectStockOf(order, { onHand, reserved })
  const cancelledCode = 'order_cancelled'
  expect(await facts()).toEqual({ sent: [cancelledCode], notified: [cancelledCode], shown: [cancelledCode] })
  await expectStock(10, 3)
  for (const status of ['picked_up', 'in_transit', 'delivered'] as const) await applyUpdate(api, shop, key, { status })
  const codes = ['delivered_after_cancellation', cancelledCode]
  expect(await facts()).toEqual({ sent: codes, notified: codes, shown: ['delivered_after_cancellation'] })
  expect(await order.read()).toMatchObject({ status: 'cancelled', fulfillmentStatus: 'fulfilled' })
  await expectStock(7, 0)
  answers('createOrder', 'insufficient_stock', await sell(api, shop, order.variantId, 8))
})

test.for<[ShipmentStatus, string]>([
  ['returned', 'parcel_returned'],
  ['lost', 'parcel_lost'],
])('a parcel that is %s raises %s', async ([status, code]) => {
  const api = started()
  const order = await orderAt(api, shop, 'processing')
  const key = await storeShipment(api, shop, { orderId: order.id })
  await applyUpdate(api, shop, key, { status: 'picked_up' })
  await applyUpdate(api, shop, key, { status })
  expect((await readShipment(api, key)).shipment.exceptions).toMatchObject([{ code, isReported: true }])
  const events = await eventsOf(api, shop.merchantId, 'shipment.exception_raised')
  expect(events.filter(({ data }) => data.shipmentId === key.id)).toMatchObject([{ data: { code, orderId: order.id } }])
})

test('a dispatch of an order that fails raises dispatch_failed, which the next shipment of the order resolves', async () => {
  const api = started()
  const testShop = await openTestShop(api)
  const orderId = await orderTo(api, testShop, '+2348035550111')
  const send = () =>
    post(api, testShop, 'dispatch', {
      ...{ orderId, reference: randomCode(12), pickup: pickupInputExample },
      ...inOrder(['simulator-swift']),
    })
  expect((await send()).status).toBe(503)
  const codesOf = () => select(api, 'select exceptions from shipments where order_id = $1 order by id', [orderId])
  const [failed] = await codesOf()
  expect(failed.exceptions).toMatchObject([{ code: 'dispatch_failed', isReported: true }])
  expect(failed.exceptions[0]).not.toHaveProperty('resolvedAt')
  // The ids of shipments of one millisecond have no order.
  api.clock.advance(1)
  await send()
  expect((await codesOf())[0].exceptions).toMatchObject([{ code: 'dispatch_failed', resolvedAt: expect.any(String) }])
})
