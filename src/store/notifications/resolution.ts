import { sql } from 'kysely'
import { kindsToResolve, type NotificationKind } from '../../../registry/values/notifications.ts'
import type { MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { checking, queueing } from '../core/calls.ts'
import type { LockTrx } from '../core/database.ts'
import { build, locking } from '../core/statement.ts'

/**
 * SQL condition that a notification reports a problem that is not resolved. The index of open problems has the same
 * condition.
 */
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

interface RecordedRefund extends Omit<EndedProblem, 'kind'> {
  /** The provider's reference of the refund. Null if the provider reported none. */
  readonly reference: string | null
}

/**
 * Resolves the report of an unrecorded refund when the refund is recorded. If the report or the refund has no
 * reference, only the other fields of the report and the refund are compared.
 */
export const resolveUnrecordedRefund = queueing<RecordedRefund>()(
  'resolve_unrecorded_refund',
  (p) => sql`
    update notifications set resolved_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId}
      and kind = 'refund.not_recorded'
      and ${hasOpenProblem}
      and data @> ${p.data}::jsonb
      and coalesce(data ->> 'reference', ${p.reference}::text, '') = coalesce(${p.reference}::text, data ->> 'reference', '')`,
)

interface UnrecordedRefund extends RecordedRefund {
  /** The id of the notification, if one is inserted. */
  readonly id: string
  readonly reference: string
}

/**
 * Notifies the merchant of a refund that cannot be recorded, unless an earlier notification reports this refund. An
 * open notification from a callback may lack the reference of its refund. The reference of this refund is then added to
 * the notification, so that the notification does not match a later refund.
 */
export const reportUnrecordedRefund = queueing<UnrecordedRefund>()(
  'report_unrecorded_refund',
  (p) => sql`
    with known as (
      select id, data ->> 'reference' as reference
      from notifications
      where merchant_id = ${p.merchantId}
        and kind = 'refund.not_recorded'
        and data @> ${p.data}::jsonb
        and (data ->> 'reference' = ${p.reference}::text or data ->> 'reference' is null and ${hasOpenProblem})
      order by data ->> 'reference' nulls last, created_at
      limit 1
    ), named as (
      update notifications
      set data = notifications.data || jsonb_build_object('reference', ${p.reference}::text)
      from known
      where notifications.merchant_id = ${p.merchantId} and notifications.id = known.id and known.reference is null
    )
    insert into notifications (merchant_id, id, kind, data, created_at)
    select
      ${p.merchantId}, ${p.id}, 'refund.not_recorded',
      ${p.data}::jsonb || jsonb_build_object('reference', ${p.reference}::text), ${p.now}::timestamptz
    where not exists (select from known)`,
)

interface EndedCondition extends EndedProblem {
  /**
   * JSON text of the fields that are added to the data of the notification, such as the time when the reported
   * condition ended. A later occurrence of the condition then has different data, so it gets a new notification.
   */
  readonly ended: string
  /** Only a condition that began at this time or later is resolved. Earlier conditions may still need manual action. */
  readonly since: Timestamp
  /** Number of days from the start of the condition to the creation of its notification. */
  readonly days: number
}

/**
 * Stores that a condition has ended. The notification about the condition is found by its exact data. It is marked as
 * resolved only if the condition started at or after `since`.
 */
export const endCondition = queueing<EndedCondition>()(
  'end_condition',
  (p) => sql`
    update notifications
    set
      data = data || ${p.ended}::jsonb,
      resolved_at = case
        when created_at - make_interval(days => ${p.days}::int) >= ${p.since}::timestamptz
          then coalesce(resolved_at, ${p.now}::timestamptz)
        else resolved_at
      end
    where merchant_id = ${p.merchantId} and kind = ${p.kind} and data = ${p.data}::jsonb`,
)

interface OrderProblems {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly kinds: readonly NotificationKind[]
  readonly now: Timestamp
}

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
