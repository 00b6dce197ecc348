import type { Order } from '../../../registry/orders/order.ts'
import type { Payment, PaymentInput } from '../../../registry/orders/payments.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import type { OrderId, PaymentId } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { newPaymentId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { addPaymentToOrder, confirmOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { findPaymentIdByReference, insertPayment } from '../../store/orders/payments.ts'
import { reopenDisputeCallbacks } from '../../store/payments/callbacks.ts'
import { listUnmatchedDisputes, lockPaymentReference } from '../../store/payments/unmatched-disputes.ts'
import { noKobo, toKobo } from '../money.ts'
import { emitStatusChange } from './emit-status-change.ts'
import { paymentStatusOf } from './payment-status.ts'
import { applyUnmatchedDisputes } from './record-dispute.ts'
import { settleOrder } from './settle-order.ts'

export type RecordPaymentOutcome =
  | { readonly is: 'recorded'; readonly payment: Payment }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'reference_in_use'; readonly existingId: PaymentId }
  | { readonly is: 'too_large' }

/**
 * Records a payment. A pending order that is now covered becomes `processing`; in any other status the payment is
 * recorded too, because the money did arrive and can be refunded. Disputes reported earlier apply at once.
 */
export async function recordPayment(
  work: Work<'order.status_changed'>,
  orderId: OrderId,
  request: PaymentInput & { readonly provider?: 'paystack' },
): Promise<RecordPaymentOutcome> {
  const { trx, merchantId, now } = work
  const { method, reference, provider = 'manual' } = request
  const isByProvider = provider === 'paystack'
  const [, order, existingId, unmatched] = await Promise.all([
    isByProvider ? lockPaymentReference(trx, { merchantId, reference }) : undefined,
    lockOrder(trx, merchantId, orderId),
    findPaymentIdByReference(trx, merchantId, reference),
    isByProvider ? listUnmatchedDisputes(trx, { merchantId, reference }) : [],
  ])
  if (order === undefined) return { is: 'order_unknown' }
  if (existingId !== undefined) return { is: 'reference_in_use', existingId }
  if (order.paidKobo + request.amountKobo > amountMaxKobo) return { is: 'too_large' }
  const amountKobo = toKobo(request.amountKobo)
  const paidKobo = toKobo(order.paidKobo + amountKobo)
  const id = newPaymentId(work.nowMs)
  const providerKobo = isByProvider ? amountKobo : noKobo
  const paidAt = request.paidAt === undefined ? now : normaliseInstant(request.paidAt)
  insertPayment(trx, { merchantId, id, orderId, amountKobo, method, reference, provider, paidAt, now })
  if (isByProvider) reopenDisputeCallbacks(trx, { merchantId, reference })
  addPaymentToOrder(trx, { merchantId, id: orderId, amountKobo, providerKobo, now })
  let settled: Order | undefined
  const isConfirmed = order.status === 'pending' && paidKobo >= order.totalKobo
  if (isConfirmed) {
    const change = {
      from: 'pending',
      to: 'processing',
      reason: 'payment_received',
      version: order.version + 1,
    } as const
    confirmOrder(trx, { merchantId, id: orderId, actor: work.actor, now, ...change })
    emitStatusChange(work, order, change)
    // Units were sent before the payment.
    if (order.fulfilledQuantity > 0) settled = await settleOrder(work, orderId, 'payment_received')
  }
  work.note({ paidKobo: [order.paidKobo, paidKobo] })
  const undisputed = { id, orderId, amountKobo, reference, disputedAt: null, disputeLostKobo: noKobo }
  const status = settled?.status ?? (isConfirmed ? 'processing' : order.status)
  const payment: Payment = {
    id,
    orderId,
    amountKobo,
    currency: 'NGN',
    method,
    reference,
    provider,
    paidAt,
    ...applyUnmatchedDisputes(work, undisputed, unmatched),
    createdAt: now,
    order: {
      status,
      paymentStatus: paymentStatusOf({ ...order, paidKobo }),
      paidKobo,
      balanceKobo: toKobo(order.totalKobo - paidKobo),
    },
  }
  return { is: 'recorded', payment }
}
