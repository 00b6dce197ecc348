import { sql } from 'kysely'
import { kindsToResolve } from '../../../registry/values/notifications.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, WriteTrx } from '../core/database.ts'
import { build, locking, writing } from '../core/statement.ts'

/** Stores that the condition of a notification has ended. */

export interface NotificationKey {
  readonly merchantId: MerchantId
  readonly id: string
}

export interface LockedNotification {
  readonly kind: string
  readonly resolvedAt: Timestamp | null
}

const lock = locking<NotificationKey>()('lock_notification', (p) =>
  build
    .selectFrom('notifications')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .where('kind', 'in', kindsToResolve)
    .select(['kind', 'resolved_at as resolvedAt'])
    .forUpdate(),
)

/** Locks a notification. Returns undefined if there is none with this id, or if its kind is not resolved by hand. */
export async function lockNotification(trx: LockTrx, key: NotificationKey): Promise<LockedNotification | undefined> {
  const [row] = await trx.lock(lock, key)
  return row
}

const setResolved = writing<NotificationKey & { now: Timestamp }>()(
  'set_notification_resolved',
  (p) => sql`
    update notifications set resolved_at = ${p.now}::timestamptz where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

export function setNotificationResolved(trx: WriteTrx, key: NotificationKey & { readonly now: Timestamp }): void {
  trx.queue(setResolved, key)
}
