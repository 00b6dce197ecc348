import { sql } from 'kysely'
import { webhookExpiryNoticeDays, webhookRetentionDays } from '../../../registry/values/limits.ts'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { bookkeep } from '../core/bookkeeping.ts'
import { searchingAll } from '../core/calls.ts'
import type { Database } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import { firstIdOf, numberAt, startOf } from '../partitions/partition-periods.ts'
import { insertNotification, insertNotificationOnce } from './notifications.ts'

/**
 * Held deliveries of a disabled endpoint expire after the same retention period as other deliveries. The merchant is
 * notified before the expiry, when enabling the endpoint can still prevent it, and again after the expiry.
 */

const msPerDay = 24 * 60 * 60 * 1000

interface Held {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly held: number
  /** When the oldest held delivery of the endpoint was created. */
  readonly since: Timestamp
}

const listHeldBefore = searchingAll<{ beforeId: string }>()(
  'list_held_before',
  (p, isReachable) => sql<Held>`
    select endpoint.merchant_id, endpoint.id as endpoint_id, old.held, old.since
    from webhook_endpoints endpoint
    cross join lateral (
      select count(*)::integer as held, min(created_at) as since
      from webhook_deliveries
      where ${isReachable('merchantId')}
        and merchant_id = endpoint.merchant_id
        and endpoint_id = endpoint.id
        and status = 'held'
        and id < ${p.beforeId}
    ) old
    where ${isReachable('endpoint.merchantId')}
      and endpoint.status = 'disabled' and endpoint.deleted_at is null and old.held > 0`,
)

/**
 * Notifies each merchant once of held deliveries that expire within the notice period. Returns the number of endpoints
 * with such deliveries.
 */
export async function warnOfExpiry(database: Database, nowMs: number): Promise<number> {
  const expiryMs = nowMs + webhookExpiryNoticeDays * msPerDay
  const month = monthAt(expiryMs - webhookRetentionDays * msPerDay)
  const expiring = await listHeldBefore(database, { beforeId: firstIdOf({ prefix: 'dlv', ...month }) })
  if (expiring.length === 0) return 0
  // The held deliveries of a month expire together: their retention is counted from the start of the next month.
  const expiresAt = toTimestamp(startOf(month) + webhookRetentionDays * msPerDay)
  await bookkeep(database, async (trx) => {
    for (const held of expiring) {
      insertNotificationOnce(trx, {
        ...notificationOf(held, 'webhook_endpoint.held_expiring', nowMs),
        data: JSON.stringify({ held: held.held, since: held.since, expiresAt }),
        // Only notifications since this time prevent a new notification. An earlier notification was about the held
        // deliveries of an earlier month.
        since: toTimestamp(nowMs - 2 * webhookExpiryNoticeDays * msPerDay),
      })
    }
  })
  return expiring.length
}

/**
 * Maximum number of held deliveries that one statement expires. With this maximum, the statement takes far less time
 * than its timeout. The next statement processes the rest.
 */
const expireMax = 5_000

const expire = writing<{ merchantId: MerchantId; endpointId: EndpointId; beforeId: string; now: Timestamp }>()(
  'expire_held_deliveries',
  (p) => sql<{ since: Timestamp }>`
    with old as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId}
        and endpoint_id = ${p.endpointId}
        and status = 'held'
        and id < ${p.beforeId}
      order by id
      limit ${sql.lit(expireMax)}
      for update skip locked
    )
    update webhook_deliveries delivery
    set
      status = case delivery.attempt_count when 0 then 'skipped' else 'failed' end,
      completed_at = ${p.now}::timestamptz
    from old
    where delivery.merchant_id = ${p.merchantId} and delivery.id = old.id
    returning delivery.created_at as since`,
)

/**
 * Ends held deliveries whose retention has ended, and notifies their merchants in the same transaction. The monthly
 * partition of these deliveries must not be dropped before they are ended. Returns the number of ended deliveries.
 * `nowMs` must be the database's time.
 */
export async function expireHeld(database: Database, nowMs: number): Promise<number> {
  const month = monthAt(nowMs - webhookRetentionDays * msPerDay)
  const beforeId = firstIdOf({ prefix: 'dlv', ...month })
  const now = toTimestamp(nowMs)
  let total = 0
  for (const { merchantId, endpointId } of await listHeldBefore(database, { beforeId })) {
    for (let count = expireMax; count === expireMax; total += count) {
      count = await bookkeep(database, async (trx) => {
        const ended = await trx.write(expire, { merchantId, endpointId, beforeId, now })
        const [since] = ended.map((delivery) => delivery.since).toSorted()
        if (since === undefined) return 0
        insertNotification(trx, {
          ...notificationOf({ merchantId, endpointId }, 'webhook_endpoint.held_expired', nowMs),
          data: JSON.stringify({ held: ended.length, since }),
        })
        return ended.length
      })
    }
  }
  return total
}

function monthAt(ms: number) {
  return { unit: 'month' as const, number: numberAt('month', ms) }
}

function notificationOf(
  { merchantId, endpointId }: Pick<Held, 'merchantId' | 'endpointId'>,
  kind: NotificationKind,
  nowMs: number,
) {
  return { merchantId, id: newId('ntf', nowMs), kind, endpointId, now: toTimestamp(nowMs) }
}
