import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { RefundablePayment } from '../../store/orders/payments.ts'
import { toKobo } from '../money.ts'
import { isReceived, leftKobo, manualLeftKobo } from './refund-rules.ts'

/**
 * Selects the payment to refund. A refund is taken from one payment only, so that it is submitted to one provider once
 * and succeeds or fails as a whole. Among the provider payments whose refundable amount suffices, the newest is
 * selected. A manual payment is selected only if no provider payment suffices.
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
  const received = payments.filter(isReceived)
  const payment = received.find((each) => leftKobo(each) >= amountKobo)
  if (payment !== undefined) return { is: 'chosen', payment }
  const byHandKobo = manualLeftKobo(payments, leftOfOrderKobo)
  if (byHandKobo >= amountKobo) return { is: 'chosen', payment: null }
  // If only a disputed payment or credit could cover the amount, the refund is rejected as `disputed`: the refund
  // becomes possible when the merchant wins the dispute.
  const won = payments.map((each) => ({ ...each, isDisputed: false }))
  const isWaitingFor = (each: RefundablePayment) => isReceived(each) && leftKobo(each) >= amountKobo
  if (won.some(isWaitingFor) || manualLeftKobo(won, leftOfOrderKobo) >= amountKobo) return { is: 'disputed' }
  const mostKobo = toKobo(Math.max(byHandKobo, ...received.map(leftKobo)))
  return mostKobo === 0 ? { is: 'disputed' } : { is: 'too_much_for_one', mostKobo }
}
