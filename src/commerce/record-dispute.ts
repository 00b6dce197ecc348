import type { Kobo, PaymentId, Timestamp } from '../../registry/vocabulary.ts'
import { newId } from '../ids.ts'
import type { DisputeStatus } from '../store/dispute-columns.ts'
import { listPaymentDisputes, type PaymentDispute, putPaymentDispute } from '../store/disputes.ts'
import type { Work } from '../store/mutation.ts'
import { insertNotification, type NotificationKind } from '../store/notifications.ts'
import { lockOrder } from '../store/order-writes.ts'
import { findPaystackPayment, type LockedPayment, lockPaystackPayment, setPaymentDisputed } from '../store/payments.ts'
import { takeUpRefunds } from '../store/refund-claims.ts'
import { deleteUnmatchedDisputes, type UnmatchedDispute } from '../store/unmatched-disputes.ts'
import { noKobo, sum, toKobo } from './money.ts'

export interface DisputeReport {
  readonly disputeId: string
  /** The provider's reference of the payment. */
  readonly transaction: string
  readonly status: DisputeStatus
  /** What went back to the payer; undefined means the whole payment. */
  readonly lostKobo: number | undefined
  readonly resolution: string | null
}

export type RecordDisputeOutcome =
  | { readonly is: 'recorded'; readonly paymentId: PaymentId }
  | { readonly is: 'payment_unknown' }
  /** A report that comes after the resolution. */
  | { readonly is: 'resolved_before' }
  | { readonly is: 'no_news' }

/**
 * Records a dispute of a payment. Nothing of the payment can be refunded while a dispute is open, and what a lost
 * dispute returned can never be refunded again. A result this service does not know counts as if all were lost.
 */
export async function recordDispute(work: Work, report: DisputeReport): Promise<RecordDisputeOutcome> {
  const { trx, merchantId } = work
  const found = await findPaystackPayment(trx, merchantId, report.transaction)
  if (found === undefined) return { is: 'payment_unknown' }
  // The lock on the order keeps a refund from choosing the payment meanwhile.
  const [, payment] = await Promise.all([
    lockOrder(trx, merchantId, found.orderId),
    lockPaystackPayment(trx, merchantId, report.transaction),
  ])
  if (payment === undefined) return { is: 'payment_unknown' }
  const disputes = await listPaymentDisputes(trx, merchantId, payment.id)
  const known = disputes.find(({ disputeId }) => disputeId === report.disputeId)
  // Whatever a provider says later, the money of a lost dispute has gone back.
  if (known?.status === report.status || known?.status === 'lost') return { is: 'no_news' }
  if (known !== undefined && report.status === 'open') return { is: 'resolved_before' }
  putDisputes(work, payment, { disputes, reports: [report] })
  // Refunds that were held can go now, or never.
  if (report.status !== 'open') takeUpRefunds(trx, { merchantId, ...found, now: work.now })
  return { is: 'recorded', paymentId: payment.id }
}

/** Applies to a payment that was just recorded the disputes that were reported before it. */
export function applyUnmatchedDisputes(
  work: Work,
  payment: LockedPayment & { readonly reference: string },
  unmatched: readonly UnmatchedDispute[],
): Disputed {
  const { disputedAt, disputeLostKobo, reference } = payment
  if (unmatched.length === 0) return { disputedAt, disputeLostKobo }
  deleteUnmatchedDisputes(work.trx, { merchantId: work.merchantId, reference })
  const reports = unmatched.map((each) => ({ ...each, lostKobo: each.lostKobo ?? undefined }))
  return putDisputes(work, payment, { disputes: [], reports })
}

/** What its disputes together mean for a payment. */
interface Disputed {
  readonly disputedAt: Timestamp | null
  readonly disputeLostKobo: Kobo
}

type Report = Omit<DisputeReport, 'transaction'>

/** Writes what was reported, beside the disputes known before, and what all of them mean for their payment. */
function putDisputes(
  work: Work,
  payment: LockedPayment,
  { disputes, reports }: { readonly disputes: readonly PaymentDispute[]; readonly reports: readonly Report[] },
): Disputed {
  const { trx, merchantId, now } = work
  const isReported = (id: string) => reports.some(({ disputeId }) => disputeId === id)
  const all: PaymentDispute[] = disputes.filter(({ disputeId }) => !isReported(disputeId))
  for (const report of reports) {
    const { disputeId, status, resolution } = report
    const lostKobo = status === 'lost' ? lostOf(report, payment.amountKobo) : noKobo
    all.push({ disputeId, status, lostKobo })
    const resolvedAt = status === 'open' ? null : now
    const row = { merchantId, paymentId: payment.id, disputeId, status, lostKobo, resolution, resolvedAt, now }
    putPaymentDispute(trx, row)
    notify(work, payment.id, { ...report, lostKobo })
    const before = disputes.find((each) => each.disputeId === disputeId)?.status ?? null
    work.note({ [`dispute ${disputeId}`]: [before, status] })
  }
  const disputeLostKobo = toKobo(Math.min(payment.amountKobo, sum(all.map((each) => each.lostKobo))))
  const isLocked =
    disputeLostKobo === payment.amountKobo || all.some(({ status }) => status === 'open' || status === 'unclear')
  const disputedAt = isLocked ? (payment.disputedAt ?? now) : null
  setPaymentDisputed(trx, { merchantId, id: payment.id, disputedAt, lostKobo: disputeLostKobo })
  work.note({
    disputedAt: [payment.disputedAt, disputedAt],
    disputeLostKobo: [payment.disputeLostKobo, disputeLostKobo],
  })
  return { disputedAt, disputeLostKobo }
}

/** What the merchant must know: money went back outside the books, or nobody can say whether it did. */
const alarms: Readonly<Record<DisputeStatus, NotificationKind | undefined>> = {
  open: undefined,
  won: undefined,
  lost: 'payment.dispute_lost',
  unclear: 'payment.dispute_unclear',
}

function notify(
  { trx, merchantId, nowMs, now }: Work,
  paymentId: PaymentId,
  { disputeId, status, resolution, lostKobo }: Report,
): void {
  const kind = alarms[status]
  if (kind === undefined) return
  const data = JSON.stringify({ paymentId, disputeId, resolution, lostKobo })
  insertNotification(trx, { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now })
}

/** An acceptance of nothing, or of more than was paid, is of the whole payment. */
function lostOf({ lostKobo }: Report, amountKobo: Kobo): Kobo {
  return lostKobo === undefined || lostKobo <= 0 ? amountKobo : toKobo(Math.min(lostKobo, amountKobo))
}
