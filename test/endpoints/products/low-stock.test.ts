import { describe, expect, test } from 'vitest'
import { updateMerchant } from '../../../src/commerce/merchants/update-merchant.ts'
import { type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { adjust, makeProduct, makeVariant, patchProduct, productsPath, sell } from '../../support/commerce/product.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { operator, type Shop } from '../../support/shop.ts'

/**
 * The service emits `inventory.low_stock` once each time the stock falls below the threshold, regardless of the cause.
 */

const started = useApi()

const noChange = {
  defaultState: undefined,
  isTaxRegistered: undefined,
  taxRateBps: undefined,
  isTaxInclusive: undefined,
  lowStockThreshold: undefined,
  pendingOrderTtlMinutes: undefined,
  autoConfirmsPayOnDelivery: undefined,
  defaultPickup: undefined,
}

async function stocked(inventory: object = {}, more: object = {}, settings: Settings = {}) {
  const { api, shop } = await openShopWith(started(), settings)
  const made = await makeVariant(api, shop, { onHand: 10, lowStockThreshold: 5, ...inventory }, more)
  const emitted = async (): Promise<ReplyBody[]> =>
    (await eventsOf(api, shop.merchantId, 'inventory.low_stock')).map(({ data }) => data)
  const patch = (body: object) => api.send('PATCH', made.variantPath, { token: shop.token, body })
  return { api, shop, ...made, emitted, patch }
}

describe('low stock by orders', () => {
  test('10 concurrent orders that cross the low-stock threshold emit one event, and later orders emit another event after a restock', async () => {
    const { api, shop, variant, variantPath, emitted } = await stocked()
    await Promise.all(Array.from({ length: 10 }, () => sell(api, shop, variant.id)))
    expect(await emitted()).toMatchObject([{ available: 5, reserved: 5, threshold: 5, cause: { type: 'order' } }])
    api.clock.advance(1)
    expect((await adjust(api, shop, variantPath, { delta: 6 })).body).toMatchObject({ available: 6, low: false })
    await Promise.all(Array.from({ length: 5 }, () => sell(api, shop, variant.id)))
    expect(await emitted()).toMatchObject([{ available: 5 }, { available: 5, onHand: 16, reserved: 11 }])
  })

  test('after a restock that only reaches the low-stock threshold, a further order emits no second low-stock event', async () => {
    const { api, shop, variant, variantPath, emitted } = await stocked()
    await sell(api, shop, variant.id, 7)
    expect((await adjust(api, shop, variantPath, { delta: 2 })).body).toMatchObject({ available: 5, low: true })
    await sell(api, shop, variant.id)
    expect(await emitted()).toHaveLength(1)
  })
})

describe('low stock by adjustments', () => {
  test('10 concurrent stock adjustments that cross the low-stock threshold emit one event', async () => {
    const { api, shop, variantPath, emitted } = await stocked()
    await Promise.all(Array.from({ length: 10 }, () => adjust(api, shop, variantPath, { delta: -1 })))
    expect(await emitted()).toMatchObject([
      { available: 5, onHand: 5, reserved: 0, cause: { type: 'adjustment', orderId: null } },
    ])
  })

  test('setting the stock to 0 emits one low-stock event', async () => {
    const { api, shop, variantPath, emitted } = await stocked()
    await adjust(api, shop, variantPath, { set: 0 })
    expect(await emitted()).toMatchObject([{ available: 0 }])
  })

  test('a stock adjustment of an archived product emits no low-stock event', async () => {
    const { api, shop, product, variantPath, emitted } = await stocked()
    await patchProduct(api, shop, product.id, { status: 'archived' })
    expect((await adjust(api, shop, variantPath, { set: 0 })).body.low).toBe(true)
    expect(await emitted()).toEqual([])
  })
})

describe('low stock by thresholds', () => {
  test('raising a low-stock threshold to the available quantity emits one event; after the threshold is lowered, the event can be emitted again', async () => {
    const { variant, emitted, patch } = await stocked()
    const low = async (lowStockThreshold: number | null) =>
      (await patch({ inventory: { lowStockThreshold } })).body.variants[0].inventory.low
    expect(await low(9)).toBe(false)
    expect(await emitted()).toEqual([])
    expect(await low(10)).toBe(true)
    expect(await emitted()).toMatchObject([
      { variantId: variant.id, available: 10, threshold: 10, cause: { type: 'settings', orderId: null } },
    ])
    expect(await low(11)).toBe(true)
    expect(await emitted()).toHaveLength(1)
    expect(await low(9)).toBe(false)
    expect(await low(10)).toBe(true)
    expect(await emitted()).toHaveLength(2)
  })

  test('a variant without a low-stock threshold uses the threshold of its product or, if the product has none, that of the merchant', async () => {
    const { api, shop } = await openShopWith(started(), { low_stock_threshold: 2 })
    const inventory = (more: object) => ({ onHand: 10, ...more })
    const { id, variants } = await makeProduct(api, shop, {
      variants: [
        { optionValues: { size: 'S', colour: 'Wine' }, priceKobo: 1, inventory: inventory({}) },
        { optionValues: { size: 'M', colour: 'Wine' }, priceKobo: 1, inventory: inventory({ lowStockThreshold: 1 }) },
        { optionValues: { size: 'L', colour: 'Wine' }, priceKobo: 1, inventory: inventory({ tracked: false }) },
      ],
    })
    const lows = async (lowStockThreshold: number | null) => {
      const { body } = await patchProduct(api, shop, id, { lowStockThreshold })
      return body.variants.map((variant: ReplyBody) => variant.inventory.low)
    }
    expect(await lows(10)).toEqual([true, false, false])
    const emitted = async () => (await eventsOf(api, shop.merchantId, 'inventory.low_stock')).map(({ data }) => data)
    expect(await emitted()).toMatchObject([{ variantId: variants[0].id, threshold: 10 }])
    expect(await lows(null)).toEqual([false, false, false])
    api.clock.advance(1)
    await sell(api, shop, variants[0].id, 8)
    expect(await emitted()).toMatchObject([{}, { variantId: variants[0].id, available: 2, threshold: 2 }])
  })

  test('turning on stock tracking for a variant can emit a low-stock event; untracked stock is never low', async () => {
    const { emitted, patch } = await stocked({ onHand: 3, tracked: false })
    expect((await patch({ inventory: { tracked: true } })).body.variants[0].inventory.low).toBe(true)
    expect(await emitted()).toHaveLength(1)
    expect((await patch({ inventory: { tracked: false } })).body.variants[0].inventory.low).toBe(false)
    expect((await patch({ inventory: { tracked: true } })).body.variants[0].inventory.low).toBe(true)
    expect(await emitted()).toHaveLength(2)
  })

  test('a low-stock threshold change of an archived product emits no low-stock event', async () => {
    const { api, shop, product, emitted, patch } = await stocked()
    await patchProduct(api, shop, product.id, { status: 'archived' })
    expect((await patch({ inventory: { lowStockThreshold: 10 } })).body.variants[0].inventory.low).toBe(true)
    expect(await emitted()).toEqual([])
  })

  test('changing other fields of a variant emits no low-stock event', async () => {
    const { api, shop, product, emitted, patch } = await stocked()
    await patch({ priceKobo: 1, inventory: { allowBackorder: true } })
    await patchProduct(api, shop, product.id, { title: 'Other' })
    expect(await emitted()).toEqual([])
  })
})

describe('low stock with concurrent requests', () => {
  /** Returns the stored low-stock flag of a variant, which the API does not return. */
  async function flagged(api: TestApi, variantId: string): Promise<boolean> {
    const [row] = await select(api, 'select is_low from inventory where variant_id = $1', [variantId])
    return row.is_low
  }

  test.for([
    'variant',
    'product',
  ] as const)('raising a low-stock threshold of the %s during 10 orders emits one event', async (whose) => {
    for (let round = 0; round < 5; round++) {
      const inventory = whose === 'variant' ? {} : { lowStockThreshold: undefined }
      const { api, shop, product, variant, emitted, patch } = await stocked(
        { onHand: 30, ...inventory },
        whose === 'product' ? { lowStockThreshold: 5 } : {},
      )
      const raise = () =>
        whose === 'variant'
          ? patch({ inventory: { lowStockThreshold: 22 } })
          : patchProduct(api, shop, product.id, { lowStockThreshold: 22 })
      const replies = await Promise.all([
        ...Array.from({ length: 5 }, () => sell(api, shop, variant.id)),
        raise(),
        ...Array.from({ length: 5 }, () => sell(api, shop, variant.id)),
      ])
      expect(replies.map((reply) => reply.status).filter((status) => status >= 300)).toEqual([])
      expect(await emitted()).toHaveLength(1)
      expect(await flagged(api, variant.id)).toBe(true)
    }
  })

  test('a low-stock flag left over from a former threshold does not suppress the event at the new threshold', async () => {
    const { api, shop, variant, emitted } = await stocked()
    await select(api, 'update inventory set is_low = true where variant_id = $1', [variant.id])
    await sell(api, shop, variant.id, 5)
    expect(await emitted()).toMatchObject([{ available: 5, threshold: 5 }])
  })

  test('concurrent orders of two variants and changes of the low-stock threshold all get a response, without a deadlock', async () => {
    const { api, shop } = await openShopWith(started(), {})
    const { id, variants } = await makeProduct(api, shop)
    const items = (order: number) =>
      (order % 2 === 0 ? [0, 1] : [1, 0]).map((index) => ({ variantId: variants[index].id, quantity: 1 }))
    const customer = { name: 'Adaeze', email: 'ring@example.com' }
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        index % 4 === 3
          ? patchProduct(api, shop, id, { lowStockThreshold: index })
          : api.send('POST', '/api/v1/orders', {
              token: shop.token,
              body: {
                customer: { ...customer, email: `ring${index}@example.com` },
                items: items(index),
                paymentMethod: 'cash',
              },
            }),
      ),
    )
    for (const reply of replies) expect([200, 201, 409]).toContain(reply.status)
    const refused = replies.filter((reply) => reply.status === 409)
    for (const reply of refused) expect(reply.body.error.code).toBe('insufficient_stock')
    expect((await api.send('GET', `${productsPath}/${id}`, { token: shop.token })).body.version).toBe(5)
  })
})

describe('the merchant’s low-stock threshold', () => {
  const setting = (api: TestApi, shop: Shop, lowStockThreshold: number | null) =>
    updateMerchant(api.context, operator, shop.tenant, { ...noChange, lowStockThreshold })

  test('raising the merchant’s low-stock threshold emits one event per variant that becomes low; after the threshold is lowered, the event can be emitted again', async () => {
    const { api, shop, emitted } = await stocked({ lowStockThreshold: undefined }, {}, { low_stock_threshold: 5 })
    await setting(api, shop, 9)
    expect(await emitted()).toEqual([])
    await setting(api, shop, 10)
    await setting(api, shop, 11)
    expect(await emitted()).toMatchObject([
      { available: 10, threshold: 10, cause: { type: 'settings', orderId: null } },
    ])
    await setting(api, shop, null)
    await setting(api, shop, 10)
    expect(await emitted()).toHaveLength(2)
  })

  test('the merchant’s low-stock threshold does not apply to a variant or product with its own threshold', async () => {
    const { api, shop, emitted } = await stocked({ lowStockThreshold: 5 })
    await makeVariant(api, shop, { onHand: 10, lowStockThreshold: undefined }, { lowStockThreshold: 3 })
    await setting(api, shop, 1000)
    expect(await emitted()).toEqual([])
  })
})
