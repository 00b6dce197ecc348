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

/**
 * The stock after the cancellation of an order while a carrier has its parcel. The order contains three units of a
 * variant with ten on hand.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

/**
 * Checks the stock of the order's variant, and the sums of its inventory movements, which do not include the initial
 * ten units.
 */
async function expectStockOf(order: MovedOrder, expected: { onHand: number; reserved: number }): Promise<void> {
  expect(await order.stock()).toEqual(expected)
  const ledger = await ledgerOf(started(), order.variantId)
  expect({ onHand: ledger.onHand + 10, reserved: ledger.reserved }).toEqual(expected)
}

/** Creates a confirmed order with one parcel for each of the given numbers of units, and cancels the order. */
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

test('cancelling an order keeps the units in its shipments reserved, and releases the other units', async () => {
  const { order, expectStock } = await cancelled(2)
  await expectStock(10, 2)
  expect(await order.read()).toMatchObject({ status: 'cancelled', items: [{ cancelledQuantity: 1 }] })
})

test('a unit in a shipment of a cancelled order cannot be sold again', async () => {
  const { api, order } = await cancelled(3)
  answers('createOrder', 'insufficient_stock', await sell(api, shop, order.variantId, 8))
  expect((await sell(api, shop, order.variantId, 7)).status).toBe(201)
})

describe('units of a cancelled order at the end of its shipment', () => {
  test.for<[last: ShipmentStatus, before: readonly ShipmentStatus[], stock: readonly [number, number], units: object]>([
    ['delivered', ['picked_up'], [7, 0], { fulfilledQuantity: 3, cancelledQuantity: 0 }],
    ['delivered', [], [7, 0], { fulfilledQuantity: 3, cancelledQuantity: 0 }],
    ['returned', ['picked_up', 'returning'], [10, 0], { fulfilledQuantity: 3, returnedQuantity: 3 }],
    ['returned', [], [10, 0], { fulfilledQuantity: 3, returnedQuantity: 3 }],
    ['lost', ['picked_up'], [7, 0], { fulfilledQuantity: 3, returnedQuantity: 0 }],
    ['lost', [], [7, 0], { fulfilledQuantity: 3, returnedQuantity: 0 }],
  ])('if a shipment of a cancelled order ends as %s after the statuses %j, its final status decides whether its units are deducted from stock or restocked', async ([
    last,
    before,
    [onHand, reserved],
    units,
  ]) => {
    const { order, update, expectStock } = await cancelled(3)
    await update(0, ...before)
    if (before.length > 0) await expectStock(7, 0)
    await update(0, last)
    await expectStock(onHand, reserved)
    expect(await order.read()).toMatchObject({ status: 'cancelled', items: [units] })
  })

  test('when the carrier cancels the shipment of a cancelled order, the units in that shipment are no longer reserved', async () => {
    const { order, update, expectStock, api } = await cancelled(3)
    const { shipments } = await order.read()
    const path = `/api/v1/logistics/shipments/${shipments[0].id}/cancel`
    await api.send('POST', path, { token: shop.token, body: { reason: 'other' } })
    await update(0, 'cancelled')
    await expectStock(10, 0)
    expect(await order.read()).toMatchObject({ items: [{ fulfilledQuantity: 0, cancelledQuantity: 3 }] })
  })

  test('when a shipment of a cancelled order ends, the units of this shipment are no longer reserved, and the units in the other shipments of the order stay reserved', async () => {
    const { update, expectStock } = await cancelled(1, 1)
    await expectStock(10, 2)
    await update(0, 'delivered')
    await expectStock(9, 1)
    await update(1, 'picked_up', 'returned')
    await expectStock(9, 0)
  })

  test('a delivered shipment of a cancelled order releases all of its reserved units even if fewer units are in stock', async () => {
    const { api, order, update } = await cancelled(3)
    await api.database.pool.query('update inventory set on_hand = 1 where variant_id = $1', [order.variantId])
    await update(0, 'delivered')
    expect(await order.stock()).toEqual({ onHand: 0, reserved: 0 })
  })
})

test('if a carrier delivers the parcel of a cancelled order, the exception delivered_after_cancellation replaces the exception order_cancelled', async () => {
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
])('if a parcel of a cancelled order is %s, the shipment gets the exception %s', async ([status, code]) => {
  const api = started()
  const order = await orderAt(api, shop, 'processing')
  const key = await storeShipment(api, shop, { orderId: order.id })
  await applyUpdate(api, shop, key, { status: 'picked_up' })
  await applyUpdate(api, shop, key, { status })
  expect((await readShipment(api, key)).shipment.exceptions).toMatchObject([{ code, isReported: true }])
  const events = await eventsOf(api, shop.merchantId, 'shipment.exception_raised')
  expect(events.filter(({ data }) => data.shipmentId === key.id)).toMatchObject([{ data: { code, orderId: order.id } }])
})

test('a failed dispatch of an order raises the exception dispatch_failed, which the next shipment of the order resolves', async () => {
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
  // The clock advances between two shipments, because the ids of shipments of the same millisecond have a random order.
  api.clock.advance(1)
  await send()
  expect((await codesOf())[0].exceptions).toMatchObject([{ code: 'dispatch_failed', resolvedAt: expect.any(String) }])
})
