import { describe, expect, test } from 'vitest'
import { newProductId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { makeProduct, makeVariant, patchProduct, productsPath, sell } from '../../support/commerce/product.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })
const pathOf = (productId: string, variantId: string) => `${productsPath}/${productId}/variants/${variantId}`

describe('200 responses of deleteVariant', () => {
  test('deleteVariant deletes a variant without orders, and makes its SKU and its option values available again', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop)
    const [gone, kept] = variants
    const reply = await api.send('DELETE', pathOf(id, gone.id), { token: shop.token })
    expect(reply.body).toMatchObject({ id, version: 2, totalAvailable: 10 })
    expect(reply.body.variants).toEqual([kept])
    expect(await select(api, 'select 1 from product_variants where id = $1', [gone.id])).toEqual([])
    expect(await select(api, 'select 1 from inventory where variant_id = $1', [gone.id])).toEqual([])
    const body = { sku: gone.sku, optionValues: gone.optionValues, priceKobo: 1 }
    const again = await api.send('POST', `${productsPath}/${id}/variants`, { token: shop.token, body })
    expect(again.status).toBe(201)
  })

  test('deleteVariant archives a variant that orders contain, and restoring the product does not restore that variant', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop)
    const [gone, kept] = variants
    const order = await sell(api, shop, gone.id)
    const reply = await api.send('DELETE', pathOf(id, gone.id), { token: shop.token })
    expect(reply.body.variants).toEqual([kept])
    answers('createOrder', 'product_not_available', await sell(api, shop, gone.id))
    const read = await api.send('GET', `/api/v1/orders/${order.body.id}`, { token: shop.token })
    expect(read.body.items[0]).toMatchObject({ variantId: gone.id, sku: gone.sku })
    const body = { sku: gone.sku, optionValues: gone.optionValues, priceKobo: 1 }
    const again = await api.send('POST', `${productsPath}/${id}/variants`, { token: shop.token, body })
    expect(again.status).toBe(201)
    await patchProduct(api, shop, id, { status: 'archived' })
    const back = await patchProduct(api, shop, id, { status: 'active' })
    expect(back.body.variants).toEqual(again.body.variants)
  })

  test('deleteVariant deletes the last variant of a draft', async () => {
    const { api, shop } = await open()
    const { variantPath } = await makeVariant(api, shop, {}, { status: 'draft' })
    const { body } = await api.send('DELETE', variantPath, { token: shop.token })
    expect(body).toMatchObject({ variants: [], priceRange: null })
  })
})

describe('409 product_needs_variant', () => {
  test('deleteVariant returns 409 product_needs_variant for the last variant of an active product', async () => {
    const { api, shop } = await open()
    const { variantPath } = await makeVariant(api, shop)
    const before = await contentsOf(api)
    const reply = await api.send('DELETE', variantPath, { token: shop.token })
    answers('deleteVariant', 'product_needs_variant', reply)
    expect(await contentsOf(api)).toEqual(before)
  })

  test('only one of two concurrent deletions of a product’s last two variants succeeds', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop)
    const replies = await Promise.all(
      variants.map((variant: { id: string }) => api.send('DELETE', pathOf(id, variant.id), { token: shop.token })),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409])
  })
})

describe('404 responses of deleteVariant', () => {
  test('deleteVariant returns product_not_found for an unknown product, and variant_not_found for an unknown or deleted variant', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop)
    const path = pathOf(newProductId(0), variants[0].id)
    answers('deleteVariant', 'product_not_found', await api.send('DELETE', path, { token: shop.token }))
    await sell(api, shop, variants[0].id)
    await api.send('DELETE', pathOf(id, variants[0].id), { token: shop.token })
    for (const variantId of [variants[0].id, newVariantId(0)]) {
      const reply = await api.send('DELETE', pathOf(id, variantId), { token: shop.token })
      answers('deleteVariant', 'variant_not_found', reply)
    }
  })
})

describe('deleteVariant and concurrent orders', () => {
  test('deleteVariant archives the variant if at least one of 20 concurrent orders was created', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop, {
      variants: ['S', 'M'].map((size) => ({
        optionValues: { size, colour: 'Wine' },
        priceKobo: 1,
        inventory: { onHand: 100 },
      })),
    })
    const variantId = variants[0].id
    const [removed, ...orders] = await Promise.all([
      api.send('DELETE', pathOf(id, variantId), { token: shop.token }),
      ...Array.from({ length: 20 }, () => sell(api, shop, variantId)),
    ])
    expect(removed?.status).toBe(200)
    const taken = orders.filter((reply) => reply.status === 201).length
    for (const reply of orders) expect([201, 404, 409]).toContain(reply.status)
    const named = await select(api, 'select 1 from order_items where variant_id = $1', [variantId])
    expect(named).toHaveLength(taken)
    const kept = await select(api, 'select removed_at is not null as removed from product_variants where id = $1', [
      variantId,
    ])
    expect(kept).toEqual(taken > 0 ? [{ removed: true }] : [])
  })
})
