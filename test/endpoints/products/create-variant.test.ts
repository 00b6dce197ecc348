import { describe, expect, test } from 'vitest'
import { newImageId, newProductId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { freeSku, makeProduct, patchProduct, productsPath } from '../../support/commerce/product.ts'
import { contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

const wine = { size: 'L', colour: 'Wine' }

function add(api: TestApi, shop: Shop, productId: string, more: object = {}) {
  const body = { optionValues: wine, priceKobo: 2_000_000, ...more }
  return api.send('POST', `${productsPath}/${productId}/variants`, { token: shop.token, body })
}

describe('201 responses of createVariant', () => {
  test('createVariant returns the product with an incremented version and with the new variant at the end, and records the variant’s stock', async () => {
    const { api, shop } = await open()
    const { id, images } = await makeProduct(api, shop)
    const reply = await add(api, shop, id, { sku: 'NEW', imageId: images[0].id, inventory: { onHand: 3 } })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('etag')).toMatch(/^"v2-/)
    const variant = reply.body.variants.at(-1)
    expect(variant).toMatchObject({
      sku: 'NEW',
      title: 'L / Wine',
      position: 2,
      inventory: { onHand: 3, available: 3, low: true },
    })
    expect(reply.body).toMatchObject({
      version: 2,
      priceRange: { minKobo: 1_500_000, maxKobo: 2_000_000 },
      totalAvailable: 23,
      images: [{ variantIds: [variant.id] }, {}],
    })
    expect((await api.send('GET', `${productsPath}/${id}`, { token: shop.token })).body).toEqual(reply.body)
    const ledger = 'select reason, on_hand_delta, on_hand from stock_movements where variant_id = $1'
    expect(await select(api, ledger, [variant.id])).toEqual([{ reason: 'opening', on_hand_delta: 3, on_hand: 3 }])
    expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toEqual([])
  })

  test('createVariant on an archived product adds an archived variant; restoring the product also restores the variant', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop)
    await patchProduct(api, shop, id, { status: 'archived' })
    const { body } = await add(api, shop, id)
    const state = 'select archived_at is not null as archived from product_variants where id = $1'
    const variantId = body.variants.at(-1).id
    expect(await select(api, state, [variantId])).toEqual([{ archived: true }])
    await patchProduct(api, shop, id, { status: 'active' })
    expect(await select(api, state, [variantId])).toEqual([{ archived: false }])
  })
})

describe('409 responses of createVariant', () => {
  test('createVariant returns sku_in_use for a SKU of another product, ignoring case', async () => {
    const { api, shop } = await open()
    const sku = freeSku(api)
    const other = await makeProduct(api, shop, { options: [], variants: [{ sku, priceKobo: 1 }] })
    const { id } = await makeProduct(api, shop)
    const before = await contentsOf(api)
    const reply = await add(api, shop, id, { sku: sku.toUpperCase() })
    answers('createVariant', 'sku_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: other.variants[0].id, sku })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('createVariant returns sku_in_use for the SKU of an archived variant of the same product, so that the archived variant can still be restored', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop)
    await patchProduct(api, shop, id, { status: 'archived' })
    const reply = await add(api, shop, id, { sku: variants[0].sku.toUpperCase() })
    answers('createVariant', 'sku_in_use', reply)
  })

  test('createVariant returns option_values_in_use with the id of the variant that has the same option values', async () => {
    const { api, shop } = await open()
    const { id, variants } = await makeProduct(api, shop)
    const reply = await add(api, shop, id, { optionValues: { colour: 'Indigo', size: 'M' } })
    answers('createVariant', 'option_values_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: variants[1].id })
  })

  test.for([
    {},
    { size: 'L' },
    { ...wine, size: 'XS' },
    { ...wine, fit: 'slim' },
  ])('createVariant returns options_mismatch for the option values %j', async (optionValues) => {
    const { api, shop } = await open()
    const { id, options } = await makeProduct(api, shop)
    const reply = await add(api, shop, id, { optionValues })
    answers('createVariant', 'options_mismatch', reply)
    expect(reply.body.error.details).toEqual({ options })
  })

  test('createVariant returns variant_limit_reached for the 101st variant', async () => {
    const { api, shop } = await open()
    const values = Array.from({ length: 100 }, (_, index) => `v${index}`)
    const variants = values.map((size) => ({ optionValues: { size }, priceKobo: 1 }))
    const { id } = await makeProduct(api, shop, { options: [{ name: 'size', values }], variants })
    const reply = await add(api, shop, id)
    answers('createVariant', 'variant_limit_reached', reply)
    expect(reply.body.error.details).toEqual({ limit: 100 })
  })

  test('10 concurrent createVariant requests with the same option values add one variant', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop)
    const replies = await Promise.all(Array.from({ length: 10 }, () => add(api, shop, id)))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    for (const reply of replies) {
      if (reply.status !== 201) answers('createVariant', 'option_values_in_use', reply)
    }
  })
})

describe('404 responses of createVariant', () => {
  test('createVariant returns 404 for an unknown product or image', async () => {
    const { api, shop } = await open()
    answers('createVariant', 'product_not_found', await add(api, shop, newProductId(0)))
    const { id } = await makeProduct(api, shop)
    const imageId = newImageId(0)
    const reply = await add(api, shop, id, { imageId })
    answers('createVariant', 'image_not_found', reply)
    expect(reply.body.error.details).toEqual({ imageIds: [imageId] })
  })
})
