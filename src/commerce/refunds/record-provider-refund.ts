import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, OrderId, PaymentId, RefundId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { newRefundId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveUnrecordedRefund } from '../../store/notifications/resolution.ts'
import { type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { findProviderPayment, listRefundablePayments } from '../../store/orders/payments.ts'
import { applyRefund } from '../../store/refunds/apply-refund.ts'
import { setRefundReference } from '../../store/refunds/refund-writes.ts'
import { findProviderRefund, findRefund, listRefundsOfAmount } from '../../store/refunds/refunds.ts'
import { noKobo, toKobo } from '../money.ts'
import { assignLoss } from '../orders/assign-loss.ts'
import { resolvePaymentProblems } from '../orders/payment-problems.ts'
import { paymentStatusOf } from '../orders/payment-status.ts'
import { reportRefundedGoods } from '../orders/refunded-goods.ts'
import { isDisputed, refundableKobo, withheldKobo } from './refund-rules.ts'
import { taxOfRefund } from './refund-tax.ts'
import { notifyOfRefund } from './update-refund.ts'

/** A refund that the merchant made in the dashboard of the payment provider. */
export interface ProviderRefund {
  readonly provider: PaymentProviderName
  /** The payment provider's reference of the payment. */
  readonly transaction: string
  /** The payment provider's id of the refund. Most callbacks do not contain it, so it is undefined for them. */
  readonly reference: string | undefined
  readonly amountKobo: Kobo
  readonly status: Exclude<RefundStatus, 'cancelled' | 'failed'>
}

export type RecordProviderRefundOutcome =
  | { readonly is: 'recorded'; readonly id: RefundId }
  /** The refund was recorded before without the provider's id, and has this id now. */
  | { readonly is: 'identified'; readonly id: RefundId }
  | { readonly is: 'payment_unknown' }
  /** The refund was recorded before, or it cannot be distinguished from a recorded refund. */
  | { readonly is: 'recorded_before' }
  /** The amount of the refund exceeds the refundable amount of the order. */
  | { readonly is: 'exceeds_refundable'; readonly orderId: OrderId }

/**
 * Interval in milliseconds at which the service requests the state of the refund from the provider, until the refund
 * has ended.
 */
const pollAfterMs = 60 * 60_000

export const providerRefundEvents = ['order.refunded', 'refund.updated', 'shipment.exception_raised'] as const

export type ProviderRefundEvents = (typeof providerRefundEvents)[number]

/** Records a refund that was made at the provider, so that the refundable amount of the order is correct. */
export async function recordProviderRefund(
  work: Work<ProviderRefundEvents>,
  report: ProviderRefund,
): Promise<RecordProviderRefundOutcome> {
  const { trx, merchantId, now } = work
  const { provider, transaction, reference, amountKobo } = report
  const found = await findProviderPayment(trx, { merchantId, provider, reference: transaction })
  if (found === undefined) return { is: 'payment_unknown' }
  const [order, payments, known, equal] = await Promise.all([
    lockOrder(trx, merchantId, found.orderId),
    listRefundablePayments(trx, merchantId, found.orderId),
    findProviderRefund(trx, { merchantId, provider, reference }),
    listRefundsOfAmount(trx, { merchantId, orderId: found.orderId, paymentId: found.id, amountKobo }),
  ])
  if (order === undefined) return { is: 'payment_unknown' }
  // A report without a refund id is treated as a repetition if any stored refund has the same payment and amount.
  if (known !== undefined || (reference === undefined && equal.length > 0)) return { is: 'recorded_before' }
  // A report with a refund id may also repeat an earlier callback that had no refund id. The refund that was recorded
  // from that callback then gets this id. It would otherwise hide every other refund of the same payment and amount.
  const unidentified = equal.find(isProviderRefundWithoutId)
  if (unidentified !== undefined && reference !== undefined) {
    const { id } = unidentified
    setRefundReference(trx, { merchantId, id, reference, now })
    work.note({ providerReference: [null, reference] })
    return { is: 'identified', id }
  }
  const unrefundedKobo = payments.find(({ id }) => id === found.id)?.unrefundedKobo ?? noKobo
  if (amountKobo > Math.min(unrefundedKobo, refundableKobo(order))) {
    return { is: 'exceeds_refundable', orderId: order.id }
  }
  return record(work, report, { order, payments, paymentId: found.id })
}

/** The payment that was refunded, its order before the refund, and all payments of the order. */
interface Refunded {
  readonly order: LockedOrder
  readonly payments: Awaited<ReturnType<typeof listRefundablePayments>>
  readonly paymentId: PaymentId
}

async function record(
  work: Work<ProviderRefundEvents>,
  report: ProviderRefund,
  { order, payments, paymentId }: Refunded,
): Promise<RecordProviderRefundOutcome> {
  const { trx, merchantId } = work
  const row = rowOf(work, report)
  const after = {
    ...order,
    refundedKobo: toKobo(order.refundedKobo + row.settledKobo),
    refundPendingKobo: toKobo(order.refundPendingKobo + row.pendingKobo),
  }
  const taxKobo = await taxOfRefund(work, order, { amountKobo: report.amountKobo, hasItems: false })
  const id = newRefundId(work.nowMs)
  applyRefund(
    trx,
    {
      ...row,
      ...{ id, orderId: order.id, orderVersion: order.version, paymentId, taxKobo },
      refundedKobo: after.refundedKobo,
      refundableKobo: toKobo(Math.max(0, refundableKobo(after, withheldKobo(payments, refundableKobo(order))))),
      paymentStatus: paymentStatusOf(after),
    },
    [],
  )
  const refund = await findRefund(trx, merchantId, id)
  if (refund === undefined) throw new Error(`Refund ${id} was inserted but not found.`)
  announce(work, refund, report.transaction)
  resolvePaymentProblems(work, order, after)
  work.note({ refundedKobo: [order.refundedKobo, after.refundedKobo], source: [null, 'provider'] })
  // After the refund, less of the disputed payment is left to cover the loss. The exchange credits that were taken from
  // this payment must therefore bear more of the loss.
  if (isDisputed(payments, paymentId)) await assignLoss(work, { orderId: order.id, paymentId })
  await reportRefundedGoods(work, order.id)
  return { is: 'recorded', id }
}

/** Returns the columns of the refund that do not depend on its order. */
function rowOf({ merchantId, now, nowMs }: Work<ProviderRefundEvents>, report: ProviderRefund) {
  const { provider, reference, amountKobo } = report
  // The status `pending` would mean that a job must submit the refund, but the provider already has it: the refund is
  // `processing`.
  const status = report.status === 'pending' ? 'processing' : report.status
  const isSettled = status === 'succeeded'
  const bankAccount = { accountNumber: null, bankCode: null, accountName: null }
  return {
    ...{ merchantId, returnId: null, status, now, amountKobo, ...bankAccount },
    settledKobo: isSettled ? amountKobo : noKobo,
    pendingKobo: isSettled ? noKobo : amountKobo,
    reason: 'provider_refund',
    note: null,
    metadata: '{}',
    destination: 'original_payment',
    provider,
    providerReference: reference ?? null,
    createdByType: 'provider',
    createdById: null,
    succeededAt: isSettled ? now : null,
    nextCheckAt: isSettled ? null : toTimestamp(nowMs + pollAfterMs),
  } as const
}

function isProviderRefundWithoutId({
  source,
  reference,
}: {
  readonly source: string
  readonly reference: string | null
}) {
  return source === 'provider' && reference === null
}

/**
 * Emits the events and the notifications of the refund. A refund that was made at the provider does not state which
 * units it concerns, so the notification asks a member to decide about the stock.
 */
function announce(work: Work<ProviderRefundEvents>, refund: Refund, transaction: string): void {
  const { trx, merchantId, now } = work
  const { id, orderId, amountKobo, status } = refund
  notifyOfRefund(work, refund, 'refund.by_provider')
  if (status === 'needs_attention') notifyOfRefund(work, refund, 'refund.needs_bank_details')
  if (status === 'succeeded') {
    work.emit('order.refunded', id, { refund, fullyRefunded: refund.order.paymentStatus === 'refunded' })
  } else {
    // The refund was never pending in this service. The event still states `pending` as the previous status, because
    // receivers expect every refund to start with this status.
    work.emit('refund.updated', id, { refund, previousStatus: 'pending' })
  }
  const data = JSON.stringify({ orderId, transaction, amountKobo })
  resolveUnrecordedRefund(trx, { merchantId, data, reference: refund.providerReference, now })
}
