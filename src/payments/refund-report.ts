import { type RefundUpdate, refundEvents, updateRefund } from '../commerce/refunds/update-refund.ts'
import type { RefundReport } from '../partners/payments/provider.ts'
import { getTenant } from '../store/access/merchants.ts'
import { systemActor } from '../store/core/audit.ts'
import { mutate, type Work } from '../store/core/mutation.ts'
import { type ClaimedRefund, postponeRefund } from '../store/refunds/refund-claims.ts'
import { notifyOnce } from './notify.ts'
import { nextTime, type Payer } from './payer.ts'

const worker = systemActor('pay_refunds')

export async function recordReport(context: Payer, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  await compareAmounts(context, refund, report)
  await applyUpdate(context, refund, updateOf(report))
}

/**
 * Alerts the operator and the merchant if the provider refunds another amount than this service requested. The
 * difference needs manual action.
 */
export async function compareAmounts(context: Payer, refund: ClaimedRefund, report: RefundReport): Promise<void> {
  const { id: refundId, merchantId, amountKobo } = refund
  if (report.amountKobo === undefined || report.amountKobo === amountKobo) return
  const data = { reason: 'other_amount', refundId, amountKobo, providerAmountKobo: report.amountKobo }
  context.log.error({ merchantId, ...data }, 'A payment provider refunds a different amount than requested.')
  await notifyOnce(context, merchantId, { kind: 'refund.amount_differs', data })
}

type ReportedUpdate = Omit<RefundUpdate, 'nextCheckAt' | 'claimedUntil'>

export function updateOf(report: RefundReport): ReportedUpdate {
  const { status, reference, expectedAt, reason } = report
  return {
    status,
    reference,
    expectedAt: expectedAt ?? undefined,
    ...(status === 'failed' ? { failure: { code: 'provider_failed', message: reason ?? 'The provider failed.' } } : {}),
  }
}

/** Applies a worker's update of a refund through mutate(), with its audit row and its event. */
export async function applyUpdate(context: Payer, refund: ClaimedRefund, update: ReportedUpdate): Promise<void> {
  const nextCheckAt = nextTime(context, context.pollMs, refund.checks)
  const mutation = {
    tenant: await getTenant(context.database, refund.merchantId),
    actor: worker,
    action: 'refund.update',
    resourceType: 'refund',
    resourceId: () => refund.id,
    emits: refundEvents,
  } as const
  const moved = await mutate(context, mutation, async (work: Work<(typeof refundEvents)[number]>) => {
    const outcome = await updateRefund(work, refund, { ...update, nextCheckAt, claimedUntil: refund.claimedUntil })
    return outcome.is === 'updated' ? outcome : work.abort(outcome)
  })
  if (moved.is === 'updated') return
  if (moved.is === 'contradicted') {
    const { id: refundId, merchantId } = refund
    context.log.warn({ merchantId, refundId }, 'A payment provider completed a refund that is stored as failed.')
    await notifyOnce(context, merchantId, { kind: 'refund.contradicted', data: { reason: 'contradicted', refundId } })
  }
  // No further poll is scheduled for a refund that has already succeeded. This poll was made only because the provider
  // reported that a refund of the same payment was returned.
  await postponeRefund(context.database, refund, refund.status === 'succeeded' ? null : nextCheckAt)
}
