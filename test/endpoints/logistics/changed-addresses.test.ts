import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { getShipment, openTestShop, orderTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const dispatch = (orderId: string, more: object = {}) =>
  post(started(), shop, 'dispatch', { reference: randomCode(12), orderId, pickup: pickupInputExample, ...more })

const simulate = useSimulatedCarriers(started)

const newAddress = {
  recipientName: 'Bisi Ade',
  phone: plainPhone,
  line1: '5 Allen Avenue',
  city: 'Ikeja',
  state: 'Lagos',
}

const move = (orderId: string, more: object = {}) =>
  started().send('PATCH', `/api/v1/orders/${orderId}`, {
    token: shop.token,
    body: { shippingAddress: { ...newAddress, ...more } },
  })

describe('the address of an order whose shipment is in progress', () => {
  test('changes to the dropoff that the dispatch named, because the rider already goes there', async () => {
    const orderId = await orderTo(started(), shop)
    const dropoff = { name: 'Bisi Ade', phone: plainPhone, line1: '5 Allen Avenue', area: 'Ikeja', state: 'Lagos' }
    expect((await dispatch(orderId, { dropoff })).status).toBe(201)
    answers('updateOrder', 'order_not_editable', await move(orderId, { line1: '7 Allen Avenue' }))
    const moved = await move(orderId)
    expect([moved.status, moved.body.shippingAddress?.line1], moved.text).toEqual([200, '5 Allen Avenue'])
  })
})

describe('409 concurrent_update', () => {
  test.for([
    ['dispatchShipment', 'dispatch', {}],
    ['createPredictiveSchedule', 'predictive-schedule', { prepMinutes: { p50: 60, p90: 90 } }],
  ] as const)('%s rejects an order whose address changed while the carriers made their offers, and ships to the new address when it is repeated', async ([
    operation,
    path,
    more,
  ]) => {
    const orderId = await orderTo(started(), shop)
    const request = () =>
      post(started(), shop, path, { reference: `REF-${orderId}`, orderId, pickup: pickupInputExample, ...more })
    simulate('simulator-swift', ({ quote }) => ({
      quote: async (...args) => {
        expect((await move(orderId)).status).toBe(200)
        return quote(...args)
      },
    }))
    answers(operation, 'concurrent_update', await request())
    simulate()
    const { status, body, text } = await request()
    expect(status, text).toBe(201)
    const shipment = await getShipment(started(), shop, body.shipmentId ?? body.id)
    expect(shipment.body.dropoff).toMatchObject({ line1: '5 Allen Avenue', area: 'Ikeja' })
  })
})
