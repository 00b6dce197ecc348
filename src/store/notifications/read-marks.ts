import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { bookkeep } from '../core/bookkeeping.ts'
import { runningAny } from '../core/calls.ts'
import type { Database } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import type { Reader } from './unread.ts'

/**
 * Marks a notification as read by a member. Returns false if the merchant has no such notification. Reading changes no
 * record of the merchant, so no audit row is written.
 */
export const markRead = runningAny<Reader & { id: string }>()(
  'mark_notification_read',
  (p) => sql<{ id: string }>`
    with known as (
      select id from notifications where merchant_id = ${p.merchantId} and id = ${p.id}
    ), marked as (
      insert into notification_reads (merchant_id, member_id, notification_id)
      select ${p.merchantId}, ${p.memberId}, id from known
      on conflict do nothing
    )
    select id from known`,
)

/**
 * Maximum age in hours of a read notification that gets a read mark of its own. The member's read position covers older
 * notifications. A notification has the time at which its transaction started, so it may become visible after newer
 * notifications. One hour suffices, because no transaction takes that long.
 */
const markedHours = 1

const recent = (now: Timestamp) => sql`${now}::timestamptz - make_interval(hours => ${sql.lit(markedHours)})`

const movePosition = writing<Reader & { now: Timestamp }>()(
  'move_notification_position',
  (p) => sql`
    insert into notification_positions as known (merchant_id, member_id, read_before)
    values (${p.merchantId}, ${p.memberId}, ${recent(p.now)})
    on conflict (merchant_id, member_id) do update set read_before = greatest(known.read_before, excluded.read_before)`,
)

const markRecent = writing<Reader & { now: Timestamp }>()(
  'mark_recent_notifications_read',
  (p) => sql`
    insert into notification_reads (merchant_id, member_id, notification_id)
    select merchant_id, ${p.memberId}, id
    from notifications
    where merchant_id = ${p.merchantId} and created_at >= ${recent(p.now)}
    on conflict do nothing`,
)

const deleteOldMarks = writing<Reader & { now: Timestamp }>()(
  'delete_old_read_marks',
  (p) => sql`
    delete from notification_reads as mark
    using notifications as notification
    where mark.merchant_id = ${p.merchantId} and mark.member_id = ${p.memberId}
      and notification.merchant_id = mark.merchant_id and notification.id = mark.notification_id
      and notification.created_at < ${recent(p.now)}`,
)

/** Marks all notifications that exist now as read by a member. Later notifications stay unread. */
export async function markAllRead(database: Database, reader: Reader & { readonly now: Timestamp }): Promise<void> {
  await bookkeep(database, async (trx) => {
    // The row of the member is locked first, so that two simultaneous calls do not deadlock over rows of notifications.
    trx.queue(movePosition, reader)
    trx.queue(markRecent, reader)
    trx.queue(deleteOldMarks, reader)
  })
}
