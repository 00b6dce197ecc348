import { beforeAll, describe, expect, test } from 'vitest'
import { shipmentEvents } from '../../../registry/kit/event.ts'
import {
  isShipmentOver,
  mayShipmentMove,
  type ShipmentStatus,
  shipmentStatuses,
} from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { moveShipment } from '../../../src/logistics/shipments/move-shipment.ts'
import type { ShipmentWork } from '../../../src/logistics/shipments/shipment-work.ts'
import { mutate } from '../../../src/store/core/mutation.ts'
import { lockShipment } from '../../../src/store/logistics/shipments/shipments.ts'
import { useApi } from '../../support/api.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { readShipment, storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

/**
 * Tests every pair of statuses in the published table: an allowed transition changes the shipment, and any other status
 * update changes nothing.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const pairs = shipmentStatuses.flatMap((from) => shipmentStatuses.map((to) => [from, to] as const))

test('the table of shipment transitions covers 256 pairs of statuses, and only final statuses have no transition', () => {
  expect(pairs).toHaveLength(256)
  expect(shipmentStatuses.filter(isShipmentOver)).toEqual(['delivered', 'returned', 'cancelled', 'failed', 'lost'])
})

describe('moveShipment', () => {
  test.for(
    shipmentStatuses,
  )('moveShipment moves a shipment from %s only as the published transitions allow', async (from) => {
    const api = started()
    for (const to of shipmentStatuses) {
      const key = await storeShipment(api, shop, { status: from })
      const outcome = await move(from, to, key)
      const { shipment, events } = await readShipment(api, key)
      const isMove = mayShipmentMove(from, to)
      const is = from === to ? 'noted' : isMove ? 'moved' : 'late'
      expect({ to, is: outcome.is, status: shipment.status }).toEqual({ to, is, status: isMove ? to : from })
      expect(events).toMatchObject([{ status: to, isApplied: isMove || from === to }])
      expect(shipment).toMatchObject({ version: 2, eventCount: 1 })
      const emitted = await eventsOf(api, shop.merchantId, 'shipment.status_changed')
      const mine = emitted.filter(({ data }) => data.shipmentId === key.id)
      expect(mine.map(({ data }) => [data.from, data.to])).toEqual(isMove ? [[from, to]] : [])
    }
  })

  test('moveShipment stores no pickup time before the assignment, no delivery time before the pickup, and no cancellation time before the request to cancel', async () => {
    const api = started()
    const at = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * 60_000)
    const key = await storeShipment(api, shop, { status: 'awaiting_courier' })
    await move('awaiting_courier', 'courier_assigned', key, at(-10))
    await move('courier_assigned', 'picked_up', key, at(-20))
    await move('picked_up', 'delivered', key, at(-30))
    const { shipment, events } = await readShipment(api, key)
    const { assignedAt, pickedUpAt, deliveredAt, endedAt } = shipment
    expect({ assignedAt, pickedUpAt, deliveredAt, endedAt }).toEqual({
      assignedAt: at(-10),
      pickedUpAt: at(-10),
      deliveredAt: at(-10),
      endedAt: at(-10),
    })
    // The timeline of the shipment contains the times that the carrier reported.
    expect(events.map(({ occurredAt }) => occurredAt)).toEqual([at(-30), at(-20), at(-10)])
    const cancelled = await storeShipment(api, shop, { status: 'cancelling', cancelRequestedAt: at(-5) })
    await move('cancelling', 'cancelled', cancelled, at(-8))
    expect((await readShipment(api, cancelled)).shipment).toMatchObject({ endedAt: at(-5) })
  })

  test('if a delivery is dated before the rider’s assignment, moveShipment stores the assignment time as the delivery time and the end of the shipment', async () => {
    const api = started()
    const at = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * 60_000)
    const key = await storeShipment(api, shop, { status: 'awaiting_courier' })
    await move('awaiting_courier', 'courier_assigned', key, at(-10))
    await move('courier_assigned', 'delivered', key, at(-30))
    const { assignedAt, pickedUpAt, deliveredAt, endedAt } = (await readShipment(api, key)).shipment
    expect({ assignedAt, pickedUpAt, deliveredAt, endedAt }).toEqual({
      assignedAt: at(-10),
      pickedUpAt: null,
      deliveredAt: at(-10),
      endedAt: at(-10),
    })
  })

  function move(
    from: ShipmentStatus,
    to: ShipmentStatus,
    key: { id: string } & Parameters<typeof lockShipment>[1],
    occurredAt?: Timestamp,
  ) {
    const mutation = {
      tenant: shop.tenant,
      actor: operator,
      action: 'shipment.update',
      resourceType: 'shipment',
      resourceId: () => key.id,
      emits: shipmentEvents,
    } as const
    return mutate(started().context, mutation, async (work: ShipmentWork) => {
      const locked = await lockShipment(work.trx, key)
      if (locked === undefined) throw new Error(`No shipment is in ${from}.`)
      const update = { status: to, source: 'service', description: 'Moved by a test.' } as const
      return moveShipment(work, locked.shipment, occurredAt === undefined ? update : { ...update, occurredAt })
    })
  }
})

describe('direct SQL on shipments', () => {
  test.for(
    shipmentStatuses,
  )('direct SQL moves a shipment from %s only as the published transitions allow', async (from) => {
    const api = started()
    const key = await storeShipment(api, shop, { status: from })
    const client = await api.database.pool.connect()
    try {
      for (const to of shipmentStatuses) {
        await client.query('begin')
        const moved = client.query(
          `update shipments
           set status = $3, ended_at = case when $4 then now() end, delivered_at = case when $3 = 'delivered' then now() end,
             dispatch_at = now()
           where merchant_id = $1 and id = $2`,
          [key.merchantId, key.id, to, isShipmentOver(to)],
        )
        const refused = await moved.then(
          () => undefined,
          (error: { constraint?: string }) => error.constraint,
        )
        await client.query('rollback')
        const isFine = from === to || mayShipmentMove(from, to)
        expect({ to, refused }).toEqual({ to, refused: isFine ? undefined : 'shipment_moves_as_published' })
      }
    } finally {
      client.release()
    }
  })
})
