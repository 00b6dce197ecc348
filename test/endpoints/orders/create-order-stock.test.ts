import { describe, expect, test } from 'vitest'
import { newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = (settings: Settings = {}) => openShopWith(started(), settings)

describe('stock and orders', () => {
  test('an order reserves its units and adds a stock movement', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 4 }] })
    const reply = await api.send('POST', path, { token: shop.token, body })
    const stock = 'select on_hand, reserved, available from inventory where variant_id = $1'
    expect(await select(api, stock, [variantId])).toEqual([{ on_hand: 10, reserved: 4, available: 6 }])
    const ledger = `
      select reason, order_id, on_hand_delta, reserved_delta, on_hand, reserved
      from stock_movements where variant_id = $1`
    expect(await select(api, ledger, [variantId])).toEqual([
      {
        reason: 'order_reserved',
        order_id: reply.body.id,
        on_hand_delta: 0,
        reserved_delta: 4,
        on_hand: 10,
        reserved: 4,
      },
    ])
  })

  test.for([
    'tracked = false',
    'allow_backorder = true',
  ])('createOrder never returns insufficient_stock for a variant with %s', async (setting) => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 0 })
    await select(api, `update inventory set ${setting} where variant_id = $1`, [variantId])
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    expect(reply.status).toBe(201)
  })
})

describe('inventory.low_stock', () => {
  async function sell(api: TestApi, shop: Shop, variantId: string, quantity: number): Promise<void> {
    const body = orderBody(newVariantId(0), { items: [{ variantId, quantity }] })
    expect((await api.send('POST', path, { token: shop.token, body })).status).toBe(201)
  }

  test('inventory.low_stock is emitted once when a variant’s available quantity reaches the threshold, and not again below it', async () => {
    const { api, shop } = await open()
    const { variantId, productId } = await stockVariant(api, shop.merchantId, { onHand: 8, threshold: 5 })
    const emitted = async () => (await eventsOf(api, shop.merchantId, 'inventory.low_stock')).length
    await sell(api, shop, variantId, 2)
    expect(await emitted()).toBe(0)
    await sell(api, shop, variantId, 1)
    expect(await emitted()).toBe(1)
    await sell(api, shop, variantId, 1)
    await sell(api, shop, variantId, 4)
    const [event, ...more] = await eventsOf(api, shop.merchantId, 'inventory.low_stock')
    expect(more).toEqual([])
    expect(event.data).toMatchObject({ productId, variantId, available: 5, onHand: 8, reserved: 3, threshold: 5 })
    expect(event.data.title).toBe('Ankara maxi dress, M / Indigo')
  })

  test('inventory.low_stock is emitted for each ordered variant whose stock reaches its low-stock threshold', async () => {
    const { api, shop } = await open()
    const stocked = [
      await stockVariant(api, shop.merchantId, { onHand: 6, threshold: 5 }),
      await stockVariant(api, shop.merchantId, { onHand: 7, threshold: 5 }),
      await stockVariant(api, shop.merchantId, { onHand: 1, threshold: 0 }),
    ]
    const items = stocked.map(({ variantId }) => ({ variantId, quantity: 1 }))
    await api.send('POST', path, { token: shop.token, body: orderBody(newVariantId(0), { items }) })
    const events = await eventsOf(api, shop.merchantId, 'inventory.low_stock')
    expect(events.map(({ data }) => data.variantId).sort()).toEqual(
      [stocked[0]?.variantId, stocked[2]?.variantId].sort(),
    )
  })

  test('for a variant without a threshold, inventory.low_stock uses the threshold of the product or, if the product has none, that of the merchant', async () => {
    const { api, shop } = await open({ low_stock_threshold: 3 })
    const merchants = await stockVariant(api, shop.merchantId, { onHand: 4, threshold: null })
    await sell(api, shop, merchants.variantId, 1)
    const products = await stockVariant(api, shop.merchantId, { onHand: 10, threshold: null })
    const patch = { token: shop.token, body: { lowStockThreshold: 9 } }
    expect((await api.send('PATCH', `/api/v1/products/${products.productId}`, patch)).status).toBe(200)
    await sell(api, shop, products.variantId, 1)
    const events = await eventsOf(api, shop.merchantId, 'inventory.low_stock')
    expect(events.map(({ data }) => data.threshold).sort()).toEqual([3, 9])
  })

  test('inventory.low_stock is emitted again when the quantity falls to a threshold that the merchant lowered after the first event', async () => {
    const { api, shop } = await open({ low_stock_threshold: 9 })
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10, threshold: null })
    const emitted = async () => {
      const events = await eventsOf(api, shop.merchantId, 'inventory.low_stock')
      return events.map(({ data }) => [data.available, data.threshold])
    }
    await sell(api, shop, variantId, 2)
    api.clock.advance(1)
    await select(api, 'update merchants set low_stock_threshold = 3 where id = $1', [shop.merchantId])
    await sell(api, shop, variantId, 5)
    await sell(api, shop, variantId, 1)
    expect(await emitted()).toEqual([
      [8, 9],
      [3, 3],
    ])
  })

  test('inventory.low_stock is not emitted without a threshold, nor for a variant without stock tracking', async () => {
    const { api, shop } = await open({ low_stock_threshold: null })
    const plain = await stockVariant(api, shop.merchantId, { onHand: 1, threshold: null })
    await sell(api, shop, plain.variantId, 1)
    const untracked = await stockVariant(api, shop.merchantId, { onHand: 0, threshold: 5 })
    await select(api, 'update inventory set tracked = false where variant_id = $1', [untracked.variantId])
    await sell(api, shop, untracked.variantId, 1)
    expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toEqual([])
  })
})

describe('409 insufficient_stock', () => {
  test('createOrder returns every item with insufficient stock, and reserves nothing', async () => {
    const { api, shop } = await open()
    const enough = await stockVariant(api, shop.merchantId, { onHand: 5 })
    const short = await stockVariant(api, shop.merchantId, { onHand: 2 })
    const none = await stockVariant(api, shop.merchantId, { onHand: 0 })
    const before = await contentsOf(api)
    const items = [enough, short, none].map(({ variantId }) => ({ variantId, quantity: 3 }))
    const body = orderBody(enough.variantId, { items })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'insufficient_stock', reply)
    expect(reply.body.error.details.items).toMatchObject([
      { variantId: short.variantId, requested: 3, available: 2 },
      { variantId: none.variantId, requested: 3, available: 0 },
    ])
    expect(await contentsOf(api)).toEqual(before)
  })
})
