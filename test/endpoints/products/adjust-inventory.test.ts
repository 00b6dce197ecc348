import { describe, expect, test } from 'vitest'
import { newProductId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { adjust, makeProduct, makeVariant, patchProduct, productsPath, sell } from '../../support/commerce/product.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

describe('200 responses of adjustInventory', () => {
  test('adjustInventory applies a delta or sets a counted quantity, and records each movement with its reason and note', async () => {
    const { api, shop } = await open()
    const { product, variant, variantPath } = await makeVariant(api, shop, { onHand: 10 })
    api.clock.advance(1)
    const more = await adjust(api, shop, variantPath, { delta: 5, reason: 'restock', note: 'Balogun' })
    expect(more.body).toEqual({
      id: variant.id,
      productId: product.id,
      sku: variant.sku,
      ...variant.inventory,
      onHand: 15,
      available: 15,
    })
    api.clock.advance(1)
    const counted = await adjust(api, shop, variantPath, { set: 3, reason: 'count', expectedOnHand: 15 })
    expect(counted.body).toMatchObject({ onHand: 3, available: 3, low: true })
    const ledger = `select reason, note, on_hand_delta, reserved_delta, on_hand, reserved
      from stock_movements where variant_id = $1 order by on_hand desc`
    expect(await select(api, ledger, [variant.id])).toMatchObject([
      { reason: 'restock', note: 'Balogun', on_hand_delta: 5, reserved_delta: 0, on_hand: 15, reserved: 0 },
      { reason: 'opening', note: null, on_hand_delta: 10, on_hand: 10 },
      { reason: 'count', note: null, on_hand_delta: -12, on_hand: 3 },
    ])
    const [row] = (await auditRows(api, shop.merchantId)).slice(-1)
    expect(row).toMatchObject({ resource_id: variant.id, changes: { onHand: [15, 3], reason: [null, 'count'] } })
  })

  test('adjustInventory records no movement when the requested count equals the current quantity on hand', async () => {
    const { api, shop } = await open()
    const { variant, variantPath } = await makeVariant(api, shop, { onHand: 10 })
    const reply = await adjust(api, shop, variantPath, { set: 10, reason: 'count' })
    expect(reply.body).toMatchObject({ onHand: 10, low: false })
    expect(await select(api, 'select 1 from stock_movements where variant_id = $1', [variant.id])).toHaveLength(1)
  })

  test('adjustInventory does not change the product’s version', async () => {
    const { api, shop } = await open()
    const { path, variantPath } = await makeVariant(api, shop, { onHand: 10 })
    await adjust(api, shop, variantPath, { delta: 5 })
    expect((await api.send('GET', path, { token: shop.token })).body).toMatchObject({ version: 1, totalAvailable: 15 })
  })

  test('adjustInventory allows a count below the reserved quantity: the available quantity becomes negative and blocks sales', async () => {
    const { api, shop } = await open()
    const { variant, variantPath } = await makeVariant(api, shop, { onHand: 5 })
    await sell(api, shop, variant.id, 4)
    const reply = await adjust(api, shop, variantPath, { set: 1, reason: 'loss' })
    expect(reply.body).toMatchObject({ onHand: 1, reserved: 4, available: -3, low: true })
    const refused = await sell(api, shop, variant.id)
    answers('createOrder', 'insufficient_stock', refused)
    expect(refused.body.error.details.items).toMatchObject([{ available: 0 }])
  })

  test('adjustInventory also accepts archived variants', async () => {
    const { api, shop } = await open()
    const { product, variantPath } = await makeVariant(api, shop, { onHand: 5 })
    await patchProduct(api, shop, product.id, { status: 'archived' })
    expect((await adjust(api, shop, variantPath, { set: 2 })).body.onHand).toBe(2)
  })
})

describe('409 responses of adjustInventory', () => {
  test('adjustInventory returns inventory_changed when expectedOnHand differs from the stored quantity', async () => {
    const { api, shop } = await open()
    const { variantPath } = await makeVariant(api, shop, { onHand: 10 })
    const before = await contentsOf(api)
    const reply = await adjust(api, shop, variantPath, { delta: 5, expectedOnHand: 9 })
    answers('adjustInventory', 'inventory_changed', reply)
    expect(reply.body.error.details).toEqual({ currentOnHand: 10 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for([
    { delta: -11 },
    { delta: 999_999_991 },
  ])('adjustInventory returns on_hand_out_of_range for %j with ten units on hand', async (body) => {
    const { api, shop } = await open()
    const { variantPath } = await makeVariant(api, shop, { onHand: 10 })
    const before = await contentsOf(api)
    const reply = await adjust(api, shop, variantPath, body)
    answers('adjustInventory', 'on_hand_out_of_range', reply)
    expect(reply.body.error.details).toEqual({ currentOnHand: 10 })
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('400 validation_failed', () => {
  test.for<[object, string]>([
    [{}, 'body.delta'],
    [{ delta: 1, set: 1 }, 'body.delta'],
    [{ delta: 0 }, 'body.delta'],
    [{ delta: 1.5 }, 'body.delta'],
    [{ set: -1 }, 'body.set'],
    [{ set: 1_000_000_001 }, 'body.set'],
    [{ delta: 1, reason: 'opening' }, 'body.reason'],
    [{ delta: 1, reason: 'order_reserved' }, 'body.reason'],
    [{ delta: 1, note: '' }, 'body.note'],
  ])('adjustInventory returns 400 validation_failed for the body %j', async ([body, where]) => {
    const { api, shop } = await open()
    const { variantPath } = await makeVariant(api, shop, { onHand: 10 })
    const reply = await adjust(api, shop, variantPath, body)
    answers('adjustInventory', 'validation_failed', reply)
    expect(reply.body.error.errors[0].path).toBe(where)
  })
})

describe('404 responses of adjustInventory', () => {
  test('adjustInventory returns product_not_found for an unknown product, and variant_not_found for a variant that is unknown, deleted or of another product', async () => {
    const { api, shop } = await open()
    const { product, variant } = await makeVariant(api, shop)
    const { id, variants } = await makeProduct(api, shop)
    await sell(api, shop, variants[0].id)
    await api.send('DELETE', `${productsPath}/${id}/variants/${variants[0].id}`, { token: shop.token })
    const unknown = `${productsPath}/${newProductId(0)}/variants/${variant.id}`
    answers('adjustInventory', 'product_not_found', await adjust(api, shop, unknown, { delta: 1 }))
    for (const [productId, variantId] of [
      [product.id, newVariantId(0)],
      [id, variant.id],
      [id, variants[0].id],
    ]) {
      const reply = await adjust(api, shop, `${productsPath}/${productId}/variants/${variantId}`, { delta: 1 })
      answers('adjustInventory', 'variant_not_found', reply)
      expect(reply.body.error.details).toEqual({ variantIds: [variantId] })
    }
  })
})

describe('concurrent requests of adjustInventory', () => {
  test('only one of 10 concurrent inventory counts with the same expectedOnHand succeeds, and the others are rejected with the current quantity', async () => {
    const { api, shop } = await open()
    const { variantPath } = await makeVariant(api, shop, { onHand: 10 })
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => adjust(api, shop, variantPath, { set: 20 + index, expectedOnHand: 10 })),
    )
    const [done, ...more] = replies.filter((reply) => reply.status === 200)
    expect(more).toEqual([])
    for (const reply of replies) {
      if (reply === done) continue
      answers('adjustInventory', 'inventory_changed', reply)
      expect(reply.body.error.details.currentOnHand).toBe(done?.body.onHand)
    }
  })

  test('20 concurrent stock adjustments and 10 orders are all included in the stock quantity', async () => {
    const { api, shop } = await open()
    const { variant, variantPath } = await makeVariant(api, shop, { onHand: 100 })
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, (_, index) => adjust(api, shop, variantPath, { delta: index % 2 === 0 ? 7 : -3 })),
      ...Array.from({ length: 10 }, () => sell(api, shop, variant.id, 2)),
    ])
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200, 201]))
    const stock = 'select on_hand, reserved from inventory where variant_id = $1'
    expect(await select(api, stock, [variant.id])).toEqual([{ on_hand: 140, reserved: 20 }])
  })
})
