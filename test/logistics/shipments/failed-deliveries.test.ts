import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { resolveException } from '../../../src/logistics/cancellation/resolve-exception.ts'
import { useApi } from '../../support/api.ts'
import { attentionRows, reportedCodes } from '../../support/attention.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { minuteOf, openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

/**
 * The exception `delivery_failed`. The carrier of the parcel could not hand it over to the recipient, and still has it.
 */

const started = useApi()

async function inTransit(shop: Shop, orderId: string | null = null) {
  const shipment = await openTrackedShipment(started(), shop, { orderId, status: 'in_transit' })
  const exceptions = async () =>
    (await shipment.read()).shipment.exceptions.map(({ code, resolvedAt }) => [code, resolvedAt === undefined])
  return { ...shipment, exceptions }
}

const code = 'delivery_failed'

async function cancel(shop: Shop, path: string) {
  const reply = await started().send('POST', `${path}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  expect(reply.status, reply.text).toBe(200)
}

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

  test('each failed delivery attempt of a carrier causes a notification, an event and a row on the page “Today”', async () => {
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

describe('two failures of a delivery without another status in between', () => {
  async function failedDelivery() {
    const api = started()
    const shop = await openShop(api.context)
    const shipment = await inTransit(shop)
    const { id } = shipment.key
    return {
      ...shipment,
      resolve: () => resolveException(api.context, operator, shop.tenant, { id, code, reason: 'Called.' }),
      reports: async () => (await reportedCodes(api, shop.merchantId, id)).sent,
      failures: async () => (await shipment.read()).events.filter(({ status }) => status === code).length,
    }
  }

  test('a later failure of the delivery reopens the resolved exception delivery_failed; another report of the same failure does not reopen it', async () => {
    const { update, resolve, exceptions, reports } = await failedDelivery()
    await update(code, 1)
    for (const minutes of [30, 50]) {
      await resolve()
      expect(await exceptions()).toEqual([[code, false]])
      await update(code, minutes)
      expect(await exceptions()).toEqual([[code, true]])
    }
    await resolve()
    for (const minutes of [1, 30, 50, undefined]) await update(code, minutes)
    expect(await exceptions()).toEqual([[code, false]])
    expect(await reports()).toEqual([code, code, code])
  })

  test('while the exception delivery_failed is open, a second failure adds only a timeline entry; a repeated report does not reopen a resolved exception', async () => {
    const { update, resolve, exceptions, reports, failures } = await failedDelivery()
    await update(code, 1)
    await update(code, 30)
    expect(await failures()).toBe(2)
    await resolve()
    await update(code, 30)
    expect(await exceptions()).toEqual([[code, false]])
    expect(await reports()).toEqual([code])
    expect(await failures()).toBe(2)
  })

  test('two reports of one failure with times a few seconds apart raise the exception delivery_failed once', async () => {
    const { api, update, resolve, exceptions } = await failedDelivery()
    await update(code, 1)
    await resolve()
    await update(code, undefined, { at: toTimestamp(Date.parse(minuteOf(api, 1)) + 5000) })
    expect(await exceptions()).toEqual([[code, false]])
  })

  test('if a carrier reports the same failed delivery twice with a time in the future, the second report does not reopen the resolved exception', async () => {
    const { api, update, resolve, exceptions, failures } = await failedDelivery()
    const at = toTimestamp(api.clock.nowMs() + 3_600_000)
    await update(code, undefined, { at })
    await resolve()
    api.clock.advance(300_000)
    await update(code, undefined, { at })
    expect(await exceptions()).toEqual([[code, false]])
    expect(await failures()).toBe(1)
  })
})

test('setting an order to delivered resolves the exception delivery_failed of its shipment', async () => {
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

describe('a shipment whose status was delivery_failed before the release that added the exception', () => {
  const upgrade = () => select(started(), readFileSync('src/store/migrations/0190_failed_deliveries.sql', 'utf8'))

  async function failedBefore(shop: Shop, orderId: string | null = null) {
    const shipment = await inTransit(shop, orderId)
    await shipment.update(code, 1)
    const [raised] = (await shipment.read()).shipment.exceptions
    started().clock.advance(60_000)
    await select(started(), "update shipments set exceptions = '[]', updated_at = $2 where id = $1", [
      shipment.key.id,
      toTimestamp(started().clock.nowMs()),
    ])
    return { ...shipment, raised }
  }

  test('the upgrade adds the exception delivery_failed to the shipment, and the next change of the shipment sends the event about the exception', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { key, raised, read, update } = await failedBefore(shop)
    await upgrade()
    await upgrade()
    const { exceptions } = (await read()).shipment
    expect(exceptions.map((exception) => ({ ...exception, isReported: true }))).toEqual([raised])
    expect((await reportedCodes(api, shop.merchantId, key.id)).sent).toEqual([code])
    await update(code, 30)
    expect((await reportedCodes(api, shop.merchantId, key.id)).sent).toEqual([code, code])
  })

  test('the upgrade adds no exception delivery_failed if the merchant has set the order to delivered, or if the parcel is in transit', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await orderAt(api, shop, 'processing')
    const delivered = await failedBefore(shop, order.id)
    const body = { to: 'delivered' }
    const reply = await api.send('POST', `${order.path}/transition`, { token: shop.token, body })
    expect(reply.status, reply.text).toBe(200)
    const moving = await inTransit(shop)
    await upgrade()
    expect(await delivered.exceptions()).toEqual([])
    expect(await moving.exceptions()).toEqual([])
  })

  test('the upgrade adds no exception delivery_failed to the shipment of a cancelled order', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await orderAt(api, shop, 'processing')
    const { update, exceptions } = await inTransit(shop, order.id)
    await cancel(shop, order.path)
    await update(code, 1)
    await upgrade()
    expect(await exceptions()).toEqual([['order_cancelled', true]])
  })
})

describe('a failed delivery of a cancelled order', () => {
  test('a failed delivery of a cancelled order opens no exception in addition to order_cancelled', async () => {
    const shop = await openShop(started().context)
    const order = await orderAt(started(), shop, 'processing')
    const { update, exceptions } = await inTransit(shop, order.id)
    await cancel(shop, order.path)
    await update(code, 1)
    expect(await exceptions()).toEqual([['order_cancelled', true]])
  })

  test('the cancellation of an order resolves the exception delivery_failed of its shipment and raises order_cancelled', async () => {
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
