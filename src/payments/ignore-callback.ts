import type { OrderId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Context } from '../store/core/mutation.ts'
import { type DueCallback, resolveCallback } from '../store/payments/callbacks.ts'
import { insertNotification, type NotificationKind } from '../store/webhooks/notifications.ts'
import type { Ignored } from './callback-outcome.ts'

/** Money moved at the provider that the books do not show: somebody has to look at it, so it must not pass in silence. */
const alarms: Readonly<Record<string, NotificationKind>> = {
  too_large: 'payment.not_recorded',
  order_unknown: 'payment.not_recorded',
  currency: 'payment.not_recorded',
  contradicted: 'refund.contradicted',
  other_amount: 'refund.amount_differs',
}

/** Settles a callback that changes nothing, and tells the operator and the merchant when money is behind it. */
export async function ignoreCallback(
  { database, clock, log }: Context & { readonly log: Log },
  { merchantId, id, orderId }: DueCallback & { readonly orderId: OrderId | null },
  { reason, ids }: Ignored,
): Promise<void> {
  const nowMs = clock.nowMs()
  const now = toTimestamp(nowMs)
  const kind = alarms[reason]
  const isSettled = await bookkeep(database, async (trx) => {
    const isOurs = await resolveCallback(trx, { merchantId, id, outcome: 'ignored', reason, orderId, now })
    if (isOurs && kind !== undefined) {
      const data = JSON.stringify({ reason, callbackId: id, ...ids })
      insertNotification(trx, { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now })
    }
    return isOurs
  })
  if (isSettled && kind !== undefined) {
    log.warn({ merchantId, callbackId: id, reason, ...ids }, 'A provider told of money that the books do not show.')
  }
}
