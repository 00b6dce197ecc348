import type { Reply, TestApi } from '../api.ts'
import { orderBody, type Shop, stockVariant } from '../shop.ts'

type Stock = Parameters<typeof stockVariant>[2]

export async function order(api: TestApi, shop: Shop, stock: Stock = {}, more: object = {}): Promise<Reply> {
  const { variantId } = await stockVariant(api, shop.merchantId, stock)
  return api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId, more) })
}
