import type { Reply, ReplyBody, TestApi } from '../api.ts'
import { orderBody, stockVariant } from '../shop.ts'
import { type SoldOrder, soldOrder } from './sold-order.ts'

export interface Replacement {
  readonly reply: Reply
  readonly variantId: string
}

/** Functions for tests that exchange returns. A replacement order has one unit of a new variant. */
export function exchangesAt(started: () => TestApi) {
  const post = ({ shop }: SoldOrder, path: string, body: object, token = shop.token): Promise<Reply> =>
    started().send('POST', `/api/v1${path}`, { token, body })
  return {
    post,
    get: async ({ shop }: SoldOrder, path: string): Promise<ReplyBody> =>
      (await started().send('GET', `/api/v1${path}`, { token: shop.token })).body,
    paid: async (): Promise<SoldOrder> => {
      const sold = await soldOrder(started())
      await sold.pay()
      return sold
    },
    exchange: async (
      sold: SoldOrder,
      returnId: string,
      { priceKobo = 1_000_000, onHand = 5, more = {} }: { priceKobo?: number; onHand?: number; more?: object } = {},
    ): Promise<Replacement> => {
      const { variantId } = await stockVariant(started(), sold.shop.merchantId, { priceKobo, onHand })
      const body = orderBody(variantId, { exchangeOfReturnId: returnId, ...more })
      return { reply: await post(sold, '/orders', body), variantId }
    },
  }
}
