import { newId } from '../../../src/base/ids.ts'
import type { Reply, ReplyBody, TestApi } from '../api.ts'
import type { Shop } from '../shop.ts'

function newCode(): string {
  return newId('T', 0).toUpperCase()
}

/** Returns the body of a request to create a 10 % discount, with the given changes. */
export function discountBody(more: object = {}) {
  const isPercentage = !('type' in more) || more.type === 'percentage'
  return {
    title: 'Detty December',
    code: newCode(),
    type: 'percentage',
    ...(isPercentage ? { percentageBps: 1000 } : {}),
    ...more,
  }
}

export async function discount(api: TestApi, shop: Shop, more: object = {}): Promise<ReplyBody> {
  const reply = await api.send('POST', '/api/v1/discounts', { token: shop.token, body: discountBody(more) })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

export async function readDiscount(api: TestApi, shop: Shop, id: string): Promise<ReplyBody> {
  return (await api.send('GET', `/api/v1/discounts/${id}`, { token: shop.token })).body
}

export function changeDiscount(api: TestApi, shop: Shop, id: string, body: object): Promise<Reply> {
  return api.send('PATCH', `/api/v1/discounts/${id}`, { token: shop.token, body })
}
