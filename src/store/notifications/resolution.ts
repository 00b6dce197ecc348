import { sql } from 'kysely'
import { kindsToResolve, type NotificationKind } from '../../../registry/values/notifications.ts'
import type { MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { checking, queueing } from '../core/calls.ts'
import type { LockTrx } from '../core/database.ts'
import { build, locking } from '../core/statement.ts'

/** Stores that the problem of a notification is resolved. */

/** Whether a notification reports a problem that is not resolved. The index of open problems has the same condition. */
export const hasOpenProblem = sql<boolean>`
  kind in (${sql.join(kindsToResolve.map((kind) => sql.lit(kind)))}) and resolved_at is null`

export interface NotificationKey {
  readonly merchantId: MerchantId
  readonly id: string
}

export interface LockedNotification {
  readonly resolvedAt: Timestamp | null
}

const lock = locking<NotificationKey>()('lock_notification', (p) =>
  build
    .selectFrom('notifications')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .where('kind', 'in', kindsToResolve)
    .select('resolvedAt')
    .forUpdate(),
)

/** Locks a notification. Returns undefined if there is none with this id, or if its kind reports no problem to resolve. */
export async function lockNotification(trx: LockTrx, key: NotificationKey): Promise<LockedNotification | undefined> {
  const [row] = await trx.lock(lock, key)
  return row
}

interface EndedProblem {
  readonly merchantId: MerchantId
  readonly kind: NotificationKind
  /** JSON text of fields that the notification's data must contain, such as the reference of the payment. */
  readonly data: string
  readonly now: Timestamp
}

/**
 * Resolves a problem whose end the service detects by itself, for example an unmatched payment that is recorded now.
 */
export const resolveProblem = queueing<EndedProblem>()(
  'resolve_problem',
  (p) => sql`
    update notifications set resolved_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and kind = ${p.kind} and ${hasOpenProblem} and data @> ${p.data}::jsonb`,
)

interface OrderProblems {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly kinds: readonly NotificationKind[]
  readonly now: Timestamp
}

/** Resolves those unresolved problems of an order whose notifications have one of these kinds. */
export const resolveOrderProblems = queueing<OrderProblems>()(
  'resolve_order_problems',
  (p) => sql`
    update notifications set resolved_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId}
      and ${hasOpenProblem}
      and kind = any(${p.kinds}::text[])
      and data ->> 'orderId' = ${p.orderId}`,
)

interface OrderProblem extends Pick<OrderProblems, 'merchantId' | 'orderId'> {
  readonly kind: NotificationKind
}

/** Whether an order has an unresolved problem that a notification of the given kind reports. */
export const isOrderProblemOpen = checking<OrderProblem>()('find_open_order_problem', (p) =>
  build
    .selectFrom('notifications')
    .where('merchantId', '=', p.merchantId)
    .where(hasOpenProblem)
    .where('kind', '=', p.kind)
    .where(sql`data ->> 'orderId'`, '=', p.orderId)
    .select('id')
    .limit(1),
)

export const setNotificationResolved = queueing<NotificationKey & { now: Timestamp }>()(
  'set_notification_resolved',
  (p) => sql`
    update notifications set resolved_at = ${p.now}::timestamptz where merchant_id = ${p.merchantId} and id = ${p.id}`,
)
