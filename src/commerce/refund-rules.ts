import type { Kobo } from '../../registry/vocabulary.ts'
import { noKobo, share, toKobo } from './money.ts'

/** What the rules need to know of an order's money. */
export interface OrderMoney {
  readonly totalKobo: Kobo
  readonly taxKobo: Kobo
  readonly paidKobo: Kobo
  readonly refundedKobo: Kobo
  readonly refundPendingKobo: Kobo
  readonly refundedTaxKobo: Kobo
}

/** What can still be refunded. A refund under way counts as gone: it may yet succeed. */
export function refundableKobo(order: Pick<OrderMoney, 'paidKobo' | 'refundedKobo' | 'refundPendingKobo'>): Kobo {
  return toKobo(order.paidKobo - order.refundedKobo - order.refundPendingKobo)
}

/**
 * The VAT contained in a refund: its share of the order's, halves up, except that the refund which takes
 * the last of the order's total takes the last of its VAT, so that no kobo of it stays behind.
 */
export function refundTaxKobo(order: OrderMoney, amountKobo: Kobo): Kobo {
  const leftKobo = toKobo(order.taxKobo - order.refundedTaxKobo)
  const goneKobo = order.refundedKobo + order.refundPendingKobo + amountKobo
  if (goneKobo >= order.totalKobo) return toKobo(Math.min(leftKobo, amountKobo))
  if (order.totalKobo === 0) return noKobo
  return toKobo(Math.min(leftKobo, share(amountKobo, order.taxKobo, order.totalKobo)))
}
