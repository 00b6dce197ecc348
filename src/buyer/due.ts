import type { Order } from '../../registry/orders/order.ts'

/**
 * Returns the amount that the buyer still owes, in kobo. Nothing is due for a cancelled order, or for an order whose
 * items were returned.
 */
export function dueKoboOf({ status, balanceKobo }: Order): number {
  return status === 'cancelled' || status === 'returned' ? 0 : Math.max(0, balanceKobo)
}
