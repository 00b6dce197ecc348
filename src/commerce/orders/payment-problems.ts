import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { Payment } from '../../../registry/orders/payments.ts'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Kobo, OrderId } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../base/ids.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveOrderProblems, resolveOverpayments } from '../../store/notifications/resolution.ts'
import { insertNotification } from '../../store/webhooks/notifications.ts'
import { toKobo } from '../money.ts'

/**
 * Payments of an order that need manual action. Each problem is a notification that the start page shows until the
 * order's amounts no longer have the problem, or until a member marks the problem as resolved.
 */

type ProblemWork = Pick<Work, 'trx' | 'merchantId' | 'nowMs' | 'now'>

/** The status and the amounts of an order that decide whether it has a payment problem. */
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
   * Number of units of the order that are not cancelled. `fulfilledQuantity` is the number of these units that left the
   * shop.
   */
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
}

/**
 * Reports a payment that exceeds what its order requires: the order is cancelled, or the payment exceeds the amount
 * due. `before` is the order before the payment.
 */
export function reportPaymentProblems(
  work: ProblemWork,
  { id: paymentId, orderId, reference, amountKobo, provider, order }: Payment,
  {
    before,
    excessKobo,
    dueKobo,
  }: { readonly before: OrderMoneyState; readonly excessKobo: Kobo; readonly dueKobo: Kobo },
): void {
  const payment = { orderId, paymentId, reference, amountKobo }
  if (order.status === 'cancelled') {
    report(work, 'payment.of_cancelled_order', payment)
    return
  }
  // If a manual payment has `allowOverpayment`, the actor who recorded it has accepted the overpayment.
  if (excessKobo === 0 || provider === 'manual') return
  // The problem is resolved when the unrefunded payments of the order are at most the unrefunded payments before this
  // payment plus the amount that was due. If the order was refunded before this payment, nothing was due, so that
  // refund does not resolve the problem.
  const allowedKobo = Math.min(before.totalKobo, keptKoboOf(before) + dueKobo)
  report(work, 'payment.overpaid', { ...payment, excessKobo, dueKobo, allowedKobo })
}

/** Reports that a cancelled order still has payments that were not refunded. */
export function reportCancelledUnrefunded(work: ProblemWork, order: OrderMoneyState): void {
  const keptKobo = keptKoboOf(order)
  if (keptKobo > 0) report(work, 'order.cancelled_unrefunded', { orderId: order.id, amountKobo: keptKobo })
}

/** Reports that the time limit for the payment of an order has passed while only a part of its total is paid. */
export function reportPartlyPaid(work: ProblemWork, order: OrderMoneyState): void {
  const { id: orderId, totalKobo, paidKobo } = order
  report(work, 'order.partly_paid', { orderId, amountKobo: paidKobo, dueKobo: totalKobo - paidKobo })
}

/** Reports that an order keeps units reserved although its payments or its units were all refunded. */
export function reportRefundedUnshipped(work: ProblemWork, orderId: OrderId, quantity: number): void {
  report(work, 'order.refunded_unshipped', { orderId, quantity })
}

/** Reports paid units that can no longer be sent and whose refund was not paid in the end. */
export function reportPaidUnshippable(work: ProblemWork, orderId: OrderId, quantity: number): void {
  report(work, 'order.paid_unshippable', { orderId, quantity })
}

/** Resolves the payment problems that an order had before a change and no longer has after it. */
export function resolvePaymentProblems(
  { trx, merchantId, now }: ProblemWork,
  before: OrderMoneyState,
  after: OrderMoneyState,
): void {
  const kinds: NotificationKind[] = []
  // Most orders never had a payment problem. Nothing is written for them.
  if (before.paidKobo > before.totalKobo && keptKoboOf(after) < keptKoboOf(before)) {
    const { id: orderId, totalKobo } = after
    resolveOverpayments(trx, { merchantId, orderId, totalKobo, keptKobo: keptKoboOf(after), now })
  }
  if (before.status === 'cancelled' && before.paidKobo > 0 && keptKoboOf(after) === 0) {
    kinds.push('payment.of_cancelled_order', 'order.cancelled_unrefunded')
  }
  if (mayBeReturned(before) && hasOpenUnits(before) && !hasOpenUnits(after)) kinds.push('order.refunded_unshipped')
  if (before.paidKobo > 0 && before.status !== 'cancelled' && after.status === 'cancelled') {
    kinds.push('order.paid_unshippable')
  }
  if (isPartlyPaid(before) && !isPartlyPaid(after)) kinds.push('order.partly_paid')
  if (kinds.length > 0) resolveOrderProblems(trx, { merchantId, orderId: after.id, kinds, now })
}

/** Returns the amount of payments that was not refunded. A refund in progress is not included, because it may fail. */
function keptKoboOf({ paidKobo, refundedKobo }: OrderMoneyState): Kobo {
  return toKobo(paidKobo - refundedKobo)
}

function mayBeReturned({ refundedKobo, refundPendingKobo, providerPaidKobo }: OrderMoneyState): boolean {
  return refundedKobo + refundPendingKobo + providerPaidKobo > 0
}

/**
 * Reports whether units are reserved for an order. The units of a cancelled order are released when its shipments end.
 */
function hasOpenUnits({ status, itemQuantity, fulfilledQuantity }: OrderMoneyState): boolean {
  return status !== 'cancelled' && itemQuantity > fulfilledQuantity
}

/** Reports whether an order that is not confirmed yet is partly paid. */
export function isPartlyPaid(order: OrderMoneyState): boolean {
  const isOpen = order.status === 'pending' || order.status === 'on_hold'
  return isOpen && order.paidKobo < order.totalKobo && keptKoboOf(order) > 0
}

function report({ trx, merchantId, nowMs, now }: ProblemWork, kind: NotificationKind, data: object): void {
  const id = newId('ntf', nowMs)
  insertNotification(trx, { merchantId, id, kind, endpointId: null, data: JSON.stringify(data), now })
}
