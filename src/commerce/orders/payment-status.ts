import type { PaymentStatus } from '../../../registry/orders/order-states.ts'

/** Computes the generated column orders.payment_status for responses that are built before the row is written. */
export function paymentStatusOf(money: { totalKobo: number; paidKobo: number; refundedKobo: number }): PaymentStatus {
  if (money.refundedKobo > 0) return money.refundedKobo === money.paidKobo ? 'refunded' : 'partially_refunded'
  if (money.paidKobo >= money.totalKobo) return 'paid'
  return money.paidKobo > 0 ? 'partially_paid' : 'unpaid'
}
