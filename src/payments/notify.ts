import type { NotificationKind } from '../../registry/values/notifications.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { WriteTrx } from '../store/core/database.ts'
import type { Context } from '../store/core/mutation.ts'
import { insertConditionNotification, insertNotificationUnlessKnown } from '../store/webhooks/notifications.ts'

interface Notice {
  readonly kind: NotificationKind
  readonly data: object
}

/**
 * Notifies a merchant, unless a notification with the same kind and data exists. The data must identify one event of
 * one record. Otherwise, a later event with the same data would cause no notification.
 */
export async function notifyOnce(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  merchantId: MerchantId,
  notice: Notice,
): Promise<void> {
  const notification = notificationOf(merchantId, notice, clock.nowMs())
  await bookkeep(database, async (trx) => {
    insertNotificationUnlessKnown(trx, notification)
  })
}

/**
 * Number of milliseconds after which the merchant is notified again of a condition that still exists, such as an
 * outage. The merchant is notified even if a member has marked the earlier notification as resolved.
 */
const repeatedMs = 7 * 24 * 60 * 60_000

/**
 * Notifies a merchant of a condition that can last and recur, such as an outage. Does nothing while an earlier
 * notification of the condition is unresolved or less than a week old. The service must resolve the notification when
 * the condition ends.
 */
export function notifyOfCondition(trx: WriteTrx, merchantId: MerchantId, notice: Notice & { nowMs: number }): void {
  const { nowMs } = notice
  const since = toTimestamp(nowMs - repeatedMs)
  insertConditionNotification(trx, { ...notificationOf(merchantId, notice, nowMs), since })
}

function notificationOf(merchantId: MerchantId, { kind, data }: Notice, nowMs: number) {
  const content = { kind, endpointId: null, data: JSON.stringify(data) }
  return { merchantId, id: newId('ntf', nowMs), ...content, now: toTimestamp(nowMs) }
}
