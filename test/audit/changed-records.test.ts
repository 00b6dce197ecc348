import { expect, test } from 'vitest'
import { toTimestamp } from '../../src/base/clock.ts'
import { openFullShop } from '../dashboard/full-shop.ts'
import { useApi } from '../support/api.ts'
import { discount } from '../support/commerce/discount.ts'
import { moveOrderTo, orderAt } from '../support/commerce/order-transitions.ts'
import { paid } from '../support/commerce/refund.ts'
import { arrange, writes } from '../support/contract/operation.ts'
import { select } from '../support/database-contents.ts'
import { listedChanges } from '../support/listed-changes.ts'
import { readShipment, storeShipment } from '../support/logistics/shipment.ts'
import { openShop, orderBody, stockVariant } from '../support/shop.ts'

const api = useApi()

test('each audit row names all records that its transaction changed', async () => {
  const { shop, liveId } = await openFullShop(api())
  const live = await openShop(api().context)
  const { refund } = await paid(api(), live, [[10_000, 2]])
  expect((await refund(4_000)).status).toBe(201)
  const { order } = await paid(api(), live, [
    [10_000, 1],
    [20_000, 1],
  ])
  const cancelled = { token: live.token, body: { reason: 'customer' } }
  expect((await api().send('POST', `/api/v1/orders/${order.id}/cancel`, cancelled)).status).toBe(200)
  const changed = await listedChanges(api(), [shop.merchantId, liveId, live.merchantId])
  const found = new Set(changed.map(({ table }) => table))
  for (const table of ['orders', 'payments', 'refunds', 'shipments', 'inventory', 'customers'])
    expect([...found]).toContain(table)
  expect(changed.filter(({ isListed }) => !isListed)).toEqual([])
})

test.for(writes)('the audit row of the operation %s names all records that the operation changed', async (id) => {
  const operation = await arrange(api(), id, await openShop(api().context))
  const { token, merchantId } = operation.shop
  expect((await operation.send({ token })).status).toBeLessThan(300)
  const changed = await listedChanges(api(), [merchantId])
  expect(changed.filter(({ isListed }) => !isListed)).toEqual([])
})

/** Returns the record ids in the newest audit row with the given action. */
async function listedBy(merchantId: string, action: string): Promise<readonly string[]> {
  const [row] = await select(
    api(),
    'select resources from audit_log where merchant_id = $1 and action = $2 order by recorded_xid desc limit 1',
    [merchantId, action],
  )
  return row.resources
}

test('the audit row of a cancelled order names its scheduled shipment, so that the shipment’s log shows who cancelled', async () => {
  const shop = await openShop(api().context)
  const order = await orderAt(api(), shop, 'processing')
  const shipment = await storeShipment(api(), shop, { orderId: order.id, status: 'scheduled', attempts: [] })
  const sent = { token: shop.token, body: { reason: 'customer' } }
  expect((await api().send('POST', `${order.path}/cancel`, sent)).status).toBe(200)
  expect((await readShipment(api(), shipment)).shipment.cancelRequestedAt).not.toBeNull()
  expect(await listedBy(shop.merchantId, 'order.cancel')).toContain(shipment.id)
})

test('the audit row of a refund names the shipment whose exception the refund resolves', async () => {
  const shop = await openShop(api().context)
  const { order, itemIds, refund } = await paid(api(), shop, [[10_000, 1]])
  const exceptions = [{ code: 'dispatch_failed', at: toTimestamp(api().clock.nowMs()) }] as const
  const shipment = await storeShipment(api(), shop, { orderId: order.id, status: 'failed', exceptions })
  const items = itemIds.map((itemId) => ({ itemId, quantity: 1 }))
  expect((await refund(10_000, { items })).status).toBe(201)
  expect((await readShipment(api(), shipment)).shipment.exceptions).toMatchObject([{ resolvedAt: expect.any(String) }])
  expect(await listedBy(shop.merchantId, 'refund.create')).toContain(shipment.id)
})

test('the audit row of a cancelled order names the discounts whose uses the cancellation releases', async () => {
  const shop = await openShop(api().context)
  const { id: discountId, code } = await discount(api(), shop, { usageLimit: 5 })
  const { variantId } = await stockVariant(api(), shop.merchantId)
  const body = orderBody(variantId, { discountCodes: [code] })
  const created = await api().send('POST', '/api/v1/orders', { token: shop.token, body })
  const sent = { token: shop.token, body: { reason: 'customer' } }
  expect((await api().send('POST', `/api/v1/orders/${created.body.id}/cancel`, sent)).status).toBe(200)
  expect(await listedBy(shop.merchantId, 'order.cancel')).toContain(discountId)
})

test('if marking an order as shipped resolves an exception of its shipment, the audit row of the order also names the shipment', async () => {
  const shop = await openShop(api().context)
  const order = await orderAt(api(), shop, 'processing')
  const exceptions = [{ code: 'order_not_moved', at: toTimestamp(api().clock.nowMs()) }] as const
  const shipment = await storeShipment(api(), shop, { orderId: order.id, exceptions })
  await moveOrderTo(api(), shop, order.id, 'shipped')
  expect((await readShipment(api(), shipment)).shipment.exceptions).toMatchObject([{ resolvedAt: expect.any(String) }])
  expect(await listedBy(shop.merchantId, 'order.transition')).toContain(shipment.id)
})
test('the audit row of an anonymised customer names the customer’s orders, refunds and shipments', async () => {
  const shop = await openShop(api().context)
  const { order, refund, read } = await paid(api(), shop, [[10_000, 2]])
  const refunded = await refund(4_000)
  await moveOrderTo(api(), shop, order.id, 'delivered')
  const shipment = await storeShipment(api(), shop, { orderId: order.id, status: 'delivered' })
  const customerId = (await read()).customer.id
  const path = `/api/v1/customers/${customerId}/anonymise`
  const reply = await api().send('POST', path, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
  const changed = [customerId, order.id, refunded.body.id, shipment.id]
  expect(await listedBy(shop.merchantId, 'customer.anonymise')).toEqual(expect.arrayContaining(changed))
})

test('an audit row’s list of other changed records contains no events, deliveries, notifications, requests or merchants', async () => {
  const { shop } = await openFullShop(api())
  const rows = await select(
    api(),
    `select action, named from audit_log, unnest(resources) as named
     where merchant_id = $1 and named <> resource_id and named ~ '^(evt|dlv|ntf|req|mer|aud|ses)_'`,
    [shop.merchantId],
  )
  expect(rows).toEqual([])
})
