import type { NotificationKind } from '../../registry/values/notifications.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Context } from '../store/core/mutation.ts'
import { reportUnrecordedRefund } from '../store/notifications/resolution.ts'
import { insertNotification, insertNotificationUnlessKnown } from '../store/webhooks/notifications.ts'
import { type AppliedCallback, resolveCallback } from './callback-change.ts'
import type { Ignored, UnmatchedPayment } from './callback-outcome.ts'
import { reportUnmatched } from './report-unmatched.ts'

/**
 * The notification kinds for ignored callbacks that need manual action. The key is the reason why the callback is
 * ignored. Either the provider's records differ from ours, or the callback cannot be parsed.
 */
const notificationKinds: Readonly<Record<string, NotificationKind>> = {
  contradicted: 'refund.contradicted',
  other_amount: 'refund.amount_differs',
  exceeds_refundable: 'refund.not_recorded',
  // The merchant must look up the dispute at the provider, because the callback may report any state of the dispute.
  dispute_unreadable: 'payment.dispute_unclear',
}

/** Marks a callback as ignored. Notifies the operator and the merchant if money is affected. */
export async function ignoreCallback(
  context: Context & { readonly log: Log },
  callback: AppliedCallback,
  outcome: Ignored,
): Promise<void> {
  const { unmatched, reason, ids } = outcome
  const kind = notificationKinds[reason]
  const isReported =
    unmatched === undefined
      ? (await markIgnored(context, callback, outcome, kind)) && kind !== undefined
      : await ignoreUnmatched(context, callback, { ...outcome, unmatched })
  if (!isReported) return
  context.log.warn(
    { merchantId: callback.tenant.merchantId, callbackId: callback.id, reason, ...ids },
    'A payment provider sent a callback that cannot be applied and needs manual action.',
  )
}

/**
 * Ignores a callback whose payment could not be recorded: marks the callback, and reports the payment unless it was
 * reported before. Returns whether this call has reported the payment.
 */
async function ignoreUnmatched(
  context: Context,
  callback: AppliedCallback,
  outcome: Ignored & { readonly unmatched: UnmatchedPayment },
): Promise<boolean> {
  const reported = await reportUnmatched(context, callback, outcome.unmatched, callback)
  if (reported === 'reported_before') await markIgnored(context, callback, outcome)
  if (reported === 'reference_in_use') await markIgnored(context, callback, { ...outcome, reason: reported })
  return reported === 'reported'
}

function markIgnored(
  { database, clock }: Context,
  callback: AppliedCallback,
  { reason, ids }: Ignored,
  kind?: NotificationKind,
): Promise<boolean> {
  const { merchantId } = callback.tenant
  const nowMs = clock.nowMs()
  const now = toTimestamp(nowMs)
  return bookkeep(database, async (trx) => {
    const isOurs = await resolveCallback({ trx, now }, callback, { outcome: 'ignored', reason })
    if (!isOurs || kind === undefined) return isOurs
    const id = newId('ntf', nowMs)
    const { reference, ...refund } = ids
    if (kind === 'refund.not_recorded' && typeof reference === 'string') {
      // The provider sends a callback for each status of the refund, but the merchant is notified only once about the
      // refund.
      reportUnrecordedRefund(trx, { merchantId, id, reference, data: JSON.stringify(refund), now })
      return isOurs
    }
    const notification = { merchantId, id, kind, endpointId: null, now }
    if (reason === 'contradicted' || reason === 'other_amount') {
      // The notification is added only once, because the poll of the refund and further callbacks report the same
      // problem.
      insertNotificationUnlessKnown(trx, { ...notification, data: JSON.stringify({ reason, ...ids }) })
      return isOurs
    }
    insertNotification(trx, { ...notification, data: JSON.stringify({ reason, callbackId: callback.id, ...ids }) })
    return isOurs
  })
}
