import { describe, expect, test } from 'vitest'
import { newProductId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { adjust, makeVariant, productsPath, sell } from '../../support/commerce/product.ts'
import { untilWaiting, whileLocked } from '../../support/database-locks.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()

/**
 * Creates a product variant with opening stock, then a restock an hour later, and then an order one more hour later.
 */
async function moved() {
  const api = started()
  const shop = await openShop(api.context)
  const startMs = api.clock.nowMs()
  const { product, variant, variantPath } = await makeVariant(api, shop, { onHand: 10 })
  api.clock.advance(3_600_000)
  await adjust(api, shop, variantPath, { delta: 5, reason: 'restock', note: 'Balogun' })
  api.clock.advance(3_600_000)
  const order = await sell(api, shop, variant.id, 4)
  const path = `${variantPath}/movements`
  const at = (hours: number) => encodeURIComponent(new Date(startMs + hours * 3_600_000).toISOString())
  return { api, shop, product, variant, order, path, at }
}

describe('200 responses of listInventoryMovements', () => {
  test('listInventoryMovements returns every stock movement, newest first, with the resulting quantities', async () => {
    const { api, shop, variant, order, path } = await moved()
    const { body } = await api.send('GET', path, { token: shop.token })
    const own = { variantId: variant.id, refundId: null }
    expect(body.data).toMatchObject([
      {
        ...own,
        reason: 'order_reserved',
        orderId: order.body.id,
        onHandDelta: 0,
        reservedDelta: 4,
        onHand: 15,
        reserved: 4,
      },
      { ...own, reason: 'restock', orderId: null, onHandDelta: 5, onHand: 15, reserved: 0, note: 'Balogun' },
      { ...own, reason: 'opening', onHandDelta: 10, reservedDelta: 0, onHand: 10, reserved: 0, note: null },
    ])
    expect(body.data[0].createdAt).toBe(new Date(api.clock.nowMs()).toISOString())
  })

  test('listInventoryMovements returns the same movements over two pages as on a single page', async () => {
    const { api, shop, path } = await moved()
    const whole = await api.send('GET', path, { token: shop.token })
    const first = await api.send('GET', `${path}?limit=2`, { token: shop.token })
    const rest = await api.send('GET', `${path}?cursor=${first.body.pagination.cursor}`, { token: shop.token })
    expect([...first.body.data, ...rest.body.data]).toEqual(whole.body.data)
    expect(rest.body.pagination.hasMore).toBe(false)
  })

  test('listInventoryMovements filters by reasons and by time', async () => {
    const { api, shop, path, at } = await moved()
    const reasons = async (query: string) => {
      const { body } = await api.send('GET', `${path}?${query}`, { token: shop.token })
      return body.data.map(({ reason }: { reason: string }) => reason)
    }
    expect(await reasons('reason=opening,restock')).toEqual(['restock', 'opening'])
    expect(await reasons(`createdFrom=${at(1)}`)).toEqual(['order_reserved', 'restock'])
    expect(await reasons(`createdFrom=${at(0)}&createdTo=${at(1)}`)).toEqual(['opening'])
  })
})

describe('order of movements', () => {
  const levels = async (path: string, { api, shop }: Pick<Awaited<ReturnType<typeof moved>>, 'api' | 'shop'>) => {
    const { body } = await api.send('GET', path, { token: shop.token })
    return body.data.map(({ onHand }: { onHand: number }) => onHand)
  }

  test('listInventoryMovements returns the movements of one millisecond in the order in which they changed the stock', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantPath } = await makeVariant(api, shop, { onHand: 1 })
    for (const set of [2, 3, 4, 5, 6, 7]) await adjust(api, shop, variantPath, { set })
    expect(await levels(`${variantPath}/movements`, { api, shop })).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  test('the newest movement has the current stock although its request started before that of an earlier movement', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { product, variant, variantPath } = await makeVariant(api, shop, { onHand: 10 })
    const order = await sell(api, shop, variant.id, 1)
    api.clock.advance(1000)
    const lock = { text: 'select from orders where id = $1 for update', values: [order.body.id] }
    const cancelled = await whileLocked(api, lock, async (holder) => {
      const path = `/api/v1/orders/${order.body.id}/cancel`
      const sent = api.send('POST', path, { token: shop.token, body: { reason: 'customer' } })
      await untilWaiting(api, 1)
      api.clock.advance(1000)
      await adjust(api, shop, variantPath, { set: 20 })
      await holder.query('commit')
      return sent
    })
    expect(cancelled.status).toBe(200)
    const [newest] = (await api.send('GET', `${variantPath}/movements`, { token: shop.token })).body.data
    const [stored] = (await api.send('GET', `${productsPath}/${product.id}`, { token: shop.token })).body.variants
    expect(newest).toMatchObject({ onHand: 20, reserved: 0 })
    expect(stored.inventory).toMatchObject({ onHand: newest.onHand, reserved: newest.reserved })
  })
})

describe('errors of listInventoryMovements', () => {
  test('listInventoryMovements returns 404 for an unknown product or variant', async () => {
    const { api, shop, product, variant } = await moved()
    const get = (productId: string, variantId: string) =>
      api.send('GET', `${productsPath}/${productId}/variants/${variantId}/movements`, { token: shop.token })
    answers('listInventoryMovements', 'product_not_found', await get(newProductId(0), variant.id))
    answers('listInventoryMovements', 'variant_not_found', await get(product.id, newVariantId(0)))
  })

  test('listInventoryMovements returns 400 invalid_time_range for a range that ends before it starts', async () => {
    const { api, shop, path, at } = await moved()
    const reply = await api.send('GET', `${path}?createdFrom=${at(1)}&createdTo=${at(1)}`, { token: shop.token })
    answers('listInventoryMovements', 'invalid_time_range', reply)
  })
})
