import { recordDispute } from '../commerce/record-dispute.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { PaystackDispute } from '../partners/payments/paystack-disputes.ts'
import { type Context, type Mutation, mutate, type Work } from '../store/mutation.ts'
import { insertNotification, type NotificationKind } from '../store/notifications.ts'
import { type CallbackOutcome, changedRecordOf, ignored } from './callback-outcome.ts'

/** What the merchant must know: money went back outside the books, or nobody can say whether it did. */
const alarms: Readonly<Record<PaystackDispute['status'], NotificationKind | undefined>> = {
  open: undefined,
  won: undefined,
  lost: 'payment.dispute_lost',
  unclear: 'payment.dispute_unclear',
}

/** Applies what a provider reports of a dispute, with the notification it deserves. */
export async function applyDispute(
  context: Context & { readonly log: Log },
  change: Pick<Mutation<unknown>, 'tenant' | 'actor'>,
  report: PaystackDispute,
  settle: (work: Work) => Promise<boolean>,
): Promise<CallbackOutcome> {
  const { merchantId } = change.tenant
  const { disputeId, status, resolution } = report
  const mutation = {
    ...change,
    action: 'payment.update',
    resourceType: 'payment',
    resourceId: changedRecordOf,
  }
  const applied = await mutate<CallbackOutcome>(context, mutation, async (work) => {
    if (!(await settle(work))) return work.abort(ignored('settled_before'))
    const outcome = await recordDispute(work, report)
    if (outcome.is !== 'recorded') return work.abort(ignored(outcome.is))
    const kind = alarms[status]
    if (kind !== undefined) {
      const data = JSON.stringify({ paymentId: outcome.paymentId, disputeId, resolution, lostKobo: outcome.lostKobo })
      insertNotification(work.trx, {
        ...{ merchantId, id: newId('ntf', work.nowMs), kind, endpointId: null, data },
        now: work.now,
      })
    }
    return { is: 'applied', id: outcome.paymentId }
  })
  if (applied.is === 'applied' && alarms[status] !== undefined) {
    context.log.warn(
      { merchantId, paymentId: applied.id, disputeId, resolution, status },
      'A payment was lost to a dispute.',
    )
  }
  return applied
}
