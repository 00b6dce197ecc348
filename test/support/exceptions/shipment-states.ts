import { expect } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import type { TestApi } from '../api.ts'
import { orderAt } from '../commerce/order-transitions.ts'
import { tracking } from '../logistics/carrier.ts'
import { inOrder, orderTo, pass, post } from '../logistics/parcel-run.ts'
import { readShipment, storeShipment } from '../logistics/shipment.ts'
import type { useSimulatedCarriers } from '../logistics/simulated-carriers.ts'
import { applyUpdate } from '../logistics/tracking-updates.ts'
import { placeOrder, type Shop } from '../shop.ts'
import type { Produce } from './payment-states.ts'
import { cancel, paidInTestMode, refundAll, testModeOf } from './refunded-orders.ts'

/** The exceptional states of shipments in the guide “Exceptions”, each produced by requests and tracking updates. */

type Simulate = ReturnType<typeof useSimulatedCarriers>

async function ended(api: TestApi, shop: Shop, ...statuses: readonly Parameters<typeof applyUpdate>[3]['status'][]) {
  const order = await orderAt(api, shop, 'processing')
  const key = await storeShipment(api, shop, { orderId: order.id })
  for (const status of statuses) await applyUpdate(api, shop, key, { status })
  return {}
}

/**
 * Creates a shipment that is in transit with one carrier. Its earlier dispatch attempt at Swift was abandoned and can
 * still be accepted late.
 */
async function abandonedBySwift(api: TestApi, shop: Shop) {
  const testShop = await testModeOf(api, shop)
  const at = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * 60_000)
  const attempt = { carrierReference: 'SW-LATE', startedAt: at(-60), nextCheckAt: at(0), monitorUntil: at(60) }
  const key = await storeShipment(api, testShop, {
    orderId: await orderTo(api, testShop),
    status: 'in_transit',
    carrier: 'simulator-steady',
    attempts: [{ ...attempt, state: 'abandoned' }],
  })
  return { testShop, key }
}

/** Dispatches an order to a carrier that accepts it, but charges a price other than the offered price. */
async function chargedByCarrier(
  simulate: Simulate,
  api: TestApi,
  shop: Shop,
  priceOf: (price: { readonly ceilingKobo: number; readonly offeredKobo: number }) => number,
) {
  const testShop = await testModeOf(api, shop)
  const ceilingKobo = 10_000_000
  simulate('simulator-swift', ({ create }) => ({
    create: async (...args) => {
      const accepted = await create(...args)
      if (accepted.is !== 'ok') return accepted
      const { priceKobo: offeredKobo = 0 } = accepted.value
      return { ...accepted, value: { ...accepted.value, priceKobo: toKobo(priceOf({ ceilingKobo, offeredKobo })) } }
    },
  }))
  const orderId = await orderTo(api, testShop)
  const carriers = inOrder(['simulator-swift'], { maxPriceKobo: ceilingKobo })
  const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...carriers }
  expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(201)
  return { shop: testShop }
}

/**
 * Returns, for each state, a function that creates a shipment in this state. `simulate` replaces methods of a simulated
 * carrier.
 */
export const shipmentStates = (simulate: Simulate) =>
  ({
    failed_dispatch: async (api, shop) => {
      const testShop = await testModeOf(api, shop)
      const orderId = await orderTo(api, testShop, '+2348035550111')
      const dispatch = {
        orderId,
        reference: randomCode(12),
        pickup: pickupInputExample,
        ...inOrder(['simulator-swift']),
      }
      expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(503)
      return { shop: testShop }
    },
    failed_delivery: (api, shop) => ended(api, shop, 'picked_up', 'delivery_failed'),
    returned_parcel: (api, shop) => ended(api, shop, 'picked_up', 'returned'),
    lost_parcel: (api, shop) => ended(api, shop, 'picked_up', 'lost'),
    refunded_parcel: async (api, shop) => {
      const order = await placeOrder(api, shop)
      await storeShipment(api, shop, { orderId: order.id })
      await refundAll(api, shop, order)
      return { orderId: order.id, refundableKobo: 0 }
    },
    unpaid_refund_of_shipment: async (api, shop) => {
      const { testShop, orderId, amountKobo, send, cancelRefund } = await paidInTestMode(api, shop)
      const scheduleAt = new Date(api.clock.nowMs() + 3_600_000).toISOString()
      const dispatch = {
        orderId,
        reference: randomCode(12),
        pickup: pickupInputExample,
        ...inOrder(['simulator-swift']),
      }
      expect((await post(api, testShop, 'dispatch', { ...dispatch, scheduleAt })).status).toBe(201)
      const { body: refund } = await send('/refunds', { orderId, amountKobo, reason: 'customer_request' })
      api.clock.advance(3_600_000)
      await pass(api, 20)
      await cancelRefund(refund.id)
      return { shop: testShop, orderId, refundableKobo: amountKobo }
    },
    cancelled_order_parcel: async (api, shop) => {
      const order = await orderAt(api, shop, 'processing')
      const key = await storeShipment(api, shop, { orderId: order.id })
      await applyUpdate(api, shop, key, { status: 'courier_assigned' })
      await cancel(api, shop, order.id)
      await applyUpdate(api, shop, key, { status: 'picked_up' })
      return {}
    },
    possible_second_rider: async (api, shop) => {
      const testShop = await testModeOf(api, shop)
      simulate('simulator-swift', ({ capabilities }) => ({ capabilities: { ...capabilities, lookup: 'none' } }))
      const orderId = await orderTo(api, testShop, '+2348035550300')
      const carriers = inOrder(['simulator-swift', 'simulator-steady'])
      const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...carriers }
      expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(202)
      await pass(api, 600, 30)
      return { shop: testShop }
    },
    second_rider: async (api, shop) => {
      const { testShop, key } = await abandonedBySwift(api, shop)
      simulate('simulator-swift', () => ({
        get: async () => ({ is: 'ok', value: tracking({ status: 'courier_assigned' }) }),
        cancel: async () => ({ is: 'refused', code: 'not_cancellable', message: 'The rider is on the way.' }),
      }))
      await pass(api, 5)
      expect((await readShipment(api, key)).shipment.status).toBe('in_transit')
      return { shop: testShop }
    },
    price_above_ceiling: (api, shop) => chargedByCarrier(simulate, api, shop, ({ ceilingKobo }) => ceilingKobo + 1),
    price_above_offer: (api, shop) => chargedByCarrier(simulate, api, shop, ({ offeredKobo }) => offeredKobo + 1),
    mismatched_cash: async (api, shop) => {
      const order = await placeOrder(api, shop, { isPaid: false })
      const codAmountKobo = toKobo(order.totalKobo)
      const key = await storeShipment(api, shop, { orderId: order.id, codAmountKobo })
      await applyUpdate(api, shop, key, { status: 'delivered', cashKobo: toKobo(order.totalKobo - 100) })
      return { orderId: order.id, refundableKobo: order.totalKobo - 100 }
    },
    parcel_cancelled_in_transit: (api, shop) => ended(api, shop, 'picked_up', 'cancelled'),
    unmoved_order: async (api, shop) => {
      const order = await orderAt(api, shop, 'pending')
      const key = await storeShipment(api, shop, { orderId: order.id })
      await applyUpdate(api, shop, key, { status: 'picked_up' })
      return {}
    },
    expensive_cancellation: async (api, shop) => {
      const testShop = await testModeOf(api, shop)
      const orderId = await orderTo(api, testShop)
      simulate('simulator-swift', ({ create }) => ({
        create: async (...args) => {
          await cancel(api, testShop, orderId)
          const accepted = await create(...args)
          // The simulated carrier charges for a cancellation once a rider is assigned.
          api.clock.advance(35_000)
          return accepted
        },
      }))
      const dispatch = {
        orderId,
        reference: randomCode(12),
        pickup: pickupInputExample,
        ...inOrder(['simulator-swift']),
      }
      expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(202)
      await pass(api, 20)
      return { shop: testShop }
    },
    late_cancellation: async (api, shop) => {
      const order = await orderAt(api, shop, 'processing')
      const key = await storeShipment(api, shop, { orderId: order.id })
      await applyUpdate(api, shop, key, { status: 'courier_assigned' })
      await cancel(api, shop, order.id)
      for (const status of ['picked_up', 'delivered'] as const) await applyUpdate(api, shop, key, { status })
      return {}
    },
  }) as const satisfies Readonly<Record<string, Produce>>
