import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  inOrder,
  openTestShop,
  ordersOf,
  parcelTo,
  pass,
  post,
  readValidShipment,
  ridersOf,
} from '../../support/logistics/parcel-run.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * Carriers that cancel an accepted order, assign no rider, or accept after the attempt was abandoned. The number in a
 * describe title is the digit of the phone number that makes the simulated carrier behave in this way.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

beforeEach(() => {
  Object.assign(started().logistics, { breakers: openBreakers() })
})

const swiftFirst = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const
const steadyFirst = ['simulator-steady', 'simulator-swift', 'simulator-saver'] as const
const saverFirst = ['simulator-saver', 'simulator-swift', 'simulator-steady'] as const

async function dispatch(digits: string, more: object): Promise<ReplyBody> {
  const { status, body } = await post(started(), shop, 'dispatch', parcelTo(`+2348035550${digits}`, more))
  expect([201, 202], JSON.stringify(body)).toContain(status)
  return body
}

async function later(seconds: number, id: string, step = 10): Promise<ReplyBody> {
  await pass(started(), seconds, step)
  return readValidShipment(started(), shop, id)
}

describe('test phone digit 6: a carrier that cancels after accepting', () => {
  test('when a carrier cancels its order, the dispatch fails over to the next carrier and clears the assigned rider', async () => {
    const { id } = await dispatch('600', inOrder(swiftFirst, { assignTimeoutSeconds: 3600 }))
    const found = await later(90, id)
    expect(attemptsOf(found)).toEqual([
      ['swift', 'cancelled', 'carrier_cancelled'],
      ['steady', 'accepted', 'accepted'],
    ])
    expect(found).toMatchObject({ status: 'awaiting_courier', courier: null, assignedAt: null })
    expect(await ridersOf(started(), id)).toEqual(['steady'])
    expect((await later(2400, id, 30)).status).toBe('delivered')
  })

  test('if each carrier cancels its order, a dispatch requests at most maxAttempts carriers', async () => {
    const { id } = await dispatch('666', inOrder(swiftFirst, { maxAttempts: 2 }))
    const end = await later(600, id)
    expect(attemptsOf(end)).toEqual([
      ['swift', 'cancelled', 'carrier_cancelled'],
      ['steady', 'cancelled', 'carrier_cancelled'],
    ])
    expect(end).toMatchObject({ status: 'failed', statusReason: { code: 'no_carrier_available' }, carrier: null })
    expect(await ridersOf(started(), id)).toEqual([])
  })

  test('when a carrier cancels its order and failover is disabled, the dispatch fails', async () => {
    const { id } = await dispatch('600', inOrder(swiftFirst, { enabled: false }))
    const end = await later(120, id)
    expect({ status: end.status, attempts: end.attempts.length }).toEqual({ status: 'failed', attempts: 1 })
  })
})

describe('test phone digit 7: a carrier that assigns no rider', () => {
  test('if a carrier assigns no rider, its order is cancelled after the assignment timeout, before the next carrier is called', async () => {
    const { id } = await dispatch('700', inOrder(swiftFirst, { assignTimeoutSeconds: 120 }))
    expect(attemptsOf(await later(110, id))).toEqual([['swift', 'accepted', 'accepted']])
    const found = await later(60, id)
    expect(attemptsOf(found)).toEqual([
      ['swift', 'superseded', 'no_courier_assigned'],
      ['steady', 'accepted', 'accepted'],
    ])
    expect(found.attempts[0]).toMatchObject({ cancellationFeeKobo: 0 })
    expect(await ordersOf(started(), id)).toEqual([
      { company: 'swift', isCancelled: true },
      { company: 'steady', isCancelled: false },
    ])
  })

  test('a carrier has ten minutes to assign a rider by default', async () => {
    const { id } = await dispatch('700', inOrder(swiftFirst))
    expect(attemptsOf(await later(590, id))).toHaveLength(1)
    expect(attemptsOf(await later(60, id))).toHaveLength(2)
  })

  test('if a carrier assigns no rider and rejects the cancellation, the service waits for another assignment timeout', async () => {
    const { id } = await dispatch('700', inOrder(saverFirst, { assignTimeoutSeconds: 60 }))
    const found = await later(300, id)
    expect(attemptsOf(found)).toEqual([['saver', 'accepted', 'accepted']])
    expect(found.timeline).toContainEqual(
      expect.objectContaining({ description: expect.stringContaining('rejected the cancellation') }),
    )
    expect(await ridersOf(started(), id)).toEqual(['saver'])
  })
})

describe('test phone digit 9: a late acceptance', () => {
  test('a carrier order that was accepted late is cancelled at once if it has no rider', async () => {
    const { id } = await dispatch('900', inOrder(steadyFirst))
    const given = await later(80, id, 5)
    expect(attemptsOf(given)).toEqual([
      ['steady', 'not_found_at_carrier', 'order_not_found'],
      ['swift', 'accepted', 'accepted'],
    ])
    const found = await later(180, id)
    expect(attemptsOf(found)).toEqual([
      ['steady', 'late_cancelled', 'late_acceptance'],
      ['swift', 'accepted', 'accepted'],
    ])
    expect(found.exceptions).toEqual([])
    expect(await ordersOf(started(), id)).toEqual([
      { company: 'steady', isCancelled: true },
      { company: 'swift', isCancelled: false },
    ])
  })

  test('if the carrier order that was accepted late has progressed further, the service cancels the newer carrier order', async () => {
    const { id } = await dispatch('970', inOrder(swiftFirst, { assignTimeoutSeconds: 3600 }))
    const given = await later(60, id, 5)
    expect(attemptsOf(given)).toEqual([
      ['swift', 'not_found_at_carrier', 'order_not_found'],
      ['steady', 'accepted', 'accepted'],
    ])
    // At the first check of the shipment after the late acceptance, the carrier has already assigned a rider.
    const found = await later(130, id, 130)
    expect(attemptsOf(found)).toEqual([
      ['swift', 'accepted', 'accepted'],
      ['steady', 'superseded', 'duplicate'],
    ])
    expect(found.carrier.code).toBe('simulator-swift')
    expect(await ridersOf(started(), id)).toEqual(['swift'])
  })

  test('if a carrier accepts a shipment after the shipment has failed, the service cancels the carrier’s order', async () => {
    const { id } = await dispatch('911', inOrder(swiftFirst))
    await later(60, id)
    const found = await later(600, id)
    expect(found).toMatchObject({ status: 'failed', attempts: [{ state: 'late_cancelled' }, {}, {}] })
    expect(await ridersOf(started(), id)).toEqual([])
  })
})

describe('a late acceptance by a carrier that does not support cancellation', () => {
  async function openAbandoned(digits: string): Promise<{ id: string; lateReference: string }> {
    const { id } = await dispatch(digits, inOrder(saverFirst, { onUnknown: 'proceed_guarded' }))
    await later(970, id)
    const number = `select number from simulated_orders where reference like $1 || '-%' and company = 'simulator-saver'`
    const [order] = await select(started(), number, [id])
    return { id, lateReference: order.number }
  }

  /** Reports the late acceptance to the service, as the carrier’s callback does. */
  const reportAcceptance = (id: string, lateReference: string) =>
    applyUpdate(
      started(),
      shop,
      { merchantId: shop.merchantId, id: ShipmentId.parse(id) },
      { status: 'courier_assigned', carrierStatus: 'rider_found' },
      { carrierReference: lateReference },
    )

  test('a carrier order that cannot be cancelled replaces a newer carrier order that can be cancelled for free', async () => {
    const { id, lateReference } = await openAbandoned('270')
    expect((await readValidShipment(started(), shop, id)).status).toBe('awaiting_courier')
    expect(await reportAcceptance(id, lateReference)).toMatchObject({ is: 'late_acceptance' })
    const found = await later(20, id)
    expect(attemptsOf(found)).toEqual([
      ['saver', 'accepted', 'accepted'],
      ['swift', 'superseded', 'duplicate'],
    ])
    // The exception is resolved, because only one carrier order is still active.
    expect(found.exceptions).toMatchObject([{ code: 'possible_duplicate', resolvedAt: expect.any(String) }])
    expect(await ridersOf(started(), id)).toEqual(['saver'])
  })

  test('the late acceptance raises duplicate_dispatch if the carrier of the newer attempt has already picked up the parcel', async () => {
    const { id, lateReference } = await openAbandoned('200')
    const under = await later(120, id)
    expect(under.status).toMatch(/^(picked_up|in_transit)$/)
    await reportAcceptance(id, lateReference)
    const found = await later(30, id)
    expect(found.exceptions).toContainEqual(expect.objectContaining({ code: 'duplicate_dispatch' }))
    expect(found.attempts[0]).toMatchObject({
      state: 'abandoned',
      carrierReference: lateReference,
      duplicateCostKobo: found.attempts[0].priceKobo,
    })
    expect(await ridersOf(started(), id)).toEqual(['saver', 'swift'])
  })
})
