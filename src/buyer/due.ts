import type { Order } from '../../registry/orders/order.ts'

/** Returns the amount that the buyer still owes. Nothing is due for an order that was cancelled or came back. */
export function dueKoboOf({ status, balanceKobo }: Order): number {
  return status === 'cancelled' || status === 'returned' ? 0 : Math.max(0, balanceKobo)
}
