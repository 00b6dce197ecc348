import { type RawBuilder, sql } from 'kysely'
import { onlyEmailed } from '../../../registry/values/notifications.ts'

/**
 * A notification counts as read by a member if it is older than the member's read position, has a read mark of the
 * member, or is from before the member joined.
 */

/** The ids of the member and of the live or test merchant, as SQL expressions. */
export interface ReaderColumns {
  readonly merchantId: RawBuilder<unknown>
  readonly memberId: RawBuilder<unknown>
  /** When the member joined the merchant. */
  readonly joinedAt: RawBuilder<unknown>
}

/** The number of unread notifications from which the dashboard shows `99+`. */
export const unreadShownMax = 99

/**
 * Maximum number of notifications that are searched for unread ones, newest first. It bounds the cost for a member who
 * has marked single notifications for years and has left an old one unread. When a member marks all notifications as
 * read, the member's read position moves.
 */
export const unreadSearchedMax = 1_000

/** Whether lists contain a notification. Some kinds are only sent by e-mail. */
export const isListed = sql<boolean>`kind <> all (array[${sql.join(onlyEmailed.map((kind) => sql.lit(kind)))}])`

/** Notifications from this time on are unread unless they have a read mark. */
export function unreadSince({ merchantId, memberId, joinedAt }: ReaderColumns): RawBuilder<string> {
  return sql<string>`greatest(${joinedAt}, (
    select read_before from notification_positions where merchant_id = ${merchantId} and member_id = ${memberId}
  ))`
}

/** Whether the member has marked a notification as read. */
export function hasMark({ merchantId, memberId }: ReaderColumns, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from notification_reads as mark
    where mark.merchant_id = ${merchantId} and mark.member_id = ${memberId} and mark.notification_id = ${id}
  )`
}

/** The number of unread notifications, at most one more than the dashboard can show. */
export function countUnread(reader: ReaderColumns): RawBuilder<number> {
  return sql<number>`(
    select count(*)::integer
    from (
      select
      from (
        select id from notifications
        where merchant_id = ${reader.merchantId} and created_at >= ${unreadSince(reader)} and ${isListed}
        order by created_at desc, id desc
        limit ${sql.lit(unreadSearchedMax)}
      ) as recent
      where not ${hasMark(reader, sql.ref('recent.id'))}
      limit ${sql.lit(unreadShownMax + 1)}
    ) as unread
  )`
}
