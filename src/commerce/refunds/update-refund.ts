import type { Refund } from '../../../registry/refunds/refund.ts'
import { type RefundStatus, refundsUnderWay, refundTransitions } from '../../../registry/refunds/refund-states.ts'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Kobo, OrderId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../base/ids.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveProblem } from '../../store/notifications/resolution.ts'
import { type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { listRefundablePayments, type RefundablePayment } from '../../store/orders/payments.ts'
import {
  changeRefund,
  clearRefundAccount,
  type LockedRefund,
  lockRefund,
  setRefundAmounts,
  uncountRefundedItems,
} from '../../store/refunds/refund-writes.ts'
import { findRefund } from '../../store/refunds/refunds.ts'
import { touchReturn } from '../../store/returns/return-writes.ts'
import { insertNotification } from '../../store/webhooks/notifications.ts'
import { noKobo, toKobo } from '../money.ts'
import { assignLoss } from '../orders/assign-loss.ts'
import { reopenPaymentProblems, resolvePaymentProblems } from '../orders/payment-problems.ts'
import { paymentStatusOf } from '../orders/payment-status.ts'
import { countOwedUnits, reopenRefundedGoods, resolveRefundedGoods } from '../orders/refunded-goods.ts'
import { dependsOnPayments, isDisputed, refundableKobo, withheldKobo } from './refund-rules.ts'
import { reopenUnsettled } from './unsettled-return.ts'

/** Omitted fields stay unchanged. */
export interface RefundUpdate {
  readonly status?: RefundStatus | undefined
  readonly reference?: string | undefined
  readonly expectedAt?: Timestamp | undefined
  readonly failure?: { readonly code: string; readonly message: string } | undefined
  /** Whether the payment provider rejected the customer's bank account. */
  readonly isAccountRefused?: boolean | undefined
  /**
   * Whether the update comes from a callback, which may be late or out of order, rather than from a request to the
   * provider.
   */
  readonly isFromCallback?: boolean | undefined
  readonly nextCheckAt: Timestamp
  /**
   * The time at which the worker's claim of the refund ends, if a worker makes the update. Undefined for other updates,
   * such as those from callbacks.
   */
  readonly claimedUntil?: Timestamp | undefined
}

export type UpdateRefundOutcome =
  | { readonly is: 'updated'; readonly refund: Refund; readonly previousStatus: RefundStatus }
  /** The update contains nothing new, or is outdated. */
  | { readonly is: 'unchanged' }
  /**
   * The payment provider reports that the refund succeeded, although it has failed or was cancelled in this service.
   */
  | { readonly is: 'contradicted' }
  | { readonly is: 'refund_unknown' }

/** Kinds of events that a refund can emit after its creation. */
export const refundEvents = ['order.refunded', 'refund.updated', 'refund.failed', 'shipment.exception_raised'] as const

type RefundWork = Work<(typeof refundEvents)[number]>

interface RefundOfOrder {
  readonly id: RefundId
  readonly orderId: OrderId
}

/** Updates a refund, and emits the events of a new status. */
export async function updateRefund(
  work: RefundWork,
  refund: RefundOfOrder,
  update: RefundUpdate,
): Promise<UpdateRefundOutcome> {
  const outcome = await writeUpdate(work, refund, update)
  if (outcome.is === 'updated' && outcome.refund.status !== outcome.previousStatus) announce(work, outcome)
  return outcome
}

/**
 * Updates a refund and, with it, the amounts of the order. Every change after creation uses this function, so that each
 * transition happens once and the sums stay consistent.
 */
export async function writeUpdate(
  work: Work<'shipment.exception_raised'>,
  { id, orderId }: RefundOfOrder,
  update: RefundUpdate,
): Promise<UpdateRefundOutcome> {
  const { trx, merchantId, now } = work
  const [order, refund] = await Promise.all([lockOrder(trx, merchantId, orderId), lockRefund(trx, merchantId, id)])
  if (order === undefined || refund === undefined) return { is: 'refund_unknown' }
  const status = nextStatus(refund, update)
  const next = {
    status,
    reference: refund.reference ?? update.reference ?? null,
    expectedAt: update.expectedAt ?? refund.expectedAt,
  }
  // A refund with a final status does not change.
  if (status === refund.status && !refundsUnderWay.includes(status)) {
    const isContradicted = update.status === 'succeeded' && status !== 'succeeded'
    return { is: isContradicted ? 'contradicted' : 'unchanged' }
  }
  const changes = changesOf(refund, next)
  if (Object.keys(changes).length === 0 && update.failure === undefined) return { is: 'unchanged' }
  // The reason why the bank account of a refund was rejected stays stored until the status of the refund changes.
  const failure = update.failure ?? (status === refund.status ? refund.failure : null)
  const money = moneyAfter(order, refund, status)
  const payments = dependsOnPayments(order) ? await listRefundablePayments(trx, merchantId, orderId) : []
  changeRefund(trx, {
    merchantId,
    id,
    ...next,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    nextCheckAt: refundsUnderWay.includes(status) ? nextCheckOf(refund, update) : null,
    refundedKobo: money.refundedKobo,
    refundableKobo: refundableKobo(money, withheldKobo(paymentsAfter(payments, refund, status), refundableKobo(money))),
    paymentStatus: paymentStatusOf(money),
    now,
  })
  if (refund.destination === 'bank_account' && needsNewAccount(refund, status, update)) {
    clearRefundAccount(trx, { merchantId, id })
  }
  if (status !== refund.status) await applyStatus(work, { order, refund, status, money }, payments)
  work.note({
    ...changes,
    ...(update.failure === undefined ? {} : { failureCode: [refund.failure?.code ?? null, update.failure.code] }),
  })
  const updated = await findRefund(trx, merchantId, id)
  if (updated === undefined) throw new Error(`Refund ${id} is locked but was not found.`)
  return { is: 'updated', refund: updated, previousStatus: refund.status }
}

interface StatusChange {
  readonly order: LockedOrder
  readonly refund: LockedRefund
  readonly status: RefundStatus
  /** The amounts of the order after the status of the refund has changed. */
  readonly money: Money
}

/**
 * Updates the order of a refund whose status changed: the amounts of the order, the losses of its credits, and its
 * reported problems.
 */
async function applyStatus(
  work: Work<'shipment.exception_raised'>,
  change: StatusChange,
  payments: readonly RefundablePayment[],
): Promise<void> {
  const { order, refund, status, money } = change
  const { id: refundId, paymentId, returnId } = refund
  const orderId = order.id
  const owedBefore = endsUnpaid(refund, status) ? await countOwedUnits(work, orderId) : undefined
  bookMoney(work, change)
  if (refund.status === 'succeeded') reopenPaymentProblems(work, money)
  else resolvePaymentProblems(work, order, money)
  if (owedBefore !== undefined) {
    // The refund failed or was cancelled, so its amount belongs to the disputed payment again. The payment therefore
    // bears a larger part of the loss that the dispute causes. The exchange credits that were taken from the payment
    // bear a smaller part.
    if (isDisputed(payments, paymentId)) await assignLoss(work, { orderId, paymentId })
    await reopenRefundedGoods(work, { orderId, refundId, owedBefore })
    if (returnId !== null) await reopenUnsettled(work, returnId)
  }
  // Reports about refunded goods are resolved only when the refund has succeeded, because before that it is not certain
  // that the customer gets the money.
  if (status === 'succeeded') await resolveRefundedGoods(work, orderId)
}

function announce(work: RefundWork, { refund, previousStatus }: Extract<UpdateRefundOutcome, { is: 'updated' }>): void {
  const { trx, merchantId, now } = work
  const { id, status } = refund
  work.emit('refund.updated', id, { refund, previousStatus })
  if (status === 'succeeded') {
    work.emit('order.refunded', id, { refund, fullyRefunded: refund.order.paymentStatus === 'refunded' })
  }
  if (status === 'failed') {
    work.emit('refund.failed', id, { refund })
    notifyOfRefund(work, refund, 'refund.failed')
  }
  if (status === 'needs_attention') notifyOfRefund(work, refund, 'refund.needs_bank_details')
  // A refund with a final status is no longer open at the payment provider. The notification that asks the merchant to
  // end the refund there is therefore resolved.
  if (!refundsUnderWay.includes(status)) {
    resolveProblem(trx, { merchantId, kind: 'refund.dispute_lost', data: JSON.stringify({ refundId: id }), now })
  }
}

/** `kind` states the reason, such as missing bank details. */
export function notifyOfRefund({ trx, merchantId, nowMs, now }: Work, refund: Refund, kind: NotificationKind): void {
  const { id: refundId, orderId, amountKobo } = refund
  const data = JSON.stringify({ refundId, orderId, amountKobo })
  insertNotification(trx, { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now })
}

/**
 * Returns the time of the next check of the refund. While a worker has claimed the refund, another request may have
 * scheduled an earlier check. The worker's result is older than that request, so it must not postpone the check.
 */
function nextCheckOf(refund: LockedRefund, { nextCheckAt, claimedUntil }: RefundUpdate): Timestamp {
  const isClaimed = claimedUntil === undefined || refund.nextCheckAt === claimedUntil
  return isClaimed ? nextCheckAt : (refund.nextCheckAt ?? nextCheckAt)
}

/**
 * Returns the status of the refund after an update. An update whose status transition is not allowed is outdated, so
 * the status stays unchanged.
 */
function nextStatus(refund: LockedRefund, { status, isFromCallback }: RefundUpdate): RefundStatus {
  const moves: readonly RefundStatus[] = refundTransitions[refund.status]
  if (status === undefined || !moves.includes(status)) return refund.status
  if (!isFromCallback) return status
  // A refund in `needs_attention` waits for a bank account, so a callback that reports `processing` is outdated. Once a
  // bank account is stored, a callback that reports `needs_attention` is outdated.
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

/**
 * Reports whether the customer must give a new bank account, because the provider rejected the stored one or reports
 * again that the refund needs attention.
 */
function needsNewAccount(refund: LockedRefund, status: RefundStatus, update: RefundUpdate): boolean {
  return update.isAccountRefused === true || (status === 'needs_attention' && refund.status !== 'needs_attention')
}

type Money = LockedOrder

/**
 * In the amounts of an order, a refund in progress is treated as pending and a succeeded refund as refunded. Any other
 * refund counts as neither.
 */
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
    // The VAT of a refund is added to the order's refunded VAT when the refund is created, so it is subtracted if the
    // refund fails.
    refundedTaxKobo: endsUnpaid(refund, status)
      ? toKobo(order.refundedTaxKobo - refund.taxKobo)
      : order.refundedTaxKobo,
  }
}

/**
 * Returns the payments after a status change of a refund. A failed or cancelled refund increases the refundable amount
 * of its payment. A refund of manual payments is not assigned to a single payment, so it changes no payment.
 */
function paymentsAfter(
  payments: readonly RefundablePayment[],
  refund: LockedRefund,
  status: RefundStatus,
): readonly RefundablePayment[] {
  if (!endsUnpaid(refund, status)) return payments
  return payments.map((payment) =>
    payment.id === refund.paymentId
      ? { ...payment, unrefundedKobo: toKobo(payment.unrefundedKobo + refund.amountKobo) }
      : payment,
  )
}

function endsUnpaid(refund: LockedRefund, status: RefundStatus): boolean {
  return (status === 'failed' || status === 'cancelled') && status !== refund.status
}

function bookMoney({ trx, merchantId, now }: Work, { order, refund, status, money }: StatusChange): void {
  if (status === 'failed' || status === 'cancelled') {
    uncountRefundedItems(trx, { merchantId, id: refund.id })
    if (refund.returnId !== null) touchReturn(trx, { merchantId, id: refund.returnId, now })
  }
  const isMoved = money.refundedKobo !== order.refundedKobo || money.refundPendingKobo !== order.refundPendingKobo
  if (!isMoved) return
  setRefundAmounts(trx, {
    merchantId,
    orderId: order.id,
    refundedKobo: money.refundedKobo,
    pendingKobo: money.refundPendingKobo,
    refundedTaxKobo: money.refundedTaxKobo,
    now,
  })
}
