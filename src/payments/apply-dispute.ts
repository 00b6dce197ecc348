import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { toKobo } from '../commerce/money.ts'
import { disputeEvents, recordDispute } from '../commerce/orders/record-dispute.ts'
import { storeUnmatchedDispute } from '../commerce/orders/unmatched-dispute.ts'
import type { PaystackDispute } from '../partners/payments/paystack-disputes.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import { type Context, type Mutation, mutate, type Work } from '../store/core/mutation.ts'
import { findPaystackPayment } from '../store/orders/payments.ts'
import { lockPaymentReference } from '../store/payments/unmatched-disputes.ts'
import { type CallbackOutcome, changedRecordOf, ignored } from './callback-outcome.ts'

type DisputeContext = Context & { readonly log: Log }

type Change = Pick<Mutation<unknown>, 'tenant' | 'actor'>

/**
 * Applies a provider's report of a dispute. If the payment is unknown, the merchant is notified, and the report is stored
 * until the payment is recorded.
 */
export async function applyDispute(
  context: DisputeContext,
  change: Change,
  report: PaystackDispute,
  markProcessed: (work: Work) => Promise<boolean>,
): Promise<CallbackOutcome> {
  const applied = await applyToPayment(context, change, report, markProcessed)
  if (applied.is === 'applied' || applied.reason !== 'payment_unknown') return applied
  const isStored = await storeUnmatched(context, change, report)
  if (!isStored) return applyToPayment(context, change, report, markProcessed)
  warnOfLoss(context, change, report, null)
  return applied
}

async function applyToPayment(
  context: DisputeContext,
  change: Change,
  report: PaystackDispute,
  markProcessed: (work: Work) => Promise<boolean>,
): Promise<CallbackOutcome> {
  const mutation = {
    ...change,
    action: 'payment.update',
    resourceType: 'payment',
    resourceId: changedRecordOf,
    emits: disputeEvents,
  } as const
  const applied = await mutate<CallbackOutcome, (typeof disputeEvents)[number]>(context, mutation, async (work) => {
    if (!(await markProcessed(work))) return work.abort(ignored('processed_before'))
    const outcome = await recordDispute(work, report)
    return outcome.is === 'recorded' ? { is: 'applied', id: outcome.paymentId } : work.abort(ignored(outcome.is))
  })
  if (applied.is === 'applied') warnOfLoss(context, change, report, applied.id)
  return applied
}

function warnOfLoss(
  { log }: DisputeContext,
  { tenant: { merchantId } }: Change,
  { disputeId, status, resolution }: PaystackDispute,
  paymentId: string | null,
): void {
  if (status !== 'lost' && status !== 'unclear') return
  log.warn(
    { merchantId, paymentId, disputeId, resolution, status },
    'A dispute of a payment was lost, or its result is unclear.',
  )
}

/**
 * Stores a dispute report whose payment is unknown, and notifies the merchant. Returns false if the payment was recorded
 * meanwhile, so that the report can be applied.
 */
function storeUnmatched(
  { database, clock }: Context,
  { tenant: { merchantId } }: Change,
  { transaction: reference, lostKobo, ...report }: PaystackDispute,
): Promise<boolean> {
  return bookkeep(database, async (trx) => {
    if (reference !== null) {
      await lockPaymentReference(trx, { merchantId, reference })
      if ((await findPaystackPayment(trx, merchantId, reference)) !== undefined) return false
    }
    const nowMs = clock.nowMs()
    const work = { trx, merchantId, nowMs, now: toTimestamp(nowMs) }
    const amountKobo = report.amountKobo === null ? null : toKobo(report.amountKobo)
    const lost = lostKobo === undefined || lostKobo <= 0 ? null : toKobo(lostKobo)
    await storeUnmatchedDispute(work, { reference, amountKobo }, { ...report, lostKobo: lost })
    return true
  })
}
