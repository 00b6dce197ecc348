import type { Kobo, PaymentId } from '../../registry/vocabulary.ts'
import type { DisputeStatus } from '../store/dispute-columns.ts'
import { listPaymentDisputes, type PaymentDispute, putPaymentDispute } from '../store/disputes.ts'
import type { Work } from '../store/mutation.ts'
import { lockPaystackPayment, setPaymentDisputed } from '../store/payments.ts'
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
  | { readonly is: 'recorded'; readonly paymentId: PaymentId; readonly lostKobo: Kobo }
  | { readonly is: 'payment_unknown' }
  /** A report that comes after the resolution. */
  | { readonly is: 'resolved_before' }
  | { readonly is: 'no_news' }

/**
 * Records a dispute of a payment. Nothing of the payment can be refunded while a dispute is open, and what a lost
 * dispute returned can never be refunded again. A result this service does not know counts as if all were lost.
 */
export async function recordDispute(work: Work, report: DisputeReport): Promise<RecordDisputeOutcome> {
  const { trx, merchantId, now } = work
  const payment = await lockPaystackPayment(trx, merchantId, report.transaction)
  if (payment === undefined) return { is: 'payment_unknown' }
  const disputes = await listPaymentDisputes(trx, merchantId, payment.id)
  const known = disputes.find(({ disputeId }) => disputeId === report.disputeId)
  const { disputeId, status, resolution } = report
  // Whatever a provider says later, the money of a lost dispute has gone back.
  if (known?.status === status || known?.status === 'lost') return { is: 'no_news' }
  if (known !== undefined && status === 'open') return { is: 'resolved_before' }
  const lostKobo = status === 'lost' ? lostOf(report, payment.amountKobo) : noKobo
  const next: PaymentDispute = { disputeId, status, lostKobo }
  const all = [...disputes.filter((each) => each !== known), next]
  const totalLostKobo = toKobo(Math.min(payment.amountKobo, sum(all.map((each) => each.lostKobo))))
  const isLocked =
    totalLostKobo === payment.amountKobo || all.some((each) => each.status === 'open' || each.status === 'unclear')
  const disputedAt = isLocked ? (payment.disputedAt ?? now) : null
  const resolvedAt = status === 'open' ? null : now
  putPaymentDispute(trx, { merchantId, paymentId: payment.id, ...next, resolution, resolvedAt, now })
  setPaymentDisputed(trx, { merchantId, id: payment.id, disputedAt, lostKobo: totalLostKobo })
  work.note({
    [`dispute ${disputeId}`]: [known?.status ?? null, status],
    disputedAt: [payment.disputedAt, disputedAt],
    disputeLostKobo: [payment.disputeLostKobo, totalLostKobo],
  })
  return { is: 'recorded', paymentId: payment.id, lostKobo }
}

/** An acceptance of nothing, or of more than was paid, is of the whole payment. */
function lostOf({ lostKobo }: DisputeReport, amountKobo: Kobo): Kobo {
  return lostKobo === undefined || lostKobo <= 0 ? amountKobo : toKobo(Math.min(lostKobo, amountKobo))
}
