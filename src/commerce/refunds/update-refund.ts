import { type RefundStatus, refundsUnderWay, refundTransitions } from '../../../registry/refunds/refund-states.ts'
import type { Refund } from '../../../registry/refunds/refunds.ts'
import type { Kobo, OrderId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { listRefundablePayments, type RefundablePayment } from '../../store/orders/payments.ts'
import {
  changeRefund,
  clearRefundAccount,
  type LockedRefund,
  lockRefund,
  setRefundedMoney,
  uncountRefundedItems,
} from '../../store/refunds/refund-writes.ts'
import { findRefund } from '../../store/refunds/refunds.ts'
import { noKobo, toKobo } from '../money.ts'
import { paymentStatusOf } from '../orders/payment-status.ts'
import { refundableKobo, withheldKobo } from './refund-rules.ts'

/** What was learned of a refund. What is left out is as it was. */
export interface RefundUpdate {
  readonly status?: RefundStatus | undefined
  readonly reference?: string | undefined
  readonly expectedAt?: Timestamp | undefined
  readonly failure?: { readonly code: string; readonly message: string } | undefined
  /** The provider can do nothing with the account it was given. */
  readonly isAccountRefused?: boolean | undefined
  /** Told by a callback, which may come late and out of order, and not just read from the provider. */
  readonly isHearsay?: boolean | undefined
  readonly nextLookAt: Timestamp
  /** Of a worker's news: when its claim runs out. */
  readonly claimedUntil?: Timestamp | undefined
}

export type UpdateRefundOutcome =
  | { readonly is: 'updated'; readonly refund: Refund }
  /** Nothing of it is new, or it came too late to be true. */
  | { readonly is: 'unchanged' }
  /** It was given up here, and is said to have gone through: money left that the books do not show. */
  | { readonly is: 'contradicted' }
  | { readonly is: 'refund_unknown' }

/**
 * Moves a refund on, and the order's money with it. It is the one way by which a refund changes after its creation, whoever
 * brings the news, so that each move is made once and the sums stay right.
 */
export async function updateRefund(
  work: Work<'order.refunded'>,
  { id, orderId }: { readonly id: RefundId; readonly orderId: OrderId },
  news: RefundUpdate,
): Promise<UpdateRefundOutcome> {
  const { trx, merchantId, now } = work
  const [order, refund] = await Promise.all([lockOrder(trx, merchantId, orderId), lockRefund(trx, merchantId, id)])
  if (order === undefined || refund === undefined) return { is: 'refund_unknown' }
  const status = nextStatus(refund, news)
  const next = {
    status,
    reference: refund.reference ?? news.reference ?? null,
    expectedAt: news.expectedAt ?? refund.expectedAt,
  }
  // What has ended does not change by hearing once more how.
  if (status === refund.status && !refundsUnderWay.includes(status)) {
    const isContradicted = news.status === 'succeeded' && status !== 'succeeded'
    return { is: isContradicted ? 'contradicted' : 'unchanged' }
  }
  const changes = changesOf(refund, next)
  if (Object.keys(changes).length === 0 && news.failure === undefined) return { is: 'unchanged' }
  // Why an account was of no use stays to be read until the refund moves on.
  const failure = news.failure ?? (status === refund.status ? refund.failure : null)
  const money = moneyAfter(order, refund, status)
  const payments = order.providerPaidKobo === 0 ? [] : await listRefundablePayments(trx, merchantId, orderId)
  changeRefund(trx, {
    merchantId,
    id,
    ...next,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    nextLookAt: refundsUnderWay.includes(status) ? nextLookOf(refund, news) : null,
    refundedKobo: money.refundedKobo,
    refundableKobo: refundableKobo(money, withheldKobo(paymentsAfter(payments, refund, status))),
    paymentStatus: paymentStatusOf(money),
    now,
  })
  if (refund.destination === 'bank_account' && isAccountSpent(refund, status, news)) {
    clearRefundAccount(trx, { merchantId, id })
  }
  if (status !== refund.status) settleMoney(work, { order, refund, status, money })
  work.note({
    ...changes,
    ...(news.failure === undefined ? {} : { failureCode: [refund.failure?.code ?? null, news.failure.code] }),
  })
  const updated = await findRefund(trx, merchantId, id)
  if (updated === undefined) throw new Error(`Refund ${id} is locked and yet gone.`)
  if (status === 'succeeded' && refund.status !== 'succeeded') {
    work.emit('order.refunded', id, { refund: updated, fullyRefunded: updated.order.paymentStatus === 'refunded' })
  }
  return { is: 'updated', refund: updated }
}

/** What came to be done while the worker's claim ran is not put off by what the worker learned before. */
function nextLookOf(refund: LockedRefund, { nextLookAt, claimedUntil }: RefundUpdate): Timestamp {
  const isClaimed = claimedUntil === undefined || refund.nextLookAt === claimedUntil
  return isClaimed ? nextLookAt : (refund.nextLookAt ?? nextLookAt)
}

/** A move that the machine does not know came too late, and is no news. */
function nextStatus(refund: LockedRefund, { status, isHearsay }: RefundUpdate): RefundStatus {
  const moves: readonly RefundStatus[] = refundTransitions[refund.status]
  if (status === undefined || !moves.includes(status)) return refund.status
  if (!isHearsay) return status
  // It cannot go on before it was given an account, and what says that it stopped may have been said before it was.
  const hasAccount = refund.destination === 'bank_account'
  const isStale = hasAccount
    ? status === 'needs_attention'
    : refund.status === 'needs_attention' && status === 'processing'
  return isStale ? refund.status : status
}

function changesOf(
  refund: LockedRefund,
  next: { status: RefundStatus; reference: string | null; expectedAt: Timestamp | null },
): Record<string, readonly [unknown, unknown]> {
  const changes: Record<string, readonly [unknown, unknown]> = {}
  if (next.status !== refund.status) changes.status = [refund.status, next.status]
  if (next.reference !== refund.reference) changes.providerReference = [refund.reference, next.reference]
  if (next.expectedAt !== refund.expectedAt) changes.expectedAt = [refund.expectedAt, next.expectedAt]
  return changes
}

/** An account is waited for anew when it was refused, or the money stopped once more on its way there. */
function isAccountSpent(refund: LockedRefund, status: RefundStatus, news: RefundUpdate): boolean {
  return news.isAccountRefused === true || (status === 'needs_attention' && refund.status !== 'needs_attention')
}

type Money = LockedOrder

/** A refund under way counts in what is pending, one that succeeded in what is refunded, any other in neither. */
function moneyAfter(order: LockedOrder, refund: LockedRefund, status: RefundStatus): Money {
  const amountIf = (isCounted: boolean): Kobo => (isCounted ? refund.amountKobo : noKobo)
  const pendingBefore = amountIf(refundsUnderWay.includes(refund.status))
  const pendingAfter = amountIf(refundsUnderWay.includes(status))
  const refundedBefore = amountIf(refund.status === 'succeeded')
  const refundedAfter = amountIf(status === 'succeeded')
  return {
    ...order,
    refundPendingKobo: toKobo(order.refundPendingKobo - pendingBefore + pendingAfter),
    refundedKobo: toKobo(order.refundedKobo - refundedBefore + refundedAfter),
    // Its VAT was taken into account when it was created.
    refundedTaxKobo: isGivenUp(refund, status) ? toKobo(order.refundedTaxKobo - refund.taxKobo) : order.refundedTaxKobo,
  }
}

/** What a refund that is given up had taken is in its payment again. */
function paymentsAfter(
  payments: readonly RefundablePayment[],
  refund: LockedRefund,
  status: RefundStatus,
): readonly RefundablePayment[] {
  if (!isGivenUp(refund, status)) return payments
  return payments.map((payment) =>
    payment.id === refund.paymentId
      ? { ...payment, unrefundedKobo: toKobo(payment.unrefundedKobo + refund.amountKobo) }
      : payment,
  )
}

function isGivenUp(refund: LockedRefund, status: RefundStatus): boolean {
  return (status === 'failed' || status === 'cancelled') && status !== refund.status
}

function settleMoney(
  { trx, merchantId, now }: Work,
  { order, refund, status, money }: { order: LockedOrder; refund: LockedRefund; status: RefundStatus; money: Money },
): void {
  if (status === 'failed' || status === 'cancelled') uncountRefundedItems(trx, { merchantId, id: refund.id })
  const isMoved = money.refundedKobo !== order.refundedKobo || money.refundPendingKobo !== order.refundPendingKobo
  if (!isMoved) return
  setRefundedMoney(trx, {
    merchantId,
    orderId: order.id,
    refundedKobo: money.refundedKobo,
    pendingKobo: money.refundPendingKobo,
    refundedTaxKobo: money.refundedTaxKobo,
    now,
  })
}
