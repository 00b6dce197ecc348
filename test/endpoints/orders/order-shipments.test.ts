import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { order } from '../../support/commerce/order.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const read = (id: string, headers = {}) => started().send('GET', `/api/v1/orders/${id}`, { token: shop.token, headers })

test('getOrder returns the shipments of the order in their current state, oldest first', async () => {
  const api = started()
  const { body: placed } = await order(api, shop)
  expect(placed.shipments).toEqual([])
  const items = [{ itemId: placed.items[0].id, quantity: 1 }]
  const trackingUrl = 'https://example.com/track/1'
  const first = await storeShipment(api, shop, { orderId: placed.id, status: 'failed', trackingUrl })
  api.clock.advance(1000)
  const second = await storeShipment(api, shop, { orderId: placed.id })
  await storeShipment(api, shop)
  expect((await read(placed.id)).body.shipments).toEqual([
    { id: first.id, status: 'failed', items, trackingUrl },
    { id: second.id, status: 'awaiting_courier', items, trackingUrl: null },
  ])
  await applyUpdate(api, shop, second, { status: 'courier_assigned' })
  expect((await read(placed.id)).body.shipments[1].status).toBe('courier_assigned')
})

test('getOrder with If-None-Match returns the order when one of its shipments changed, even if the order’s version is the same', async () => {
  const api = started()
  const { body: placed } = await order(api, shop)
  const etag = (await read(placed.id)).headers.get('etag') ?? ''
  const { id } = await storeShipment(api, shop, { orderId: placed.id })
  const again = await read(placed.id, { 'If-None-Match': etag })
  expect(again.status).toBe(200)
  expect(again.body.shipments).toMatchObject([{ id }])
})

test('the response of updateOrder contains the shipments of the order', async () => {
  const api = started()
  const { body: placed } = await order(api, shop)
  const { id } = await storeShipment(api, shop, { orderId: placed.id })
  const path = `/api/v1/orders/${placed.id}`
  const noted = await api.send('PATCH', path, { token: shop.token, body: { note: 'Gift.' } })
  expect(noted.body.shipments).toMatchObject([{ id }])
  const held = await api.send('POST', `${path}/transition`, { token: shop.token, body: { to: 'on_hold' } })
  expect(held.body.shipments).toMatchObject([{ id }])
})
