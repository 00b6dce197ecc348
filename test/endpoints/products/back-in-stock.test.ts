import { expect, test } from 'vitest'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { adjust, makeVariant, patchProduct, sell } from '../../support/commerce/product.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { eventsOf } from '../../support/database-contents.ts'

/** The service emits `inventory.back_in_stock` once each time the available quantity of a variant rises above zero. */

const started = useApi()

async function stocked(inventory: object) {
  const { api, shop } = await openShopWith(started(), {})
  const made = await makeVariant(api, shop, inventory)
  const emitted = async (): Promise<ReplyBody[]> =>
    (await eventsOf(api, shop.merchantId, 'inventory.back_in_stock')).map(({ data }) => data)
  return { api, shop, ...made, emitted }
}

test('10 concurrent stock additions to a sold-out variant emit one back-in-stock event', async () => {
  const { api, shop, product, variant, variantPath, emitted } = await stocked({ onHand: 0 })
  await Promise.all(Array.from({ length: 10 }, () => adjust(api, shop, variantPath, { delta: 1 })))
  expect(await emitted()).toEqual([
    {
      productId: product.id,
      variantId: variant.id,
      sku: variant.sku,
      title: expect.any(String),
      available: 1,
      onHand: 1,
      reserved: 0,
      cause: { type: 'adjustment', orderId: null },
      occurredAt: expect.any(String),
    },
  ])
})

test('the cancellation of the order that reserved the last unit emits a back-in-stock event that names the order', async () => {
  const { api, shop, variant, emitted } = await stocked({ onHand: 1 })
  const order = await sell(api, shop, variant.id)
  const path = `/api/v1/orders/${order.body.id}/cancel`
  const cancelled = await api.send('POST', path, { token: shop.token, body: { reason: 'customer' } })
  expect(cancelled.status, cancelled.text).toBe(200)
  expect(await emitted()).toMatchObject([
    { available: 1, reserved: 0, cause: { type: 'order', orderId: order.body.id } },
  ])
})

test('adding stock to a variant with available units emits no back-in-stock event, and neither does a dry run of an addition', async () => {
  const { api, shop, variantPath, emitted } = await stocked({ onHand: 1 })
  await adjust(api, shop, variantPath, { delta: 5 })
  await adjust(api, shop, variantPath, { set: 0 })
  const headers = { 'Service-Dry-Run': 'true' }
  const body = { delta: 5, reason: 'restock' }
  const dry = await api.send('POST', `${variantPath}/inventory`, { token: shop.token, body, headers })
  expect(dry.body).toMatchObject({ available: 5 })
  expect(await emitted()).toEqual([])
})

test('after a stock addition that only covers open backorders, the back-in-stock event is not emitted until units are available for new orders', async () => {
  const { api, shop, variant, variantPath, emitted } = await stocked({ onHand: 0, allowBackorder: true })
  await sell(api, shop, variant.id, 3)
  await adjust(api, shop, variantPath, { delta: 3 })
  expect(await emitted()).toEqual([])
  await adjust(api, shop, variantPath, { delta: 1 })
  expect(await emitted()).toMatchObject([{ available: 1, onHand: 4, reserved: 3 }])
})

test('a new variant, an archived product and a variant without stock tracking emit no back-in-stock event', async () => {
  const archived = await stocked({ onHand: 0 })
  await patchProduct(archived.api, archived.shop, archived.product.id, { status: 'archived' })
  await adjust(archived.api, archived.shop, archived.variantPath, { delta: 5 })
  expect(await archived.emitted()).toEqual([])
  const untracked = await stocked({ onHand: 0, tracked: false })
  await adjust(untracked.api, untracked.shop, untracked.variantPath, { delta: 5 })
  expect(await untracked.emitted()).toEqual([])
  expect(await (await stocked({ onHand: 5 })).emitted()).toEqual([])
})
