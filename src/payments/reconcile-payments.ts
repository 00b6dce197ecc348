import type { MerchantId, RefundId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { toKobo } from '../commerce/money.ts'
import { isOther } from '../commerce/orders/record-payment.ts'
import { chargeOf } from '../partners/payments/charge.ts'
import type { ListedRefund, PaymentReport } from '../partners/payments/provider.ts'
import { type Connection, listConnectedMerchants } from '../store/payments/provider-keys.ts'
import {
  listProviderPayments,
  listProviderRefunds,
  type StoredPayment,
  type StoredRefund,
} from '../store/payments/reconciliation.ts'
import { findReportedPayments } from '../store/payments/unmatched-payments.ts'
import { listUnnotifiedItems } from '../store/webhooks/notifications.ts'
import { disputableSince } from './disputable-since.ts'
import { notifyOnce } from './notify.ts'
import { openProviderKey, type PaymentContext } from './open-key.ts'
import { daysSince, endOutage, reportUnreconciled } from './outage.ts'
import { reconcileDisputes } from './reconcile-disputes.ts'
import {
  recordMissedCharge,
  recordMissedRefund,
  type UnrecordedCharge,
  type UnrecordedRefund,
} from './record-missed.ts'

export interface PaymentDifference {
  readonly kind:
    | 'payment_not_recorded'
    | 'payment_not_at_provider'
    | 'payment_amount_differs'
    /** The provider returned the payment in full, and our records do not show it. */
    | 'payment_reversed'
    | 'refund_not_recorded'
    | 'refund_amount_differs'
  /**
   * The provider's reference of the payment, or the provider's id of the refund. Null for a payment without a
   * reference.
   */
  readonly reference: string | null
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
      /**
       * Reason why the provider could not list the refunds, so that only payments are compared. Null if the refunds
       * were listed.
       */
      readonly refundsUnlisted: string | null
    }
  | { readonly is: 'not_connected' }
  | { readonly is: 'unavailable'; readonly reason: string }

/**
 * Number of days whose payments are compared with those of the provider. Providers retry callbacks for three days, so a
 * payment that is still missing after this number of days is never reported by a callback.
 */
export const reconciledDays = 4

/**
 * Payments up to this age in milliseconds are not compared with our records, because the provider's callback may still
 * be on its way.
 */
const graceMs = 15 * 60_000

const dayMs = 24 * 60 * 60_000

interface ReconciledConnection extends Connection {
  readonly reconciledAt: Timestamp
}

/** The maximum number of differences that one notification lists. */
const notifiedMax = 100

/**
 * Compares the payments and refunds that a provider reports for the last days with the stored payments and refunds.
 * Changes nothing.
 */
export async function reconcilePayments(
  context: PaymentContext,
  { merchantId, provider: name }: Connection,
  days = reconciledDays,
): Promise<ReconcileOutcome> {
  const { database, clock } = context
  const key = await openProviderKey(context, merchantId, name)
  if (key === undefined) return { is: 'not_connected' }
  const nowMs = clock.nowMs()
  const since = toTimestamp(nowMs - days * dayMs)
  const { provider } = key
  const payments = await provider.listPayments(key.secretKey, since)
  if (payments.is === 'unavailable') return payments
  const reversed = await provider.listReversedPayments(key.secretKey, disputableSince(context, days))
  if (reversed.is === 'unavailable') {
    context.log.warn({ merchantId, reason: reversed.reason }, 'Reversed payments could not be listed.')
  }
  const listedRefunds = await provider.listRefunds(key.secretKey, since)
  const refundsUnlisted = listedRefunds.is === 'listed' ? null : listedRefunds.reason
  if (refundsUnlisted !== null) {
    context.log.warn({ merchantId, reason: refundsUnlisted }, 'Refunds could not be listed.')
  }
  const refunds = listedRefunds.is === 'listed' ? listedRefunds.items : []
  const reports = [...payments.items, ...(reversed.is === 'listed' ? reversed.items : [])]
  const until = toTimestamp(nowMs - graceMs)
  const references = [
    ...reports.flatMap(({ reference }) => reference ?? []),
    ...refunds.flatMap((each) => each.transaction ?? []),
  ]
  const stored = await listProviderPayments(database, { merchantId, provider: name, since, until, references })
  const ids = refunds.flatMap(({ refundId }) => refundId ?? [])
  const refundReferences = refunds.map(({ reference }) => reference)
  const storedRefunds = await listProviderRefunds(database, {
    ...{ merchantId, provider: name, ids, references: refundReferences },
  })
  const paymentOf = new Map<string | null, StoredPayment>(stored.map((payment) => [payment.reference, payment]))
  const knownOf = ({ reference, providerId }: PaymentReport) => {
    const known = paymentOf.get(reference)
    return known === undefined || isOther({ ...known, provider: name }, { provider: name, providerId })
      ? undefined
      : known
  }
  const refundOf = new Map(storedRefunds.map((refund) => [refund.id, refund]))
  const recorded = new Set(storedRefunds.map(({ reference }) => reference))
  const foreignRefunds = refunds.filter(
    ({ reference, refundId, transaction, status }) =>
      refundId === undefined &&
      (transaction === undefined || paymentOf.has(transaction)) &&
      !recorded.has(reference) &&
      status !== 'failed',
  )
  const unrecordedCharges = reports
    .filter((report) => knownOf(report) === undefined && isMissing(report, until))
    .map(chargeOf)
  const differences = [
    ...reports.flatMap((report) => differenceOfPayment(report, knownOf(report), until)),
    ...notAtProvider(reports, stored, { since, until }),
    ...refunds.flatMap((report) => differenceOfRefund(report, refundOf)),
    ...foreignRefunds.filter((report) => unrecordedOf(report) === undefined).map(unreadableRefund),
  ]
  const unrecordedRefunds = foreignRefunds.flatMap((report) => unrecordedOf(report) ?? [])
  return { is: 'compared', since, differences, unrecordedCharges, unrecordedRefunds, refundsUnlisted }
}

/**
 * Reports whether an unrecorded payment in the provider's list is treated as missing. A recent payment is not missing
 * yet, because its callback may still arrive. A payment that names none of our orders is treated as missing too,
 * because the merchant is also notified of callbacks about such payments. The payment may belong to another application
 * that shares the merchant's account, or to an order whose id was lost.
 */
function isMissing({ isPaid, paidAt }: PaymentReport, until: Timestamp): boolean {
  return isPaid && (paidAt === undefined || paidAt <= until)
}

/**
 * Returns a refund that the merchant made in the provider's dashboard. Returns undefined if the refund cannot be
 * recorded: its payment is unknown, or its amount or its status cannot be parsed.
 */
function unrecordedOf({ transaction, reference, amountKobo, status }: ListedRefund): UnrecordedRefund | undefined {
  if (transaction === undefined || amountKobo === undefined || status === undefined || status === 'failed') {
    return undefined
  }
  return { transaction, reference, amountKobo: toKobo(amountKobo), status }
}

function unreadableRefund({ reference, amountKobo }: ListedRefund): PaymentDifference {
  const providerAmountKobo = amountKobo ?? null
  return { kind: 'refund_not_recorded', reference, amountKobo: null, providerAmountKobo, id: null }
}

function differenceOfPayment(
  report: PaymentReport,
  known: StoredPayment | undefined,
  until: Timestamp,
): PaymentDifference[] {
  const { reference, isReversed, currency, orderId = null } = report
  const amountKobo = currency === 'NGN' ? report.amountKobo : undefined
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
  // Stored payments of the first day of the compared period are left out. The provider selects payments by its own
  // clock and its own payment times, so its list may lack payments of that day.
  const from = toTimestamp(Date.parse(since) + dayMs)
  return (
    stored
      .filter(({ reference, paidAt }) => !known.has(reference) && paidAt >= from && paidAt <= until)
      // Payments that were returned in full are left out. The provider lists them only as reversed payments, and this
      // list may be missing here because the provider did not return it.
      .filter(({ returnedKobo, amountKobo }) => returnedKobo < amountKobo)
      .map(({ reference, amountKobo, id }) => ({
        ...{ kind: 'payment_not_at_provider', reference, amountKobo, providerAmountKobo: null, id },
      }))
  )
}

/**
 * Compares a refund in the provider's list with our record of this refund, and returns the difference. Returns no
 * difference if the listed refund contains none of our refund ids.
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
 * Reconciles every connected merchant: records charges, refunds and disputes whose callback was lost, and notifies the
 * merchant once of every other difference. If the reconciliation of one merchant fails, the other merchants are still
 * reconciled.
 */
export async function reconcileAll(context: PaymentContext): Promise<number> {
  let total = 0
  for (const connection of await listConnectedMerchants(context.database, {})) {
    if (context.stopping?.aborted === true) break
    try {
      total += await reconcileMerchant(context, connection)
      await reconcileDisputes(context, connection)
    } catch (error) {
      context.log.error({ err: error, ...connection }, 'Payments could not be reconciled.')
    }
  }
  return total
}

/**
 * Records the missed charges and refunds of one merchant, and then compares the records with the provider's. Returns
 * the number of differences.
 */
async function reconcileMerchant(context: PaymentContext, connection: ReconciledConnection): Promise<number> {
  const { merchantId } = connection
  const { days, ...first } = await compareSinceOutage(context, connection)
  let { outcome } = first
  let unmatched: ReadonlySet<string | null> = new Set()
  if (outcome.is === 'compared' && outcome.unrecordedCharges.length > 0) {
    unmatched = await recordMissedCharges(context, connection, outcome.unrecordedCharges)
    // A refund can be recorded only for a recorded payment. The comparison is therefore repeated: it now also finds the
    // refunds of the charges that were just recorded.
    outcome = await reconcilePayments(context, connection, days)
  }
  if (outcome.is === 'compared' && outcome.unrecordedRefunds.length > 0) {
    for (const refund of outcome.unrecordedRefunds) await recordMissedRefund(context, connection, refund)
    // The comparison is repeated, because a refund that was just recorded may explain a payment that the earlier
    // comparison reported as reversed.
    outcome = await reconcilePayments(context, connection, days)
  }
  if (outcome.is === 'unavailable') {
    context.log.warn({ ...connection, reason: outcome.reason }, 'Payments could not be reconciled.')
    if (outcome.reason !== 'unsupported') await reportUnreconciled(context, connection)
  }
  if (outcome.is !== 'compared') return 0
  const { differences, since } = outcome
  // A payment that matches no order is left out here, because the merchant gets a separate notification of each such
  // payment.
  const items = differences.filter(
    ({ kind, reference }) => kind !== 'payment_not_recorded' || !unmatched.has(reference),
  )
  if (items.length > 0) await notifyOfDifferences(context, merchantId, items)
  await endOutage(context, connection, since)
  return differences.length
}

/**
 * Notifies a merchant of payments and refunds that differ between the provider and this service, unless an earlier
 * notification lists them.
 */
async function notifyOfDifferences(
  context: PaymentContext,
  merchantId: MerchantId,
  items: readonly PaymentDifference[],
): Promise<void> {
  const kind = 'payment.differences'
  const unnotified = await listUnnotifiedItems(context.database, {
    ...{ merchantId, kind, field: 'differences', items },
  })
  const counts = { differences: items.length, new: unnotified.length }
  context.log.warn({ merchantId, ...counts }, 'Payments or refunds at a payment provider differ from the stored ones.')
  for (let from = 0; from < unnotified.length; from += notifiedMax) {
    const listed = unnotified.slice(from, from + notifiedMax)
    await notifyOnce(context, merchantId, { kind, data: { count: listed.length, differences: listed } })
  }
}

/**
 * Compares the payments of the last days with those of the provider. After an outage, compares all payments since the
 * last comparison. If the provider cannot list the payments of this longer period, compares only those of the last
 * days.
 */
async function compareSinceOutage(context: PaymentContext, { reconciledAt, ...connection }: ReconciledConnection) {
  const days = Math.max(reconciledDays, daysSince(context, reconciledAt))
  const outcome = await reconcilePayments(context, connection, days)
  if (outcome.is !== 'unavailable' || days === reconciledDays) return { days, outcome }
  return { days: reconciledDays, outcome: await reconcilePayments(context, connection) }
}

/**
 * Records the charges whose order exists, and reports each other charge once. Returns the references of all reported
 * charges, including those that were reported before. A charge without a reference is always reported. The reference
 * null in the result stands for all of these charges.
 */
async function recordMissedCharges(
  context: PaymentContext,
  connection: Connection,
  charges: readonly UnrecordedCharge[],
): Promise<ReadonlySet<string | null>> {
  const references = charges.flatMap(({ reference }) => reference ?? [])
  const isReported = await findReportedPayments(context.database, { ...connection, references })
  const unmatched = new Set<string | null>()
  for (const charge of charges) {
    const { is, reference, providerId } = charge
    // Another application that uses the same provider account may have thousands of charges in the compared days. No
    // transaction is therefore begun for a charge that was reported before.
    const isKnown = is === 'unmatched' && reference !== null && isReported({ reference, providerId })
    if (isKnown || (await recordMissedCharge(context, connection, charge)) === 'unmatched') unmatched.add(reference)
  }
  return unmatched
}
