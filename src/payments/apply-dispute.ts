import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { toKobo } from '../commerce/money.ts'
import { disputeEvents, recordDispute } from '../commerce/orders/record-dispute.ts'
import type { PaystackDispute } from '../partners/payments/paystack-disputes.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import { type Context, type Mutation, mutate, type Work } from '../store/core/mutation.ts'
import { findPaystackPayment } from '../store/orders/payments.ts'
import { lockPaymentReference, putUnmatchedDispute } from '../store/payments/unmatched-disputes.ts'
import { type CallbackOutcome, changedRecordOf, ignored } from './callback-outcome.ts'

type DisputeContext = Context & { readonly log: Log }

type Change = Pick<Mutation<unknown>, 'tenant' | 'actor'>

/**
 * Applies a provider's report of a dispute. If the payment is unknown, the report is stored until the payment is
 * recorded.
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
  return isStored ? applied : applyToPayment(context, change, report, markProcessed)
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
  const { disputeId, status, resolution } = report
  if (applied.is === 'applied' && (status === 'lost' || status === 'unclear')) {
    const { merchantId } = change.tenant
    context.log.warn(
      { merchantId, paymentId: applied.id, disputeId, resolution, status },
      'The payer won the dispute of a payment.',
    )
  }
  return applied
}

/**
 * Stores a dispute report whose payment is unknown. Returns false if the payment was recorded meanwhile, so that the
 * report can be applied.
 */
function storeUnmatched(
  { database, clock }: Context,
  { tenant: { merchantId } }: Change,
  { transaction: reference, disputeId, status, resolution, lostKobo }: PaystackDispute,
): Promise<boolean> {
  return bookkeep(database, async (trx) => {
    await lockPaymentReference(trx, { merchantId, reference })
    if ((await findPaystackPayment(trx, merchantId, reference)) !== undefined) return false
    const lost = lostKobo === undefined || lostKobo <= 0 ? null : toKobo(lostKobo)
    const now = toTimestamp(clock.nowMs())
    putUnmatchedDispute(trx, { merchantId, reference, disputeId, status, resolution, lostKobo: lost, now })
    return true
  })
}
