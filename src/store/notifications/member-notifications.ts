import { sql } from 'kysely'
import type { EndpointId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { hasOpenProblem } from './resolution.ts'
import { hasMark, isListed, type Reader, unreadSearchedMax, unreadSince } from './unread.ts'

export interface MemberNotification {
  readonly id: string
  /** A notification kind of this release, or of a newer release during an upgrade. */
  readonly kind: string
  readonly endpointId: EndpointId | null
  readonly data: unknown
  readonly createdAt: Timestamp
  readonly isRead: boolean
  /** When the problem was resolved. Null while the problem is open, and for a kind that reports no problem. */
  readonly resolvedAt: Timestamp | null
}

interface ListArgs extends Reader {
  readonly afterId: string | null
  readonly limit: number
}

const isAfter = (p: ListArgs) => sql<boolean>`(
  ${p.afterId}::text is null
  or (created_at, id) < (select created_at, id from notifications where merchant_id = ${p.merchantId} and id = ${p.afterId})
)`

const isRead = (p: ListArgs) => sql<boolean>`
  coalesce(created_at < ${unreadSince(p)}, false) or ${hasMark(p, sql.ref('notification.id'))}`

const columns = sql`id, kind, endpoint_id, data, created_at, resolved_at`

export const memberNotifications = reading<ListArgs>()(
  'list_member_notifications',
  (p) => sql<MemberNotification>`
    select ${columns},
      ${isRead(p)} as is_read
    from notifications as notification
    where merchant_id = ${p.merchantId} and ${isListed} and ${isAfter(p)}
    order by created_at desc, id desc
    limit ${p.limit}`,
)

export const unreadNotifications = reading<ListArgs>()(
  'list_unread_notifications',
  (p) => sql<MemberNotification>`
    select ${columns}, false as is_read
    from (
      select * from notifications
      where merchant_id = ${p.merchantId} and created_at >= ${unreadSince(p)} and ${isListed} and ${isAfter(p)}
      order by created_at desc, id desc
      limit ${sql.lit(unreadSearchedMax)}
    ) as recent
    where not ${hasMark(p, sql.ref('recent.id'))}
    order by created_at desc, id desc
    limit ${p.limit}`,
)

/** With `open`, the list contains only notifications whose problem is not resolved. */
export type NotificationState = 'all' | 'unread' | 'open'

export interface NotificationPage {
  readonly limit: number
  readonly state: NotificationState
  /** The last notification of the previous page. The list contains only older notifications. */
  readonly afterId?: string | undefined
}

export const openNotifications = reading<ListArgs>()(
  'list_open_notifications',
  (p) => sql<MemberNotification>`
    select ${columns},
      ${isRead(p)} as is_read
    from notifications as notification
    where merchant_id = ${p.merchantId} and ${hasOpenProblem} and ${isAfter(p)}
    order by created_at desc, id desc
    limit ${p.limit}`,
)

const statements = { all: memberNotifications, unread: unreadNotifications, open: openNotifications } as const

/** Newest first. Each notification states whether the given member has read it. */
export function listMemberNotifications(
  db: ReadDb,
  reader: Reader,
  { limit, state, afterId }: NotificationPage,
): Promise<readonly MemberNotification[]> {
  return db.read(statements[state], {
    ...reader,
    afterId: afterId ?? null,
    limit,
  })
}
