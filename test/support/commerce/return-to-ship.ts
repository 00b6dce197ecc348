import { expect } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { ReturnId } from '../../../registry/values/vocabulary.ts'
import type { Reply, ReplyBody, TestApi } from '../api.ts'
import { select } from '../database-contents.ts'
import { plainPhone } from '../logistics/parcel-run.ts'
import { placeOrder, type Shop } from '../shop.ts'

/**
 * An approved return of one unit. It is the only unit of a paid order with a delivery address, and the customer still
 * has it.
 */
export interface ReturnToShip {
  readonly id: ReturnId
  readonly orderId: string
  readonly itemId: string
  read(): Promise<ReplyBody>
  readOrder(): Promise<ReplyBody>
  move(to: string): Promise<Reply>
  receive(): Promise<Reply>
}

/** The address of the customer, from which a rider collects the return. */
const customerAddress = {
  recipientName: 'Bisi Ade',
  phone: plainPhone,
  line1: '12 Admiralty Way',
  city: 'Lekki',
  state: 'Lagos',
}

export async function returnToShip(
  api: TestApi,
  shop: Shop,
  { status = 'approved', body = {} }: { readonly status?: 'requested' | 'approved'; readonly body?: object } = {},
): Promise<ReturnToShip> {
  const { token } = shop
  const post = (path: string, sent: object) => api.send('POST', `/api/v1${path}`, { token, body: sent })
  const get = async (path: string) => (await api.send('GET', `/api/v1${path}`, { token })).body
  const order = await placeOrder(api, shop, { body: { shippingAddress: customerAddress, ...body } })
  const itemId = order.items[0]?.id ?? expect.fail('The order has no item.')
  for (const to of ['shipped', 'delivered']) {
    expect((await post(`/orders/${order.id}/transition`, { to })).status).toBe(200)
  }
  const items = [{ itemId, quantity: 1 }]
  const created = await post(`/orders/${order.id}/returns`, { items, reason: 'wrong_size' })
  expect(created.status, created.text).toBe(201)
  const id = ReturnId.parse(created.body.id)
  const move = (to: string) => post(`/returns/${id}/transition`, { to })
  if (status === 'approved') expect((await move('approved')).status).toBe(200)
  return {
    id,
    orderId: order.id,
    itemId,
    read: () => get(`/returns/${id}`),
    readOrder: () => get(`/orders/${order.id}`),
    move,
    receive: () => post(`/returns/${id}/receive`, { items: [{ itemId, restockQuantity: 1 }] }),
  }
}

/** Stores the default pickup address of a shop, which is the dropoff of its returns. Null removes it. */
export async function setPickup(api: TestApi, shop: Shop, more: object | null = {}): Promise<void> {
  const place = more === null ? null : JSON.stringify({ ...pickupInputExample, ...more })
  await select(api, 'update merchants set default_pickup = $2::jsonb where id = $1', [shop.merchantId, place])
}
