import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Kobo, OrderId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../base/ids.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveProblem } from '../../store/notifications/resolution.ts'
import type { DisputeStatus } from '../../store/tables/values.ts'
import { attachDisputeNotification } from '../../store/webhooks/dispute-notifications.ts'
import { insertNotification } from '../../store/webhooks/notifications.ts'

/**
 * Notifications of disputes. The notification of an open or unclear dispute is an open problem until the dispute ends.
 * The notification of a lost dispute is an open problem until a member resolves it.
 */

type ReportWork = Pick<Work, 'trx' | 'merchantId' | 'nowMs' | 'now'>

export interface DisputeState {
  readonly disputeId: string
  readonly status: DisputeStatus
  /** The stored status of the dispute before this report. Null if the dispute was not stored before. */
  readonly previousStatus: DisputeStatus | null
  /** The provider's raw resolution of the dispute. Null while the dispute is open. */
  readonly resolution: string | null
  /** The amount that the dispute returned to the payer. Null if it is unknown, or if the dispute is not lost. */
  readonly lostKobo: Kobo | null
  /** The time until which the merchant must answer an open dispute, if the provider sent one. */
  readonly dueAt?: Timestamp | undefined
}

/** The known facts about a disputed payment. A payment that is not recorded has neither an id nor an order. */
export type DisputedPayment =
  | {
      readonly orderId: OrderId
      readonly paymentId: PaymentId
      readonly amountKobo: Kobo
      /** Other orders that the dispute affects, because exchange credits from this payment paid for them. */
      readonly creditedOrderIds: readonly OrderId[]
      /** The part of the lost amount that earlier refunds had already paid to the customer. */
      readonly paidOutKobo: Kobo
    }
  | { readonly reference: string | null; readonly amountKobo: Kobo | null }

/**
 * The kind of notification that the merchant gets for each status of a dispute. The merchant must answer an open
 * dispute. After a lost dispute, the provider has returned the money to the customer. The result of an unclear dispute
 * is unknown. A won dispute needs no notification.
 */
const kinds: Readonly<Record<DisputeStatus, NotificationKind | undefined>> = {
  open: 'payment.dispute_opened',
  won: undefined,
  lost: 'payment.dispute_lost',
  unclear: 'payment.dispute_unclear',
}

/**
 * Notifies the merchant of the new state of a dispute, and resolves earlier notifications that this state makes
 * obsolete. A dispute may have been reported before its payment was known. The earlier notification then gets the
 * fields of the payment, and no second notification is created.
 */
export function reportDispute(work: ReportWork, payment: DisputedPayment, dispute: DisputeState): void {
  const { trx, merchantId, nowMs, now } = work
  endProblems(work, dispute)
  const kind = kinds[dispute.status]
  if (kind === undefined) return
  const data = JSON.stringify(dataOf(payment, dispute))
  const notification = { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now }
  if (dispute.previousStatus !== null) insertNotification(trx, notification)
  else attachDisputeNotification(trx, { ...notification, dispute: disputeKey(dispute) })
}

function disputeKey({ disputeId }: DisputeState): string {
  return JSON.stringify({ disputeId })
}

function endProblems({ trx, merchantId, now }: ReportWork, dispute: DisputeState): void {
  const { status } = dispute
  const problem = { merchantId, data: disputeKey(dispute), now }
  if (status !== 'unclear') resolveProblem(trx, { ...problem, kind: 'payment.dispute_unclear' })
  if (status !== 'open') resolveProblem(trx, { ...problem, kind: 'payment.dispute_opened' })
}

function dataOf(payment: DisputedPayment, dispute: DisputeState): object {
  const { disputeId, status, resolution, lostKobo, dueAt } = dispute
  const { amountKobo } = payment
  const data = { ...nameOf(payment), disputeId }
  if (status === 'open') return { ...data, amountKobo, dueAt }
  const isPaidTwice = status === 'lost' && 'paidOutKobo' in payment && payment.paidOutKobo > 0
  return { ...data, resolution, lostKobo, ...(isPaidTwice ? { paidOutKobo: payment.paidOutKobo } : {}) }
}

function nameOf(payment: DisputedPayment): object {
  if (!('orderId' in payment)) return { reference: payment.reference }
  const { orderId, paymentId, creditedOrderIds } = payment
  return { orderId, paymentId, ...(creditedOrderIds.length > 0 ? { creditedOrderIds } : {}) }
}
