import { describe, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { reportedCodes } from '../../support/attention.ts'
import { sent, usePaidOrders } from '../../support/logistics/paid-order.ts'
import { cancelShipment } from '../../support/logistics/parcel-run.ts'

/**
 * The exception `units_not_shipped`: units of a shipment were not sent because of a refund, and the refund was then
 * cancelled or failed.
 */

const { here, paidOrder, payOut, exceptionsOf, anHourLater, inAnHour, closeAsFailed, cancelRefund } = usePaidOrders()

test('the exception units_not_shipped is resolved when a second refund of the unsent units is paid, and stays open if this refund is cancelled', async () => {
  const order = await paidOrder()
  const id = await sent(order, [2], inAnHour())
  const first = await order.refund([2])
  await anHourLater(id)
  await cancelRefund(first.id)
  const second = await order.refund([2])
  await cancelRefund(second.id)
  expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
  await order.refund([2])
  expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
  await payOut()
  expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
})

describe('the unsent units of the exception units_not_shipped', () => {
  /**
   * Refunds units of an order that has a scheduled shipment. A carrier then accepts the units that are left in the
   * shipment. Afterwards, the refund is cancelled.
   */
  async function leftShipment(quantities: readonly number[], shipped: readonly number[], refunded: readonly number[]) {
    const order = await paidOrder({ quantities })
    const id = await sent(order, shipped, inAnHour())
    const refund = await order.refund(refunded)
    await anHourLater(id)
    await cancelRefund(refund.id)
    return { order, id }
  }

  test('the exception units_not_shipped is resolved by a shipment of the unsent units, and not by a shipment of other units', async () => {
    const { order, id } = await leftShipment([1, 1, 1], [1, 1], [0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
    await sent(order, [0, 0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
  })

  test('a shipment of the units that the exception names resolves the exception even if another item of the order is unsent', async () => {
    const { order, id } = await leftShipment([1, 1, 1], [1, 1], [0, 1])
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
    expect((await order.read()).status).toBe('processing')
  })

  test('cancelling a refund of units that were never in the shipment raises no exception for the shipment', async () => {
    const { id } = await leftShipment([1, 1], [1], [0, 1])
    expect(await exceptionsOf(id)).toEqual([])
  })

  test('each of two cancelled refunds of different units of a shipment raises its own exception units_not_shipped', async () => {
    // The order still has the fourth unit to send, so the refunded units are not written off.
    const order = await paidOrder({ quantities: [1, 1, 1, 1] })
    const id = await sent(order, [1, 1, 1], inAnHour())
    const refunds = [await order.refund([0, 1]), await order.refund([0, 0, 1])]
    await anHourLater(id)
    for (const { id: refundId } of refunds) await cancelRefund(refundId)
    const both = (...states: readonly boolean[]) => states.map((isOpen) => ['units_not_shipped', isOpen])
    expect(await exceptionsOf(id)).toEqual(both(true, true))
    await sent(order, [0, 0, 1])
    expect(await exceptionsOf(id)).toEqual(both(true, false))
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual(both(false, false))
  })
})

describe('a refund that is cancelled before its submission to the provider', () => {
  test.for<[string, readonly number[] | undefined, string]>([
    ['one unit', [1], 'delivered'],
    ['all units', [2], 'cancelled'],
    ['the whole amount', undefined, 'cancelled'],
  ])('after a refund of %s is cancelled, the shipment that left out these units has the exception units_not_shipped until another shipment contains them', async ([
    ,
    wanted,
    status,
  ]) => {
    const order = await paidOrder()
    const id = await sent(order, [2], inAnHour())
    const refund = wanted === undefined ? await order.refundAll() : await order.refund(wanted)
    expect(refund.status).toBe('pending')
    expect(await anHourLater(id)).toBe(status)
    expect(await exceptionsOf(id)).toEqual([])
    await cancelRefund(refund.id)
    const { sent: events } = await reportedCodes(here().api, here().shop.merchantId, ShipmentId.parse(id))
    expect(events).toEqual(['units_not_shipped'])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
    // The unit with the cancelled refund was written off when the carrier picked up the other unit of the order. The
    // written-off unit can be refunded again, but not dispatched.
    if (status === 'delivered') return
    await sent(order, [2])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
  })

  test('cancelling the order after the refund’s cancellation resolves the exception units_not_shipped', async () => {
    const order = await paidOrder()
    const id = await sent(order, [2], inAnHour())
    const refund = await order.refund([2])
    await anHourLater(id)
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
    expect((await order.cancel()).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
  })

  test('the cancellation of a refund opens no shipment exception for units that are still in a shipment or were never in one', async () => {
    const order = await paidOrder()
    const id = await sent(order, [1], inAnHour())
    for (const quantity of [1, 2]) await cancelRefund((await order.refund([quantity])).id)
    expect(await exceptionsOf(id)).toEqual([])
  })
})

describe('a refund of the units of two shipments', () => {
  test.for<[string, readonly number[] | undefined]>([
    ['the items of both shipments', [1, 1]],
    ['the whole amount', undefined],
  ])('the cancellation of a refund of %s raises units_not_shipped for each shipment, and sending the units of a shipment resolves the exception of this shipment', async ([
    ,
    wanted,
  ]) => {
    const order = await paidOrder({ quantities: [1, 1] })
    const first = await sent(order, [1], inAnHour())
    const second = await sent(order, [0, 1], inAnHour())
    const refund = wanted === undefined ? await order.refundAll() : await order.refund(wanted)
    expect(await anHourLater(first)).toBe('cancelled')
    expect(await anHourLater(second)).toBe('cancelled')
    await cancelRefund(refund.id)
    const states = async () => [await exceptionsOf(first), await exceptionsOf(second)]
    expect(await states()).toEqual([[['units_not_shipped', true]], [['units_not_shipped', true]]])
    await sent(order, [1])
    expect(await states()).toEqual([[['units_not_shipped', false]], [['units_not_shipped', true]]])
    await sent(order, [0, 1])
    expect(await states()).toEqual([[['units_not_shipped', false]], [['units_not_shipped', false]]])
  })

  test('the cancellation of a refund of one item raises units_not_shipped only for the newest shipment of the item', async () => {
    const order = await paidOrder({ quantities: [2] })
    const first = await sent(order, [1], inAnHour())
    const second = await sent(order, [1], inAnHour())
    const refund = await order.refund([2])
    expect(await anHourLater(first)).toBe('cancelled')
    expect(await anHourLater(second)).toBe('cancelled')
    await cancelRefund(refund.id)
    expect(await exceptionsOf(first)).toEqual([])
    expect(await exceptionsOf(second)).toEqual([['units_not_shipped', true]])
  })
})

test('setting the order to shipped resolves the exception units_not_shipped', async () => {
  const order = await paidOrder({ quantities: [2, 1] })
  const id = await sent(order, [2])
  const refund = await order.refund([2])
  expect((await cancelShipment(here().api, here().shop, id)).status).toBe(200)
  await cancelRefund(refund.id)
  expect((await order.transition('shipped')).status).toBe(200)
  expect(await exceptionsOf(id)).toContainEqual(['units_not_shipped', false])
})

describe('a shipment cancelled while a refund of its units is pending', () => {
  test('if the refund is cancelled after the shipment was cancelled, the shipment gets the exception units_not_shipped', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await sent(order, [2])
    const refund = await order.refund([2])
    expect((await cancelShipment(here().api, here().shop, id)).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toContainEqual(['units_not_shipped', true])
  })

  test('the cancellation of a refund raises no exception for a cancelled shipment that contained other units', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await sent(order, [2])
    const refund = await order.refund([0, 1])
    expect((await cancelShipment(here().api, here().shop, id)).status).toBe(200)
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toEqual([])
  })
})

test('a shipment that was closed as failed during the refund of its units gets the exception units_not_shipped when the refund is cancelled', async () => {
  const order = await paidOrder()
  const id = await sent(order, [2])
  const refund = await order.refund([2])
  await closeAsFailed(id)
  expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
  await cancelRefund(refund.id)
  expect(await exceptionsOf(id)).toContainEqual(['units_not_shipped', true])
})
