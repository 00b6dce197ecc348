import type { MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { toKobo } from '../commerce/money.ts'
import { type PaymentEvents, paymentEvents, recordProviderPayment } from '../commerce/orders/record-payment.ts'
import {
  type ProviderRefundEvents,
  providerRefundEvents,
  recordProviderRefund,
} from '../commerce/refunds/record-provider-refund.ts'
import { refundEvents, updateRefund } from '../commerce/refunds/update-refund.ts'
import { type PaystackCallback, readPaystackCallback } from '../partners/payments/paystack-callback.ts'
import { findMerchant } from '../store/access/merchants.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant, type Work } from '../store/core/mutation.ts'
import { claimCallback, type DueCallback, resolveCallback } from '../store/payments/callbacks.ts'
import { advanceRefundChecks } from '../store/refunds/refund-checks.ts'
import { findContradictedRefund, findPaystackRefund } from '../store/refunds/refunds.ts'
import { applyDispute } from './apply-dispute.ts'
import { type CallbackOutcome, changedRecordOf, ignored, unmatchedPaymentOf } from './callback-outcome.ts'
import { ignoreCallback } from './ignore-callback.ts'

/**
 * Applies payment provider callbacks, each at most once: a callback is marked as applied in the same transaction as its
 * change. Late, duplicate, out-of-order and unrelated callbacks are marked as ignored with a reason and never cause an
 * error.
 */

export interface ApplyContext extends Context {
  readonly log: Log
  /** When this signal is aborted, no further callback is claimed for processing. */
  readonly stopping?: AbortSignal
}

/** Applies all due callbacks of a merchant. Returns the number of applied callbacks. */
export async function applyCallbacks(context: ApplyContext, merchantId: MerchantId): Promise<number> {
  const merchant = await findMerchant(context.database, merchantId)
  if (merchant === undefined) throw new Error(`Merchant ${merchantId} is gone.`)
  const tenant: Tenant = { merchantId, mode: merchant.mode }
  let count = 0
  while (context.stopping?.aborted !== true) {
    const due = await claimCallback(context.database, merchantId, toTimestamp(context.clock.nowMs()))
    if (due === undefined) return count
    count += 1
    try {
      const outcome = await apply(context, tenant, due)
      if (outcome.is === 'ignored') {
        await ignoreCallback(context, changeBy(tenant, due), { ...due, orderId: orderIdOf(due) }, outcome)
      }
    } catch (error) {
      // An error thrown while a callback is applied is a fault of this service, such as a lost database connection: the
      // claim expires and the callback is retried.
      context.log.error(
        { err: error, merchantId, callbackId: due.id },
        'A payment provider callback could not be applied.',
      )
    }
  }
  return count
}

async function apply(context: ApplyContext, tenant: Tenant, due: DueCallback): Promise<CallbackOutcome> {
  const { callback } = readPaystackCallback(due.body)
  switch (callback.is) {
    case 'charged':
      return applyCharge(context, tenant, due, callback)
    case 'refund_moved':
      return applyRefund(context, tenant, due, callback)
    case 'dispute':
      return applyDispute(context, changeBy(tenant, due), callback, (work) => markProcessed(work, due))
    case 'unmatched':
      return { ...ignored(callback.reason), unmatched: unmatchedPaymentOf(callback) }
    case 'other':
      return ignored(callback.reason)
  }
}

type Of<Is extends PaystackCallback['is']> = Extract<PaystackCallback, { is: Is }>

async function applyCharge(
  context: ApplyContext,
  tenant: Tenant,
  due: DueCallback,
  { orderId, paidAt, amountKobo, method, reference, providerId }: Of<'charged'>,
): Promise<CallbackOutcome> {
  const change = { ...changeBy(tenant, due), action: 'payment.record', resourceType: 'payment' }
  const mutation = { ...change, resourceId: changedRecordOf, emits: paymentEvents } as const
  return mutate<CallbackOutcome, PaymentEvents>(context, mutation, async (work) => {
    if (!(await markProcessed(work, due))) return work.abort(ignored('processed_before'))
    const charge = { amountKobo: toKobo(amountKobo), method, reference, paidAt }
    const outcome = await recordProviderPayment(work, orderId, charge)
    switch (outcome.is) {
      case 'recorded':
        return { is: 'applied', id: outcome.payment.id }
      case 'reference_in_use':
        return work.abort(ignored(outcome.is, { orderId }))
      case 'order_unknown':
      case 'too_large': {
        const unmatched = {
          reference,
          providerId,
          reason: outcome.is,
          orderId,
          amountKobo: charge.amountKobo,
          paidAt: paidAt ?? null,
        }
        return work.abort({ ...ignored(outcome.is, { orderId }), unmatched })
      }
    }
  })
}

async function applyRefund(
  context: ApplyContext,
  tenant: Tenant,
  due: DueCallback,
  report: Of<'refund_moved'>,
): Promise<CallbackOutcome> {
  const { database, clock } = context
  const { status, reference, refundId, amountKobo } = report
  const refund = await findPaystackRefund(database, tenant.merchantId, { reference, id: refundId })
  // The refund was made in the provider's dashboard, or the callback does not identify a refund of this service.
  if (refund === undefined) return applyUnknownRefund(context, tenant, due, report)
  if (amountKobo !== undefined && amountKobo !== refund.amountKobo) {
    return ignored('other_amount', { refundId: refund.id })
  }
  const change = { ...changeBy(tenant, due), action: 'refund.update', resourceType: 'refund' }
  const mutation = { ...change, resourceId: changedRecordOf, emits: refundEvents } as const
  const applied = await mutate<CallbackOutcome, (typeof refundEvents)[number]>(context, mutation, async (work) => {
    if (!(await markProcessed(work, due))) return work.abort(ignored('processed_before'))
    const outcome = await updateRefund(work, refund, {
      status,
      reference,
      isFromCallback: true,
      nextCheckAt: toTimestamp(clock.nowMs() + pollAfterCallbackMs),
      ...(status === 'failed' ? { failure: { code: 'provider_failed', message: 'The provider failed.' } } : {}),
    })
    if (outcome.is !== 'updated') return work.abort(ignored(outcome.is, { refundId: refund.id }))
    return { is: 'applied', id: refund.id }
  })
  if (applied.is === 'applied') return applied
  const reason = await expediteRefunds(context, tenant, report, applied.reason)
  return applied.reason === 'contradicted' ? applied : ignored(reason)
}

/**
 * Handles a callback that names no known refund. It polls the refunds of the callback's payment, detects that a refund
 * recorded as failed succeeded at the provider, or records a refund that was made in the provider's dashboard. The
 * daily comparison finds what a callback leaves unclear.
 */
async function applyUnknownRefund(
  context: ApplyContext,
  tenant: Tenant,
  due: DueCallback,
  report: Of<'refund_moved'>,
): Promise<CallbackOutcome> {
  const reason = await expediteRefunds(context, tenant, report, 'refund_unknown')
  const { status, transaction, reference, isForeign } = report
  if (reason !== 'refund_unknown' && !isForeign) return ignored(reason)
  if (transaction === undefined || report.amountKobo === undefined || status === undefined) return ignored(reason)
  const amountKobo = toKobo(report.amountKobo)
  const about = { merchantId: tenant.merchantId, transaction, amountKobo }
  if (status === 'succeeded' && !isForeign) {
    const refundId = await findContradictedRefund(context.database, about)
    if (refundId !== undefined) return ignored('contradicted', { refundId })
  }
  // A refund without the provider's reference is not recorded, because later reports could not be matched to it.
  if (status === 'failed' || (status !== 'succeeded' && reference === undefined)) return ignored(reason)
  const change = { ...changeBy(tenant, due), action: 'refund.record', resourceType: 'refund' }
  const mutation = { ...change, resourceId: changedRecordOf, emits: providerRefundEvents } as const
  return mutate<CallbackOutcome, ProviderRefundEvents>(context, mutation, async (work) => {
    if (!(await markProcessed(work, due))) return work.abort(ignored('processed_before'))
    const outcome = await recordProviderRefund(work, { transaction, reference, amountKobo, status })
    if (outcome.is === 'recorded') return { is: 'applied', id: outcome.id }
    if (outcome.is !== 'exceeds_refundable') return work.abort(ignored(reason))
    return work.abort(ignored(outcome.is, { orderId: outcome.orderId, transaction, amountKobo }))
  })
}

/**
 * Polls the open refunds of a payment at once, and after a failed refund also the succeeded ones. Paystack's callbacks
 * name only the payment, so each refund's status is read from the provider.
 */
async function expediteRefunds(
  { database, clock }: ApplyContext,
  { merchantId }: Tenant,
  { transaction, status }: Of<'refund_moved'>,
  otherwise: string,
): Promise<string> {
  if (transaction === undefined) return otherwise
  const now = toTimestamp(clock.nowMs())
  const expedited = await advanceRefundChecks(database, {
    merchantId,
    transaction,
    isReversal: status === 'failed',
    now,
  })
  return expedited > 0 ? 'refunds_rechecked' : otherwise
}

/**
 * Delay in milliseconds until a refund whose status came from a callback is polled, in case a later callback is lost.
 */
const pollAfterCallbackMs = 60 * 60_000

/** Returns the tenant and the actor of changes that a provider callback causes. */
function changeBy(tenant: Tenant, due: DueCallback) {
  const actor: Actor = {
    type: 'provider',
    id: null,
    label: 'paystack',
    sessionId: null,
    sourceIp: due.sourceIp,
    requestId: due.requestId,
    userAgent: due.userAgent,
  }
  return { tenant, actor }
}

/**
 * Marks the callback as processed in the current transaction. Returns false if it was already processed, so that the
 * caller must change nothing.
 */
function markProcessed({ trx, now }: Work, due: DueCallback): Promise<boolean> {
  const { merchantId, id } = due
  return resolveCallback(trx, { merchantId, id, outcome: 'applied', reason: null, orderId: orderIdOf(due), now })
}

/** Returns the id of the order that a charge callback names; other callbacks name only a payment. */
function orderIdOf(due: DueCallback): OrderId | null {
  const { callback } = readPaystackCallback(due.body)
  return callback.is === 'charged' ? callback.orderId : null
}
