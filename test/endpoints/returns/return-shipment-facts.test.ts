import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { type ClosingStatus, closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { messageOf } from '../../../src/notifications/messages.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
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
  return { found, key, update, close, exceptions }
}

type Carried = Awaited<ReturnType<typeof carried>>

/**
 * Returns the messages of the shipment's open exceptions, the texts of its notifications, oldest first, and the reason
 * for its status.
 */
async function textsOf({ key }: Carried) {
  const api = started()
  const path = `/api/v1/logistics/shipments/${key.id}`
  const { body } = await api.send('GET', path, { token: shop.token })
  const open = body.exceptions.filter(({ resolvedAt }: ReplyBody) => resolvedAt === null)
  const sent = await select(
    api,
    `select data from notifications where kind = 'shipment.exception' and data ->> 'shipmentId' = $1 order by id`,
    [key.id],
  )
  const { merchantId } = shop
  const source = { merchantId, kind: 'shipment.exception', endpointId: null }
  return {
    shown: open.map(({ message }: ReplyBody) => message),
    notified: sent.map(({ data }) => messageOf({ ...source, data }).text),
    reason: body.statusReason?.message,
  }
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
  ])('after the tracking updates %j of its shipment, the return has the status %s', async ([
    updates,
    status,
    moves,
  ]) => {
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

  test('later tracking updates of the shipment do not change the status of a received or closed return, and a late delivery raises no notification', async () => {
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

  test('the delivery of a return shipment raises one notification, which is resolved when the merchant receives the return', async () => {
    const { found, update } = await carried()
    await update('delivered', 'delivered')
    expect(await arrivalsOf(found)).toMatchObject([{ resolved_at: null }])
    await found.receive()
    expect(await arrivalsOf(found)).toMatchObject([{ resolved_at: expect.any(String) }])
  })
})

describe('a return that is received before the carrier reports the pickup', () => {
  test.for<readonly ShipmentStatus[]>([
    [],
    ['courier_assigned'],
    ['at_pickup'],
  ])('after the tracking updates %j of its shipment, an approved return can be received, but no other status is allowed next', async (updates) => {
    const { found, update } = await carried()
    await update(...updates)
    expect(await found.read()).toMatchObject({ status: 'approved', allowedTransitions: ['received'] })
    expect((await found.receive()).status).toBe(200)
    expect(await found.readOrder()).toMatchObject({ items: [{ returnedQuantity: 1 }] })
  })

  test('a return cannot be received before a carrier has accepted its shipment, and can be received afterwards even while the shipment is being cancelled', async () => {
    const api = started()
    const [cancelling, dispatching] = [await returnToShip(api, shop), await returnToShip(api, shop)]
    const cancelRequestedAt = toTimestamp(api.clock.nowMs())
    await storeShipment(api, shop, {
      returnId: cancelling.id,
      status: 'cancelling',
      cancelRequestedAt,
      cancelReason: 'other',
    })
    await storeShipment(api, shop, { returnId: dispatching.id, status: 'dispatching', attempts: [] })
    expect((await cancelling.receive()).status).toBe(200)
    const refused = await dispatching.receive()
    answers('receiveReturn', 'invalid_transition', refused)
    expect(refused.body.error.details).toMatchObject({ from: 'approved', allowed: [] })
  })

  test('a later delivery report still updates the shipment and emits an event', async () => {
    const { found, key, update, exceptions } = await carried()
    await update('courier_assigned')
    await found.receive()
    const { version } = await found.read()
    await update('delivered')
    const after = await found.read()
    expect(after).toMatchObject({
      status: 'received',
      shipments: [{ id: key.id, status: 'delivered' }],
      allowedTransitions: ['closed'],
    })
    expect(after.version).toBeGreaterThan(version)
    const events = await eventsOf(started(), shop.merchantId, 'shipment.status_changed')
    expect(events.filter(({ data }) => data.shipmentId === key.id && data.to === 'delivered')).toMatchObject([
      { data: { returnId: found.id } },
    ])
    expect(await movesOf(found)).toEqual(['approved', 'received'])
    expect(await arrivalsOf(found)).toEqual([])
    expect(await exceptions()).toEqual([])
    expect(await found.readOrder()).toMatchObject({ items: [{ returnedQuantity: 1 }] })
  })

  test.for<[ClosingStatus, RegExp | undefined]>([
    ['failed', undefined],
    ['cancelled', undefined],
    ['returned', /went back to the customer, but the return was already received/],
    ['lost', /lost the parcel of the return, which was already received/],
  ])('if the shipment of a received return ends as %s, no exception tells the merchant to dispatch the return again', async ([
    to,
    text,
  ]) => {
    const shipment = await carried()
    await shipment.update('courier_assigned')
    await shipment.found.receive()
    await shipment.close(to)
    const { shown, notified } = await textsOf(shipment)
    const expected = text === undefined ? [] : [expect.stringMatching(text)]
    expect([shown, notified]).toEqual([expected, expected])
    const { id } = shipment.key
    const events = await eventsOf(started(), shop.merchantId, 'shipment.status_changed')
    expect(events.filter(({ data }) => data.shipmentId === id && data.to === to)).toHaveLength(1)
  })
})

test('if an earlier release left a return `approved` although its shipment was picked up, the return can be received, and a later tracking update of the shipment sets the status of the return', async () => {
  const api = started()
  const [received, found] = [await returnToShip(api, shop), await returnToShip(api, shop)]
  await storeShipment(api, shop, { returnId: received.id, status: 'picked_up' })
  expect(await received.read()).toMatchObject({ status: 'approved', allowedTransitions: ['received'] })
  expect((await received.receive()).status).toBe(200)
  const key = await storeShipment(api, shop, { returnId: found.id, status: 'picked_up' })
  await applyUpdate(api, shop, key, { status: 'delivered' })
  expect(await found.read()).toMatchObject({ status: 'in_transit', shipments: [{ status: 'delivered' }] })
  expect(await arrivalsOf(found)).toHaveLength(1)
})

describe('a refused change of a return', () => {
  test.for<[readonly ShipmentStatus[], string, string]>([
    [[], 'closed', 'If you have the parcel, receive the return. Otherwise cancel the shipment first.'],
    [['picked_up'], 'closed', 'Receive the return when you have the parcel.'],
    [['picked_up', 'lost'], 'approved', 'Receive or close the return.'],
  ])('after the tracking updates %j of its shipment, a return refuses a status change with an error that names the shipment and the next step', async ([
    updates,
    to,
    step,
  ]) => {
    const { found, key, update } = await carried()
    await update(...updates)
    const { shipments } = await found.read()
    const { message } = (await found.move(to)).body.error
    expect(message).toContain(`Its shipment ${key.id} is ${shipments[0].status} and decides the status. ${step}`)
  })

  test('the error does not name the shipment if the status change of the return would be refused even without the shipment', async () => {
    const { found } = await carried()
    expect((await found.move('rejected')).body.error.message).toBe(
      'The return is approved. Allowed statuses: received.',
    )
  })
})

describe('the texts about a return shipment', () => {
  test.for<[readonly ShipmentStatus[], ClosingStatus | undefined, string]>([
    [[], 'failed', 'Dispatch the return again, or close it.'],
    [['picked_up', 'delivery_failed'], undefined, 'at your address. Agree with'],
    [['picked_up', 'returned'], undefined, 'Agree with the customer on another pickup, and dispatch the return again'],
    [['picked_up', 'lost'], undefined, 'refund the customer, and close the return.'],
  ])('after the tracking updates %j of a return shipment and the final status %s, exceptions and notifications treat the merchant as the recipient', async ([
    updates,
    end,
    text,
  ]) => {
    const shipment = await carried()
    await shipment.update(...updates)
    if (end !== undefined) await shipment.close(end)
    const { shown, notified, reason = '' } = await textsOf(shipment)
    expect([shown, notified]).toEqual([[expect.stringContaining(text)], [expect.stringContaining(text)]])
    expect([...shown, ...notified, reason].join()).not.toMatch(
      /written off|Call the recipient|restock|Dispatch the order/,
    )
  })
})

describe('a parcel that does not arrive', () => {
  test('a return parcel brought back to the customer raises an exception, which is resolved when another shipment is picked up', async () => {
    const { found, update, exceptions } = await carried()
    await update('picked_up', 'returned')
    expect(await exceptions()).toMatchObject([{ code: 'parcel_returned', cause: 'return_shipment' }])
    expect(await found.read()).toMatchObject({ allowedTransitions: ['in_transit', 'received', 'closed'] })
    const next = await storeShipment(started(), shop, { returnId: found.id })
    await applyUpdate(started(), shop, next, { status: 'picked_up' })
    expect(await exceptions()).toEqual([])
  })

  test('a lost return parcel raises an exception, its units are not written off, and the return can only be received or closed', async () => {
    const { found, update, exceptions } = await carried()
    await update('picked_up', 'lost')
    expect(await exceptions()).toMatchObject([{ code: 'parcel_lost', cause: 'return_shipment' }])
    expect(await found.read()).toMatchObject({ allowedTransitions: ['received', 'closed'] })
    expect((await found.readOrder()).items).toMatchObject([{ fulfilledQuantity: 1, returnedQuantity: 0 }])
    await found.move('closed')
    expect(await exceptions()).toMatchObject([{ code: 'parcel_lost' }])
  })

  test.for([
    'failed',
    'cancelled',
  ] as const)('a return stays approved if its shipment ends before the pickup: %s', async (to) => {
    const { found, close } = await carried()
    await close(to)
    expect(await found.read()).toMatchObject({
      status: 'approved',
      shipments: [{ status: to }],
      allowedTransitions: ['in_transit', 'received', 'closed'],
    })
  })

  test('the exception about a failed dispatch of a return is resolved when the return is closed', async () => {
    const { found, close, exceptions } = await carried()
    await close('failed')
    expect(await exceptions()).toMatchObject([{ code: 'dispatch_failed' }])
    await found.move('closed')
    expect(await exceptions()).toEqual([])
  })
})

test('the database rejects a second active shipment of a return, and a return shipment that collects cash or belongs to an order', async () => {
  const api = started()
  const { found, close } = await carried()
  const store = (more: object = {}) => storeShipment(api, shop, { returnId: found.id, ...more })
  await expect(store()).rejects.toThrow('return_has_one_shipment')
  await close('failed')
  await expect(store({ orderId: found.orderId, items: [] })).rejects.toThrow('return_shipment_has_no_order_and_no_cash')
  await store()
})
