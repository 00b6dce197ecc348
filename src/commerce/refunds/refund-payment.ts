import type { Kobo, PaymentId } from '../../../registry/values/vocabulary.ts'
import type { RefundablePayment } from '../../store/orders/payments.ts'
import { noKobo, sum, toKobo } from '../money.ts'
import { leftKobo } from './refund-rules.ts'

/**
 * A refund gives back a part of one payment, so that one provider is asked for it once and it succeeds or fails as a
 * whole. It is the newest payment of a provider with enough left of it; what was paid by hand comes last.
 */
export type PaymentChoice =
  /** No payment: money the merchant took by hand, and gives back so. */
  | { readonly is: 'chosen'; readonly paymentId: PaymentId | null }
  | { readonly is: 'too_much_for_one'; readonly mostKobo: Kobo }
  | { readonly is: 'disputed' }

export function choosePayment(
  payments: readonly RefundablePayment[],
  leftOfOrderKobo: Kobo,
  amountKobo: Kobo,
): PaymentChoice {
  const payment = payments.find((each) => leftKobo(each) >= amountKobo)
  if (payment !== undefined) return { is: 'chosen', paymentId: payment.id }
  // What is left of the order and of no provider's payment came by hand. What a lost dispute took did not.
  const byHandKobo = toKobo(Math.max(noKobo, leftOfOrderKobo - sum(payments.map((each) => each.unrefundedKobo))))
  if (byHandKobo >= amountKobo) return { is: 'chosen', paymentId: null }
  // It would go once the dispute is won.
  const isWaitingFor = (each: RefundablePayment) =>
    each.isDisputed && leftKobo({ ...each, isDisputed: false }) >= amountKobo
  if (payments.some(isWaitingFor)) return { is: 'disputed' }
  const mostKobo = toKobo(Math.max(byHandKobo, ...payments.map(leftKobo)))
  return mostKobo === 0 ? { is: 'disputed' } : { is: 'too_much_for_one', mostKobo }
}
