import { instant, type MerchantId, type OrderId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { toKobo } from '../commerce/money.ts'
import { recordPayment } from '../commerce/orders/record-payment.ts'
import { updateRefund } from '../commerce/refunds/update-refund.ts'
import { type PaystackCallback, readPaystackCallback } from '../partners/payments/paystack-callback.ts'
import { findMerchant } from '../store/access/merchants.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant, type Work } from '../store/core/mutation.ts'
import { claimCallback, type DueCallback, resolveCallback } from '../store/payments/callbacks.ts'
import { advanceRefundChecks } from '../store/refunds/refund-claims.ts'
import { findContradictedRefund, findPaystackRefund } from '../store/refunds/refunds.ts'
import { applyDispute } from './apply-dispute.ts'
import { type CallbackOutcome, changedRecordOf, type Ignored, ignored } from './callback-outcome.ts'
import { ignoreCallback } from './ignore-callback.ts'

/**
 * Applies what a provider told, once each: the callback is settled in the very transaction that changes something by it. What
 * comes late, twice or out of order, or is about nothing of ours, is noted as ignored and why, and is never an error.
 */

export interface ApplyContext extends Context {
  readonly log: Log
  /** No further claim once it has aborted. */
  readonly stopping?: AbortSignal
}

/** Applies every callback of a merchant that is due, until none is. */
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
      if (outcome.is === 'ignored') await ignoreCallback(context, { ...due, orderId: orderIdOf(due) }, outcome)
    } catch (error) {
      // Our own fault, such as a lost database: the claim runs out and the callback is taken up again.
      context.log.error({ err: error, callbackId: due.id }, 'A provider’s callback was not applied.')
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
    case 'other':
      return ignored(callback.reason)
  }
}

type Of<Is extends PaystackCallback['is']> = Extract<PaystackCallback, { is: Is }>

async function applyCharge(
  context: ApplyContext,
  tenant: Tenant,
  due: DueCallback,
  { orderId, paidAt, amountKobo, method, reference }: Of<'charged'>,
): Promise<CallbackOutcome> {
  const change = { ...changeBy(tenant, due), action: 'payment.record', resourceType: 'payment' }
  const mutation = { ...change, resourceId: changedRecordOf, emits: ['order.status_changed'] } as const
  return mutate<CallbackOutcome, 'order.status_changed'>(context, mutation, async (work) => {
    if (!(await markProcessed(work, due))) return work.abort(ignored('processed_before'))
    const request = {
      amountKobo: toKobo(amountKobo),
      method,
      reference,
      provider: 'paystack',
      ...(paidAt === undefined ? {} : { paidAt: instant('When it was paid.').parse(paidAt) }),
    } as const
    const outcome = await recordPayment(work, orderId, request)
    if (outcome.is !== 'recorded') return work.abort(ignored(outcome.is, { orderId }))
    return { is: 'applied', id: outcome.payment.id }
  })
}

async function applyRefund(
  context: ApplyContext,
  tenant: Tenant,
  due: DueCallback,
  told: Of<'refund_moved'>,
): Promise<CallbackOutcome> {
  const { database, clock } = context
  const { status, reference, refundId, amountKobo } = told
  const refund = await findPaystackRefund(database, tenant.merchantId, { reference, id: refundId })
  // Made by somebody else, such as the merchant at the provider's own desk, it is none of ours and books nothing. But it may
  // be one of ours under a name not told here.
  if (refund === undefined) return unnamed(context, tenant, told)
  if (amountKobo !== undefined && amountKobo !== refund.amountKobo) {
    return ignored('other_amount', { refundId: refund.id })
  }
  const change = { ...changeBy(tenant, due), action: 'refund.update', resourceType: 'refund' }
  const mutation = { ...change, resourceId: changedRecordOf, emits: ['order.refunded'] } as const
  const applied = await mutate<CallbackOutcome, 'order.refunded'>(context, mutation, async (work) => {
    if (!(await markProcessed(work, due))) return work.abort(ignored('processed_before'))
    const outcome = await updateRefund(work, refund, {
      status,
      reference,
      isFromCallback: true,
      nextCheckAt: toTimestamp(clock.nowMs() + confirmMs),
      ...(status === 'failed' ? { failure: { code: 'provider_failed', message: 'The provider failed.' } } : {}),
    })
    if (outcome.is !== 'updated') return work.abort(ignored(outcome.is, { refundId: refund.id }))
    return { is: 'applied', id: refund.id }
  })
  if (applied.is === 'applied') return applied
  const reason = await recheckRefundsOf(context, tenant, told, applied.reason)
  return applied.reason === 'contradicted' ? applied : ignored(reason)
}

/** What is told without a name that is known: its payment is looked into, or a refund that failed here went through. */
async function unnamed(context: ApplyContext, tenant: Tenant, told: Of<'refund_moved'>): Promise<Ignored> {
  const reason = await recheckRefundsOf(context, tenant, told, 'refund_unknown')
  const { status, transaction, amountKobo } = told
  const isOpen = reason === 'refund_unknown' && status === 'succeeded'
  if (!isOpen || transaction === undefined || amountKobo === undefined) return ignored(reason)
  const { merchantId } = tenant
  const about = { merchantId, transaction, amountKobo: toKobo(amountKobo) }
  const refundId = await findContradictedRefund(context.database, about)
  return refundId === undefined ? ignored(reason) : ignored('contradicted', { refundId })
}

/**
 * Refunds of a payment that are under way are looked into at once, and after a failure those that succeeded too: the
 * provider itself says what is true of them. Its own callbacks name no refund, only the payment.
 */
async function recheckRefundsOf(
  { database, clock }: ApplyContext,
  { merchantId }: Tenant,
  { transaction, status }: Of<'refund_moved'>,
  otherwise: string,
): Promise<string> {
  if (transaction === undefined) return otherwise
  const now = toTimestamp(clock.nowMs())
  const hastened = await advanceRefundChecks(database, {
    merchantId,
    transaction,
    isReversal: status === 'failed',
    now,
  })
  return hastened > 0 ? 'refunds_rechecked' : otherwise
}

/** What a callback told of a refund still under way is confirmed by asking after this, should another callback be lost. */
const confirmMs = 60 * 60_000

/** Who changes what a callback is about. */
function changeBy(tenant: Tenant, due: DueCallback) {
  const actor: Actor = {
    type: 'provider',
    id: null,
    label: 'paystack',
    sourceIp: due.sourceIp,
    requestId: due.requestId,
    userAgent: due.userAgent,
  }
  return { tenant, actor }
}

/** Settles the callback in the transaction that applies it. False if it was settled before and must change nothing. */
function markProcessed({ trx, now }: Work, due: DueCallback): Promise<boolean> {
  const { merchantId, id } = due
  return resolveCallback(trx, { merchantId, id, outcome: 'applied', reason: null, orderId: orderIdOf(due), now })
}

/** A charge names its order itself; of everything else the payment tells. */
function orderIdOf(due: DueCallback): OrderId | null {
  const { callback } = readPaystackCallback(due.body)
  return callback.is === 'charged' ? callback.orderId : null
}
