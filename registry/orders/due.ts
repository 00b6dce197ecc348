import type { Order } from './order.ts'

/**
 * Returns the amount that the customer still owes, in kobo. Nothing is due for a cancelled order, or for an order whose
 * items were returned.
 */
export function dueKoboOf({ status, balanceKobo }: Pick<Order, 'status'> & { readonly balanceKobo: number }): number {
  return status === 'cancelled' || status === 'returned' ? 0 : Math.max(0, balanceKobo)
}
