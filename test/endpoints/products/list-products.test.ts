import { beforeAll, describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { makeProduct, makeVariant, patchProduct, productsPath, sell } from '../../support/commerce/product.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

describe('200 responses of listProducts', () => {
  test('listProducts returns complete products', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const product = await makeProduct(api, shop, { brand: 'Adire' })
    const { body } = await api.send('GET', productsPath, { token: shop.token })
    expect(body).toEqual({ data: [product], pagination: { cursor: null, limit: 25, hasMore: false } })
  })

  test('listProducts returns every product once over all pages, newest first', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const made: string[] = []
    for (let index = 0; index < 7; index++) made.push((await makeProduct(api, shop)).id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '?limit=3' : `?cursor=${cursor}&limit=3`
      const { body } = await api.send('GET', productsPath + query, { token: shop.token })
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.pagination.cursor
    } while (cursor !== null)
    // All products have the same creation time, so the ids alone determine their order in the list.
    expect(seen).toEqual(made.toSorted().reverse())
  })
})

describe('filters of listProducts', () => {
  let shop: Shop
  let startMs: number
  let names: Map<string, string>

  /**
   * Creates four products an hour apart: a dress, a kaftan with low stock, a sold-out draft and an archived product.
   */
  beforeAll(async () => {
    const api = started()
    shop = await openShop(api.context)
    startMs = api.clock.nowMs()
    names = new Map()
    const keep = (name: string, { id }: ReplyBody) => {
      names.set(id, name)
      api.clock.advance(3_600_000)
    }
    const options = { options: [], images: [] }
    const variants = (sku: string, priceKobo: number, onHand: number) => [{ sku, priceKobo, inventory: { onHand } }]
    keep(
      'dress',
      await makeProduct(api, shop, {
        options: [{ name: 'size', values: ['S', 'M'] }],
        variants: [
          {
            sku: 'ANK-S',
            barcode: '6151234567890',
            optionValues: { size: 'S' },
            priceKobo: 1000,
            inventory: { onHand: 0 },
          },
          {
            sku: 'ANK-M',
            optionValues: { size: 'M' },
            priceKobo: 3000,
            inventory: { onHand: 50, lowStockThreshold: 0 },
          },
        ],
        category: 'Dresses',
        tags: ['ankara', 'women'],
        lowStockThreshold: 0,
      }),
    )
    await patchProduct(api, shop, [...names.keys()][0] ?? '', { description: 'x' })
    const kaftan = await makeProduct(api, shop, {
      ...options,
      title: 'Adire 100%_kaftan',
      brand: 'Abeokuta Dyers',
      category: 'Kaftans',
      tags: ['women'],
      variants: variants('KAF-1', 2000, 8),
    })
    await sell(api, shop, kaftan.variants[0].id, 4)
    keep('kaftan', kaftan)
    keep(
      'draft',
      await makeProduct(api, shop, {
        ...options,
        title: 'Gele',
        status: 'draft',
        lowStockThreshold: 1,
        variants: [{ sku: 'GEL-1', priceKobo: 9000, inventory: { tracked: true, onHand: 0, lowStockThreshold: 0 } }],
      }),
    )
    const archived = await makeProduct(api, shop, {
      ...options,
      title: 'Old dress',
      category: 'Dresses',
      variants: variants('OLD-1', 500, 50),
    })
    await patchProduct(api, shop, archived.id, { status: 'archived' })
    keep('archived', archived)
  })

  const at = (hours: number) => encodeURIComponent(new Date(startMs + hours * 3_600_000).toISOString())

  test.for<[string, string[]]>([
    ['', ['draft', 'kaftan', 'dress']],
    ['status=active', ['kaftan', 'dress']],
    ['status=archived', ['archived']],
    ['status=draft,archived', ['archived', 'draft']],
    ['q=maxi', ['dress']],
    ['q=DRESS', ['dress']],
    ['q=dress&status=archived,active', ['archived', 'dress']],
    ['q=dyers', ['kaftan']],
    ['q=ank-m', ['dress']],
    ['q=old-1', []],
    ['q=old-1&status=archived', ['archived']],
    ['q=ge', ['draft']],
    ['q=%25_', ['kaftan']],
    ['q=%5C%5C', []],
    ['q=kaftankaftans', []],
    ['sku=ank-s', ['dress']],
    ['sku=ANK', []],
    ['sku=OLD-1', []],
    ['barcode=6151234567890', ['dress']],
    ['barcode=615123456789', []],
    ['barcode=6151234567890&sku=KAF-1', []],
    ['sku=old-1&status=archived', ['archived']],
    ['category=dresses', ['dress']],
    ['category=dress', []],
    ['tag=women', ['kaftan', 'dress']],
    ['tag=Women', []],
    ['inStock=true', ['kaftan', 'dress']],
    ['inStock=false', ['draft']],
    ['lowStock=true', ['draft', 'kaftan', 'dress']],
    ['lowStock=false', []],
    ['lowStock=false&status=archived', ['archived']],
    ['lowStock=true&inStock=true', ['kaftan', 'dress']],
    ['lowStock=true&tag=women&q=kaftan', ['kaftan']],
    ['priceMinKobo=2000', ['draft', 'kaftan', 'dress']],
    ['priceMaxKobo=1999', ['dress']],
    ['priceMinKobo=1500&priceMaxKobo=2500', ['kaftan']],
    ['priceMinKobo=1500&priceMaxKobo=2500&tag=ankara', []],
    ['priceMinKobo=3000&priceMaxKobo=2000', []],
    ['inStock=false&priceMinKobo=9000', ['draft']],
  ])('listProducts returns the matching products for ?%s', async ([query, expected]) => {
    const { body } = await started().send('GET', `${productsPath}?${query}`, { token: shop.token })
    expect(body.data.map(({ id }: { id: string }) => names.get(id))).toEqual(expected)
  })

  test.for<[string, () => string, string[]]>([
    ['createdFrom, itself included', () => `createdFrom=${at(1)}`, ['draft', 'kaftan']],
    ['createdTo, itself excluded', () => `createdTo=${at(1)}`, ['dress']],
    ['a range', () => `createdFrom=${at(1)}&createdTo=${at(2)}`, ['kaftan']],
    ['updatedFrom', () => `updatedFrom=${at(1)}`, ['draft', 'kaftan', 'dress']],
    ['updatedFrom, and nothing since', () => `updatedFrom=${at(9)}`, []],
    ['updatedFrom with another', () => `updatedFrom=${at(1)}&category=dresses`, ['dress']],
  ])('listProducts filters by %s', async ([, query, expected]) => {
    const { body } = await started().send('GET', `${productsPath}?${query()}`, { token: shop.token })
    expect(body.data.map(({ id }: { id: string }) => names.get(id))).toEqual(expected)
  })

  test.for([
    'tag=women',
    'q=a',
    'inStock=true',
    'status=active',
    'q=ka&tag=women',
  ])('listProducts with ?%s returns the same products over pages of one product as on a single page', async (query) => {
    const { send } = started()
    const text = query === 'q=a' ? 'q=ka' : query
    const whole = await send('GET', `${productsPath}?${text}`, { token: shop.token })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const path: string = cursor === null ? `?limit=1&${text}` : `?limit=1&cursor=${cursor}`
      const { body } = await send('GET', productsPath + path, { token: shop.token })
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.pagination.cursor
    } while (cursor !== null)
    expect(seen).toEqual(whole.body.data.map(({ id }: { id: string }) => id))
    expect(seen.length).toBeGreaterThan(0)
  })

  test('listProducts does not find a product by a deleted variant’s SKU, and finds it by a new SKU at once', async () => {
    const api = started()
    const other = await openShop(api.context)
    const { product, variant, path, variantPath } = await makeVariant(api, other, { onHand: 5 })
    const find = async (sku: string) =>
      (await api.send('GET', `${productsPath}?q=${sku}`, { token: other.token })).body.data.length
    expect(await find(variant.sku)).toBe(1)
    await sell(api, other, variant.id)
    await patchProduct(api, other, product.id, { options: [{ name: 'size', values: ['S', 'M'] }] })
    const added = { sku: 'NEW-1', optionValues: { size: 'M' }, priceKobo: 1 }
    await api.send('POST', `${path}/variants`, { token: other.token, body: added })
    await api.send('DELETE', variantPath, { token: other.token })
    expect([await find(variant.sku), await find('new-1')]).toEqual([0, 1])
    const bySku = await api.send('GET', `${productsPath}?sku=${variant.sku}`, { token: other.token })
    expect(bySku.body.data).toEqual([])
  })
})

describe('400 responses of listProducts', () => {
  test.for([
    ['status=gone', 'query.status[0]'],
    ['inStock=yes', 'query.inStock'],
    ['lowStock=1', 'query.lowStock'],
    ['priceMinKobo=-1', 'query.priceMinKobo'],
    ['priceMaxKobo=1.5', 'query.priceMaxKobo'],
    ['q=a', 'query.q'],
    ['tag=', 'query.tag'],
    ['sku=%20A', 'query.sku'],
  ])('listProducts returns validation_failed for ?%s', async ([query, where]) => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', `${productsPath}?${query}`, { token: shop.token })
    answers('listProducts', 'validation_failed', reply)
    expect(reply.body.error.errors[0].path).toBe(where)
  })

  test('listProducts returns 400 invalid_time_range for a range that ends before it starts', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const query = 'createdFrom=2026-11-21T08:30:00Z&createdTo=2026-11-21T08:30:00Z'
    answers(
      'listProducts',
      'invalid_time_range',
      await api.send('GET', `${productsPath}?${query}`, { token: shop.token }),
    )
  })
})
