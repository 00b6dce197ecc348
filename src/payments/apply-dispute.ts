import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { toKobo } from '../commerce/money.ts'
import { disputeEvents, recordDispute } from '../commerce/orders/record-dispute.ts'
import { storeUnmatchedDispute } from '../commerce/orders/unmatched-dispute.ts'
import type { ReportedDispute } from '../partners/payments/provider.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Context } from '../store/core/mutation.ts'
import { findProviderPayment } from '../store/orders/payments.ts'
import { lockPaymentReference } from '../store/payments/unmatched-disputes.ts'
import { type AppliedCallback, changeBy } from './callback-change.ts'
import { type CallbackOutcome, ignored } from './callback-outcome.ts'

type DisputeContext = Context & { readonly log: Log }

/**
 * If the disputed payment is unknown, the merchant is notified, and the report is stored until the payment is recorded.
 */
export async function applyDispute(
  context: DisputeContext,
  callback: AppliedCallback,
  report: ReportedDispute,
): Promise<CallbackOutcome> {
  const applied = await applyToPayment(context, callback, report)
  if (applied.is === 'applied' || applied.reason !== 'payment_unknown') return applied
  const isStored = await storeUnmatched(context, callback, report)
  if (!isStored) return applyToPayment(context, callback, report)
  warnOfLoss(context, callback, report, null)
  return applied
}

async function applyToPayment(
  context: DisputeContext,
  callback: AppliedCallback,
  report: ReportedDispute,
): Promise<CallbackOutcome> {
  const change = { action: 'payment.update' as const, resourceType: 'payment', emits: disputeEvents }
  const applied = await changeBy(context, callback, change, async (work) => {
    const outcome = await recordDispute(work, { ...report, provider: callback.provider })
    return outcome.is === 'recorded' ? { is: 'applied', id: outcome.paymentId } : ignored(outcome.is)
  })
  if (applied.is === 'applied') warnOfLoss(context, callback, report, applied.id)
  return applied
}

function warnOfLoss(
  { log }: DisputeContext,
  { tenant: { merchantId } }: AppliedCallback,
  { disputeId, status, resolution }: ReportedDispute,
  paymentId: string | null,
): void {
  if (status !== 'lost' && status !== 'unclear') return
  log.warn(
    { merchantId, paymentId, disputeId, resolution, status },
    'A dispute of a payment was lost, or its result is unclear.',
  )
}

/**
 * Stores a dispute report whose payment is unknown, and notifies the merchant. Returns false if the payment was
 * recorded meanwhile, so that the report can be applied.
 */
export function storeUnmatched(
  { database, clock }: Context,
  { provider, tenant: { merchantId } }: Pick<AppliedCallback, 'provider' | 'tenant'>,
  { transaction: reference, lostKobo, ...report }: ReportedDispute,
): Promise<boolean> {
  return bookkeep(database, async (trx) => {
    if (reference !== null) {
      await lockPaymentReference(trx, { merchantId, reference })
      if ((await findProviderPayment(trx, { merchantId, provider, reference })) !== undefined) return false
    }
    const nowMs = clock.nowMs()
    const work = { trx, merchantId, nowMs, now: toTimestamp(nowMs) }
    const amountKobo = report.amountKobo === null ? null : toKobo(report.amountKobo)
    const lost = lostKobo === undefined || lostKobo <= 0 ? null : toKobo(lostKobo)
    await storeUnmatchedDispute(work, { provider, reference, amountKobo }, { ...report, lostKobo: lost })
    return true
  })
}
