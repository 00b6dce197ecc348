import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { testPaymentReference } from '../../../registry/service/test-payments.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { reconcileLateAcceptance } from '../../../src/logistics/dispatch/reconcile-late-acceptance.ts'
import { dispatcher } from '../../../src/logistics/shipments/change-shipment.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { ledgerOf, stockOf } from '../../support/commerce/order-transitions.ts'
import { eventsOf } from '../../support/database-contents.ts'
import {
  cancelShipment,
  inOrder,
  openTestShop,
  ordersOf,
  pass,
  plainPhone,
  post,
  readValidShipment,
} from '../../support/logistics/parcel-run.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { orderBody, type Shop, stockVariant } from '../../support/shop.ts'

/** Refunds of a shipment's units before, during and after the requests to its carriers. */

const started = useApi()

const simulate = useSimulatedCarriers(started)

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

/** Creates a paid order of two units of a variant with ten units in stock. */
async function orderOfTwo(phone = plainPhone) {
  const api = started()
  const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000, onHand: 10 })
  const shippingAddress = { recipientName: 'Bisi Ade', phone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
  const body = orderBody(variantId, { items: [{ variantId, quantity: 2 }], shippingAddress })
  const send = (path: string, sent: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body: sent })
  const { body: order } = await send('/orders', body)
  const amountKobo = order.totalKobo
  const reference = testPaymentReference({ amountKobo, behaviour: 'success' }, randomCode(12))
  const payment = { amountKobo, method: 'card', reference, provider: 'manual' }
  expect((await send(`/orders/${order.id}/payments`, payment)).status).toBe(201)
  const itemId: string = order.items[0].id
  const refundBody = { orderId: order.id, reason: 'customer_request' }
  return {
    id: order.id as string,
    itemId,
    /** Refunds the given number of units, or the whole order if the number is 0. */
    refund: (quantity: number, more: { restock?: boolean } = {}) =>
      send('/refunds', {
        ...refundBody,
        ...(quantity === 0 ? { amountKobo: order.totalKobo } : { items: [{ itemId, quantity, ...more }] }),
      }),
    dispatch: async (more: object): Promise<ReplyBody> => {
      const named = { orderId: order.id, pickup: pickupInputExample, reference: randomCode(12), ...more }
      const { status, body: shipment } = await post(api, shop, 'dispatch', named)
      expect([201, 202, 503], JSON.stringify(shipment)).toContain(status)
      return shipment
    },
    cancel: () => send(`/orders/${order.id}/cancel`, { reason: 'customer' }),
    read: async () => (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body,
    expectStock: async (onHand: number, reserved: number) => {
      expect(await stockOf(api, variantId)).toEqual({ onHand, reserved })
      const ledger = await ledgerOf(api, variantId)
      expect({ onHand: ledger.onHand + 10, reserved: ledger.reserved }).toEqual({ onHand, reserved })
    },
  }
}

const inAnHour = () => ({ scheduleAt: new Date(started().clock.nowMs() + 3_600_000).toISOString() })

const later = async (id: string, seconds = 900) => {
  await pass(started(), seconds, 10)
  return readValidShipment(started(), shop, id)
}

const anHourLater = (id: string) => {
  started().clock.advance(3_600_000)
  return later(id)
}

const exceptionsOf = async (id: string) => {
  const { body } = await started().send('GET', `/api/v1/logistics/shipments/${id}`, { token: shop.token })
  return body.exceptions.map(({ code, resolvedAt }: ReplyBody) => [code, resolvedAt === null])
}

const raised = async (id: string) =>
  (await eventsOf(started(), shop.merchantId, 'shipment.exception_raised'))
    .filter(({ data }) => data.shipmentId === id)
    .map(({ data }) => data.code)

const reason = { code: 'units_refunded', message: 'The units of the shipment were refunded.' }

describe('a refund before a carrier is requested', () => {
  test('a refunded unit is removed from a scheduled shipment, and the parcel has one unit less', async () => {
    const order = await orderOfTwo()
    const { id, parcels } = await order.dispatch({ ...inOrder(['simulator-swift']), ...inAnHour() })
    expect((await order.refund(1)).status).toBe(201)
    const shipment = await anHourLater(id)
    expect(shipment).toMatchObject({ status: 'delivered', items: [{ itemId: order.itemId, quantity: 1 }] })
    expect(parcels[0].quantity).toBe(2)
    expect(shipment.parcels).toEqual([{ ...parcels[0], quantity: 1 }])
    expect(shipment.exceptions).toEqual([])
    // The refunded unit was not restocked. It was therefore written off when the carrier picked up the other unit.
    await order.expectStock(8, 0)
    expect(await order.read()).toMatchObject({ status: 'delivered', items: [{ fulfilledQuantity: 1 }] })
  })

  test('a refund does not change parcels that the dispatch request described', async () => {
    const order = await orderOfTwo()
    const parcels = [{ description: 'One box', weightGrams: 900, quantity: 1, valueKobo: 2_000_000 }]
    const { id } = await order.dispatch({ ...inOrder(['simulator-swift']), ...inAnHour(), parcels })
    await order.refund(1)
    const shipment = await anHourLater(id)
    expect(shipment).toMatchObject({ items: [{ quantity: 1 }], parcels })
  })

  test.for<[string, number]>([
    ['all units', 2],
    ['the whole amount', 0],
  ])('a refund of %s cancels a scheduled shipment without a request to a carrier', async ([, quantity]) => {
    const order = await orderOfTwo()
    const { id } = await order.dispatch({ ...inOrder(['simulator-swift']), ...inAnHour() })
    expect((await order.refund(quantity)).status).toBe(201)
    const shipment = await anHourLater(id)
    expect(shipment).toMatchObject({ status: 'cancelled', statusReason: reason, attempts: [], exceptions: [] })
    expect(await ordersOf(started(), id)).toEqual([])
    // The units stay reserved for the order until the order is cancelled, which releases them.
    await order.expectStock(10, 2)
    expect((await order.cancel()).status).toBe(200)
    await order.expectStock(10, 0)
  })

  test('a refund cannot restock units that are in a shipment, but can restock other units', async () => {
    const order = await orderOfTwo()
    const one = { items: [{ itemId: order.itemId, quantity: 1 }] }
    const { id } = await order.dispatch({ ...inOrder(['simulator-swift']), ...inAnHour(), ...one })
    answers('createRefund', 'order_items_unavailable', await order.refund(2, { restock: true }))
    expect((await order.refund(1, { restock: true })).status).toBe(201)
    expect(await anHourLater(id)).toMatchObject({ status: 'delivered', ...one })
    await order.expectStock(9, 0)
  })

  test('a refund of the whole amount does not wait for a transaction that has locked a scheduled shipment of the order', async () => {
    const order = await orderOfTwo()
    const { id } = await order.dispatch({ ...inOrder(['simulator-swift']), ...inAnHour() })
    const client = await started().database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select id from shipments where merchant_id = $1 and id = $2 for update', [
        shop.merchantId,
        id,
      ])
      expect((await order.refund(0)).status).toBe(201)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('the shipment of a fully refunded order is cancelled with the reason units_refunded, even if no carrier makes an offer', async () => {
    const order = await orderOfTwo('+2348035551444')
    const { id } = await order.dispatch({ ...inOrder(['simulator-swift']), ...inAnHour() })
    await order.refund(0)
    expect(await anHourLater(id)).toMatchObject({ status: 'cancelled', statusReason: reason, exceptions: [] })
  })

  test('if the merchant marks an order as shipped before its scheduled dispatch, the units stay in the scheduled shipment', async () => {
    const order = await orderOfTwo()
    const { id } = await order.dispatch({ ...inOrder(['simulator-swift']), ...inAnHour() })
    const path = `/api/v1/orders/${order.id}/transition`
    await started().send('POST', path, { token: shop.token, body: { to: 'shipped' } })
    expect(await anHourLater(id)).toMatchObject({ status: 'delivered', items: [{ quantity: 2 }] })
  })
})

describe('a refund between two dispatch attempts', () => {
  test('a refunded unit is removed from the shipment before the next dispatch request, and the exception about the refund is resolved', async () => {
    const order = await orderOfTwo()
    simulate('simulator-swift', () => ({
      create: async () => {
        expect((await order.refund(1)).status).toBe(201)
        return { is: 'refused', code: 'couriers_busy', message: 'No rider.' }
      },
    }))
    const { id } = await order.dispatch(inOrder(['simulator-swift', 'simulator-steady']))
    const shipment = await readValidShipment(started(), shop, id)
    expect(shipment).toMatchObject({ status: 'awaiting_courier', items: [{ quantity: 1 }], parcels: [{ quantity: 1 }] })
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
  })

  test('a full refund between two dispatch attempts ends the shipment, and the second carrier gets no request', async () => {
    const order = await orderOfTwo()
    simulate('simulator-swift', () => ({
      create: async () => {
        await order.refund(0)
        return { is: 'refused', code: 'couriers_busy', message: 'No rider.' }
      },
    }))
    const { id } = await order.dispatch(inOrder(['simulator-swift', 'simulator-steady']))
    expect(await readValidShipment(started(), shop, id)).toMatchObject({
      ...{ status: 'cancelled', statusReason: reason, cancellation: { feeKobo: 0 } },
      attempts: [{ state: 'refused' }],
    })
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
    expect(await ordersOf(started(), id)).toEqual([])
  })
})

describe('a refund after a carrier was requested', () => {
  test.for<[string, number]>([
    ['one unit', 1],
    ['the whole amount', 0],
  ])('after the dispatch, a refund of %s raises the exception units_refunded once, and the parcel is still delivered', async ([
    ,
    quantity,
  ]) => {
    const order = await orderOfTwo()
    const { id } = await order.dispatch(inOrder(['simulator-swift']))
    expect((await order.refund(quantity)).status).toBe(201)
    if (quantity === 1) expect((await order.refund(1)).status).toBe(201)
    expect(await raised(id)).toEqual(['units_refunded'])
    expect(await later(id)).toMatchObject({ status: 'delivered', items: [{ quantity: 2 }] })
    expect(await exceptionsOf(id)).toEqual([['units_refunded', true]])
    await order.expectStock(8, 0)
  })

  test('a refund during the dispatch request raises the exception units_refunded, and cancelling the shipment resolves the exception', async () => {
    const order = await orderOfTwo()
    simulate('simulator-swift', ({ create }) => ({
      create: async (...args) => {
        await order.refund(2)
        return create(...args)
      },
    }))
    const { id } = await order.dispatch(inOrder(['simulator-swift']))
    expect(await exceptionsOf(id)).toEqual([['units_refunded', true]])
    expect((await cancelShipment(started(), shop, id)).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
    await order.expectStock(10, 2)
  })

  test('a late acceptance of an abandoned attempt raises the exception units_refunded if units were refunded while no attempt was active', async () => {
    const api = started()
    const order = await orderOfTwo()
    const monitorUntil = toTimestamp(api.clock.nowMs() + 3_600_000)
    const abandoned = { state: 'abandoned', carrierReference: null, monitorUntil } as const
    const dispatching = { status: 'dispatching', carrier: null, attempts: [abandoned] } as const
    const { id } = await storeShipment(api, shop, { orderId: order.id, ...dispatching })
    await order.refund(1)
    expect(await raised(id)).toEqual([])
    const command = { context: api.logistics, tenant: shop.tenant, actor: dispatcher, id }
    const silent = { priceKobo: undefined, trackingUrl: undefined, labelUrl: undefined, status: undefined }
    await reconcileLateAcceptance(command, 1, { ...silent, carrierReference: `SW-${id}` })
    expect(await raised(id)).toEqual(['units_refunded'])
    expect(await exceptionsOf(id)).toEqual([['units_refunded', true]])
  })

  test.for([
    'in_transit',
    'returning',
  ] as const)('a refund while the shipment is %s raises the exception units_refunded, which stays open even after the parcel is delivered', async (status) => {
    const api = started()
    const order = await orderOfTwo()
    const key = await storeShipment(api, shop, { orderId: order.id })
    await applyUpdate(api, shop, key, { status })
    expect((await order.refund(1)).status).toBe(201)
    if (status === 'in_transit') await applyUpdate(api, shop, key, { status: 'returning' })
    // After a further refund, the service checks the exceptions of the order's shipments again.
    expect((await order.refund(1)).status).toBe(201)
    expect(await exceptionsOf(key.id)).toEqual([['units_refunded', true]])
    await applyUpdate(api, shop, key, { status: 'delivered' })
    expect(await raised(key.id)).toEqual(['units_refunded'])
    expect(await exceptionsOf(key.id)).toEqual([['units_refunded', true]])
  })

  test('if units are refunded while the parcel is returning, the exception units_refunded is resolved when the parcel has returned', async () => {
    const api = started()
    const order = await orderOfTwo()
    const key = await storeShipment(api, shop, { orderId: order.id })
    await applyUpdate(api, shop, key, { status: 'returning' })
    await order.refund(2)
    await applyUpdate(api, shop, key, { status: 'returned' })
    expect(await exceptionsOf(key.id)).toContainEqual(['units_refunded', false])
  })

  test('a refund of a unit outside the shipment opens no exception of the shipment', async () => {
    const order = await orderOfTwo()
    const { id } = await order.dispatch({
      ...inOrder(['simulator-swift']),
      items: [{ itemId: order.itemId, quantity: 1 }],
    })
    expect((await order.refund(1)).status).toBe(201)
    expect(await exceptionsOf(id)).toEqual([])
  })

  test('an order stays processing, and its refunded unit stays reserved, until the carrier collects the unit', async () => {
    const order = await orderOfTwo()
    const oneUnit = { ...inOrder(['simulator-swift']), items: [{ itemId: order.itemId, quantity: 1 }] }
    const { id: first } = await order.dispatch(oneUnit)
    expect(await later(first)).toMatchObject({ status: 'delivered' })
    const { id: second } = await order.dispatch(oneUnit)
    expect((await order.refund(1)).status).toBe(201)
    expect(await order.read()).toMatchObject({ status: 'processing' })
    await order.expectStock(9, 1)
    expect(await later(second)).toMatchObject({ status: 'delivered' })
    expect(await order.read()).toMatchObject({ status: 'delivered' })
    await order.expectStock(8, 0)
  })
})
