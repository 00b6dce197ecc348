import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { adjust, makeProduct, makeVariant, productsPath, sell } from '../../support/commerce/product.ts'
import { auditRows, contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

function adjustAll(api: TestApi, shop: Shop, adjustments: readonly object[], headers = {}) {
  const body = { adjustments: adjustments.map((each) => ({ reason: 'count', ...each })) }
  return api.send('POST', `${productsPath}/inventory`, { token: shop.token, body, headers })
}

describe('200 responses of adjustInventories', () => {
  test('adjustInventories sets and changes quantities by id and by SKU, and returns a result for each entry in request order', async () => {
    const { api, shop } = await open()
    const { variant, product } = await makeVariant(api, shop, { onHand: 10 })
    const { variant: other } = await makeVariant(api, shop, { onHand: 10 })
    api.clock.advance(1)
    const reply = await adjustAll(api, shop, [
      { sku: other.sku, delta: 5, reason: 'restock', note: 'Balogun' },
      { variantId: variant.id, set: 3, expectedOnHand: 10 },
    ])
    expect(reply.body).toMatchObject({ id: reply.headers.get('request-id'), succeeded: 2, failed: 0 })
    expect(reply.body.results).toMatchObject([
      { index: 0, inventory: { id: other.id, onHand: 15, available: 15 }, error: null },
      { index: 1, inventory: { id: variant.id, productId: product.id, sku: variant.sku, onHand: 3 }, error: null },
    ])
    const ledger = `select reason, note, on_hand_delta from stock_movements
      where merchant_id = $1 and reason <> 'opening' order by on_hand_delta`
    expect(await select(api, ledger, [shop.merchantId])).toEqual([
      { reason: 'count', note: null, on_hand_delta: -7 },
      { reason: 'restock', note: 'Balogun', on_hand_delta: 5 },
    ])
    const [row] = (await auditRows(api, shop.merchantId)).slice(-1)
    expect(row).toMatchObject({
      action: 'inventory.adjust',
      resource_type: 'batch',
      resource_id: reply.body.id,
      changes: { [`${variant.id}.onHand`]: [10, 3], [`${other.id}.onHand`]: [10, 15] },
    })
  })

  test('a rejected entry of a batch changes nothing, and its error has an error code and the path of the rejected value', async () => {
    const { api, shop } = await open()
    const made = await Promise.all(Array.from({ length: 4 }, () => makeVariant(api, shop, { onHand: 10 })))
    const [one, two, three, four] = made.map(({ variant }) => variant.sku)
    const reply = await adjustAll(api, shop, [
      { sku: one, set: 3, expectedOnHand: 9 },
      { sku: two, delta: -11 },
      { sku: 'NO-SUCH-SKU', set: 1 },
      { sku: three, set: 3 },
      { sku: four, delta: 999_999_991 },
    ])
    expect(reply.body).toMatchObject({ succeeded: 1, failed: 4 })
    const errors = reply.body.results.map(({ error }: { error: { code: string; path: string } | null }) => error)
    expect(errors).toMatchObject([
      { code: 'inventory_changed', path: 'body.adjustments[0].expectedOnHand' },
      { code: 'on_hand_out_of_range', path: 'body.adjustments[1].delta' },
      { code: 'variant_not_found', path: 'body.adjustments[2].sku' },
      null,
      { code: 'on_hand_out_of_range', path: 'body.adjustments[4].delta' },
    ])
    expect(errors[0].message).toBe('The on-hand quantity of the variant is 10.')
    const stock = 'select on_hand from inventory where merchant_id = $1 order by on_hand'
    expect((await select(api, stock, [shop.merchantId])).map(({ on_hand }) => on_hand)).toEqual([3, 10, 10, 10])
  })

  test('adjustInventories emits low-stock and back-in-stock events separately for each variant', async () => {
    const { api, shop } = await open()
    const { variant: low } = await makeVariant(api, shop, { onHand: 10, lowStockThreshold: 5 })
    const { variant: back } = await makeVariant(api, shop, { onHand: 0 })
    await adjustAll(api, shop, [
      { variantId: low.id, set: 5 },
      { variantId: back.id, set: 5 },
    ])
    expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toMatchObject([
      { data: { variantId: low.id, available: 5, threshold: 5 } },
    ])
    expect(await eventsOf(api, shop.merchantId, 'inventory.back_in_stock')).toMatchObject([
      { data: { variantId: back.id, available: 5 } },
    ])
  })

  test('a dry run of adjustInventories returns the results and writes nothing', async () => {
    const { api, shop } = await open()
    const { variant } = await makeVariant(api, shop, { onHand: 10 })
    const before = await contentsOf(api)
    const reply = await adjustAll(api, shop, [{ variantId: variant.id, set: 3 }], { 'service-dry-run': 'true' })
    expect(reply.body.results).toMatchObject([{ inventory: { onHand: 3 } }])
    expect(await contentsOf(api)).toEqual(before)
  })
})

test('concurrent batches with opposite sequences of items, customer orders and single adjustments do not deadlock, and no unit is lost', async () => {
  const { api, shop } = await open()
  const products = await Promise.all(Array.from({ length: 6 }, () => makeProduct(api, shop)))
  const variants: { id: string; path: string }[] = products.flatMap((product) =>
    product.variants.map(({ id }: { id: string }) => ({ id, path: `${productsPath}/${product.id}/variants/${id}` })),
  )
  const entries = variants.map(({ id }) => ({ variantId: id, delta: 1, reason: 'restock' }))
  const customer = { name: 'Adaeze Okafor', email: 'adaeze@example.com' }
  const items = variants.toReversed().map(({ id }) => ({ variantId: id, quantity: 1 }))
  const order = { customer, items, paymentMethod: 'bank_transfer' }
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, (_, batch) => adjustAll(api, shop, batch % 2 === 0 ? entries : entries.toReversed())),
    ...Array.from({ length: 3 }, () => api.send('POST', '/api/v1/orders', { token: shop.token, body: order })),
    ...variants.map(({ path }) => adjust(api, shop, path, { delta: 1 })),
  ])
  expect(replies.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
  const stock = 'select on_hand, reserved from inventory where merchant_id = $1'
  const expected = variants.map(() => ({ on_hand: 17, reserved: 3 }))
  expect(await select(api, stock, [shop.merchantId])).toEqual(expected)
  const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
  expect(await select(api, deadlocks)).toEqual([{ deadlocks: 0 }])
})

test('in a batch of adjustments, a counted quantity below the reserved quantity makes the available quantity negative', async () => {
  const { api, shop } = await open()
  const { variant } = await makeVariant(api, shop, { onHand: 5 })
  await sell(api, shop, variant.id, 4)
  const { body } = await adjustAll(api, shop, [{ sku: variant.sku, set: 1 }])
  expect(body.results).toMatchObject([{ inventory: { onHand: 1, reserved: 4, available: -3 } }])
})

describe('400 validation_failed', () => {
  test.for<[string, object[], string]>([
    ['no entries', [], 'body.adjustments'],
    ['101 entries', Array.from({ length: 101 }, (_, index) => ({ sku: `S${index}`, set: 1 })), 'body.adjustments'],
    [
      'a repeated SKU',
      [
        { sku: 'A', set: 1 },
        { sku: 'a', set: 2 },
      ],
      'body.adjustments[1].sku',
    ],
    ['an entry without a variant', [{ set: 1 }], 'body.adjustments[0].variantId'],
    ['an entry without a quantity', [{ sku: 'A' }], 'body.adjustments[0].delta'],
    ['an entry with a delta and a count', [{ sku: 'A', set: 1, delta: 1 }], 'body.adjustments[0].delta'],
    ['a delta of 0', [{ sku: 'A', delta: 0 }], 'body.adjustments[0].delta'],
    ['an unknown reason', [{ sku: 'A', set: 1, reason: 'opening' }], 'body.adjustments[0].reason'],
  ])('adjustInventories rejects %s', async ([, adjustments, path]) => {
    const { api, shop } = await open()
    const reply = await adjustAll(api, shop, adjustments)
    answers('adjustInventories', 'validation_failed', reply)
    expect(reply.body.error.errors[0].path).toBe(path)
  })
})
