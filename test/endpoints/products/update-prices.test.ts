import { describe, expect, test } from 'vitest'
import { newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { makeProduct, makeVariant, patchProduct, productsPath } from '../../support/commerce/product.ts'
import { auditRows, contentsOf, eventsOf } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

function price(api: TestApi, shop: Shop, prices: readonly object[], headers = {}) {
  return api.send('POST', `${productsPath}/prices`, { token: shop.token, body: { prices }, headers })
}

describe('200 responses of updatePrices', () => {
  test('updatePrices changes the prices of variants by id and by SKU, and returns a result for each entry in request order', async () => {
    const { api, shop } = await open()
    const product = await makeProduct(api, shop)
    const [small, medium] = product.variants
    const { product: other, variant } = await makeVariant(api, shop)
    const reply = await price(api, shop, [
      { variantId: variant.id, priceKobo: 900, compareAtPriceKobo: 1000, costKobo: 500 },
      { sku: medium.sku.toUpperCase(), priceKobo: 800 },
      { variantId: small.id, priceKobo: 700 },
    ])
    const result = (index: number, of: { id: string; sku: string }, more: object) => {
      const { id, sku } = of
      const prices = { compareAtPriceKobo: null, costKobo: null, ...more }
      return { index, variant: { id, sku, ...prices }, error: null }
    }
    expect(reply.body).toMatchObject({
      id: reply.headers.get('request-id'),
      succeeded: 3,
      failed: 0,
      results: [
        result(0, variant, { productId: other.id, priceKobo: 900, compareAtPriceKobo: 1000, costKobo: 500 }),
        result(1, medium, { productId: product.id, priceKobo: 800 }),
        result(2, small, { productId: product.id, priceKobo: 700 }),
      ],
    })
    const stored = await api.send('GET', `${productsPath}/${product.id}`, { token: shop.token })
    expect(stored.body).toMatchObject({ version: 2, variants: [{ priceKobo: 700 }, { priceKobo: 800 }] })
    const versions = reply.body.results.map((each: ReplyBody) => each.variant.productVersion)
    expect(versions).toEqual([2, 2, 2])
  })

  test('updatePrices changes no price for a rejected entry, and returns an error code, a message and the path of the rejected value', async () => {
    const { api, shop } = await open()
    const { variant } = await makeVariant(api, shop)
    const { variant: onSale } = await makeVariant(api, shop)
    await price(api, shop, [{ variantId: onSale.id, compareAtPriceKobo: 2_000_000 }])
    const unknown = newVariantId(api.clock.nowMs())
    const reply = await price(api, shop, [
      { variantId: unknown, priceKobo: 1 },
      { sku: 'NO-SUCH-SKU', priceKobo: 1 },
      { variantId: onSale.id, priceKobo: 2_000_000 },
      { variantId: variant.id, priceKobo: 1 },
    ])
    expect(reply).toMatchObject({ status: 200, body: { succeeded: 1, failed: 3 } })
    expect(reply.body.results.slice(0, 3)).toEqual([
      {
        index: 0,
        variant: null,
        error: {
          code: 'variant_not_found',
          message: `No variant has the id ${unknown}.`,
          path: 'body.prices[0].variantId',
        },
      },
      {
        index: 1,
        variant: null,
        error: {
          code: 'variant_not_found',
          message: 'No variant has the SKU NO-SUCH-SKU.',
          path: 'body.prices[1].sku',
        },
      },
      {
        index: 2,
        variant: null,
        error: {
          code: 'compare_at_price_too_low',
          message: 'The compare-at price of ₦20,000.00 is not higher than the price of ₦20,000.00.',
          path: 'body.prices[2].compareAtPriceKobo',
        },
      },
    ])
    expect(reply.body.results[3]).toMatchObject({ index: 3, variant: { priceKobo: 1 }, error: null })
  })

  test('an entry whose expectedPriceKobo is not the stored price fails with version_conflict, and the other entries are applied', async () => {
    const { api, shop } = await open()
    const { variant } = await makeVariant(api, shop)
    const { variant: other } = await makeVariant(api, shop)
    await price(api, shop, [{ variantId: variant.id, priceKobo: 900 }])
    const { body } = await price(api, shop, [
      { variantId: variant.id, priceKobo: 800, expectedPriceKobo: 1_500_000 },
      { variantId: other.id, priceKobo: 700, expectedPriceKobo: 1_500_000 },
    ])
    const message = 'The price of the variant is now ₦9.00.'
    expect(body.results).toMatchObject([
      { variant: null, error: { code: 'version_conflict', message, path: 'body.prices[0].expectedPriceKobo' } },
      { variant: { priceKobo: 700 }, error: null },
    ])
    const again = await price(api, shop, [{ variantId: variant.id, priceKobo: 800, expectedPriceKobo: 900 }])
    expect(again.body.results).toMatchObject([{ variant: { priceKobo: 800 } }])
  })

  test('one of two concurrent changes that expect the same price is applied, and the other fails', async () => {
    const { api, shop } = await open()
    const { variant } = await makeVariant(api, shop)
    const change = (priceKobo: number) =>
      price(api, shop, [{ variantId: variant.id, priceKobo, expectedPriceKobo: 1_500_000 }])
    const replies = await Promise.all([change(800), change(900)])
    const codes = replies.map(({ body }) => body.results[0].error?.code)
    expect(new Set(codes)).toEqual(new Set([undefined, 'version_conflict']))
  })

  test('a batch whose entries all fail writes nothing, not even an audit row', async () => {
    const { api, shop } = await open()
    const before = await contentsOf(api)
    expect((await price(api, shop, [{ sku: 'NO-SUCH-SKU', priceKobo: 1 }])).body).toMatchObject({ failed: 1 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('updatePrices finds the variants of an archived product by id only', async () => {
    const { api, shop } = await open()
    const { product, variant } = await makeVariant(api, shop)
    await patchProduct(api, shop, product.id, { status: 'archived' })
    const { body } = await price(api, shop, [{ sku: variant.sku, priceKobo: 1 }])
    expect(body.results).toMatchObject([{ error: { code: 'variant_not_found' } }])
    const { body: byId } = await price(api, shop, [{ variantId: variant.id, priceKobo: 1 }])
    expect(byId.results).toMatchObject([{ variant: { priceKobo: 1 } }])
  })

  test('updatePrices reports a failure for a variant of another merchant, named by id or by SKU', async () => {
    const { api, shop } = await open()
    const { variant } = await makeVariant(api, await openShop(api.context))
    const prices = [
      { variantId: variant.id, priceKobo: 1 },
      { sku: variant.sku, priceKobo: 1 },
    ]
    expect((await price(api, shop, prices)).body).toMatchObject({ succeeded: 0, failed: 2 })
  })

  test('a batch of price updates writes one audit row, which names each changed variant, and emits one event for each changed product', async () => {
    const { api, shop } = await open()
    const product = await makeProduct(api, shop)
    const [small, medium] = product.variants
    api.clock.advance(1)
    const reply = await price(api, shop, [
      { variantId: small.id, priceKobo: 700 },
      { variantId: medium.id, priceKobo: 800 },
    ])
    const [row] = (await auditRows(api, shop.merchantId)).slice(-1)
    expect(row).toMatchObject({
      action: 'variant.update',
      resource_type: 'batch',
      resource_id: reply.body.id,
      changes: { [`${small.id}.priceKobo`]: [1_500_000, 700], [`${medium.id}.priceKobo`]: [1_500_000, 800] },
    })
    const events = await eventsOf(api, shop.merchantId, 'product.updated')
    expect(events.map(({ data }) => data.version)).toEqual([2])
  })

  test('a dry run of updatePrices returns the results and writes nothing', async () => {
    const { api, shop } = await open()
    const { variant } = await makeVariant(api, shop)
    const before = await contentsOf(api)
    const prices = [{ variantId: variant.id, priceKobo: 1 }]
    const reply = await price(api, shop, prices, { 'service-dry-run': 'true' })
    expect(reply.body.results).toMatchObject([{ variant: { priceKobo: 1, productVersion: 2 } }])
    expect(await contentsOf(api)).toEqual(before)
  })

  test('a repeated batch returns the same results and changes nothing', async () => {
    const { api, shop } = await open()
    const { product, variant } = await makeVariant(api, shop)
    const first = await price(api, shop, [{ variantId: variant.id, priceKobo: 1 }])
    const again = await price(api, shop, [{ variantId: variant.id, priceKobo: 1 }])
    expect(again.body.results).toEqual(first.body.results)
    const stored = await api.send('GET', `${productsPath}/${product.id}`, { token: shop.token })
    expect(stored.body.version).toBe(2)
  })
})

test('concurrent batches that list the same variants in opposite order all succeed, and no change is lost', async () => {
  const { api, shop } = await open()
  const products = await Promise.all(Array.from({ length: 8 }, () => makeProduct(api, shop)))
  const ids: string[] = products.flatMap(({ variants }) => variants.map(({ id }: { id: string }) => id))
  const batches = Array.from({ length: 8 }, (_, batch) => {
    const entries = ids.map((variantId) => ({ variantId, priceKobo: 1000 + batch }))
    return batch % 2 === 0 ? entries : entries.toReversed()
  })
  const replies = await Promise.all(batches.map((entries) => price(api, shop, entries)))
  expect(replies.map(({ status, body }) => [status, body.succeeded])).toEqual(batches.map(() => [200, ids.length]))
  const stored = await api.send('GET', `${productsPath}?limit=100`, { token: shop.token })
  expect(stored.body.data.map(({ version }: { version: number }) => version)).toEqual(
    products.map(() => 1 + batches.length),
  )
  const { rows } = await api.database.pool.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
})

describe('400 validation_failed', () => {
  const id = newVariantId(0)

  test.for<[string, object[], string]>([
    ['no entries', [], 'body.prices'],
    ['101 entries', Array.from({ length: 101 }, (_, index) => ({ sku: `S${index}`, priceKobo: 1 })), 'body.prices'],
    ['an entry without a variant', [{ priceKobo: 1 }], 'body.prices[0].variantId'],
    ['an entry with an id and a SKU', [{ variantId: id, sku: 'A', priceKobo: 1 }], 'body.prices[0].variantId'],
    ['a repeated id', [{ variantId: id }, { variantId: id }], 'body.prices[1].variantId'],
    ['a repeated SKU in another case', [{ sku: 'A' }, { sku: 'a' }], 'body.prices[1].sku'],
    ['a negative price', [{ sku: 'A', priceKobo: -1 }], 'body.prices[0].priceKobo'],
    [
      'a compare-at price that is not higher than the price',
      [{ sku: 'A', priceKobo: 2, compareAtPriceKobo: 2 }],
      'body.prices[0].compareAtPriceKobo',
    ],
    ['another field of a variant', [{ sku: 'A', barcode: '6154' }], 'body.prices[0].barcode'],
  ])('updatePrices rejects %s', async ([, prices, path]) => {
    const { api, shop } = await open()
    const reply = await price(api, shop, prices)
    answers('updatePrices', 'validation_failed', reply)
    expect(reply.body.error.errors[0].path).toBe(path)
  })

  test('updatePrices returns 400 validation_failed if one entry names a variant by its id and another entry names the same variant by its SKU', async () => {
    const { api, shop } = await open()
    const { variant } = await makeVariant(api, shop)
    const before = await contentsOf(api)
    const reply = await price(api, shop, [{ variantId: variant.id, priceKobo: 1 }, { sku: variant.sku }])
    answers('updatePrices', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: 'body.prices[1].sku', code: 'duplicate' }])
    expect(await contentsOf(api)).toEqual(before)
  })
})
