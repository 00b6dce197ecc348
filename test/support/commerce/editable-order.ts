import { expect } from 'vitest'
import type { Reply, TestApi } from '../api.ts'
import { openTestShop } from '../logistics/parcel-run.ts'
import { orderBody, stockVariant } from '../shop.ts'
import { openShopWith, type Settings } from './shop-settings.ts'

/** Opens a shop with three variants and an order of two units of the first one. */
export async function openEditableOrder(
  api: TestApi,
  more: { settings?: Settings; body?: object; shop?: 'test' } = {},
) {
  const opened = await openShopWith(api, more.settings ?? {})
  const shop = more.shop === 'test' ? await openTestShop(api) : opened.shop
  const [dress, scarf, cap] = await Promise.all([
    stockVariant(api, shop.merchantId, { priceKobo: 1_000_000, onHand: 10 }),
    stockVariant(api, shop.merchantId, { priceKobo: 250_000, onHand: 5 }),
    stockVariant(api, shop.merchantId, { priceKobo: 100_000, onHand: 1 }),
  ])
  const items = [{ variantId: dress.variantId, quantity: 2 }]
  const body = orderBody(dress.variantId, { items, ...more.body })
  const created = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
  expect(created.status, created.text).toBe(201)
  const path = `/api/v1/orders/${created.body.id}`
  const edit = (change: object, headers: Record<string, string> = {}): Promise<Reply> =>
    api.send('PATCH', path, { token: shop.token, body: change, headers })
  const read = async () => (await api.send('GET', path, { token: shop.token })).body
  const pay = async (amountKobo: number) => {
    const payment = { amountKobo, method: 'bank_transfer', reference: `edit-${created.body.number}-${amountKobo}` }
    const paid = await api.send('POST', `${path}/payments`, { token: shop.token, body: payment })
    expect(paid.status, paid.text).toBe(201)
  }
  const refund = (amountKobo: number) =>
    api.send('POST', '/api/v1/refunds', {
      token: shop.token,
      body: { orderId: created.body.id, amountKobo, reason: 'goodwill' },
    })
  return { api, shop, dress, scarf, cap, order: created.body, id: created.body.id, path, edit, read, pay, refund }
}

export const units = (variantId: string, quantity: number, more: object = {}) => ({ variantId, quantity, ...more })
