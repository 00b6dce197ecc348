import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, OrderId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveEndedProblems } from '../../store/orders/kept-payments.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import {
  findProviderPayment,
  type LockedPayment,
  lockProviderPayment,
  setPaymentDisputed,
} from '../../store/orders/payments.ts'
import { listPaymentDisputes, type PaymentDispute, putPaymentDispute } from '../../store/payments/disputes.ts'
import { deleteUnmatchedDisputes, type UnmatchedDispute } from '../../store/payments/unmatched-disputes.ts'
import { scheduleRefundChecks } from '../../store/refunds/refund-checks.ts'
import type { DisputeStatus } from '../../store/tables/values.ts'
import { noKobo, sum, toKobo } from '../money.ts'
import { assignLoss } from './assign-loss.ts'
import { reportRefundedGoods } from './refunded-goods.ts'
import { reportDispute } from './report-dispute.ts'

/**
 * The webhook events that a dispute can emit. A lost dispute returns the price of units that may already be in a
 * shipment with a carrier. This shipment then gets an exception.
 */
export const disputeEvents = ['shipment.exception_raised'] as const

export interface DisputeReport {
  readonly provider: PaymentProviderName
  readonly disputeId: string
  /** The payment provider's reference of the disputed payment. Null if the provider sent none. */
  readonly transaction: string | null
  readonly status: DisputeStatus
  /** The amount that the dispute returned to the payer. Undefined means the whole payment. */
  readonly lostKobo: number | undefined
  readonly resolution: string | null
  /** The time until which the merchant must answer an open dispute, if the provider sent one. */
  readonly dueAt?: Timestamp | undefined
}

export type RecordDisputeOutcome =
  | { readonly is: 'recorded'; readonly paymentId: PaymentId }
  | { readonly is: 'payment_unknown' }
  /** The report states that the dispute is open, but the stored dispute is already resolved. */
  | { readonly is: 'resolved_before' }
  | { readonly is: 'unchanged' }

/**
 * While a dispute is open, its payment cannot be refunded. The amount that a lost dispute returned to the payer can
 * never be refunded. An unknown result is treated as a total loss.
 */
export async function recordDispute(
  work: Work<'shipment.exception_raised'>,
  report: DisputeReport,
): Promise<RecordDisputeOutcome> {
  const { transaction: reference, provider } = report
  const disputed = reference === null ? undefined : await lockDisputed(work, { provider, reference })
  if (disputed === undefined) return { is: 'payment_unknown' }
  const { payment, disputes } = disputed
  const known = disputes.find(({ disputeId }) => disputeId === report.disputeId)
  const effect = effectOf(known, report)
  if (effect !== 'changed') return { is: effect }
  await putDisputes(work, payment, { disputes, reports: [report] })
  await reportRefundedGoods(work, payment.orderId)
  return { is: 'recorded', paymentId: payment.id }
}

/**
 * Decides whether a report changes the known state of a dispute. A lost dispute is final, and a report that the dispute
 * is open is outdated once the dispute is resolved.
 */
export function effectOf(
  known: { readonly status: DisputeStatus } | undefined,
  report: { readonly status: DisputeStatus },
): 'changed' | 'unchanged' | 'resolved_before' {
  if (known?.status === report.status || known?.status === 'lost') return 'unchanged'
  return known !== undefined && report.status === 'open' ? 'resolved_before' : 'changed'
}

interface PaymentName {
  readonly provider: PaymentProviderName
  readonly reference: string
}

interface LockedDisputes {
  readonly payment: LockedPayment & { readonly orderId: OrderId }
  readonly disputes: readonly PaymentDispute[]
}

/**
 * Locks a payment and its disputes. The lock, which includes the order, prevents a concurrent refund from choosing the
 * payment.
 */
async function lockDisputed({ trx, merchantId }: Work, named: PaymentName): Promise<LockedDisputes | undefined> {
  const found = await findProviderPayment(trx, { merchantId, ...named })
  if (found === undefined) return undefined
  const [, payment] = await Promise.all([
    lockOrder(trx, merchantId, found.orderId),
    lockProviderPayment(trx, { merchantId, ...named }),
  ])
  if (payment === undefined) return undefined
  const disputes = await listPaymentDisputes(trx, { merchantId, paymentId: payment.id })
  return { payment: { ...payment, orderId: found.orderId }, disputes }
}

export type ResolveDisputeOutcome =
  | { readonly is: 'resolved'; readonly paymentId: PaymentId; readonly disputeIds: readonly string[] }
  | { readonly is: 'resolved_before'; readonly paymentId: PaymentId }
  /** A lost dispute is final: the money has been returned. */
  | { readonly is: 'lost_before' }
  | { readonly is: 'no_dispute' }
  | { readonly is: 'payment_unknown' }

/**
 * Records the result of the disputes of a payment. An operator has read the result in the provider's dashboard, because
 * the callbacks with the result were lost or unclear. The result applies to all disputes of the payment that are open
 * or unclear. A loss can be recorded even without a stored dispute, because all callbacks of a dispute may have been
 * lost.
 */
export async function resolveDispute(
  work: Work<'shipment.exception_raised'>,
  { outcome, ...named }: PaymentName & { readonly outcome: 'won' | 'lost' },
): Promise<ResolveDisputeOutcome> {
  const disputed = await lockDisputed(work, named)
  if (disputed === undefined) return { is: 'payment_unknown' }
  const { payment, disputes } = disputed
  const idsOf = (...statuses: readonly DisputeStatus[]) =>
    disputes.filter(({ status }) => statuses.includes(status)).map(({ disputeId }) => disputeId)
  let disputeIds = idsOf('open', 'unclear')
  if (disputeIds.length === 0) {
    if (idsOf(outcome).length > 0 && (outcome === 'lost' || idsOf('lost').length === 0)) {
      return { is: 'resolved_before', paymentId: payment.id }
    }
    if (outcome === 'won') return { is: disputes.length > 0 ? 'lost_before' : 'no_dispute' }
    disputeIds = disputes.length > 0 ? idsOf('won') : [`operator ${named.reference}`]
  }
  const reports = disputeIds.map((disputeId) => ({
    ...{ disputeId, status: outcome, resolution: 'operator', lostKobo: undefined },
  }))
  await putDisputes(work, payment, { disputes, reports })
  await reportRefundedGoods(work, payment.orderId)
  return { is: 'resolved', paymentId: payment.id, disputeIds }
}

/**
 * Applies the earlier disputes of a payment when the payment is recorded. The merchant was notified of these disputes
 * when the provider reported them.
 */
export async function applyUnmatchedDisputes(
  work: Work<'shipment.exception_raised'>,
  payment: LockedPayment & PaymentName & { readonly orderId: OrderId },
  unmatched: readonly UnmatchedDispute[],
): Promise<Disputed> {
  const { disputedAt, disputeLostKobo, provider, reference } = payment
  if (unmatched.length === 0) return { disputedAt, disputeLostKobo }
  deleteUnmatchedDisputes(work.trx, { merchantId: work.merchantId, provider, reference })
  const reports = unmatched.map((each) => ({ ...each, lostKobo: each.lostKobo ?? undefined }))
  return putDisputes(work, payment, { disputes: [], reports })
}

/** The combined effect of all disputes of one payment. */
interface Disputed {
  readonly disputedAt: Timestamp | null
  readonly disputeLostKobo: Kobo
}

type Report = Omit<DisputeReport, 'transaction' | 'provider'>

interface Disputes {
  readonly disputes: readonly PaymentDispute[]
  readonly reports: readonly Report[]
}

/**
 * Saves dispute reports, applies the combined effect of all disputes to the payment and to the exchange credits that
 * come from the payment, and notifies the merchant.
 */
async function putDisputes(
  work: Work<'shipment.exception_raised'>,
  payment: LockedPayment & { readonly orderId: OrderId },
  { disputes, reports }: Disputes,
): Promise<Disputed> {
  const { trx, merchantId, now } = work
  const { id: paymentId, orderId, amountKobo } = payment
  const all = putReports(work, payment, { disputes, reports })
  const disputeLostKobo = toKobo(Math.min(amountKobo, sum(all.map((each) => each.lostKobo))))
  const isLocked = disputeLostKobo === amountKobo || all.some(({ status }) => status === 'open' || status === 'unclear')
  const disputedAt = isLocked ? (payment.disputedAt ?? now) : null
  setPaymentDisputed(trx, { merchantId, id: paymentId, disputedAt, lostKobo: disputeLostKobo })
  const assigned = await assignLoss(work, { orderId, paymentId })
  for (const report of reports) {
    const { disputeId } = report
    const previousStatus = disputes.find((each) => each.disputeId === disputeId)?.status ?? null
    const lostKobo = all.find((each) => each.disputeId === disputeId)?.lostKobo ?? noKobo
    reportDispute(work, { orderId, paymentId, amountKobo, ...assigned }, { ...report, lostKobo, previousStatus })
  }
  if (disputeLostKobo > payment.disputeLostKobo) resolveEndedProblems(trx, { merchantId, orderId, now })
  // Checks the refunds that waited for the result of the dispute: after a won dispute they can continue, and after a
  // lost one they must fail.
  if (reports.some(({ status }) => status !== 'open')) {
    scheduleRefundChecks(trx, { merchantId, orderId, id: paymentId, now })
  }
  work.note({
    disputedAt: [payment.disputedAt, disputedAt],
    disputeLostKobo: [payment.disputeLostKobo, disputeLostKobo],
  })
  return { disputedAt, disputeLostKobo }
}

/** Returns all disputes of the payment with their new states. */
function putReports(work: Work, payment: LockedPayment, { disputes, reports }: Disputes): readonly PaymentDispute[] {
  const { trx, merchantId, now } = work
  const isReported = (id: string) => reports.some(({ disputeId }) => disputeId === id)
  const all: PaymentDispute[] = disputes.filter(({ disputeId }) => !isReported(disputeId))
  for (const report of reports) {
    const { disputeId, status, resolution } = report
    const lostKobo = status === 'lost' ? lostOf(report, payment.amountKobo) : noKobo
    all.push({ disputeId, status, lostKobo })
    const resolvedAt = status === 'open' ? null : now
    putPaymentDispute(trx, {
      ...{ merchantId, paymentId: payment.id, disputeId, status, lostKobo, resolution, resolvedAt, now },
    })
    const before = disputes.find((each) => each.disputeId === disputeId)?.status ?? null
    work.note({ [`dispute ${disputeId}`]: [before, status] })
  }
  return all
}

/**
 * Returns the amount that a lost dispute returned to the payer. If the report states no amount, or more than the
 * payment, the whole payment is treated as lost.
 */
function lostOf({ lostKobo }: Report, amountKobo: Kobo): Kobo {
  return lostKobo === undefined || lostKobo <= 0 ? amountKobo : toKobo(Math.min(lostKobo, amountKobo))
}
