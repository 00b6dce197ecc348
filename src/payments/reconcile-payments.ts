import type { MerchantId, RefundId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { ListedRefund, PaymentReport } from '../partners/payments/provider.ts'
import { listConnectedMerchants } from '../store/payments/provider-keys.ts'
import {
  listPaystackPayments,
  listPaystackRefunds,
  type StoredPayment,
  type StoredRefund,
} from '../store/payments/reconciliation.ts'
import { listUntoldItems } from '../store/webhooks/notifications.ts'
import { notifyOnce } from './notify.ts'
import { openProviderKey, providerOf } from './open-key.ts'
import type { VerifyContext } from './verify-payment.ts'

/** Something on which a payment provider and the books disagree. */
export interface PaymentDifference {
  readonly kind:
    | 'payment_not_recorded'
    | 'payment_not_at_provider'
    | 'payment_amount_differs'
    /** The provider returned it as a whole, and the books do not say so. */
    | 'payment_reversed'
    | 'refund_not_recorded'
    | 'refund_amount_differs'
  readonly reference: string
  readonly amountKobo: number | null
  readonly providerAmountKobo: number | null
  readonly id: string | null
}

export type ReconcileOutcome =
  | { readonly is: 'compared'; readonly since: Timestamp; readonly differences: readonly PaymentDifference[] }
  | { readonly is: 'not_connected' }
  | { readonly is: 'unavailable'; readonly reason: string }

/** A callback is repeated for three days; what is missing after that stays missing. */
export const reconciledDays = 4

/** What is under way between the provider's list and ours must not look like a difference. */
const graceMs = 15 * 60_000

const dayMs = 24 * 60 * 60_000

/** A payment can go back by a dispute for as long: card schemes give their payers 120 days. */
const reversedDays = 120

/** What one notification lists; more differences are several notifications. */
const notifiedMax = 100

/** Compares a provider's payments and refunds of the last days with the books. Changes nothing. */
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
  const references = reports.map(({ reference }) => reference)
  const stored = await listPaystackPayments(database, { merchantId, since, until, references })
  const ids = refunds.items.flatMap(({ refundId }) => refundId ?? [])
  const storedRefunds = await listPaystackRefunds(database, { merchantId, ids })
  const paymentOf = new Map(stored.map((payment) => [payment.reference, payment]))
  const refundOf = new Map(storedRefunds.map((refund) => [refund.id, refund]))
  const differences = [
    ...reports.flatMap((report) => differenceOfPayment(report, paymentOf.get(report.reference), until)),
    ...notAtProvider(reports, stored, { since, until }),
    ...refunds.items.flatMap((report) => differenceOfRefund(report, refundOf)),
  ]
  return { is: 'compared', since, differences }
}

function differenceOfPayment(
  { reference, isPaid, isReversed, amountKobo, orderId, paidAt }: PaymentReport,
  known: StoredPayment | undefined,
  until: Timestamp,
): PaymentDifference[] {
  const told = { reference, providerAmountKobo: amountKobo ?? null }
  if (known !== undefined) {
    if (isReversed) {
      if (known.returnedKobo >= known.amountKobo) return []
      return [{ ...told, kind: 'payment_reversed', amountKobo: known.amountKobo, id: known.id }]
    }
    if (amountKobo === undefined || known.amountKobo === amountKobo) return []
    return [{ ...told, kind: 'payment_amount_differs', amountKobo: known.amountKobo, id: known.id }]
  }
  // A payment that names no order of ours belongs to another shop system of the merchant.
  const isOurs = isPaid && orderId !== undefined && (paidAt === undefined || paidAt <= until)
  return isOurs ? [{ ...told, kind: 'payment_not_recorded', amountKobo: null, id: orderId }] : []
}

function notAtProvider(
  reports: readonly PaymentReport[],
  stored: readonly StoredPayment[],
  { since, until }: { readonly since: Timestamp; readonly until: Timestamp },
): PaymentDifference[] {
  const known = new Set(reports.map(({ reference }) => reference))
  // A day from the beginning: the provider's list begins by its own clock and its own moment of the payment.
  const from = toTimestamp(Date.parse(since) + dayMs)
  return (
    stored
      .filter(({ reference, paidAt }) => !known.has(reference) && paidAt >= from && paidAt <= until)
      // One that went back as a whole is reversed, and those may not have been listed.
      .filter(({ returnedKobo, amountKobo }) => returnedKobo < amountKobo)
      .map(({ reference, amountKobo, id }) => ({
        ...{ kind: 'payment_not_at_provider', reference, amountKobo, providerAmountKobo: null, id },
      }))
  )
}

/** Refunds made at the provider's own dashboard name no refund of ours. */
function differenceOfRefund(
  { reference, refundId, amountKobo }: ListedRefund,
  refundOf: ReadonlyMap<RefundId, StoredRefund>,
): PaymentDifference[] {
  if (refundId === undefined) return []
  const known = refundOf.get(refundId)
  const told = { reference, providerAmountKobo: amountKobo ?? null, id: refundId }
  if (known === undefined) return [{ ...told, kind: 'refund_not_recorded', amountKobo: null }]
  if (amountKobo === undefined || known.amountKobo === amountKobo) return []
  return [{ ...told, kind: 'refund_amount_differs', amountKobo: known.amountKobo }]
}

/**
 * Reconciles every connected merchant, and notifies those whose books differ, of each difference once. One merchant's
 * failure ends nothing for the others.
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

/** Returns how many differences there are. */
async function reconcileMerchant(context: VerifyContext, merchantId: MerchantId): Promise<number> {
  const outcome = await reconcilePayments(context, merchantId)
  if (outcome.is === 'unavailable') {
    context.log.warn({ merchantId, reason: outcome.reason }, 'Payments could not be reconciled.')
  }
  if (outcome.is !== 'compared' || outcome.differences.length === 0) return 0
  const { differences } = outcome
  const kind = 'payment.differences'
  const untold = await listUntoldItems(context.database, {
    ...{ merchantId, kind, field: 'differences', items: differences },
  })
  const counts = { differences: differences.length, new: untold.length }
  context.log.warn({ merchantId, ...counts }, 'A payment provider and the books differ.')
  for (let from = 0; from < untold.length; from += notifiedMax) {
    const listed = untold.slice(from, from + notifiedMax)
    await notifyOnce(context, merchantId, { kind, data: { count: listed.length, differences: listed } })
  }
  return differences.length
}
