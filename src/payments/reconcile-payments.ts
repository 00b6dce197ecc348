import type { MerchantId, RefundId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { toKobo } from '../commerce/money.ts'
import type { ListedRefund, PaymentReport } from '../partners/payments/provider.ts'
import { listConnectedMerchants } from '../store/payments/provider-keys.ts'
import {
  listPaystackPayments,
  listPaystackRefunds,
  type StoredPayment,
  type StoredRefund,
} from '../store/payments/reconciliation.ts'
import { listUnnotifiedItems } from '../store/webhooks/notifications.ts'
import { notifyOnce } from './notify.ts'
import { openProviderKey, providerOf } from './open-key.ts'
import {
  recordMissedCharge,
  recordMissedRefund,
  type UnrecordedCharge,
  type UnrecordedRefund,
} from './record-missed.ts'
import type { VerifyContext } from './verify-payment.ts'

/** A difference between a payment provider and our records. */
export interface PaymentDifference {
  readonly kind:
    | 'payment_not_recorded'
    | 'payment_not_at_provider'
    | 'payment_amount_differs'
    /** The provider returned the payment in full, and our records do not show it. */
    | 'payment_reversed'
    | 'refund_not_recorded'
    | 'refund_amount_differs'
  readonly reference: string
  readonly amountKobo: number | null
  readonly providerAmountKobo: number | null
  readonly id: string | null
}

export type ReconcileOutcome =
  | {
      readonly is: 'compared'
      readonly since: Timestamp
      readonly differences: readonly PaymentDifference[]
      readonly unrecordedCharges: readonly UnrecordedCharge[]
      readonly unrecordedRefunds: readonly UnrecordedRefund[]
    }
  | { readonly is: 'not_connected' }
  | { readonly is: 'unavailable'; readonly reason: string }

/**
 * Number of days whose payments are compared with the provider's. Callbacks are retried for three days; a payment still
 * missing after that stays missing.
 */
export const reconciledDays = 4

/** Age up to which payments are not compared, because the provider's callback may still be on its way. */
const graceMs = 15 * 60_000

const dayMs = 24 * 60 * 60_000

/** Number of days in which a payment can be disputed: card schemes give cardholders 120 days. */
const reversedDays = 120

/** The maximum number of differences that one notification lists. */
const notifiedMax = 100

/** Compares the payments and refunds that a provider reports for the last days with our records. Changes nothing. */
export async function reconcilePayments(
  context: VerifyContext,
  merchantId: MerchantId,
  days = reconciledDays,
): Promise<ReconcileOutcome> {
  const { database, clock } = context
  const key = await openProviderKey(context, merchantId)
  if (key === undefined) return { is: 'not_connected' }
  const nowMs = clock.nowMs()
  const since = toTimestamp(nowMs - days * dayMs)
  const provider = providerOf(context, key)
  const payments = await provider.listPayments(key.secretKey, since)
  if (payments.is === 'unavailable') return payments
  const reversedSince = toTimestamp(nowMs - Math.max(days, reversedDays) * dayMs)
  const reversed = await provider.listReversedPayments(key.secretKey, reversedSince)
  if (reversed.is === 'unavailable') {
    context.log.warn({ merchantId, reason: reversed.reason }, 'Reversed payments could not be listed.')
  }
  const refunds = await provider.listRefunds(key.secretKey, since)
  if (refunds.is === 'unavailable') return refunds
  const reports = [...payments.items, ...(reversed.is === 'listed' ? reversed.items : [])]
  const until = toTimestamp(nowMs - graceMs)
  const references = [
    ...reports.map(({ reference }) => reference),
    ...refunds.items.flatMap((each) => each.transaction ?? []),
  ]
  const stored = await listPaystackPayments(database, { merchantId, since, until, references })
  const ids = refunds.items.flatMap(({ refundId }) => refundId ?? [])
  const refundReferences = refunds.items.map(({ reference }) => reference)
  const storedRefunds = await listPaystackRefunds(database, { merchantId, ids, references: refundReferences })
  const paymentOf = new Map(stored.map((payment) => [payment.reference, payment]))
  const refundOf = new Map(storedRefunds.map((refund) => [refund.id, refund]))
  const recorded = new Set(storedRefunds.map(({ reference }) => reference))
  const unrecordedRefunds = refunds.items
    .filter(({ reference }) => !recorded.has(reference))
    .flatMap((report) => unrecordedOf(report, paymentOf))
  const unrecordedCharges = reports.flatMap((report) =>
    paymentOf.has(report.reference) ? [] : unrecordedChargeOf(report, until),
  )
  const differences = [
    ...reports.flatMap((report) => differenceOfPayment(report, paymentOf.get(report.reference), until)),
    ...notAtProvider(reports, stored, { since, until }),
    ...refunds.items.flatMap((report) => differenceOfRefund(report, refundOf)),
  ]
  return { is: 'compared', since, differences, unrecordedCharges, unrecordedRefunds }
}

/** A charge whose metadata contains an order id and that a callback would have recorded. The order may not exist. */
function unrecordedChargeOf(report: PaymentReport, until: Timestamp): UnrecordedCharge[] {
  const { reference, amountKobo, currency, method, orderId, paidAt } = report
  if (!isMissing(report, until) || orderId === undefined) return []
  if (amountKobo === undefined || amountKobo <= 0 || currency !== 'NGN') return []
  return [{ orderId, charge: { reference, amountKobo: toKobo(amountKobo), method, paidAt } }]
}

/**
 * A payment without one of our orders belongs to another application of the merchant. The callback of a recent payment
 * may still arrive.
 */
function isMissing({ isPaid, orderId, paidAt }: PaymentReport, until: Timestamp): boolean {
  return isPaid && orderId !== undefined && (paidAt === undefined || paidAt <= until)
}

/**
 * Returns a listed refund of a recorded payment if it has no refund id of ours, because it was then made in the
 * provider's dashboard.
 */
function unrecordedOf(
  { refundId, transaction, reference, amountKobo, status }: ListedRefund,
  paymentOf: ReadonlyMap<string, StoredPayment>,
): UnrecordedRefund[] {
  const isOurs = refundId !== undefined || transaction === undefined || !paymentOf.has(transaction)
  if (isOurs || amountKobo === undefined || status === undefined || status === 'failed') return []
  return [{ transaction, reference, amountKobo: toKobo(amountKobo), status }]
}

function differenceOfPayment(
  report: PaymentReport,
  known: StoredPayment | undefined,
  until: Timestamp,
): PaymentDifference[] {
  const { reference, isReversed, amountKobo, orderId = null } = report
  const reported = { reference, providerAmountKobo: amountKobo ?? null }
  if (known !== undefined) {
    if (isReversed) {
      if (known.returnedKobo >= known.amountKobo) return []
      return [{ ...reported, kind: 'payment_reversed', amountKobo: known.amountKobo, id: known.id }]
    }
    if (amountKobo === undefined || known.amountKobo === amountKobo) return []
    return [{ ...reported, kind: 'payment_amount_differs', amountKobo: known.amountKobo, id: known.id }]
  }
  return isMissing(report, until) ? [{ ...reported, kind: 'payment_not_recorded', amountKobo: null, id: orderId }] : []
}

function notAtProvider(
  reports: readonly PaymentReport[],
  stored: readonly StoredPayment[],
  { since, until }: { readonly since: Timestamp; readonly until: Timestamp },
): PaymentDifference[] {
  const known = new Set(reports.map(({ reference }) => reference))
  // Stored payments are compared from one day after the start of the compared period, because the provider's list
  // starts by its own clock and its own time of payment.
  const from = toTimestamp(Date.parse(since) + dayMs)
  return (
    stored
      .filter(({ reference, paidAt }) => !known.has(reference) && paidAt >= from && paidAt <= until)
      // Payments returned in full are reversed, and reversed payments may not have been listed.
      .filter(({ returnedKobo, amountKobo }) => returnedKobo < amountKobo)
      .map(({ reference, amountKobo, id }) => ({
        ...{ kind: 'payment_not_at_provider', reference, amountKobo, providerAmountKobo: null, id },
      }))
  )
}

/**
 * Returns the difference between a listed refund and our records. Refunds without a refund id of ours were made in the
 * provider's dashboard, and are recorded.
 */
function differenceOfRefund(
  { reference, refundId, amountKobo }: ListedRefund,
  refundOf: ReadonlyMap<RefundId, StoredRefund>,
): PaymentDifference[] {
  if (refundId === undefined) return []
  const known = refundOf.get(refundId)
  const reported = { reference, providerAmountKobo: amountKobo ?? null, id: refundId }
  if (known === undefined) return [{ ...reported, kind: 'refund_not_recorded', amountKobo: null }]
  if (amountKobo === undefined || known.amountKobo === amountKobo) return []
  return [{ ...reported, kind: 'refund_amount_differs', amountKobo: known.amountKobo }]
}

/**
 * Reconciles every connected merchant: records charges and refunds whose callback was lost, and notifies of every other
 * difference once. A failure of one merchant does not stop the others.
 */
export async function reconcileAll(context: VerifyContext & { readonly stopping?: AbortSignal }): Promise<number> {
  let total = 0
  for (const merchantId of await listConnectedMerchants(context.database)) {
    if (context.stopping?.aborted === true) break
    try {
      total += await reconcileMerchant(context, merchantId)
    } catch (error) {
      context.log.error({ err: error, merchantId }, 'Payments could not be reconciled.')
    }
  }
  return total
}

/**
 * Records the missed charges and refunds of one merchant, and then compares the records with the provider's. Returns
 * the number of differences.
 */
async function reconcileMerchant(context: VerifyContext, merchantId: MerchantId): Promise<number> {
  let outcome = await reconcilePayments(context, merchantId)
  if (outcome.is === 'compared' && outcome.unrecordedCharges.length > 0) {
    for (const charge of outcome.unrecordedCharges) await recordMissedCharge(context, merchantId, charge)
    // A refund can be recorded only for a recorded payment, so the next comparison finds the refunds of charges
    // recorded now.
    outcome = await reconcilePayments(context, merchantId)
  }
  if (outcome.is === 'compared' && outcome.unrecordedRefunds.length > 0) {
    for (const refund of outcome.unrecordedRefunds) await recordMissedRefund(context, merchantId, refund)
    // The comparison is repeated, because a recorded refund may explain a payment that was reversed.
    outcome = await reconcilePayments(context, merchantId)
  }
  if (outcome.is === 'unavailable') {
    context.log.warn({ merchantId, reason: outcome.reason }, 'Payments could not be reconciled.')
  }
  if (outcome.is !== 'compared' || outcome.differences.length === 0) return 0
  const { differences } = outcome
  const kind = 'payment.differences'
  const unnotified = await listUnnotifiedItems(context.database, {
    ...{ merchantId, kind, field: 'differences', items: differences },
  })
  const counts = { differences: differences.length, new: unnotified.length }
  context.log.warn({ merchantId, ...counts }, 'Payments or refunds at a payment provider differ from the stored ones.')
  for (let from = 0; from < unnotified.length; from += notifiedMax) {
    const listed = unnotified.slice(from, from + notifiedMax)
    await notifyOnce(context, merchantId, { kind, data: { count: listed.length, differences: listed } })
  }
  return differences.length
}
