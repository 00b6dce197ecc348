import { describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { useApi } from '../../support/api.ts'
import { attentionRows, reportedCodes } from '../../support/attention.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { signedIn } from '../../support/dashboard.ts'
import { openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** The exception `delivery_failed` of a parcel that the carrier could not hand over and still has. */

const started = useApi()

async function inTransit(shop: Shop, orderId: string | null = null) {
  const shipment = await openTrackedShipment(started(), shop, { orderId, status: 'in_transit' })
  const exceptions = async () =>
    (await shipment.read()).shipment.exceptions.map(({ code, resolvedAt }) => [code, resolvedAt === undefined])
  return { ...shipment, exceptions }
}

const code = 'delivery_failed'

describe('a delivery that fails', () => {
  test.for<[ShipmentStatus, readonly string[]]>([
    ['in_transit', []],
    ['at_dropoff', []],
    ['delivered', []],
    ['returning', []],
    ['returned', ['parcel_returned']],
    ['lost', ['parcel_lost']],
  ])('the status %s resolves the exception delivery_failed', async ([status, raised]) => {
    const { update, exceptions } = await inTransit(await openShop(started().context))
    await update(code, 1)
    expect(await exceptions()).toEqual([[code, true]])
    await update(status, 2)
    expect(await exceptions()).toEqual([[code, false], ...raised.map((other) => [other, true])])
  })

  test('each failed attempt of a delivery has a notification, an event and a row under “Needs attention”', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { key, update } = await inTransit(shop)
    const member = await signedIn(api, shop.merchantId, 'owner')
    const facts = async () => ({
      ...(await reportedCodes(api, shop.merchantId, key.id)),
      rows: (await attentionRows(member, `/shipments/${key.id}`)).length,
    })
    await update(code, 1)
    expect(await facts()).toEqual({ sent: [code], notified: [code], rows: 1 })
    await update('in_transit', 2)
    expect(await facts()).toEqual({ sent: [code], notified: [code], rows: 0 })
    await update(code, 3)
    expect(await facts()).toEqual({ sent: [code, code], notified: [code, code], rows: 1 })
  })
})

test('setting the order to delivered resolves the exception of its failed delivery', async () => {
  const shop = await openShop(started().context)
  const order = await orderAt(started(), shop, 'processing')
  const { update, exceptions } = await inTransit(shop, order.id)
  await update(code, 1)
  expect(await exceptions()).toEqual([[code, true]])
  const path = `${order.path}/transition`
  const reply = await started().send('POST', path, { token: shop.token, body: { to: 'delivered' } })
  expect(reply.status, reply.text).toBe(200)
  expect(await exceptions()).toEqual([[code, false]])
})

describe('a failed delivery of a cancelled order', () => {
  async function cancel(shop: Shop, path: string) {
    const reply = await started().send('POST', `${path}/cancel`, { token: shop.token, body: { reason: 'customer' } })
    expect(reply.status, reply.text).toBe(200)
  }

  test('a failed delivery of an order that was cancelled before raises no second exception', async () => {
    const shop = await openShop(started().context)
    const order = await orderAt(started(), shop, 'processing')
    const { update, exceptions } = await inTransit(shop, order.id)
    await cancel(shop, order.path)
    await update(code, 1)
    expect(await exceptions()).toEqual([['order_cancelled', true]])
  })

  test('the cancellation of the order resolves the exception of its failed delivery and raises order_cancelled', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await orderAt(api, shop, 'processing')
    const shipment = await openTrackedShipment(api, shop, { orderId: order.id, items: [], status: 'in_transit' })
    await shipment.update(code, 1)
    await cancel(shop, order.path)
    const { exceptions } = (await shipment.read()).shipment
    expect(exceptions.map((known) => [known.code, known.resolvedAt === undefined])).toEqual([
      [code, false],
      ['order_cancelled', true],
    ])
  })
})
