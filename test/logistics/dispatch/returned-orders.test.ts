import { beforeAll, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import type { StoredAttempt } from '../../../src/store/tables/shipment.ts'
import { useApi } from '../../support/api.ts'
import { contentsOf } from '../../support/database-contents.ts'
import type { ShipmentOptions } from '../../support/logistics/shipment.ts'
import { applyUpdate, minuteOf, openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/**
 * Orders that carriers or riders return, and tracking updates of abandoned dispatch attempts and of attempts without a
 * response.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const minute = (minutes: number) => minuteOf(started(), minutes)
const open = (options: ShipmentOptions = {}) => openTrackedShipment(started(), shop, options)

describe('an order that the carrier cancels', () => {
  test.for([
    'awaiting_courier',
    'courier_assigned',
    'at_pickup',
  ] as const)('when the carrier cancels an order in status %s, the dispatch attempt ends and the shipment is due for a check at once', async (status) => {
    for (const ending of ['cancelled', 'failed'] as const) {
      const { api, update, read } = await open({ status })
      expect(await update(ending, 2)).toMatchObject({ is: 'carrier_cancelled', attemptNumber: 1 })
      const { shipment, attempts } = await read()
      expect(shipment).toMatchObject({ status, courier: null, nextCheckAt: toTimestamp(api.clock.nowMs()) })
      expect(attempts).toMatchObject([{ state: 'cancelled', outcomeCode: 'carrier_cancelled' }])
      expect(await update(ending, 2)).toMatchObject({ is: 'unchanged' })
    }
  })

  test.for([
    'cancelling',
    'awaiting_courier',
    'courier_assigned',
  ] as const)('when the carrier cancels the order of a shipment in status %s after a requested cancellation, the shipment is cancelled', async (status) => {
    const { update, read } = await open({ status, cancelRequestedAt: minute(1), attempts: [{ state: 'cancelling' }] })
    expect(await update('cancelled', 2)).toMatchObject({ is: 'moved' })
    const { shipment, attempts } = await read()
    expect(shipment).toMatchObject({ status: 'cancelled', endedAt: minute(2), nextCheckAt: null })
    expect(attempts).toMatchObject([{ state: 'cancelled', outcomeCode: 'cancelled' }])
  })

  test('if the carrier cancels an order after the pickup, the shipment gets the exception cancelled_after_pickup and keeps its status', async () => {
    const { update, read } = await open({ status: 'in_transit' })
    expect(await update('cancelled', 2)).toMatchObject({ is: 'late' })
    expect((await read()).shipment).toMatchObject({
      status: 'in_transit',
      exceptions: [{ code: 'cancelled_after_pickup' }],
    })
  })

  test('a reported pickup changes the status of a shipment that is cancelling, but a reported rider or arrival at the pickup does not', async () => {
    const { update, read } = await open({ status: 'cancelling', attempts: [{ state: 'cancelling' }] })
    expect(await update('courier_assigned', 1)).toMatchObject({ is: 'late' })
    expect(await update('at_pickup', 2)).toMatchObject({ is: 'late' })
    expect((await read()).shipment.status).toBe('cancelling')
    expect(await update('picked_up', 3)).toMatchObject({ is: 'moved' })
  })
})

describe('riders who drop the order', () => {
  test('the service waits for another rider of the carrier after the first rider drops an order, but not after the second rider drops it', async () => {
    const { api, update, read } = await open()
    const courier = { name: 'Musa', vehicle: undefined, phone: undefined, plateLastFour: undefined }
    await update('courier_assigned', 1, { courier })
    expect(await update('awaiting_courier', 2)).toMatchObject({ is: 'moved', shipment: { courier: null } })
    await update('courier_assigned', 3)
    await update('at_pickup', 4)
    expect(await update('awaiting_courier', 5)).toMatchObject({ is: 'riders_dropped', attemptNumber: 1 })
    const { shipment, attempts } = await read()
    const now = toTimestamp(api.clock.nowMs())
    expect(shipment).toMatchObject({ status: 'awaiting_courier', nextCheckAt: now })
    expect(attempts).toMatchObject([{ state: 'accepted', assignDeadline: now }])
  })

  test('the assignment timeout restarts when a rider drops the order for the first time', async () => {
    const { api, update, read } = await open({
      attempts: [{ assignDeadline: toTimestamp(started().clock.nowMs() + 600_000) }],
    })
    await update('courier_assigned', 1)
    api.clock.advance(3_600_000)
    await update('awaiting_courier', 60)
    const renewed = toTimestamp(api.clock.nowMs() + 600_000)
    expect((await read()).attempts).toMatchObject([{ state: 'accepted', assignDeadline: renewed }])
  })

  test('a tracking update older than the rider’s assignment does not mean that the rider dropped the order', async () => {
    const { update, read } = await open()
    await update('courier_assigned', 5)
    expect(await update('awaiting_courier', 4)).toMatchObject({ is: 'late' })
    expect((await read()).shipment.status).toBe('courier_assigned')
  })
})

describe('a tracking update of an abandoned dispatch attempt', () => {
  const both = (state: StoredAttempt['state'], more: Partial<StoredAttempt> = {}) => ({
    status: 'courier_assigned' as const,
    attempts: [{ state, carrierReference: null, ...more }, {}],
  })

  test.for([
    'abandoned',
    'not_found_at_carrier',
    'refused',
    'unavailable',
  ] as const)('a tracking update of a dispatch attempt in the state %s is stored as a late acceptance with its reference, and leaves the shipment’s status unchanged', async (state) => {
    for (const status of ['awaiting_courier', 'picked_up', 'delivered'] as const) {
      const { api, key, read } = await open(both(state))
      const update = () =>
        applyUpdate(api, shop, key, { status, at: minute(9) }, { carrierReference: `LATE-${key.id}` })
      expect(await update()).toMatchObject({ is: 'late_acceptance', attemptNumber: 1 })
      const { shipment, attempts, events } = await read()
      const now = toTimestamp(api.clock.nowMs())
      expect(shipment).toMatchObject({ status: 'courier_assigned', nextCheckAt: now })
      expect(attempts).toMatchObject([
        // The dispatch attempt that the carrier accepted late. The service monitors this attempt after the tracking
        // update.
        {
          state: state === 'not_found_at_carrier' ? state : 'abandoned',
          carrierReference: `LATE-${key.id}`,
          nextCheckAt: now,
        },
        { state: 'accepted' },
      ])
      expect(events).toMatchObject([{ status, isApplied: false, attemptNumber: 1 }])
      expect(await update()).toMatchObject({ is: 'unchanged' })
    }
  })

  test('after a dispatch attempt was cancelled in favour of another carrier, only a tracking update with a later time is a late acceptance', async () => {
    const { api, key } = await open(both('superseded', { resolvedAt: minute(20) }))
    expect(await applyUpdate(api, shop, key, { status: 'courier_assigned', at: minute(19) })).toMatchObject({
      is: 'late',
    })
    expect(await applyUpdate(api, shop, key, { status: 'picked_up', at: minute(21) })).toMatchObject({
      is: 'late_acceptance',
    })
  })

  test('a tracking update with the status cancelled for an abandoned dispatch attempt is not a late acceptance', async () => {
    const { api, key } = await open(both('abandoned'))
    expect(await applyUpdate(api, shop, key, { status: 'cancelled', at: minute(21) })).toMatchObject({ is: 'late' })
  })
})

describe('a tracking update of a dispatch attempt without a response', () => {
  test('a tracking update of a dispatch attempt is not applied until the carrier has responded to the dispatch request', async () => {
    const { api, key } = await open({ status: 'dispatching', attempts: [{ state: 'sending', carrierReference: null }] })
    const before = await contentsOf(api)
    expect(await applyUpdate(api, shop, key, { status: 'picked_up' }, { carrierReference: 'SW-1' })).toMatchObject({
      is: 'not_accepted_yet',
    })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('if the response of a dispatch attempt was lost, a tracking update of the attempt stores the carrier’s reference and makes the shipment due for a check at once', async () => {
    const { api, key, read } = await open({
      status: 'dispatching',
      attempts: [{ state: 'unknown', carrierReference: null }],
    })
    const update = () => applyUpdate(api, shop, key, { status: 'picked_up' }, { carrierReference: `SW-${key.id}` })
    expect(await update()).toMatchObject({ is: 'not_accepted_yet' })
    const now = toTimestamp(api.clock.nowMs())
    const { shipment, attempts } = await read()
    expect(shipment).toMatchObject({ status: 'dispatching', nextCheckAt: now, version: 2 })
    expect(attempts).toMatchObject([{ state: 'unknown', carrierReference: `SW-${key.id}`, nextCheckAt: now }])
    const before = await contentsOf(api)
    await update()
    expect(await contentsOf(api)).toEqual(before)
  })

  test('a tracking update changes the shipment’s ETag if the carrier never responded to the dispatch attempt', async () => {
    const { api, key } = await open({
      status: 'dispatching',
      attempts: [{ state: 'unknown', carrierReference: null }],
    })
    const carrierReference = `SW-${key.id}`
    const read = (headers: Record<string, string>) =>
      api.send('GET', `/api/v1/logistics/shipments/${key.id}`, { token: shop.token, headers })
    const etag = (await read({})).headers.get('etag') ?? ''
    expect((await read({ 'If-None-Match': etag })).status).toBe(304)
    await applyUpdate(api, shop, key, { status: 'picked_up' }, { carrierReference })
    const { status, body } = await read({ 'If-None-Match': etag })
    expect([status, body.attempts]).toMatchObject([200, [{ carrierReference }]])
  })
})
