import { expect } from 'vitest'
import { type OrderStatus, orderStatuses, orderTransitions } from '../../../registry/orders/order-states.ts'
import type { Reply, TestApi } from '../api.ts'
import { select } from '../database-contents.ts'
import { orderBody, type Shop, type Stocked, stockVariant } from '../shop.ts'

/** Every pair of two different order statuses, whether or not the transition is allowed. */
export const statusPairs = orderStatuses.flatMap((from) =>
  orderStatuses.filter((to) => to !== from).map((to) => [from, to] as const),
)

/** Returns the shortest sequence of allowed transitions from one status to another. */
export function transitionsTo(status: OrderStatus, from: OrderStatus = 'pending'): OrderStatus[] {
  const ways: OrderStatus[][] = [[from]]
  for (const way of ways) {
    const last = way.at(-1)
    if (last === status) return way.slice(1)
    if (last !== undefined) for (const next of orderTransitions[last]) ways.push([...way, next])
  }
  throw new Error(`No transitions lead to ${status}.`)
}

export async function moveOrderTo(
  api: Pick<TestApi, 'send'>,
  shop: Shop,
  orderId: string,
  status: OrderStatus,
): Promise<void> {
  const path = `/api/v1/orders/${orderId}`
  const { body } = await api.send('GET', path, { token: shop.token })
  for (const to of transitionsTo(status, body.status)) {
    expect((await api.send('POST', `${path}/transition`, { token: shop.token, body: { to } })).status).toBe(200)
  }
}

export interface MovedOrder extends Stocked {
  readonly id: string
  readonly itemId: string
  readonly path: string
  move(to: OrderStatus, more?: object): Promise<Reply>
  read(): Promise<Reply['body']>
  stock(): Promise<{ onHand: number; reserved: number }>
}

/**
 * Creates an order for three of the ten units in stock of a variant, and changes the status of the order through the
 * API.
 */
export async function orderAt(
  api: TestApi,
  shop: Shop,
  status: OrderStatus,
  priceKobo = 1_000_000,
): Promise<MovedOrder> {
  const stocked = await stockVariant(api, shop.merchantId, { priceKobo, onHand: 10 })
  const items = [{ variantId: stocked.variantId, quantity: 3 }]
  const created = await api.send('POST', '/api/v1/orders', {
    token: shop.token,
    body: orderBody(stocked.variantId, { items }),
  })
  const path = `/api/v1/orders/${created.body.id}`
  const move = (to: OrderStatus, more: object = {}) =>
    api.send('POST', `${path}/transition`, { token: shop.token, body: { to, ...more } })
  for (const to of transitionsTo(status, created.body.status)) expect((await move(to)).status).toBe(200)
  return {
    ...stocked,
    id: created.body.id,
    itemId: created.body.items[0].id,
    path,
    move,
    read: async () => (await api.send('GET', path, { token: shop.token })).body,
    stock: () => stockOf(api, stocked.variantId),
  }
}

export async function stockOf(api: TestApi, variantId: string): Promise<{ onHand: number; reserved: number }> {
  const [row] = await select(api, 'select on_hand as "onHand", reserved from inventory where variant_id = $1', [
    variantId,
  ])
  return row
}

/**
 * Returns the sums of a variant's inventory movements. They must equal the inventory, apart from stock that a test
 * inserted directly.
 */
export async function ledgerOf(api: TestApi, variantId: string): Promise<{ onHand: number; reserved: number }> {
  const [row] = await select(
    api,
    `select coalesce(sum(on_hand_delta), 0)::int as "onHand", coalesce(sum(reserved_delta), 0)::int as reserved
     from stock_movements where variant_id = $1`,
    [variantId],
  )
  return row
}

export async function statusChanges(api: TestApi, orderId: string) {
  return select(
    api,
    `select from_status as "from", to_status as "to", reason, version, actor_type as actor
     from order_status_changes where order_id = $1 order by version`,
    [orderId],
  )
}
