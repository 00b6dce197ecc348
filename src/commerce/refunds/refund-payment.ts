import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { RefundablePayment } from '../../store/orders/payments.ts'
import { noKobo, sum, toKobo } from '../money.ts'
import { leftKobo } from './refund-rules.ts'

/**
 * Selects the payment to refund. A refund is taken from one payment only, so that it is submitted to one provider once
 * and succeeds or fails as a whole. The newest provider payment with enough left is chosen; manual payments come last.
 */
export type PaymentChoice =
  /** The payment to refund. Null for manual payments, which the merchant refunds manually. */
  | { readonly is: 'chosen'; readonly payment: RefundablePayment | null }
  | { readonly is: 'too_much_for_one'; readonly mostKobo: Kobo }
  | { readonly is: 'disputed' }

export function choosePayment(
  payments: readonly RefundablePayment[],
  leftOfOrderKobo: Kobo,
  amountKobo: Kobo,
): PaymentChoice {
  const payment = payments.find((each) => leftKobo(each) >= amountKobo)
  if (payment !== undefined) return { is: 'chosen', payment }
  const byHandKobo = manualLeftKobo(payments, leftOfOrderKobo)
  if (byHandKobo >= amountKobo) return { is: 'chosen', payment: null }
  // A disputed payment with enough left can be refunded after the merchant has won the dispute.
  const isWaitingFor = (each: RefundablePayment) =>
    each.isDisputed && leftKobo({ ...each, isDisputed: false }) >= amountKobo
  if (payments.some(isWaitingFor)) return { is: 'disputed' }
  const mostKobo = toKobo(Math.max(byHandKobo, ...payments.map(leftKobo)))
  return mostKobo === 0 ? { is: 'disputed' } : { is: 'too_much_for_one', mostKobo }
}

/**
 * Returns the unrefunded amount of an order's manual payments: the unrefunded amount of the order minus the unrefunded
 * amounts of its provider payments. Disputes reduce neither of the two amounts.
 */
export function manualLeftKobo(payments: readonly RefundablePayment[], leftOfOrderKobo: Kobo): Kobo {
  return toKobo(Math.max(noKobo, leftOfOrderKobo - sum(payments.map((each) => each.unrefundedKobo))))
}
