import { instant, type MerchantId, type OrderId, type Timestamp } from '../../registry/vocabulary.ts'
import { toTimestamp } from '../clock.ts'
import { toKobo } from '../commerce/money.ts'
import { recordPayment } from '../commerce/record-payment.ts'
import { updateRefund } from '../commerce/update-refund.ts'
import type { Log } from '../log.ts'
import { type PaystackCallback, readPaystackCallback } from '../partners/payments/paystack-callback.ts'
import type { Actor } from '../store/audit.ts'
import { claimCallback, type DueCallback, settleCallback } from '../store/callbacks.ts'
import type { WriteTrx } from '../store/database.ts'
import { findMerchant } from '../store/merchants.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'
import { hastenRefunds } from '../store/refund-claims.ts'
import { findContradictedRefund, findPaystackRefund } from '../store/refunds.ts'
import { applyDispute } from './apply-dispute.ts'
import { ignoreCallback } from './ignore-callback.ts'
import { Unchanged } from './unchanged.ts'

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
      await apply(context, tenant, due)
    } catch (error) {
      if (error instanceof Unchanged) {
        await ignoreCallback(context, { ...due, orderId: orderIdOf(due) }, error)
      } else {
        // Our own fault, such as a lost database: the claim runs out and the callback is taken up again.
        context.log.error({ err: error, callbackId: due.id }, 'A provider’s callback was not applied.')
      }
    }
  }
  return count
}

function apply(context: ApplyContext, tenant: Tenant, due: DueCallback): Promise<void> {
  const { callback } = readPaystackCallback(due.body)
  switch (callback.is) {
    case 'charged':
      return applyCharge(context, tenant, due, callback)
    case 'refund_moved':
      return applyRefund(context, tenant, due, callback)
    case 'dispute':
      return applyDispute(context, changeBy(tenant, due), callback)
    case 'other':
      return Promise.reject(new Unchanged(callback.reason))
  }
}

type Of<Is extends PaystackCallback['is']> = Extract<PaystackCallback, { is: Is }>

async function applyCharge(
  context: ApplyContext,
  tenant: Tenant,
  due: DueCallback,
  { orderId, paidAt, amountKobo, method, reference }: Of<'charged'>,
): Promise<void> {
  const change = { ...changeBy(tenant, due), action: 'payment.record', resourceType: 'payment' }
  const mutation = { ...change, resourceId: (id: string) => id, emits: ['order.status_changed'] } as const
  await mutate(context, mutation, async (work) => {
    const request = {
      amountKobo: toKobo(amountKobo),
      method,
      reference,
      provider: 'paystack',
      ...(paidAt === undefined ? {} : { paidAt: instant('When it was paid.').parse(paidAt) }),
    } as const
    const outcome = await recordPayment(work, orderId, request)
    if (outcome.is !== 'recorded') throw new Unchanged(outcome.is, { orderId })
    return outcome.payment.id
  })
}

async function applyRefund(
  context: ApplyContext,
  tenant: Tenant,
  due: DueCallback,
  told: Of<'refund_moved'>,
): Promise<void> {
  const { database, clock } = context
  const { status, reference, refundId, amountKobo } = told
  const refund = await findPaystackRefund(database, tenant.merchantId, { reference, id: refundId })
  // Made by somebody else, such as the merchant at the provider's own desk, it is none of ours and books nothing. But it may
  // be one of ours under a name not told here.
  if (refund === undefined) throw await unnamed(context, tenant, told)
  if (amountKobo !== undefined && amountKobo !== refund.amountKobo) {
    throw new Unchanged('other_amount', { refundId: refund.id })
  }
  const change = { ...changeBy(tenant, due), action: 'refund.update', resourceType: 'refund' }
  const mutation = { ...change, resourceId: () => refund.id, emits: ['order.refunded'] } as const
  try {
    await mutate(context, mutation, async (work) => {
      const outcome = await updateRefund(work, refund, {
        status,
        reference,
        isHearsay: true,
        nextLookAt: toTimestamp(clock.nowMs() + confirmMs),
        ...(status === 'failed' ? { failure: { code: 'provider_failed', message: 'The provider failed.' } } : {}),
      })
      if (outcome.is !== 'updated') throw new Unchanged(outcome.is, { refundId: refund.id })
    })
  } catch (error) {
    if (!(error instanceof Unchanged)) throw error
    const reason = await lookInto(context, tenant, told, error.reason)
    throw error.reason === 'contradicted' ? error : new Unchanged(reason)
  }
}

/** What is told without a name that is known: its payment is looked into, or a refund that failed here went through. */
async function unnamed(context: ApplyContext, tenant: Tenant, told: Of<'refund_moved'>): Promise<Unchanged> {
  const reason = await lookInto(context, tenant, told, 'refund_unknown')
  const { status, transaction, amountKobo } = told
  const isOpen = reason === 'refund_unknown' && status === 'succeeded'
  if (!isOpen || transaction === undefined || amountKobo === undefined) return new Unchanged(reason)
  const { merchantId } = tenant
  const about = { merchantId, transaction, amountKobo: toKobo(amountKobo) }
  const refundId = await findContradictedRefund(context.database, about)
  return refundId === undefined ? new Unchanged(reason) : new Unchanged('contradicted', { refundId })
}

/**
 * Refunds of a payment that are under way are looked into at once, and after a failure those that succeeded too: the
 * provider itself says what is true of them. Its own callbacks name no refund, only the payment.
 */
async function lookInto(
  { database, clock }: ApplyContext,
  { merchantId }: Tenant,
  { transaction, status }: Of<'refund_moved'>,
  otherwise: string,
): Promise<string> {
  if (transaction === undefined) return otherwise
  const now = toTimestamp(clock.nowMs())
  const hastened = await hastenRefunds(database, { merchantId, transaction, isReversal: status === 'failed', now })
  return hastened > 0 ? 'looked_into' : otherwise
}

/** What a callback told of a refund still under way is confirmed by asking after this, should another callback be lost. */
const confirmMs = 60 * 60_000

/** Who changes it, and that the callback is settled with it: settled before, it changes nothing. */
function changeBy(tenant: Tenant, due: DueCallback) {
  const actor: Actor = {
    type: 'provider',
    id: null,
    label: 'paystack',
    sourceIp: due.sourceIp,
    requestId: due.requestId,
    userAgent: due.userAgent,
  }
  const { merchantId, id } = due
  const orderId = orderIdOf(due)
  const guard = async (trx: WriteTrx, now: Timestamp) => {
    const isOurs = await settleCallback(trx, { merchantId, id, outcome: 'applied', reason: null, orderId, now })
    if (!isOurs) throw new Unchanged('settled_before')
  }
  return { tenant, actor, guard }
}

/** A charge names its order itself; of everything else the payment tells. */
function orderIdOf(due: DueCallback): OrderId | null {
  const { callback } = readPaystackCallback(due.body)
  return callback.is === 'charged' ? callback.orderId : null
}
