import { randomUUID } from 'node:crypto'
import type { OrderTarget } from '../order-targets.ts'

/** Returns a request that orders one unit of each variant, by a new customer and with a new idempotency key. */
export function orderRequest(targets: readonly OrderTarget[]): {
  readonly headers: Record<string, string>
  readonly body: string
} {
  const items = targets.map(({ variantId }) => ({ variantId, quantity: 1 }))
  const customer = { name: 'Bench', email: `bench${randomUUID()}@example.com` }
  return {
    headers: {
      Authorization: `Bearer ${targets[0]?.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    },
    body: JSON.stringify({ customer, items, paymentMethod: 'card' }),
  }
}
