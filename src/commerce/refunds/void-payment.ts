import type { VoidReason } from '../../../registry/orders/order-states.ts'
import type { Payment } from '../../../registry/orders/payments.ts'
import type { PaymentId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockOrder, removePaymentFromOrder } from '../../store/orders/order-writes.ts'
import { findPayment, listRefundablePayments, markVoided } from '../../store/orders/payments.ts'
import { releaseDiscounts } from '../discounts/release-discounts.ts'
import { toKobo } from '../money.ts'
import { assignCreditLoss } from '../orders/assign-loss.ts'
import { reopenPartlyPaid, resolvePaymentProblems } from '../orders/payment-problems.ts'
import { paymentStatusOf } from '../orders/payment-status.ts'
import { reportRefundedGoods } from '../orders/refunded-goods.ts'
import { manualUnrefundedKobo, refundableKobo } from './refund-rules.ts'

export type VoidPaymentOutcome =
  | { readonly is: 'voided'; readonly payment: Payment }
  | { readonly is: 'payment_unknown' }
  | { readonly is: 'not_voidable'; readonly reason: 'provider' | 'voided' | 'refunded' | 'credit' }

/**
 * Voids a manual payment that was recorded by mistake or whose money did not arrive, as if it had never been recorded.
 * Manual refunds are not assigned to single payments, so the remaining manual payments of the order must cover its
 * manual refunds.
 */
export async function voidPayment(
  work: Work<'payment.voided' | 'shipment.exception_raised'>,
  id: PaymentId,
  reason: VoidReason,
): Promise<VoidPaymentOutcome> {
  const { trx, merchantId, now } = work
  const found = await findPayment(trx, merchantId, id)
  if (found === undefined) return { is: 'payment_unknown' }
  const [order, payment, providerPayments] = await Promise.all([
    lockOrder(trx, merchantId, found.orderId),
    // The payment is read again after the order is locked, because only the lock of the order prevents changes of its
    // payments.
    findPayment(trx, merchantId, id),
    listRefundablePayments(trx, merchantId, found.orderId),
  ])
  if (order === undefined || payment === undefined) return { is: 'payment_unknown' }
  if (payment.provider !== 'manual') return { is: 'not_voidable', reason: 'provider' }
  // A payment that is the credit of an exchange cannot be voided, because its money was received for another order. The
  // credit ends if the order that it pays is refunded.
  if (payment.refundId !== null) return { is: 'not_voidable', reason: 'credit' }
  if (payment.voidedAt !== null) return { is: 'not_voidable', reason: 'voided' }
  const amountKobo = toKobo(payment.amountKobo)
  if (manualUnrefundedKobo(providerPayments, refundableKobo(order)) < amountKobo) {
    return { is: 'not_voidable', reason: 'refunded' }
  }
  const paidKobo = toKobo(order.paidKobo - amountKobo)
  markVoided(trx, { merchantId, id, reason, now })
  removePaymentFromOrder(trx, { merchantId, id: order.id, amountKobo, now })
  resolvePaymentProblems(work, order, { ...order, paidKobo })
  reopenPartlyPaid(work, { ...order, paidKobo })
  await assignCreditLoss(work, order)
  // After a payment was voided, the refunds may cover all remaining payments of the order. The goods of the order must
  // then be reported as refunded.
  await reportRefundedGoods(work, order.id)
  // Without its voided payments, the cancelled order was never paid. A cancelled order that was never paid releases its
  // discounts, whether its payment was voided before or after the cancellation. Discounts are locked after all orders.
  if (order.status === 'cancelled' && paidKobo === 0) releaseDiscounts(work, order.id)
  work.note({ voidReason: [null, reason], paidKobo: [order.paidKobo, paidKobo] })
  const voided: Payment = {
    ...payment,
    voidedAt: now,
    voidReason: reason,
    order: {
      status: order.status,
      paymentStatus: paymentStatusOf({ ...order, paidKobo }),
      paidKobo,
      balanceKobo: toKobo(order.totalKobo - paidKobo),
    },
  }
  work.emit('payment.voided', id, { payment: voided })
  return { is: 'voided', payment: voided }
}
