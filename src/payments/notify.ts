import type { NotificationKind } from '../../registry/values/notifications.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Context } from '../store/core/mutation.ts'
import { insertNotificationUnlessKnown } from '../store/webhooks/notifications.ts'

/** Notifies a merchant, unless a notification with the same kind and data exists. */
export async function notifyOnce(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  merchantId: MerchantId,
  { kind, data }: { readonly kind: NotificationKind; readonly data: object },
): Promise<void> {
  const nowMs = clock.nowMs()
  const notification = { kind, endpointId: null, data: JSON.stringify(data), now: toTimestamp(nowMs) }
  await bookkeep(database, async (trx) => {
    insertNotificationUnlessKnown(trx, { merchantId, id: newId('ntf', nowMs), ...notification })
  })
}
