import { expect } from 'vitest'
import type { Reply, TestApi } from '../api.ts'
import { select } from '../database-contents.ts'
import { openShop, placeOrder, type Shop } from '../shop.ts'

/** Helpers for createRefund, the only operation that honours an Idempotency-Key (spec 4.5). */
export interface Scene {
  readonly api: TestApi
  readonly shop: Shop
  readonly body: { readonly orderId: string; readonly amountKobo: number; readonly reason: string }
  refund(key: string, body?: unknown, more?: { token?: string; headers?: Record<string, string> }): Promise<Reply>
  /** Returns the number of refunds that the merchant has. */
  count(): Promise<number>
}

/**
 * Creates a shop with an order of 1,000,000 kobo. Also returns the body of a request to refund a tenth of the order.
 */
export async function openScene(api: TestApi, isPaid: boolean): Promise<Scene> {
  const shop = await openShop(api.context)
  return sceneOf(api, shop, isPaid)
}

export async function sceneOf(api: TestApi, shop: Shop, isPaid: boolean): Promise<Scene> {
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid })
  const body = { orderId: order.id, amountKobo: 100_000, reason: 'damaged' }
  return {
    api,
    shop,
    body,
    refund: (key, sent = body, more = {}) => {
      const headers = { 'Idempotency-Key': key, ...more.headers }
      return api.send('POST', '/api/v1/refunds', { token: more.token ?? shop.token, body: sent, headers })
    },
    count: async () => (await select(api, 'select 1 from refunds where merchant_id = $1', [shop.merchantId])).length,
  }
}

export function expectReplay(replay: Reply, first: Reply): void {
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect(replay.headers.get('original-request-id')).toBe(first.headers.get('request-id'))
  expect(replay.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
  expect(replay.headers.get('location')).toBe(first.headers.get('location'))
  expect(replay.status).toBe(first.status)
  expect(replay.text).toBe(first.text)
}
