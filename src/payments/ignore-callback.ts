import type { NotificationKind } from '../../registry/values/notifications.ts'
import type { OrderId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import { type Context, type Mutation, mutate } from '../store/core/mutation.ts'
import { type DueCallback, resolveCallback } from '../store/payments/callbacks.ts'
import { insertNotification } from '../store/webhooks/notifications.ts'
import type { Ignored, UnmatchedPayment } from './callback-outcome.ts'

/**
 * Reasons for ignoring a callback that need manual action, because the provider and our records differ, with the
 * notification for each.
 */
const notificationKinds: Readonly<Record<string, NotificationKind>> = {
  contradicted: 'refund.contradicted',
  other_amount: 'refund.amount_differs',
  exceeds_refundable: 'refund.not_recorded',
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
  const { merchantId, id } = due
  const { reason, ids, unmatched } = outcome
  const kind = notificationKinds[reason]
  const isMarked =
    unmatched === undefined
      ? await markIgnored(context, due, { reason, ids, kind })
      : await reportUnmatched(context, change, due, unmatched)
  if (isMarked && (kind !== undefined || unmatched !== undefined)) {
    context.log.warn(
      { merchantId, callbackId: id, reason, ...ids },
      'A payment provider reported a payment that cannot be recorded.',
    )
  }
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

/** Notifies the merchant and the merchant's webhook endpoints of a payment that could not be recorded. */
function reportUnmatched(
  context: Context,
  change: Pick<Mutation<unknown>, 'tenant' | 'actor'>,
  { merchantId, id, orderId }: NamedCallback,
  payment: UnmatchedPayment,
): Promise<boolean> {
  const notificationId = newId('ntf', context.clock.nowMs())
  const mutation = {
    ...change,
    action: 'payment.unmatched',
    resourceType: 'notification',
    resourceId: () => notificationId,
    emits: ['payment.unmatched'],
  } as const
  return mutate<boolean, 'payment.unmatched'>(context, mutation, async (work) => {
    const { trx, now, note, abort } = work
    const { reason, reference } = payment
    const isOurs = await resolveCallback(trx, { merchantId, id, outcome: 'ignored', reason, orderId, now })
    if (!isOurs) return abort(false)
    const data = JSON.stringify({ ...payment, callbackId: id })
    insertNotification(trx, {
      ...{ merchantId, id: notificationId, kind: 'payment.not_recorded', endpointId: null, data, now },
    })
    note({ reference: [null, reference], reason: [null, reason] })
    work.emit('payment.unmatched', notificationId, payment)
    return true
  })
}
