import { describe, expect, test } from 'vitest'
import { newProductId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { makeProduct, makeVariant, patchProduct, productsPath, sell } from '../../support/commerce/product.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

describe('200 responses of deleteProduct', () => {
  test('deleteProduct deletes a draft with its variants and their stock, and keeps its stock movements', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop, { status: 'draft' })
    const reply = await api.send('DELETE', `${productsPath}/${id}`, { token: shop.token })
    expect([reply.status, reply.body]).toEqual([200, { id, deleted: true }])
    answers('getProduct', 'product_not_found', await api.send('GET', `${productsPath}/${id}`, { token: shop.token }))
    for (const table of ['product_variants', 'inventory']) {
      expect(await select(api, `select 1 from ${table} where merchant_id = $1`, [shop.merchantId])).toEqual([])
    }
    const ledger = await select(api, 'select 1 from stock_movements where merchant_id = $1', [shop.merchantId])
    expect(ledger).toHaveLength(variants.length)
  })

  test('deleteProduct makes the SKUs and the slug available again', async () => {
    const { api, shop } = await open()
    const more = { status: 'draft', slug: 'dress', options: [], variants: [{ sku: 'ANK', priceKobo: 1 }] }
    const { id } = await makeProduct(api, shop, more)
    await api.send('DELETE', `${productsPath}/${id}`, { token: shop.token })
    expect((await makeProduct(api, shop, more)).slug).toBe('dress')
  })
})

describe('409 product_in_use', () => {
  test.for([
    'active',
    'archived',
  ] as const)('deleteProduct returns 409 product_in_use for a product that is %s', async (status) => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop)
    if (status === 'archived') await patchProduct(api, shop, id, { status })
    const before = await contentsOf(api)
    const reply = await api.send('DELETE', `${productsPath}/${id}`, { token: shop.token })
    answers('deleteProduct', 'product_in_use', reply)
    expect(reply.body.error.details).toEqual({ status })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('deleteProduct returns 409 product_in_use for a draft that an order contains', async () => {
    const { api, shop } = await open()
    const { product, variant, path } = await makeVariant(api, shop, { onHand: 5 })
    await sell(api, shop, variant.id)
    await select(api, `update products set status = 'draft' where id = $1`, [product.id])
    const reply = await api.send('DELETE', path, { token: shop.token })
    answers('deleteProduct', 'product_in_use', reply)
    expect(reply.body.error.details).toEqual({ status: 'draft' })
  })
})

describe('404 product_not_found', () => {
  test('deleteProduct returns 404 product_not_found for an unknown id and for a deleted product', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop, { status: 'draft' })
    await api.send('DELETE', `${productsPath}/${id}`, { token: shop.token })
    for (const gone of [id, newProductId(0)]) {
      const reply = await api.send('DELETE', `${productsPath}/${gone}`, { token: shop.token })
      answers('deleteProduct', 'product_not_found', reply)
    }
  })
})
