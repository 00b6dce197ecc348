import { describe, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { answers } from '../../support/answers.ts'
import { failedDispatch, sent, usePaidOrders } from '../../support/logistics/paid-order.ts'
import { cancelShipment, parcelTo, plainPhone } from '../../support/logistics/parcel-run.ts'
import { operator } from '../../support/shop.ts'

/** The exception `dispatch_failed`: no carrier accepted a shipment of units of an order. */

const { here, paidOrder, payOut, exceptionsOf, anHourLater, inAnHour, closeAsFailed, cancelRefund } = usePaidOrders()

const open = [['dispatch_failed', true]]
const resolved = [['dispatch_failed', false]]

describe('a refund of units whose dispatch failed', () => {
  test('the exception dispatch_failed stays open while a refund of the unsent units is pending, and after the refund was cancelled', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    const refund = await order.refund([2])
    expect(refund.status).toBe('pending')
    expect(await exceptionsOf(id)).toEqual(open)
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toEqual(open)
  })

  test('the exception dispatch_failed stays open when a refund of the unsent units fails at the provider', async () => {
    const order = await paidOrder({ behaviour: 'refund_fails' })
    const id = await failedDispatch(order, [2])
    const refund = await order.refund([2])
    await payOut()
    const { body } = await here().api.send('GET', `/api/v1/refunds/${refund.id}`, { token: here().shop.token })
    expect(body.status).toBe('failed')
    expect(await exceptionsOf(id)).toEqual(open)
  })

  test('a refund of the unsent units resolves the exception dispatch_failed when the provider has paid the refund', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await order.refund([2])
    await payOut()
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('a refund that is paid at once resolves the exception dispatch_failed only when all units of the shipment are refunded', async () => {
    const order = await paidOrder({ provider: 'manual', quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await order.refund([1, 1])
    expect(await exceptionsOf(id)).toEqual(open)
    await order.refund([1])
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('cancelling a refund that restocked the unsent units leaves the exception dispatch_failed open', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    const refund = await order.refund([2], { restock: true })
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toEqual(open)
  })
})

describe('an order that the merchant hands over without a shipment', () => {
  test.for(['shipped', 'delivered'])('setting the order to %s resolves the exception dispatch_failed', async (to) => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    expect((await order.transition(to)).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('putting the order on hold leaves the exception dispatch_failed open', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    expect((await order.transition('on_hold')).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual(open)
  })
})

test('cancelling an order resolves the exception dispatch_failed of its shipment', async () => {
  const order = await paidOrder()
  const id = await failedDispatch(order, [2])
  expect((await order.cancel()).status).toBe(200)
  expect(await exceptionsOf(id)).toEqual(resolved)
})

describe('another shipment of the order', () => {
  test('the exception dispatch_failed is resolved by a shipment of the unsent units, and not by a shipment of other units', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual(open)
    await sent(order, [1])
    expect(await exceptionsOf(id)).toEqual(open)
    await sent(order, [1])
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('an additional shipment without items leaves the exception dispatch_failed open', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await sent(order, [0, 1])
    const { parcels } = parcelTo(plainPhone) as { parcels: object[] }
    await sent(order, [], { allowAdditional: true, parcels })
    expect(await exceptionsOf(id)).toEqual(open)
  })

  test('a scheduled shipment of the unsent units resolves the exception dispatch_failed only when a carrier accepts the shipment', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    const cancelled = (await order.dispatch([2], inAnHour())).body.id
    expect(await exceptionsOf(id)).toEqual(open)
    expect((await cancelShipment(here().api, here().shop, cancelled)).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual(open)
    await order.dispatch([2], inAnHour())
    await anHourLater(id)
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('if another shipment of the same units fails too, its exception dispatch_failed replaces the exception of the first shipment', async () => {
    const order = await paidOrder()
    const first = await failedDispatch(order, [1])
    const second = await failedDispatch(order, [2])
    expect(await exceptionsOf(first)).toEqual(resolved)
    expect(await exceptionsOf(second)).toEqual(open)
    const third = await failedDispatch(order, [1])
    expect(await exceptionsOf(second)).toEqual(open)
    expect(await exceptionsOf(third)).toEqual(open)
  })
})

describe('an order whose units were all refunded', () => {
  const { parcels } = parcelTo(plainPhone) as { parcels: object[] }

  test('a dispatch without items is rejected if all units of a shipped order were refunded, even without a refund of the shipping price', async () => {
    const order = await paidOrder({ provider: 'manual', shippingKobo: 250_000 })
    expect((await order.transition('shipped')).status).toBe(200)
    await order.refund([2])
    answers('dispatchShipment', 'nothing_to_ship', await order.dispatch(undefined, { parcels }))
    expect(await order.shipments()).toEqual([])
  })

  test('after a carrier lost one unit and all units were refunded, a dispatch request that names no items is rejected', async () => {
    const order = await paidOrder({ provider: 'manual', shippingKobo: 250_000 })
    const id = await sent(order, [1])
    const closing = { id: ShipmentId.parse(id), to: 'lost', reason: 'The carrier lost the parcel.' } as const
    await closeShipment(here().api.context, operator, here().shop.tenant, closing)
    await order.refund([2])
    answers('dispatchShipment', 'nothing_to_ship', await order.dispatch(undefined, { parcels }))
  })

  test('closing a shipment of refunded units as failed does not raise the exception dispatch_failed', async () => {
    const order = await paidOrder({ provider: 'manual' })
    const id = await sent(order, [2])
    await order.refund([2])
    await closeAsFailed(id)
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
  })
})
