import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { Payment } from '../../../registry/orders/payments.ts'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Kobo, OrderId, ReturnId } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../base/ids.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveOrderProblems } from '../../store/notifications/resolution.ts'
import {
  findKeptKobo,
  insertCancelledUnrefunded,
  reopenProblems,
  resolveEndedProblems,
  resolveOverpaid,
  updatePartlyPaid,
  writePaidAbovePrice,
} from '../../store/orders/kept-payments.ts'
import { insertNotification } from '../../store/webhooks/notifications.ts'
import { toKobo } from '../money.ts'

/**
 * Payments of an order that need manual action. Each problem is a notification. The start page shows the notification
 * until a change of the order's amounts ends the problem, or until a member marks the problem as resolved.
 */

type ProblemWork = Pick<Work, 'trx' | 'merchantId' | 'nowMs' | 'now'>

export interface OrderMoneyState {
  readonly id: OrderId
  readonly status: OrderStatus
  readonly totalKobo: Kobo
  readonly paidKobo: Kobo
  readonly refundedKobo: Kobo
  readonly refundPendingKobo: Kobo
  /** The part of `paidKobo` that was paid through payment providers. A dispute may return it to the payer. */
  readonly providerPaidKobo: Kobo
  /**
   * The return whose units this order replaces, if this order is an exchange. The customer's credit for the returned
   * units then counts as a payment of this order. A dispute of the original payment may return this money to the payer.
   */
  readonly exchangeOfReturnId: ReturnId | null
  /**
   * Number of units of the order that are not cancelled. `fulfilledQuantity` is the number of these units that left the
   * shop.
   */
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
}

interface PaymentEffect {
  readonly before: OrderMoneyState
  /** The amount that was due before the payment. */
  readonly dueKobo: Kobo
  /** Whether the request that recorded the payment allowed an overpayment with `allowOverpayment`. */
  readonly isExcessAccepted: boolean
}

/**
 * Reports a stored payment that its order does not require, because the order is cancelled or the payment exceeds the
 * amount due. Through a payment provider, nothing is due for a returned order.
 */
export async function reportPaymentProblems(
  work: ProblemWork,
  { id: paymentId, orderId, reference, amountKobo, disputeLostKobo, order }: Payment,
  { before, dueKobo, isExcessAccepted }: PaymentEffect,
): Promise<void> {
  const payment = { orderId, paymentId, reference, amountKobo }
  if (order.status === 'cancelled') {
    if (disputeLostKobo < amountKobo) report(work, 'payment.of_cancelled_order', payment)
    return
  }
  if (amountKobo <= dueKobo || isExcessAccepted) return
  // `allowedKobo` is the amount that the merchant may retain of the order's payments. It is the sum of the earlier
  // payments minus their refunds, plus the amount that was due before this payment. The problem is resolved when the
  // retained amount is at most `allowedKobo`. Earlier refunds do not resolve the problem, because they are already
  // subtracted from `allowedKobo`. A lost dispute does not reduce the price that the customer owes.
  const allowedKobo = Math.min(before.totalKobo, before.paidKobo - before.refundedKobo + dueKobo)
  const aboveKobo = (await findKeptKobo(work.trx, { merchantId: work.merchantId, orderId })) - allowedKobo
  if (aboveKobo <= 0) return
  const excessKobo = Math.min(amountKobo - dueKobo, aboveKobo)
  report(work, 'payment.overpaid', { ...payment, excessKobo, dueKobo, allowedKobo })
}

/** Reports that a cancelled order still has payments that were returned neither by a refund nor by a lost dispute. */
export function reportCancelledUnrefunded({ trx, merchantId, nowMs, now }: ProblemWork, order: OrderMoneyState): void {
  if (order.paidKobo === 0) return
  insertCancelledUnrefunded(trx, { merchantId, orderId: order.id, id: newId('ntf', nowMs), now })
}

/**
 * Reopens resolved payment problems of an order if they exist again. For example, the bank has returned a refund that
 * was already paid out, or the loss of a dispute was corrected.
 */
export function reopenPaymentProblems(work: ProblemWork, order: OrderMoneyState): void {
  reopenProblems(work.trx, { merchantId: work.merchantId, orderId: order.id })
  if (order.status === 'cancelled') reportCancelledUnrefunded(work, order)
}

/**
 * Updates the payment problems of an order whose total was edited. Afterwards, a single open problem states the amount
 * by which the payments exceed the new total, or the amount that is still due. An order with a refund cannot be edited,
 * so refunds are not considered.
 */
export function reportEditedTotal(
  { trx, merchantId, nowMs, now }: ProblemWork,
  { after, keptKobo }: { readonly after: OrderMoneyState; readonly keptKobo: Kobo },
): void {
  const { id: orderId, totalKobo } = after
  const excessKobo = keptKobo - totalKobo
  // An edit resolves the problems that were reported for single payments. If the payments exceed the order's new total,
  // the edit reports the whole excess as one new problem.
  resolveOverpaid(trx, { merchantId, orderId, allowedKobo: toKobo(Math.max(keptKobo, totalKobo)), now })
  if (excessKobo > 0) writePaidAbovePrice(trx, { merchantId, orderId, id: newId('ntf', nowMs), excessKobo, now })
  reopenPartlyPaid({ trx, merchantId }, after)
}

/** Reopens the notification about a partly paid order, because the order waits for the rest of its payment again. */
export function reopenPartlyPaid({ trx, merchantId }: Pick<ProblemWork, 'trx' | 'merchantId'>, order: OrderMoneyState) {
  if (!isUnconfirmed(order)) return
  const { id: orderId, totalKobo, paidKobo } = order
  reopenProblems(trx, { merchantId, orderId })
  updatePartlyPaid(trx, { merchantId, orderId, dueKobo: totalKobo - paidKobo })
}

/** Reports that the time limit for the payment of an order has passed while only a part of its total is paid. */
export function reportPartlyPaid(work: ProblemWork, order: OrderMoneyState): void {
  const { id: orderId, totalKobo, paidKobo } = order
  report(work, 'order.partly_paid', { orderId, amountKobo: paidKobo, dueKobo: totalKobo - paidKobo })
}

/** Reports that units stay reserved for an order although all its payments or all its units were refunded. */
export function reportRefundedUnshipped(work: ProblemWork, orderId: OrderId, quantity: number): void {
  report(work, 'order.refunded_unshipped', { orderId, quantity })
}

/**
 * Reports units that the customer paid for but does not get: they can no longer be sent, and their refund failed or was
 * cancelled.
 */
export function reportPaidUnshippable(work: ProblemWork, orderId: OrderId, quantity: number): void {
  report(work, 'order.paid_unshippable', { orderId, quantity })
}

/**
 * Resolves the payment problems that an order had before a change and no longer has after it. The statement of the
 * change must be queued before this call, because the statements of this function read the stored amounts.
 */
export function resolvePaymentProblems(
  { trx, merchantId, now }: ProblemWork,
  before: OrderMoneyState,
  after: OrderMoneyState,
): void {
  const kinds: NotificationKind[] = []
  const orderId = after.id
  if (mayKeepTooMuch(before) || (isUnconfirmed(before) && !isUnconfirmed(after))) {
    resolveEndedProblems(trx, { merchantId, orderId, now })
  }
  if (mayBeReturned(before) && hasOpenUnits(before) && !hasOpenUnits(after)) kinds.push('order.refunded_unshipped')
  if (before.paidKobo > 0 && before.status !== 'cancelled' && after.status === 'cancelled') {
    kinds.push('order.paid_unshippable')
  }
  if (kinds.length > 0) resolveOrderProblems(trx, { merchantId, orderId, kinds, now })
}

/**
 * Reports whether the payments of an order may exceed the amount that the order requires. The result is false for most
 * orders, so they need no SQL statement that resolves problems with an excess.
 */
function mayKeepTooMuch({ status, paidKobo, totalKobo }: OrderMoneyState): boolean {
  return paidKobo > totalKobo || ((status === 'cancelled' || status === 'returned') && paidKobo > 0)
}

function isUnconfirmed({ status, paidKobo, totalKobo }: OrderMoneyState): boolean {
  return (status === 'pending' || status === 'on_hold') && paidKobo < totalKobo
}

function mayBeReturned(order: OrderMoneyState): boolean {
  const { refundedKobo, refundPendingKobo, providerPaidKobo, exchangeOfReturnId } = order
  return refundedKobo + refundPendingKobo + providerPaidKobo > 0 || exchangeOfReturnId !== null
}

/**
 * Reports whether units are reserved for an order. False for a cancelled order, because its shipments release their
 * units when they end.
 */
function hasOpenUnits({ status, itemQuantity, fulfilledQuantity }: OrderMoneyState): boolean {
  return status !== 'cancelled' && itemQuantity > fulfilledQuantity
}

/**
 * Reports whether an order that is not confirmed yet is partly paid. Amounts that lost disputes returned to the payer
 * are not subtracted from the payments.
 */
export function isPartlyPaid(order: OrderMoneyState): boolean {
  return isUnconfirmed(order) && order.paidKobo > order.refundedKobo
}

function report({ trx, merchantId, nowMs, now }: ProblemWork, kind: NotificationKind, data: object): void {
  const id = newId('ntf', nowMs)
  insertNotification(trx, { merchantId, id, kind, endpointId: null, data: JSON.stringify(data), now })
}
