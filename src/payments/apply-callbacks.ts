import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { actorOf, applyDue } from '../callbacks/apply-due.ts'
import { toKobo } from '../commerce/money.ts'
import { paymentEvents, recordProviderPayment } from '../commerce/orders/record-payment.ts'
import { providerRefundEvents, recordProviderRefund } from '../commerce/refunds/record-provider-refund.ts'
import { refundEvents, updateRefund } from '../commerce/refunds/update-refund.ts'
import type { CallbackReport } from '../partners/payments/provider.ts'
import type { DueCallback } from '../store/callbacks/inbox.ts'
import { providerCallbacks } from '../store/callbacks/inboxes.ts'
import { advanceRefundChecks } from '../store/refunds/refund-checks.ts'
import { findContradictedRefund, findProviderRefund } from '../store/refunds/refunds.ts'
import { applyDispute } from './apply-dispute.ts'
import { type AppliedCallback, changeBy } from './callback-change.ts'
import { type CallbackOutcome, ignored, unmatchedPaymentOf } from './callback-outcome.ts'
import { openConfirming } from './confirm-callback.ts'
import { ignoreCallback } from './ignore-callback.ts'
import type { PaymentContext } from './open-key.ts'

/**
 * Applies payment provider callbacks. Late, duplicate, out-of-order and unrelated callbacks are marked as ignored with
 * a reason and never cause an error.
 */

/**
 * Delay in milliseconds before the next attempt to apply a callback, after a fault of this service. The attempts
 * continue until the callback is applied, because it may report a payment.
 */
const retryMs = 60_000

/**
 * Duration in seconds of a worker's claim of a callback that the provider's API must confirm. The confirmation may take
 * some minutes, if it reads a list of chargebacks.
 */
const confirmSeconds = 600

/**
 * Returns the number of claimed callbacks. Callbacks that their provider must confirm are claimed only while no signed
 * callback is due.
 */
export function applyCallbacks(context: PaymentContext, merchantId: MerchantId): Promise<number> {
  const { database, providers } = context
  const unsigned = [...providers.values()].filter(({ isBodySigned }) => !isBodySigned)
  const confirming = new Map(
    unsigned.map(({ name }) => [name, openConfirming(context, { merchantId, provider: name })]),
  )
  return applyDue(context, providerCallbacks, merchantId, {
    retryMs: () => retryMs,
    claim: async (due) => {
      const senders = [...confirming].flatMap(([name, { isPaused }]) => (isPaused() ? [] : name))
      return (
        (await providerCallbacks.claimOldest(database, {
          ...due,
          senders: [...confirming.keys()],
          areExcluded: true,
        })) ??
        (await providerCallbacks.claimOldest(database, {
          ...due,
          senders,
          areExcluded: false,
          leaseSeconds: confirmSeconds,
        }))
      )
    },
    apply: async (tenant, due) => {
      const { sender: provider, id, body } = due
      const adapter = providers.get(provider)
      if (adapter === undefined) throw new Error(`There is no payment provider ${provider}.`)
      const read = adapter.readCallback(body).report
      const report = await (confirming.get(provider)?.confirm(due, read) ?? read)
      if (report === undefined) return
      const orderId = report.is === 'charged' ? report.orderId : null
      const callback = { tenant, actor: actorOf(due), id, provider, orderId }
      const outcome = await apply(context, callback, report)
      if (outcome.is === 'applied') return
      const isPostponed = outcome.awaitsPayment === true && (await postponeYoung(context, due, outcome.reason))
      if (!isPostponed) await ignoreCallback(context, callback, outcome)
    },
  })
}

/**
 * Maximum age, in milliseconds, of a callback that waits for its payment. Two worker processes may apply the callbacks
 * of a merchant at the same time, so the callback about a payment may be applied after a later one about its refund.
 * Applying a callback takes milliseconds, and a worker that was killed loses its claim after a minute.
 */
const paymentWaitMs = 5 * 60_000

/** Postpones a callback by a minute if it was received recently. Returns false for an older callback. */
async function postponeYoung(
  { database, clock }: PaymentContext,
  { merchantId, id, receivedAt }: DueCallback,
  reason: string,
): Promise<boolean> {
  const nowMs = clock.nowMs()
  if (nowMs - toMs(receivedAt) >= paymentWaitMs) return false
  const [now, nextAttemptAt] = [toTimestamp(nowMs), toTimestamp(nowMs + retryMs)]
  await providerCallbacks.postpone(database, { merchantId, id, nextAttemptAt, reason, now })
  return true
}

async function apply(
  context: PaymentContext,
  callback: AppliedCallback,
  report: CallbackReport,
): Promise<CallbackOutcome> {
  switch (report.is) {
    case 'charged':
      return applyCharge(context, callback, report)
    case 'refund_moved':
      return applyRefund(context, callback, report)
    case 'dispute':
      return applyDispute(context, callback, report)
    case 'unmatched':
      return { ...ignored(report.reason), unmatched: unmatchedPaymentOf(report) }
    case 'other':
      return ignored(report.reason)
  }
}

type Of<Is extends CallbackReport['is']> = Extract<CallbackReport, { is: Is }>

function applyCharge(
  context: PaymentContext,
  callback: AppliedCallback,
  { orderId, paidAt, amountKobo, method, reference, providerId }: Of<'charged'>,
): Promise<CallbackOutcome> {
  const change = { action: 'payment.record' as const, resourceType: 'payment', emits: paymentEvents }
  return changeBy(context, callback, change, async (work) => {
    const { provider } = callback
    const charge = { provider, amountKobo: toKobo(amountKobo), method, reference, providerId, paidAt }
    const outcome = await recordProviderPayment(work, orderId, charge)
    switch (outcome.is) {
      case 'recorded':
        return { is: 'applied', id: outcome.payment.id }
      case 'reference_in_use':
      case 'order_unknown':
      case 'too_large': {
        if (outcome.is === 'reference_in_use' && !outcome.isOtherPayment) return ignored(outcome.is, { orderId })
        const names = { reference, providerId, reason: outcome.is, orderId }
        const unmatched = { ...names, amountKobo: charge.amountKobo, paidAt: paidAt ?? null }
        return { ...ignored(outcome.is, { orderId }), unmatched }
      }
    }
  })
}

async function applyRefund(
  context: PaymentContext,
  callback: AppliedCallback,
  report: Of<'refund_moved'>,
): Promise<CallbackOutcome> {
  const { database, clock } = context
  const {
    provider,
    tenant: { merchantId },
  } = callback
  const { status, reference, refundId, amountKobo } = report
  const refund = await findProviderRefund(database, { merchantId, provider, reference, id: refundId })
  // The refund was made in the provider's dashboard, or the callback does not identify a refund of this service.
  if (refund === undefined) return applyUnknownRefund(context, callback, report)
  if (amountKobo !== undefined && amountKobo !== refund.amountKobo) {
    const amounts = { amountKobo: refund.amountKobo, providerAmountKobo: amountKobo }
    return ignored('other_amount', { refundId: refund.id, ...amounts })
  }
  const change = { action: 'refund.update' as const, resourceType: 'refund', emits: refundEvents }
  const applied = await changeBy(context, callback, change, async (work) => {
    const outcome = await updateRefund(work, refund, {
      status,
      reference,
      isFromCallback: true,
      nextCheckAt: toTimestamp(clock.nowMs() + pollAfterCallbackMs),
      ...(status === 'failed' ? { failure: { code: 'provider_failed', message: 'The provider failed.' } } : {}),
    })
    return outcome.is === 'updated' ? { is: 'applied', id: refund.id } : ignored(outcome.is, { refundId: refund.id })
  })
  if (applied.is === 'applied') return applied
  const reason = await expediteRefunds(context, merchantId, report, applied.reason)
  return applied.reason === 'contradicted' ? applied : ignored(reason)
}

/**
 * Handles a callback that names no known refund. Polls the refunds of the payment that the callback names. Then detects
 * a refund that is recorded as failed but succeeded at the provider, or records a refund that was made in the
 * provider's dashboard. If the callback does not identify the refund, the daily comparison with the provider's records
 * finds the refund later.
 */
async function applyUnknownRefund(
  context: PaymentContext,
  callback: AppliedCallback,
  report: Of<'refund_moved'>,
): Promise<CallbackOutcome> {
  const {
    provider,
    tenant: { merchantId },
  } = callback
  const reason = await expediteRefunds(context, merchantId, report, 'refund_unknown')
  const { status, transaction, reference, isForeign } = report
  if (reason !== 'refund_unknown' && !isForeign) return ignored(reason)
  if (transaction === undefined || report.amountKobo === undefined || status === undefined) return ignored(reason)
  const amountKobo = toKobo(report.amountKobo)
  if (status === 'succeeded' && !isForeign) {
    const refundId = await findContradictedRefund(context.database, { merchantId, transaction, amountKobo })
    if (refundId !== undefined) return ignored('contradicted', { refundId })
  }
  // A refund without the provider's reference is not recorded, because later reports could not be matched to it.
  if (status === 'failed' || (status !== 'succeeded' && reference === undefined)) return ignored(reason)
  const change = { action: 'refund.record' as const, resourceType: 'refund', emits: providerRefundEvents }
  return changeBy(context, callback, change, async (work) => {
    const outcome = await recordProviderRefund(work, { provider, transaction, reference, amountKobo, status })
    if ('id' in outcome) return { is: 'applied', id: outcome.id }
    if (outcome.is === 'payment_unknown') return { ...ignored(reason), awaitsPayment: true }
    if (outcome.is !== 'exceeds_refundable') return ignored(reason)
    const named = reference === undefined ? {} : { reference }
    return ignored(outcome.is, { orderId: outcome.orderId, transaction, ...named, amountKobo })
  })
}

/**
 * Makes the open refunds of a payment due for a poll immediately. After a callback about a failed refund, the succeeded
 * refunds become due too. A callback may name only the payment, so each refund's status is read from the provider.
 */
async function expediteRefunds(
  { database, clock }: PaymentContext,
  merchantId: MerchantId,
  { transaction, status }: Of<'refund_moved'>,
  otherwise: string,
): Promise<string> {
  if (transaction === undefined) return otherwise
  const now = toTimestamp(clock.nowMs())
  const refunds = { merchantId, transaction, isReversal: status === 'failed', now }
  return (await advanceRefundChecks(database, refunds)) > 0 ? 'refunds_rechecked' : otherwise
}

/**
 * When a callback has changed the status of a refund, the refund is polled after this delay in milliseconds, in case a
 * later callback is lost.
 */
const pollAfterCallbackMs = 60 * 60_000
