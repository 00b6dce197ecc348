import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { RefundablePayment } from '../../store/orders/payments.ts'
import { noKobo, share, sum, toKobo } from '../money.ts'

/** The amounts of an order that refund rules depend on. */
export interface OrderMoney {
  readonly totalKobo: Kobo
  readonly taxKobo: Kobo
  readonly paidKobo: Kobo
  readonly refundedKobo: Kobo
  readonly refundPendingKobo: Kobo
  readonly refundedTaxKobo: Kobo
}

/**
 * Returns the refundable amount: the paid amount minus succeeded refunds, pending refunds (which may still succeed) and
 * the amount that disputes withhold.
 */
export function refundableKobo(
  order: Pick<OrderMoney, 'paidKobo' | 'refundedKobo' | 'refundPendingKobo'>,
  withheld: Kobo = noKobo,
): Kobo {
  return toKobo(order.paidKobo - order.refundedKobo - order.refundPendingKobo - withheld)
}

/**
 * Returns the unrefunded amount that disputes withhold: the amounts of open disputes, and the amounts that lost
 * disputes returned to the payer.
 */
export function withheldKobo(payments: readonly RefundablePayment[]): Kobo {
  return sum(payments.map((payment) => toKobo(payment.unrefundedKobo - leftKobo(payment))))
}

/** Returns the refundable amount of one payment. */
export function leftKobo({ isDisputed, unrefundedKobo, lostKobo }: RefundablePayment): Kobo {
  return isDisputed ? noKobo : toKobo(Math.max(noKobo, unrefundedKobo - lostKobo))
}

/**
 * Returns the VAT included in a refund: the cumulative VAT of all refunds, rounded half up, minus the VAT of earlier
 * ones. Rounding the cumulative amount keeps each refund within half a kobo of its share, and the refund of the order's
 * last kobo includes the rest of the order's VAT.
 */
export function refundTaxKobo(order: OrderMoney, amountKobo: Kobo): Kobo {
  if (order.totalKobo === 0) return noKobo
  // A refund of more than the order's total returns an overpayment, which includes no VAT.
  const goneKobo = toKobo(Math.min(order.totalKobo, order.refundedKobo + order.refundPendingKobo + amountKobo))
  const dueKobo = share(goneKobo, order.taxKobo, order.totalKobo) - order.refundedTaxKobo
  return toKobo(Math.max(0, Math.min(dueKobo, amountKobo)))
}
