import { type RawBuilder, sql } from 'kysely'

/**
 * A member has read the notifications before the position of the member, and those with a mark. Notifications from before the
 * member joined count as read.
 */

/** The member and the live or test merchant, as SQL expressions. */
export interface ReaderColumns {
  readonly merchantId: RawBuilder<unknown>
  readonly memberId: RawBuilder<unknown>
  /** When the member joined. */
  readonly joinedAt: RawBuilder<unknown>
}

/** The number from which a count is shown as `99+`. */
export const unreadShownMax = 99

/**
 * Notifications that are searched for unread ones, newest first, so that the cost is bounded for a member who marks single
 * ones for years and leaves an old one unread. Marking all as read moves the position.
 */
export const unreadSearchedMax = 1_000

/** The time from which notifications without a mark are unread. */
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

/** The number of unread notifications, at most one more than is shown. */
export function countUnread(reader: ReaderColumns): RawBuilder<number> {
  return sql<number>`(
    select count(*)::integer
    from (
      select
      from (
        select id from notifications
        where merchant_id = ${reader.merchantId} and created_at >= ${unreadSince(reader)}
        order by created_at desc, id desc
        limit ${sql.lit(unreadSearchedMax)}
      ) as recent
      where not ${hasMark(reader, sql.ref('recent.id'))}
      limit ${sql.lit(unreadShownMax + 1)}
    ) as unread
  )`
}
