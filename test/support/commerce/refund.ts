import type { Reply, TestApi } from '../api.ts'
import { orderBody, placeOrder, type Shop, stockVariant } from '../shop.ts'

/**
 * Creates a paid order with one item for each given price and quantity. Returns the order, and functions that refund
 * it.
 */
export async function paid(
  api: TestApi,
  shop: Shop,
  lines: readonly (readonly [priceKobo: number, quantity: number])[],
) {
  const items: { variantId: string; quantity: number }[] = []
  for (const [priceKobo, quantity] of lines) {
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo })
    items.push({ variantId, quantity })
  }
  const { variantId } = await stockVariant(api, shop.merchantId)
  const order = await placeOrder(api, shop, { body: orderBody(variantId, { items }) })
  return { order, itemIds: order.items.map(({ id }) => id), ...refunding(api, shop, order.id) }
}

export function refunding(api: TestApi, shop: Shop, orderId: string) {
  const refund = (amountKobo: number, more: object = {}): Promise<Reply> => {
    const body = { orderId, amountKobo, reason: 'damaged', ...more }
    return api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  }
  const read = async () => (await api.send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })).body
  return { refund, read }
}
