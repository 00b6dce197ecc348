import type { NotificationKind } from '../../registry/values/notifications.ts'
import type { OrderId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Context } from '../store/core/mutation.ts'
import { type DueCallback, resolveCallback } from '../store/payments/callbacks.ts'
import { insertNotification } from '../store/webhooks/notifications.ts'
import type { Ignored } from './callback-outcome.ts'

/**
 * Reasons that mean a difference between the provider and our records, which needs manual action, with the notification
 * for each.
 */
const notificationKinds: Readonly<Record<string, NotificationKind>> = {
  too_large: 'payment.not_recorded',
  order_unknown: 'payment.not_recorded',
  currency: 'payment.not_recorded',
  contradicted: 'refund.contradicted',
  other_amount: 'refund.amount_differs',
}

/** Marks a callback as ignored. Notifies the operator and the merchant if money is affected. */
export async function ignoreCallback(
  { database, clock, log }: Context & { readonly log: Log },
  { merchantId, id, orderId }: DueCallback & { readonly orderId: OrderId | null },
  { reason, ids }: Ignored,
): Promise<void> {
  const nowMs = clock.nowMs()
  const now = toTimestamp(nowMs)
  const kind = notificationKinds[reason]
  const isMarked = await bookkeep(database, async (trx) => {
    const isOurs = await resolveCallback(trx, { merchantId, id, outcome: 'ignored', reason, orderId, now })
    if (isOurs && kind !== undefined) {
      const data = JSON.stringify({ reason, callbackId: id, ...ids })
      insertNotification(trx, { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now })
    }
    return isOurs
  })
  if (isMarked && kind !== undefined) {
    log.warn({ merchantId, callbackId: id, reason, ...ids }, 'A payment provider reported money that is not recorded.')
  }
}
