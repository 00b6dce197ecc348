import type { NotificationKind } from '../../registry/values/notifications.ts'
import type { OrderId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Context, Mutation } from '../store/core/mutation.ts'
import { type DueCallback, resolveCallback } from '../store/payments/callbacks.ts'
import { insertNotification } from '../store/webhooks/notifications.ts'
import type { Ignored, UnmatchedPayment } from './callback-outcome.ts'
import { reportUnmatched } from './report-unmatched.ts'

/**
 * Reasons for ignoring a callback that need manual action, because the provider and our records differ or because the
 * callback cannot be parsed, with the notification for each.
 */
const notificationKinds: Readonly<Record<string, NotificationKind>> = {
  contradicted: 'refund.contradicted',
  other_amount: 'refund.amount_differs',
  exceeds_refundable: 'refund.not_recorded',
  // The callback may report any state of the dispute, so the merchant must look the dispute up.
  dispute_unreadable: 'payment.dispute_unclear',
}

type IgnoreContext = Context & { readonly log: Log }

type NamedCallback = DueCallback & { readonly orderId: OrderId | null }

/** Marks a callback as ignored. Notifies the operator and the merchant if money is affected. */
export async function ignoreCallback(
  context: IgnoreContext,
  change: Pick<Mutation<unknown>, 'tenant' | 'actor'>,
  due: NamedCallback,
  outcome: Ignored,
): Promise<void> {
  const { reason, ids, unmatched } = outcome
  if (unmatched !== undefined) return ignoreUnmatched(context, change, due, { reason, ids, unmatched })
  const kind = notificationKinds[reason]
  const isMarked = await markIgnored(context, due, { reason, ids, kind })
  if (isMarked && kind !== undefined) warn(context, due, { reason, ids })
}

/** Marks the callback of a payment that could not be recorded as ignored, and reports the payment once. */
async function ignoreUnmatched(
  context: IgnoreContext,
  change: Pick<Mutation<unknown>, 'tenant' | 'actor'>,
  due: NamedCallback,
  { reason, ids, unmatched }: Pick<Ignored, 'reason' | 'ids'> & { readonly unmatched: UnmatchedPayment },
): Promise<void> {
  const { merchantId, id, orderId } = due
  const outcome = await reportUnmatched(context, change, unmatched, {
    id,
    markProcessed: ({ trx, now }) => resolveCallback(trx, { merchantId, id, outcome: 'ignored', reason, orderId, now }),
  })
  if (outcome === 'reported') warn(context, due, { reason, ids })
  if (outcome === 'reported_before') await markIgnored(context, due, { reason, ids, kind: undefined })
  if (outcome === 'reference_in_use') await markIgnored(context, due, { reason: outcome, ids, kind: undefined })
}

function warn({ log }: IgnoreContext, { merchantId, id }: DueCallback, of: Pick<Ignored, 'reason' | 'ids'>): void {
  log.warn(
    { merchantId, callbackId: id, reason: of.reason, ...of.ids },
    'A payment provider sent a callback that cannot be applied and needs manual action.',
  )
}

function markIgnored(
  { database, clock }: Context,
  { merchantId, id, orderId }: NamedCallback,
  { reason, ids, kind }: Pick<Ignored, 'reason' | 'ids'> & { readonly kind: NotificationKind | undefined },
): Promise<boolean> {
  const nowMs = clock.nowMs()
  const now = toTimestamp(nowMs)
  return bookkeep(database, async (trx) => {
    const isOurs = await resolveCallback(trx, { merchantId, id, outcome: 'ignored', reason, orderId, now })
    if (isOurs && kind !== undefined) {
      const data = JSON.stringify({ reason, callbackId: id, ...ids })
      insertNotification(trx, { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now })
    }
    return isOurs
  })
}
