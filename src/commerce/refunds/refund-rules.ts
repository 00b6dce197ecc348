import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { RefundablePayment } from '../../store/orders/payments.ts'
import { noKobo, share, sum, toKobo } from '../money.ts'

/** What the rules need to know of an order's money. */
export interface OrderMoney {
  readonly totalKobo: Kobo
  readonly taxKobo: Kobo
  readonly paidKobo: Kobo
  readonly refundedKobo: Kobo
  readonly refundPendingKobo: Kobo
  readonly refundedTaxKobo: Kobo
}

/**
 * What can still be refunded. A refund under way counts as gone: it may yet succeed. What disputes withhold does not
 * count.
 */
export function refundableKobo(
  order: Pick<OrderMoney, 'paidKobo' | 'refundedKobo' | 'refundPendingKobo'>,
  withheld: Kobo = noKobo,
): Kobo {
  return toKobo(order.paidKobo - order.refundedKobo - order.refundPendingKobo - withheld)
}

/** What no refund has taken of payments and yet cannot be refunded: it is disputed, or went back by a dispute. */
export function withheldKobo(payments: readonly RefundablePayment[]): Kobo {
  return sum(payments.map((payment) => toKobo(payment.unrefundedKobo - leftKobo(payment))))
}

/** What can be refunded of one payment. */
export function leftKobo({ isDisputed, unrefundedKobo, lostKobo }: RefundablePayment): Kobo {
  return isDisputed ? noKobo : toKobo(Math.max(noKobo, unrefundedKobo - lostKobo))
}

/**
 * The VAT contained in a refund: what is due of the order's VAT, halves up, once this refund is out, less what earlier ones
 * took. Rounding the sum instead of each part keeps the parts within half a kobo of their share however small they
 * are, and the refund that takes the last of the order's total takes the last of its VAT.
 */
export function refundTaxKobo(order: OrderMoney, amountKobo: Kobo): Kobo {
  if (order.totalKobo === 0) return noKobo
  // More than the total can only go back of an overpayment, which holds no VAT.
  const goneKobo = toKobo(Math.min(order.totalKobo, order.refundedKobo + order.refundPendingKobo + amountKobo))
  const dueKobo = share(goneKobo, order.taxKobo, order.totalKobo) - order.refundedTaxKobo
  return toKobo(Math.max(0, Math.min(dueKobo, amountKobo)))
}
