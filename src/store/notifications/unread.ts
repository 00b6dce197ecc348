import { type RawBuilder, sql } from 'kysely'
import { onlyEmailed } from '../../../registry/values/notifications.ts'
import type { MemberId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/**
 * A notification is unread for a member unless one of three conditions applies. The notification is older than the
 * member's read position, it has a read mark of the member, or it was created before the member joined.
 */

/** The member who reads notifications, and the merchant (in live or test mode) to which the notifications belong. */
export interface Reader {
  readonly merchantId: MerchantId
  readonly memberId: MemberId
}

/** Maximum number of unread notifications to show. A larger number is shown as `99+`. */
export const unreadShownMax = 99

/**
 * Maximum number of notifications, newest first, that are searched for unread notifications. It limits the cost for a
 * member who has left an old notification unread and marks all others one by one. When a member marks all notifications
 * as read, the member's read position moves, and older notifications are no longer searched.
 */
export const unreadSearchedMax = 1_000

/**
 * SQL condition that a notification is shown in lists. Notifications of some kinds are only sent by e-mail, and are not
 * listed.
 */
export const isListed = sql<boolean>`kind <> all (array[${sql.join(onlyEmailed.map((kind) => sql.lit(kind)))}])`

/**
 * Returns the later of two times: the member’s read position, and the time when the member joined. A notification that
 * was created after the returned time is unread, unless it has a read mark. An advance of the test clock makes the
 * notifications of test mode older, but not the members, so the time when the member joined is made older here by all
 * advances. For a member who joined after some of these advances, notifications from before the member joined are
 * unread, too.
 */
export function unreadSince(p: Reader): RawBuilder<string> {
  return sql<string>`greatest(
    (
      select created_at from members where id = ${p.memberId} and merchant_id = (
        select coalesce(live_merchant_id, id) from merchants where id = ${p.merchantId}
      )
    ) - coalesce(
      (select advanced_ms::float8 from test_clocks where merchant_id = ${p.merchantId}), 0
    ) * interval '1 millisecond',
    (select read_before from notification_positions where merchant_id = ${p.merchantId} and member_id = ${p.memberId})
  )`
}

export function hasMark(p: Reader, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from notification_reads as mark
    where mark.merchant_id = ${p.merchantId} and mark.member_id = ${p.memberId} and mark.notification_id = ${id}
  )`
}

export const unreadCount = reading<Reader>()(
  'count_unread_notifications',
  (p) => sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select
      from (
        select id from notifications
        where merchant_id = ${p.merchantId} and created_at >= ${unreadSince(p)} and ${isListed}
        order by created_at desc, id desc
        limit ${sql.lit(unreadSearchedMax)}
      ) as recent
      where not ${hasMark(p, sql.ref('recent.id'))}
      limit ${sql.lit(unreadShownMax + 1)}
    ) as unread`,
)

/** Returns the number of unread notifications, at most one more than the dashboard can show. */
export async function countUnread(db: ReadDb, reader: Reader): Promise<number> {
  return (await db.read(unreadCount, reader))[0]?.count ?? 0
}
