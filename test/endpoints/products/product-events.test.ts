import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { adjust, makeVariant, patchProduct, productsPath } from '../../support/commerce/product.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

/** The event `product.updated`. */

const started = useApi()

async function made() {
  const api = started()
  const shop = await openShop(api.context)
  const product = await makeVariant(api, shop, { onHand: 5 })
  const emitted = async () => (await eventsOf(api, shop.merchantId, 'product.updated')).map(({ data }) => data)
  return { api, shop, ...product, emitted }
}

test('each change of a product and of its variants emits one event with the changed fields and the new version', async () => {
  const { api, shop, product, variantPath, emitted } = await made()
  expect(await emitted()).toEqual([])
  const path = `${productsPath}/${product.id}`
  await patchProduct(api, shop, product.id, { title: 'Adire boubou', tags: ['new'] })
  api.clock.advance(1)
  await api.send('PATCH', variantPath, { token: shop.token, body: { priceKobo: 2_000_000 } })
  api.clock.advance(1)
  await patchProduct(api, shop, product.id, { status: 'archived' })
  const events = await emitted()
  expect(events).toHaveLength(3)
  expect(events[0]).toEqual({
    productId: product.id,
    changes: ['title', 'tags'],
    version: 2,
    occurredAt: expect.any(String),
  })
  expect(events[1]).toMatchObject({ changes: ['variants'], version: 3 })
  expect(events.at(-1)).toMatchObject({ changes: ['status'] })
  const { body } = await api.send('GET', path, { token: shop.token })
  expect(events.at(-1)?.version).toBe(body.version)
})

test('a request that changes nothing, a stock adjustment and a dry run emit no event product.updated', async () => {
  const { api, shop, product, variantPath, emitted } = await made()
  await patchProduct(api, shop, product.id, { title: product.title })
  await adjust(api, shop, variantPath, { delta: 1 })
  const headers = { 'Service-Dry-Run': 'true' }
  await api.send('PATCH', `${productsPath}/${product.id}`, { token: shop.token, body: { title: 'Other' }, headers })
  expect(await emitted()).toEqual([])
})
