import { describe, expect, test } from 'vitest'
import { newImageId, newProductId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { makeProduct, makeVariant, patchProduct, productsPath, sell } from '../../support/commerce/product.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

describe('200 responses of updateProduct', () => {
  test('updateProduct changes the fields that are sent, keeps the others, and raises the version by one', async () => {
    const { api, shop } = await open()
    const product = await makeProduct(api, shop, { category: 'Dresses', brand: 'Adire' })
    api.clock.advance(1000)
    const patch = { title: 'Adire kaftan', brand: null, tags: ['new'] }
    const { status, body, headers } = await patchProduct(api, shop, product.id, patch)
    expect(status).toBe(200)
    const updatedAt = new Date(api.clock.nowMs()).toISOString()
    expect(body).toEqual({ ...product, ...patch, version: 2, updatedAt })
    expect(headers.get('etag')).toMatch(/^"v2-/)
    const read = await api.send('GET', `${productsPath}/${product.id}`, { token: shop.token })
    expect(read.body).toEqual(body)
    const [row] = (await auditRows(api, shop.merchantId)).slice(-1)
    expect(row?.changes).toEqual({
      title: ['Ankara maxi dress', 'Adire kaftan'],
      brand: ['Adire', null],
      tags: [[], ['new']],
    })
  })

  test.for([
    {},
    { title: 'Ankara maxi dress' },
    { status: 'active' },
  ])('updateProduct changes nothing when the request has the current values: %j', async (patch) => {
    const { api, shop } = await open()
    const product = await makeProduct(api, shop)
    api.clock.advance(1000)
    expect((await patchProduct(api, shop, product.id, patch)).body).toEqual(product)
  })

  test('updateProduct gives every variant the first value of a new option, and deletes the values of a removed option from every variant', async () => {
    const { api, shop } = await open()
    const { id, options } = await makeProduct(api, shop)
    const fit = { name: 'fit', values: ['slim', 'loose'] }
    const more = await patchProduct(api, shop, id, { options: [...options, fit] })
    expect(more.body.variants).toMatchObject([
      { title: 'S / Indigo / slim', optionValues: { size: 'S', colour: 'Indigo', fit: 'slim' } },
      { title: 'M / Indigo / slim', optionValues: { size: 'M', colour: 'Indigo', fit: 'slim' } },
    ])
    const fewer = await patchProduct(api, shop, id, { options: [options[0]] })
    expect(fewer.body.variants.map((variant: { title: string }) => variant.title)).toEqual(['S', 'M'])
    const read = await api.send('GET', `${productsPath}/${id}`, { token: shop.token })
    expect(read.body).toEqual(fewer.body)
  })

  test.for(['constructor', 'toString'])('updateProduct accepts an option named %s', async (name) => {
    const { api, shop } = await open()
    const { id, options } = await makeProduct(api, shop)
    const reply = await patchProduct(api, shop, id, { options: [...options, { name, values: ['slim'] }] })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.variants[0]).toMatchObject({ title: 'S / Indigo / slim' })
    expect(Object.entries(reply.body.variants[0].optionValues)).toContainEqual([name, 'slim'])
  })

  test('updateProduct keeps images sent by id, adds images without an id, and removes images that are not sent', async () => {
    const { api, shop } = await open()
    const variants = [{ optionValues: { size: 'S', colour: 'Wine' }, priceKobo: 1, imagePosition: 0 }]
    const { id, images } = await makeProduct(api, shop, { variants })
    const side = { url: 'https://cdn.example.com/side.jpg' }
    const kept = { id: images[0].id, url: images[0].url }
    const swapped = await patchProduct(api, shop, id, { images: [side, kept] })
    expect(swapped.body.images).toMatchObject([
      { url: side.url, position: 0, variantIds: [] },
      { id: images[0].id, alt: null, position: 1, variantIds: [swapped.body.variants[0].id] },
    ])
    const none = await patchProduct(api, shop, id, { images: [] })
    expect(none.body).toMatchObject({ images: [], variants: [{ imageId: null }] })
    const stored = await select(api, 'select image_id from product_variants where product_id = $1', [id])
    expect(stored).toEqual([{ image_id: null }])
  })
})

describe('the status of a product', () => {
  test('the publishedAt of a product is set by its first publication and does not change after archiving', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop, { status: 'draft' })
    const published = await patchProduct(api, shop, id, { status: 'active' })
    const { publishedAt } = published.body
    expect(publishedAt).toBe(new Date(api.clock.nowMs()).toISOString())
    api.clock.advance(1000)
    const archived = await patchProduct(api, shop, id, { status: 'archived' })
    expect(archived.body).toMatchObject({ status: 'archived', publishedAt, version: 3 })
    expect(archived.body.archivedAt).toBe(new Date(api.clock.nowMs()).toISOString())
    const back = await patchProduct(api, shop, id, { status: 'active' })
    expect(back.body).toMatchObject({ status: 'active', publishedAt, archivedAt: null, version: 4 })
    expect(back.body.variants).toEqual(archived.body.variants)
  })

  test('an archived product cannot be ordered until it is restored', async () => {
    const { api, shop } = await open()
    const { product, variant } = await makeVariant(api, shop, { onHand: 5 })
    await patchProduct(api, shop, product.id, { status: 'archived' })
    answers('createOrder', 'product_not_available', await sell(api, shop, variant.id))
    await patchProduct(api, shop, product.id, { status: 'active' })
    expect((await sell(api, shop, variant.id)).status).toBe(201)
  })

  test.for([
    ['draft', ['active', 'archived']],
    ['active', ['archived']],
    ['archived', ['active']],
  ] as const)('the status of a product can change from %s only to the statuses %j', async ([from, allowed]) => {
    const { api, shop } = await open()
    for (const to of ['draft', 'active', 'archived'] as const) {
      const { id } = await makeProduct(api, shop, { status: from === 'draft' ? 'draft' : 'active' })
      if (from === 'archived') await patchProduct(api, shop, id, { status: 'archived' })
      const before = await contentsOf(api)
      const reply = await patchProduct(api, shop, id, { status: to, title: 'Other' })
      if (to === from || allowed.some((each) => each === to)) {
        expect(reply.body.status).toBe(to)
        continue
      }
      answers('updateProduct', 'invalid_transition', reply)
      expect(reply.body.error.details).toEqual({ from, to, allowed })
      expect(await contentsOf(api)).toEqual(before)
    }
  })

  test('updateProduct returns 409 product_needs_variant for publishing a draft without variants', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop, { status: 'draft', variants: undefined })
    answers('updateProduct', 'product_needs_variant', await patchProduct(api, shop, id, { status: 'active' }))
  })
})

describe('409 responses of updateProduct', () => {
  test('updateProduct returns sku_in_use if another product now has the SKU of the archived product to restore', async () => {
    const { api, shop } = await open()
    const options = { options: [], variants: [{ sku: 'ANK', priceKobo: 1 }] }
    const { id } = await makeProduct(api, shop, options)
    await patchProduct(api, shop, id, { status: 'archived' })
    const other = await makeProduct(api, shop, { options: [], variants: [{ sku: 'ank', priceKobo: 1 }] })
    const before = await contentsOf(api)
    const reply = await patchProduct(api, shop, id, { status: 'active' })
    answers('updateProduct', 'sku_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: other.variants[0].id, sku: 'ank' })
    expect(await contentsOf(api)).toEqual(before)
    await patchProduct(api, shop, other.id, { status: 'archived' })
    expect((await patchProduct(api, shop, id, { status: 'active' })).body.status).toBe('active')
  })

  test('updateProduct returns slug_in_use with the id of the other product that has the slug, and accepts the product’s own slug', async () => {
    const { api, shop } = await open()
    const first = await makeProduct(api, shop, { slug: 'dress' })
    const { id } = await makeProduct(api, shop, { slug: 'kaftan' })
    expect((await patchProduct(api, shop, id, { slug: 'kaftan' })).status).toBe(200)
    const reply = await patchProduct(api, shop, id, { slug: 'dress' })
    answers('updateProduct', 'slug_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.id })
  })

  test('updateProduct returns options_in_use if a removed option value is in use, or if a removed option would make two variants equal', async () => {
    const { api, shop } = await open()
    const { id, options, variants } = await makeProduct(api, shop)
    const withoutSmall = [{ name: 'size', values: ['M', 'L'] }, options[1]]
    const used = await patchProduct(api, shop, id, { options: withoutSmall })
    answers('updateProduct', 'options_in_use', used)
    expect(used.body.error.details).toEqual({ variantIds: [variants[0].id] })
    const alike = await patchProduct(api, shop, id, { options: [options[1]] })
    answers('updateProduct', 'options_in_use', alike)
    expect(alike.body.error.details).toEqual({ variantIds: variants.map(({ id: each }: { id: string }) => each) })
  })
})

describe('404 responses of updateProduct', () => {
  test('updateProduct returns 404 for an unknown product or image', async () => {
    const { api, shop } = await open()
    answers('updateProduct', 'product_not_found', await patchProduct(api, shop, newProductId(0), { title: 'x' }))
    const { id } = await makeProduct(api, shop)
    const unknown = newImageId(0)
    const images = [{ id: unknown, url: 'https://cdn.example.com/a.jpg' }]
    const reply = await patchProduct(api, shop, id, { images, title: 'Other' })
    answers('updateProduct', 'image_not_found', reply)
    expect(reply.body.error.details).toEqual({ imageIds: [unknown] })
  })
})

describe('concurrent requests of updateProduct', () => {
  test('only one of 10 concurrent product updates with the same If-Match succeeds, and the others are rejected with the current version', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        patchProduct(api, shop, id, { title: `Dress ${index}` }, { 'If-Match': '"v1"' }),
      ),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    for (const reply of replies) {
      if (reply.status === 200) continue
      answers('updateProduct', 'version_conflict', reply)
      expect(reply.body.error.details).toEqual({ currentVersion: 2 })
    }
  })

  test('10 concurrent product updates of different fields all succeed', async () => {
    const { api, shop } = await open()
    const { id } = await makeProduct(api, shop)
    const patches = [
      ...['title', 'description', 'category', 'brand'].map((field) => ({ [field]: 'New' })),
      { slug: 'new' },
      { tags: ['new'] },
      { taxExempt: true },
      { metadata: { a: 'b' } },
      { images: [] },
      { lowStockThreshold: 2 },
    ]
    const replies = await Promise.all(patches.map((patch) => patchProduct(api, shop, id, patch)))
    expect(replies.map((reply) => reply.status)).toEqual(patches.map(() => 200))
    const { body } = await api.send('GET', `${productsPath}/${id}`, { token: shop.token })
    expect(body).toMatchObject(Object.assign({}, ...patches))
    expect(body.version).toBe(11)
  })

  test('when updateProduct archives a product during 20 concurrent orders, no order is created after the archiving', async () => {
    const { api, shop } = await open()
    const { product, variant, path } = await makeVariant(api, shop, { onHand: 100 })
    const [archived, ...orders] = await Promise.all([
      patchProduct(api, shop, product.id, { status: 'archived' }),
      ...Array.from({ length: 20 }, () => sell(api, shop, variant.id)),
    ])
    expect(archived?.status).toBe(200)
    const taken = orders.filter((reply) => reply.status === 201).length
    for (const reply of orders) if (reply.status !== 201) answers('createOrder', 'product_not_available', reply)
    const { body } = await api.send('GET', path, { token: shop.token })
    expect(body.variants[0].inventory).toMatchObject({ reserved: taken, available: 100 - taken })
  })
})
