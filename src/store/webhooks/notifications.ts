import { sql } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { queueing } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'
import { hasOpenProblem } from '../notifications/resolution.ts'
import { isListed } from '../notifications/unread.ts'

export interface NewNotification {
  readonly merchantId: MerchantId
  readonly id: string
  readonly kind: NotificationKind
  /** The webhook endpoint that the notification is about. Null if the notification is not about an endpoint. */
  readonly endpointId: EndpointId | null
  /** The parameters of the notification's message, as JSON text. */
  readonly data: string
  readonly now: Timestamp
}

interface ItemScope {
  readonly merchantId: MerchantId
  readonly kind: NotificationKind
  /**
   * Name of the field in the notification's data that contains the reported items. A notification of this kind reports
   * several items together.
   */
  readonly field: string
}

export const unnotifiedItems = reading<ItemScope & { items: string }>()(
  'list_unnotified_items',
  (p) => sql<{ index: number }>`
    select item.index::int as index
    from jsonb_array_elements(${p.items}::jsonb) with ordinality as item (value, index)
    where not exists (
      select
      from notifications existing
      cross join jsonb_array_elements(existing.data -> ${p.field}::text) as known (value)
      where existing.merchant_id = ${p.merchantId} and existing.kind = ${p.kind} and known.value = item.value
    )
    order by item.index`,
)

/** Returns the given items that are in no earlier notification of the given kind. */
export async function listUnnotifiedItems<Item>(
  db: ReadDb,
  { items, ...scope }: ItemScope & { readonly items: readonly Item[] },
): Promise<readonly Item[]> {
  const rows = await db.read(unnotifiedItems, { ...scope, items: JSON.stringify(items) })
  const indexes = new Set(rows.map(({ index }) => index))
  return items.filter((_, position) => indexes.has(position + 1))
}

interface ListArgs {
  readonly merchantId: MerchantId
  readonly limit: number
}

const newestFirst = (p: ListArgs) =>
  build
    .selectFrom('notifications')
    .where('merchantId', '=', p.merchantId)
    .where(isListed)
    .select(['id', 'kind', 'endpointId', 'data', 'createdAt', 'resolvedAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit)

const list = reading<ListArgs>()('list_notifications', newestFirst)

const listOpen = reading<ListArgs>()('list_notifications_with_open_problems', (p) =>
  newestFirst(p).where(hasOpenProblem),
)

export const insertNotification = queueing<NewNotification>()('insert_notification', (p) =>
  build.insertInto('notifications').values({
    merchantId: p.merchantId,
    id: p.id,
    kind: p.kind,
    endpointId: p.endpointId,
    data: p.data,
    createdAt: p.now,
  }),
)

/**
 * Inserts a notification, unless a notification of this kind for this endpoint has been inserted since the given time.
 */
export const insertNotificationOnce = queueing<NewNotification & { since: Timestamp }>()(
  'insert_notification_unless_notified',
  (p) => sql`
    insert into notifications (merchant_id, id, kind, endpoint_id, data, created_at)
    select ${p.merchantId}, ${p.id}, ${p.kind}, ${p.endpointId}, ${p.data}::jsonb, ${p.now}::timestamptz
    where not exists (
      select from notifications existing
      where existing.merchant_id = ${p.merchantId}
        and existing.endpoint_id = ${p.endpointId}
        and existing.kind = ${p.kind}
        and existing.created_at > ${p.since}::timestamptz
    )`,
)

/**
 * Takes the advisory lock of the merchant for notifications until the transaction ends. A transaction that waits for
 * this lock therefore sees the notification that the previous holder of the lock has inserted.
 */
const lockKnown = queueing<{ merchantId: MerchantId }>()(
  'lock_known_notifications',
  (p) => sql`select pg_advisory_xact_lock(${sql.lit(advisoryLocks.notifications)}, hashtext(${p.merchantId})) is null`,
)

const insertUnlessKnown = queueing<NewNotification>()(
  'insert_notification_unless_known',
  (p) => sql`
    insert into notifications (merchant_id, id, kind, endpoint_id, data, created_at)
    select ${p.merchantId}, ${p.id}, ${p.kind}, ${p.endpointId}, ${p.data}::jsonb, ${p.now}::timestamptz
    where not exists (
      select from notifications known
      where known.merchant_id = ${p.merchantId} and known.kind = ${p.kind} and known.data = ${p.data}::jsonb
    )`,
)

/**
 * Inserts a notification, unless a notification with the same kind and data exists. Use it only for a notification
 * about a single event of one record: a later event with the same data would create no notification.
 */
export function insertNotificationUnlessKnown(trx: WriteTrx, notification: NewNotification): void {
  lockKnown(trx, notification)
  insertUnlessKnown(trx, notification)
}

/**
 * Inserts the notification of a condition that can end and start again, such as an outage. Does nothing if a
 * notification with the same kind and data is open, or was created after the given time. `endCondition` and
 * `resolveProblem` (in `src/store/notifications/resolution.ts`) store that a condition has ended.
 */
export const insertConditionNotification = queueing<NewNotification & { since: Timestamp }>()(
  'insert_notification_of_condition',
  (p) => sql`
    insert into notifications (merchant_id, id, kind, endpoint_id, data, created_at)
    select ${p.merchantId}, ${p.id}, ${p.kind}, ${p.endpointId}, ${p.data}::jsonb, ${p.now}::timestamptz
    where not exists (
      select from notifications known
      where known.merchant_id = ${p.merchantId}
        and known.kind = ${p.kind}
        and known.data = ${p.data}::jsonb
        and (known.resolved_at is null or known.created_at > ${p.since}::timestamptz)
    )`,
)

/** Newest first. With `open`, returns only notifications whose problem is not resolved. */
export function listNotifications(db: ReadDb, { state, ...page }: ListArgs & { readonly state?: 'all' | 'open' }) {
  return db.read(state === 'open' ? listOpen : list, page)
}
