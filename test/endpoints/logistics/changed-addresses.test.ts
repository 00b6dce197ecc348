import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openTestShop, orderTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const dispatch = (orderId: string, more: object = {}) =>
  post(started(), shop, 'dispatch', { reference: randomCode(12), orderId, pickup: pickupInputExample, ...more })

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
