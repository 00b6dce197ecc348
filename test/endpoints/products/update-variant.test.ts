import { describe, expect, test } from 'vitest'
import { newImageId, newProductId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { makeProduct, makeVariant, patchProduct, productsPath, sell } from '../../support/commerce/product.ts'
import { auditRows, contentsOf } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

function patch(api: TestApi, shop: Shop, variantPath: string, body: object) {
  return api.send('PATCH', variantPath, { token: shop.token, body })
}

const pathOf = (productId: string, variantId: string) => `${productsPath}/${productId}/variants/${variantId}`

describe('200 responses of updateVariant', () => {
  test('updateVariant changes the fields that are sent, keeps the others, and raises the product’s version by one', async () => {
    const { api, shop } = await open()
    const product = await makeProduct(api, shop)
    const [variant, other] = product.variants
    const fields = {
      sku: 'NEW',
      priceKobo: 900,
      compareAtPriceKobo: 1000,
      costKobo: 500,
      barcode: '6154',
      weightGrams: 300,
      imageId: product.images[1].id,
      optionValues: { size: 'L', colour: 'Wine' },
    }
    const inventory = { tracked: false, allowBackorder: true, lowStockThreshold: 3 }
    api.clock.advance(1000)
    const reply = await patch(api, shop, pathOf(product.id, variant.id), { ...fields, inventory })
    const changed = { ...variant, ...fields, title: 'L / Wine', inventory: { ...variant.inventory, ...inventory } }
    expect(reply.body.variants).toEqual([changed, other])
    expect(reply.body).toMatchObject({ version: 2, updatedAt: new Date(api.clock.nowMs()).toISOString() })
    expect(reply.body.totalAvailable).toBe(10)
    expect((await api.send('GET', `${productsPath}/${product.id}`, { token: shop.token })).body).toEqual(reply.body)
    const [row] = (await auditRows(api, shop.merchantId)).slice(-1)
    expect(row?.changes).toMatchObject({
      variant: [variant.id, variant.id],
      priceKobo: [1_500_000, 900],
      tracked: [true, false],
    })
    const cleared = { compareAtPriceKobo: null, costKobo: null, barcode: null, weightGrams: null, imageId: null }
    const none = await patch(api, shop, pathOf(product.id, variant.id), {
      ...cleared,
      inventory: { lowStockThreshold: null },
    })
    expect(none.body.variants[0]).toMatchObject({ ...cleared, sku: 'NEW', inventory: { lowStockThreshold: null } })
  })

  test.for([
    {},
    { priceKobo: 1_500_000 },
    { inventory: { tracked: true } },
  ])('updateVariant changes nothing when the request has the current values: %j', async (body) => {
    const { api, shop } = await open()
    const { product, variantPath } = await makeVariant(api, shop, { onHand: 3 })
    api.clock.advance(1000)
    expect((await patch(api, shop, variantPath, body)).body).toEqual(product)
  })

  test('a new price of a variant applies to later orders only', async () => {
    const { api, shop } = await open()
    const { variant, variantPath } = await makeVariant(api, shop, { onHand: 3 })
    const before = await sell(api, shop, variant.id)
    await patch(api, shop, variantPath, { priceKobo: 700, sku: 'NEW' })
    const after = await sell(api, shop, variant.id)
    expect([before.body.totalKobo, after.body.totalKobo]).toEqual([1_500_000, 700])
    const kept = await api.send('GET', `/api/v1/orders/${before.body.id}`, { token: shop.token })
    expect(kept.body.items[0]).toMatchObject({ unitPriceKobo: 1_500_000, sku: variant.sku })
  })

  test('updateVariant can give an archived variant a SKU that is in use, but then the variant cannot be restored', async () => {
    const { api, shop } = await open()
    const live = await makeVariant(api, shop)
    const { product, variantPath } = await makeVariant(api, shop)
    await patchProduct(api, shop, product.id, { status: 'archived' })
    expect((await patch(api, shop, variantPath, { sku: live.variant.sku })).status).toBe(200)
    answers('updateProduct', 'sku_in_use', await patchProduct(api, shop, product.id, { status: 'active' }))
  })
})

describe('the image of a variant', () => {
  test('an order item keeps the image URL that the variant had at the time of the order', async () => {
    const { api, shop } = await open()
    const { id, variants, images } = await makeProduct(api, shop)
    const first = await sell(api, shop, variants[0].id)
    await patch(api, shop, pathOf(id, variants[0].id), { imageId: images[1].id })
    const second = await sell(api, shop, variants[0].id)
    await patchProduct(api, shop, id, { images: [] })
    const kept = [first, second].map(({ body }) => api.send('GET', `/api/v1/orders/${body.id}`, { token: shop.token }))
    const urls = (await Promise.all(kept)).map(({ body }) => body.items[0].imageUrl)
    expect(urls).toEqual([images[0].url, images[1].url])
  })
})

describe('409 responses of updateVariant', () => {
  test('updateVariant returns sku_in_use for another variant’s SKU; the variant’s own SKU in another case is allowed', async () => {
    const { api, shop } = await open()
    const other = await makeVariant(api, shop)
    const { id, variants } = await makeProduct(api, shop)
    const path = pathOf(id, variants[0].id)
    const before = await contentsOf(api)
    for (const [sku, existingId] of [
      [other.variant.sku.toUpperCase(), other.variant.id],
      [variants[1].sku, variants[1].id],
    ]) {
      const reply = await patch(api, shop, path, { sku, priceKobo: 1 })
      answers('updateVariant', 'sku_in_use', reply)
      expect(reply.body.error.details.existingId).toBe(existingId)
    }
    expect(await contentsOf(api)).toEqual(before)
    expect((await patch(api, shop, path, { sku: variants[0].sku.toUpperCase() })).status).toBe(200)
  })

  test('updateVariant returns option_values_in_use for the option values of another variant, and options_mismatch for wrong options', async () => {
    const { api, shop } = await open()
    const { id, variants, options } = await makeProduct(api, shop)
    const path = pathOf(id, variants[0].id)
    const taken = await patch(api, shop, path, { optionValues: variants[1].optionValues })
    answers('updateVariant', 'option_values_in_use', taken)
    expect(taken.body.error.details).toEqual({ existingId: variants[1].id })
    const misfit = await patch(api, shop, path, { optionValues: { size: 'S' } })
    answers('updateVariant', 'options_mismatch', misfit)
    expect(misfit.body.error.details).toEqual({ options })
  })

  test('updateVariant returns compare_at_price_too_low for a price that is raised to the value of compareAtPriceKobo', async () => {
    const { api, shop } = await open()
    const { variantPath } = await makeVariant(api, shop)
    await patch(api, shop, variantPath, { priceKobo: 1000, compareAtPriceKobo: 2000 })
    const raised = await patch(api, shop, variantPath, { priceKobo: 2000 })
    answers('updateVariant', 'compare_at_price_too_low', raised)
    expect(raised.body.error.details).toEqual({ priceKobo: 2000, compareAtPriceKobo: 2000 })
    const lowered = await patch(api, shop, variantPath, { compareAtPriceKobo: 1000 })
    answers('updateVariant', 'compare_at_price_too_low', lowered)
    const both = await patch(api, shop, variantPath, { priceKobo: 2000, compareAtPriceKobo: 2000 })
    answers('updateVariant', 'validation_failed', both)
  })
})

describe('404 responses of updateVariant', () => {
  test('updateVariant returns 404 for an unknown product, variant or image', async () => {
    const { api, shop } = await open()
    const { product, variant } = await makeVariant(api, shop)
    const other = await makeVariant(api, shop)
    const body = { priceKobo: 1 }
    answers('updateVariant', 'product_not_found', await patch(api, shop, pathOf(newProductId(0), variant.id), body))
    for (const variantId of [newVariantId(0), other.variant.id]) {
      const reply = await patch(api, shop, pathOf(product.id, variantId), { inventory: { tracked: false } })
      answers('updateVariant', 'variant_not_found', reply)
      expect(reply.body.error.details).toEqual({ variantIds: [variantId] })
    }
    const imageId = newImageId(0)
    const reply = await patch(api, shop, pathOf(product.id, variant.id), { imageId })
    answers('updateVariant', 'image_not_found', reply)
  })
})
