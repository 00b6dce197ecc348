import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { type ClosingStatus, closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { useApi } from '../../support/api.ts'
import { type ReturnToShip, returnToShip } from '../../support/commerce/return-to-ship.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { readShipment, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

/** Tracking updates of return shipments: late, repeated and out of order. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

/** An approved return with a shipment that a carrier has accepted. */
async function carried() {
  const api = started()
  const found = await returnToShip(api, shop)
  const key = await storeShipment(api, shop, { returnId: found.id })
  const update = async (...statuses: readonly ShipmentStatus[]) => {
    for (const status of statuses) await applyUpdate(api, shop, key, { status })
  }
  const close = (to: ClosingStatus) =>
    closeShipment(api.context, operator, shop.tenant, { id: key.id, to, reason: 'The carrier called.' })
  const exceptions = async () =>
    (await readShipment(api, key)).shipment.exceptions.filter(({ resolvedAt }) => resolvedAt === undefined)
  return { found, update, close, exceptions }
}

const arrivalsOf = ({ id }: ReturnToShip) =>
  select(
    started(),
    `select id, resolved_at from notifications where kind = 'return.arrived' and data ->> 'returnId' = $1`,
    [id],
  )

const movesOf = async ({ id }: ReturnToShip) =>
  (await eventsOf(started(), shop.merchantId, 'return.status_changed'))
    .filter(({ data }) => data.return.id === id)
    .sort((a, b) => a.data.return.version - b.data.return.version)
    .map(({ data }) => data.to)

describe('the status of a return', () => {
  test.for<[readonly ShipmentStatus[], string, readonly string[]]>([
    [['courier_assigned'], 'approved', []],
    [['picked_up'], 'in_transit', ['in_transit']],
    [['picked_up', 'picked_up', 'in_transit'], 'in_transit', ['in_transit']],
    [['delivered'], 'in_transit', ['in_transit']],
    [['delivered', 'picked_up', 'in_transit', 'delivered'], 'in_transit', ['in_transit']],
    [['delivery_failed'], 'in_transit', ['in_transit']],
    [['picked_up', 'returning'], 'in_transit', ['in_transit']],
    [['picked_up', 'returning', 'returned'], 'approved', ['in_transit', 'approved']],
    [['returned'], 'approved', []],
    [['returned', 'picked_up', 'in_transit'], 'approved', []],
    [['picked_up', 'lost'], 'in_transit', ['in_transit']],
    [['lost', 'delivered'], 'in_transit', ['in_transit']],
  ])('after the updates %j is %s', async ([updates, status, moves]) => {
    const { found, update } = await carried()
    await update(...updates)
    expect(await found.read()).toMatchObject({ status, receivedAt: null })
    expect(await movesOf(found)).toEqual(['approved', ...moves])
    expect(await found.readOrder()).toMatchObject({
      status: 'delivered',
      items: [{ fulfilledQuantity: 1, returnedQuantity: 0 }],
      shipments: [],
    })
  })

  test('does not change any more after the receipt, and a late delivery is not notified', async () => {
    const { found, update } = await carried()
    await update('picked_up')
    expect((await found.receive()).status).toBe(200)
    await update('at_dropoff', 'delivered')
    expect(await found.read()).toMatchObject({ status: 'received', shipments: [{ status: 'delivered' }] })
    expect(await arrivalsOf(found)).toEqual([])
    const again = await carried()
    await again.update('picked_up')
    await again.found.receive()
    await again.found.move('closed')
    await again.update('returning', 'returned')
    expect(await again.found.read()).toMatchObject({ status: 'closed', shipments: [{ status: 'returned' }] })
  })

  test('a delivery is notified once, and the receipt resolves the notification', async () => {
    const { found, update } = await carried()
    await update('delivered', 'delivered')
    expect(await arrivalsOf(found)).toMatchObject([{ resolved_at: null }])
    await found.receive()
    expect(await arrivalsOf(found)).toMatchObject([{ resolved_at: expect.any(String) }])
  })
})

describe('a parcel that does not arrive', () => {
  test('is returned to the customer with an exception, which ends when another shipment is picked up', async () => {
    const { found, update, exceptions } = await carried()
    await update('picked_up', 'returned')
    expect(await exceptions()).toMatchObject([{ code: 'parcel_returned', cause: 'return_shipment' }])
    expect(await found.read()).toMatchObject({ allowedTransitions: ['in_transit', 'received', 'closed'] })
    const next = await storeShipment(started(), shop, { returnId: found.id })
    await applyUpdate(started(), shop, next, { status: 'picked_up' })
    expect(await exceptions()).toEqual([])
  })

  test('is lost with an exception, its units are not written off, and the return can only be received or closed', async () => {
    const { found, update, exceptions } = await carried()
    await update('picked_up', 'lost')
    expect(await exceptions()).toMatchObject([{ code: 'parcel_lost', cause: 'return_shipment' }])
    expect(await found.read()).toMatchObject({ allowedTransitions: ['received', 'closed'] })
    expect((await found.readOrder()).items).toMatchObject([{ fulfilledQuantity: 1, returnedQuantity: 0 }])
    await found.move('closed')
    expect(await exceptions()).toMatchObject([{ code: 'parcel_lost' }])
  })

  test.for(['failed', 'cancelled'] as const)('before its pickup leaves the return approved: %s', async (to) => {
    const { found, close } = await carried()
    await close(to)
    expect(await found.read()).toMatchObject({
      status: 'approved',
      shipments: [{ status: to }],
      allowedTransitions: ['in_transit', 'received', 'closed'],
    })
  })

  test('an exception about a failed dispatch ends with the end of the return', async () => {
    const { found, close, exceptions } = await carried()
    await close('failed')
    expect(await exceptions()).toMatchObject([{ code: 'dispatch_failed' }])
    await found.move('closed')
    expect(await exceptions()).toEqual([])
  })
})

test('the database rejects a second active shipment of a return, and cash or an order of a return shipment', async () => {
  const api = started()
  const { found, close } = await carried()
  const store = (more: object = {}) => storeShipment(api, shop, { returnId: found.id, ...more })
  await expect(store()).rejects.toThrow('return_has_one_shipment')
  await close('failed')
  await expect(store({ orderId: found.orderId, items: [] })).rejects.toThrow('return_shipment_has_no_order_and_no_cash')
  await store()
})
