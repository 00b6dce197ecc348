import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { freeSku, makeProduct, makeVariant, productBody, productsPath } from '../../support/commerce/product.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { auditRows, contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

describe('201 responses of createProduct', () => {
  test('createProduct returns the same complete product as a later read', async () => {
    const { api, shop } = await open()
    const body = productBody(api, { brand: 'Adire Lagos', category: 'Dresses', tags: ['ankara'], metadata: { a: 'b' } })
    const reply = await api.send('POST', productsPath, { token: shop.token, body })
    expect(reply.status).toBe(201)
    const at = new Date(api.clock.nowMs()).toISOString()
    expect(reply.body).toMatchObject({
      title: 'Ankara maxi dress',
      slug: 'ankara-maxi-dress',
      description: '',
      status: 'active',
      currency: 'NGN',
      brand: 'Adire Lagos',
      priceRange: { minKobo: 1_500_000, maxKobo: 1_500_000 },
      totalAvailable: 20,
      lowStockThreshold: null,
      version: 1,
      publishedAt: at,
      archivedAt: null,
      createdAt: at,
      updatedAt: at,
    })
    expect(reply.body.variants).toMatchObject([
      { title: 'S / Indigo', position: 0, imageId: null, inventory: { onHand: 10, available: 10, low: false } },
      { title: 'M / Indigo', position: 1, imageId: null, inventory: { onHand: 10, available: 10, low: false } },
    ])
    const read = await api.send('GET', `${productsPath}/${reply.body.id}`, { token: shop.token })
    expect(read.body).toEqual(reply.body)
  })

  test('createProduct with only a title creates a draft without variants and without a price', async () => {
    const { api, shop } = await open()
    const reply = await api.send('POST', productsPath, { token: shop.token, body: { title: 'Gele' } })
    expect(reply.body).toMatchObject({ status: 'draft', variants: [], priceRange: null, totalAvailable: 0 })
    expect(reply.body.publishedAt).toBeNull()
  })

  test('createProduct records the initial stock of a variant as an inventory movement, and records none for a variant without stock', async () => {
    const { api, shop } = await open()
    const variants = [
      { optionValues: { size: 'S', colour: 'Wine' }, priceKobo: 1, inventory: { onHand: 7 } },
      { optionValues: { size: 'M', colour: 'Wine' }, priceKobo: 2 },
    ]
    const { variants: made } = await makeProduct(api, shop, { variants })
    const ledger = await select(
      api,
      'select variant_id, reason, on_hand_delta, on_hand from stock_movements where merchant_id = $1',
      [shop.merchantId],
    )
    expect(ledger).toEqual([{ variant_id: made[0].id, reason: 'opening', on_hand_delta: 7, on_hand: 7 }])
    expect(made[0].sku).toMatch(/^SKU-[0-9A-HJKMNP-TV-Z]{8}$/)
    expect(made[1].sku).not.toBe(made[0].sku)
  })

  test('a variant created below its low-stock threshold is marked as low on stock without an event', async () => {
    const { api, shop } = await openShopWith(started(), { low_stock_threshold: 5 })
    const { product } = await makeVariant(api, shop, { onHand: 5 })
    expect(product.variants[0].inventory.low).toBe(true)
    const plenty = await makeVariant(api, shop, { onHand: 6 })
    expect(plenty.variant.inventory.low).toBe(false)
    const untracked = await makeVariant(api, shop, { tracked: false })
    expect(untracked.variant.inventory.low).toBe(false)
    const own = await makeVariant(api, shop, { onHand: 8, lowStockThreshold: 8 })
    expect(own.variant.inventory.low).toBe(true)
    const products = await makeVariant(api, shop, { onHand: 9 }, { lowStockThreshold: 9 })
    expect(products.variant.inventory.low).toBe(true)
    expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toEqual([])
    const flags = await select(api, 'select is_low from inventory where merchant_id = $1 order by on_hand, tracked', [
      shop.merchantId,
    ])
    expect(flags.map((row) => row.is_low)).toEqual([false, true, false, true, true])
  })

  test('an image of a product lists the variants that use it', async () => {
    const { api, shop } = await open()
    const variants = [
      { optionValues: { size: 'S', colour: 'Wine' }, priceKobo: 1, imagePosition: 1 },
      { optionValues: { size: 'M', colour: 'Wine' }, priceKobo: 2 },
    ]
    const { images, variants: made } = await makeProduct(api, shop, { variants })
    expect(made.map((variant: { imageId: string }) => variant.imageId)).toEqual([images[1].id, null])
    expect(images).toMatchObject([
      { position: 0, alt: 'Front view', variantIds: [] },
      { position: 1, alt: null, variantIds: [made[0].id] },
    ])
  })

  test.for([
    ['Àdìrẹ & Aṣọ-òkè!', 'adire-and-aso-oke'],
    ['衣服', 'product'],
    ['x'.repeat(200), 'x'.repeat(100)],
  ])('the slug of the product title %s is %s', async ([title, slug]) => {
    const { api, shop } = await open()
    const { slug: made } = await makeProduct(api, shop, { title })
    expect(made).toBe(slug)
  })

  test('createProduct appends a number to the slug of a duplicate title, ignoring other merchants', async () => {
    const { api, shop } = await open()
    const slugs = []
    for (let index = 0; index < 3; index++) slugs.push((await makeProduct(api, shop)).slug)
    expect(slugs).toEqual(['ankara-maxi-dress', 'ankara-maxi-dress-2', 'ankara-maxi-dress-3'])
    const { slug } = await makeProduct(api, (await open()).shop)
    expect(slug).toBe('ankara-maxi-dress')
  })

  test('25 concurrent products with one title get 25 different slugs', async () => {
    const { api, shop } = await open()
    const made = await Promise.all(
      Array.from({ length: 25 }, () => api.send('POST', productsPath, { token: shop.token, body: { title: 'Gele' } })),
    )
    expect(new Set(made.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(made.map((reply) => reply.body.slug)).size).toBe(25)
  })

  test('the audit log lists the fields of a new product', async () => {
    const { api, shop } = await open()
    await makeProduct(api, shop)
    const [row] = await auditRows(api, shop.merchantId)
    expect(row?.changes).toEqual({ title: [null, 'Ankara maxi dress'], status: [null, 'active'], variants: [0, 2] })
  })
})

describe('409 slug_in_use', () => {
  test('createProduct returns 409 slug_in_use with the id of the product that has the slug', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop, { slug: 'dress' })
    const before = await contentsOf(api)
    const body = productBody(api, { slug: 'dress' })
    const reply = await api.send('POST', productsPath, { token: shop.token, body })
    answers('createProduct', 'slug_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: id })
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 sku_in_use', () => {
  const withSku = (sku: string) => ({ options: [], variants: [{ sku, priceKobo: 1 }] })

  test('createProduct returns 409 sku_in_use and names the variant that has the SKU, ignoring case', async () => {
    const { api, shop } = await open()
    const { variants } = await makeProduct(api, shop, withSku('ank-Max'))
    const before = await contentsOf(api)
    const reply = await api.send('POST', productsPath, {
      token: shop.token,
      body: productBody(api, withSku('ANK-max')),
    })
    answers('createProduct', 'sku_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: variants[0].id, sku: 'ank-Max' })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('only one of 10 concurrent createProduct requests with the same SKU creates a product', async () => {
    const { api, shop } = await open()
    const sku = freeSku(api)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const body = productBody(api, {
          title: `Dress ${index}`,
          ...withSku(index % 2 === 0 ? sku : sku.toUpperCase()),
        })
        return api.send('POST', productsPath, { token: shop.token, body })
      }),
    )
    const [created, ...more] = replies.filter((reply) => reply.status === 201)
    expect(more).toEqual([])
    for (const reply of replies) {
      if (reply === created) continue
      answers('createProduct', 'sku_in_use', reply)
      expect(reply.body.error.details.existingId).toBe(created?.body.variants[0].id)
    }
  })

  test('createProduct accepts the SKU of an archived product or of another merchant', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop, withSku('ANK'))
    await api.send('PATCH', `${productsPath}/${id}`, { token: shop.token, body: { status: 'archived' } })
    expect((await makeProduct(api, shop, withSku('ANK'))).variants[0].sku).toBe('ANK')
    expect((await makeProduct(api, (await open()).shop, withSku('ANK'))).variants[0].sku).toBe('ANK')
  })
})

describe('400 validation_failed', () => {
  const variant = { optionValues: { size: 'S', colour: 'Wine' }, priceKobo: 1 }
  test.for<[string, object, string]>([
    ['an active product without variants', { variants: undefined }, 'body.variants'],
    ['no variant in the list', { variants: [] }, 'body.variants'],
    ['a fourth option', { options: ['a', 'b', 'c', 'd'].map((name) => ({ name, values: ['x'] })) }, 'body.options'],
    [
      'two options of one name',
      { options: ['Size', 'size'].map((name) => ({ name, values: ['S'] })) },
      'body.options[1].name',
    ],
    ['an option without values', { options: [{ name: 'size', values: [] }] }, 'body.options[0].values'],
    ['an option with a reserved name', { options: [{ name: '__proto__', values: ['S'] }] }, 'body.options[0].name'],
    ['a value twice', { options: [{ name: 'size', values: ['S', 's'] }] }, 'body.options[0].values[1]'],
    [
      'a value of no option',
      { variants: [{ ...variant, optionValues: { size: 'XS', colour: 'Wine' } }] },
      'body.variants[0].optionValues',
    ],
    ['a missing option', { variants: [{ ...variant, optionValues: { size: 'S' } }] }, 'body.variants[0].optionValues'],
    [
      'an unknown option',
      { variants: [{ ...variant, optionValues: { size: 'S', colour: 'Wine', fit: 'slim' } }] },
      'body.variants[0].optionValues',
    ],
    ['the same values twice', { variants: [variant, variant] }, 'body.variants[1].optionValues'],
    [
      'the same SKU twice',
      {
        variants: [
          { ...variant, sku: 'A' },
          { ...variant, sku: 'a', optionValues: { size: 'M', colour: 'Wine' } },
        ],
      },
      'body.variants[1].sku',
    ],
    ['an unknown image', { variants: [{ ...variant, imagePosition: 2 }] }, 'body.variants[0].imagePosition'],
    [
      'a compareAtPriceKobo below the price',
      { variants: [{ ...variant, compareAtPriceKobo: 1 }] },
      'body.variants[0].compareAtPriceKobo',
    ],
    ['a price with a fraction', { variants: [{ ...variant, priceKobo: 1.5 }] }, 'body.variants[0].priceKobo'],
    ['a negative price', { variants: [{ ...variant, priceKobo: -1 }] }, 'body.variants[0].priceKobo'],
    ['negative stock', { variants: [{ ...variant, inventory: { onHand: -1 } }] }, 'body.variants[0].inventory.onHand'],
    ['an image over http', { images: [{ url: 'http://cdn.example.com/a.jpg' }] }, 'body.images[0].url'],
    [
      '21 images',
      { images: Array.from({ length: 21 }, () => ({ url: 'https://cdn.example.com/a.jpg' })) },
      'body.images',
    ],
    ['a slug with capitals', { slug: 'Dress' }, 'body.slug'],
    ['a description of 10,001 characters', { description: 'x'.repeat(10_001) }, 'body.description'],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'body.title'],
    ['an invalid status', { status: 'archived' }, 'body.status'],
  ])('createProduct returns 400 validation_failed for a body with %s', async ([, more, where]) => {
    const { api, shop } = await open()
    const before = await contentsOf(api)
    const reply = await api.send('POST', productsPath, { token: shop.token, body: productBody(api, more) })
    answers('createProduct', 'validation_failed', reply)
    expect(reply.body.error.errors.map((problem: { path: string }) => problem.path)).toContain(where)
    expect(await contentsOf(api)).toEqual(before)
  })

  test('createProduct accepts 100 variants and rejects 101 variants', async () => {
    const { api, shop } = await open()
    const values = Array.from({ length: 100 }, (_, index) => `v${index}`)
    const options = [
      { name: 'size', values: [...values.slice(0, 50)] },
      { name: 'colour', values: ['Red', 'Wine', 'Teal'] },
    ]
    const variants = options[0]?.values.flatMap((size) =>
      ['Red', 'Wine'].map((colour) => ({ optionValues: { size, colour }, priceKobo: 1 })),
    )
    expect((await makeProduct(api, shop, { options, variants })).variants).toHaveLength(100)
    const more = [...(variants ?? []), { optionValues: { size: 'v0', colour: 'Teal' }, priceKobo: 1 }]
    const body = productBody(api, { options, variants: more })
    const reply = await api.send('POST', productsPath, { token: shop.token, body })
    answers('createProduct', 'validation_failed', reply)
  })
})
