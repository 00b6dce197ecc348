import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import { newId } from '../../../src/base/ids.ts'
import type { Reply, ReplyBody, TestApi } from '../api.ts'
import { orderBody, type Shop, stockVariant } from '../shop.ts'
import { moveOrderTo } from './order-transitions.ts'

export const customersPath = '/api/v1/customers'

/** Returns a valid body of a request to create a customer, with an unused e-mail address. */
export function customerBody(api: TestApi, more: object = {}) {
  return { name: 'Adaeze Okafor', email: `${newId('who', api.clock.nowMs())}@example.com`, ...more }
}

export async function createdCustomer(api: TestApi, shop: Shop, more: object = {}): Promise<ReplyBody> {
  const reply = await api.send('POST', customersPath, { token: shop.token, body: customerBody(api, more) })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

/**
 * Adds an address to a customer. First advances the clock, so that the addresses of a customer have different times.
 */
export async function addAddress(api: TestApi, shop: Shop, customerId: string, more: object = {}): Promise<Reply> {
  api.clock.advance(1)
  const body = { line1: '12 Admiralty Way', ...more }
  return api.send('POST', `${customersPath}/${customerId}/addresses`, { token: shop.token, body })
}

export async function readCustomer(api: TestApi, shop: Shop, id: string): Promise<ReplyBody> {
  return (await api.send('GET', `${customersPath}/${id}`, { token: shop.token })).body
}

/** Creates an order of the customer with the given id, and changes the order to the given status. */
export async function orderOf(
  api: TestApi,
  shop: Shop,
  customerId: string,
  status: OrderStatus = 'pending',
): Promise<ReplyBody> {
  const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
  const body = orderBody(variantId, { customer: undefined, customerId })
  const reply = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
  if (reply.status !== 201) throw new Error(reply.text)
  await moveOrderTo(api, shop, reply.body.id, status)
  return reply.body
}
