import { recordDispute } from '../commerce/record-dispute.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { PaystackDispute } from '../partners/payments/paystack-disputes.ts'
import { type Context, type Mutation, mutate } from '../store/mutation.ts'
import { insertNotification, type NotificationKind } from '../store/notifications.ts'
import { Unchanged } from './unchanged.ts'

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
  change: Pick<Mutation<unknown>, 'tenant' | 'actor' | 'guard'>,
  report: PaystackDispute,
): Promise<void> {
  const { merchantId } = change.tenant
  const { disputeId, status, resolution } = report
  const mutation = {
    ...change,
    action: 'payment.update',
    resourceType: 'payment',
    resourceId: (paymentId: string) => paymentId,
  }
  const paymentId = await mutate(context, mutation, async (work) => {
    const outcome = await recordDispute(work, report)
    if (outcome.is !== 'recorded') throw new Unchanged(outcome.is)
    const kind = alarms[status]
    if (kind !== undefined) {
      const data = JSON.stringify({ paymentId: outcome.paymentId, disputeId, resolution, lostKobo: outcome.lostKobo })
      insertNotification(work.trx, {
        ...{ merchantId, id: newId('ntf', work.nowMs), kind, endpointId: null, data },
        now: work.now,
      })
    }
    return outcome.paymentId
  })
  if (alarms[status] !== undefined) {
    context.log.warn({ merchantId, paymentId, disputeId, resolution, status }, 'A payment was lost to a dispute.')
  }
}
