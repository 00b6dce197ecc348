import { sql } from 'kysely'
import type pg from 'pg'
import { webhookExpiryNoticeDays, webhookKeptDays } from '../../registry/limits.ts'
import type { EndpointId, MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import { toTimestamp } from '../clock.ts'
import { newId } from '../ids.ts'
import { bookkeep } from './bookkeeping.ts'
import type { Database } from './database.ts'
import { insertNotificationOnce, type NotificationKind } from './notifications.ts'
import { firstIdOf, monthOf, startOf } from './partition-months.ts'
import { writing } from './statement.ts'

/**
 * What is held for a disabled endpoint is kept no longer than any other delivery. Its merchant is told before it goes, while
 * enabling the endpoint still saves it, and once more when it has gone.
 */

const msPerDay = 24 * 60 * 60 * 1000

/** Of one endpoint. */
interface Held {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly held: number
  /** When the oldest of them was made. */
  readonly since: Timestamp
}

const listHeldBefore = writing<{ beforeId: string }>()(
  'list_held_before',
  (p) => sql<Held>`
    select endpoint.merchant_id as "merchantId", endpoint.id as "endpointId", old.held, old.since
    from webhook_endpoints endpoint
    cross join lateral (
      select count(*)::integer as held, min(created_at) as since
      from webhook_deliveries
      where merchant_id = endpoint.merchant_id
        and endpoint_id = endpoint.id
        and status = 'held'
        and id < ${p.beforeId}
    ) old
    where endpoint.status = 'disabled' and endpoint.deleted_at is null and old.held > 0`,
)

/** Tells each merchant whose held deliveries go within the days of notice, once. Returns of how many endpoints. */
export async function warnOfExpiry(database: Database, nowMs: number): Promise<number> {
  const goneMs = nowMs + webhookExpiryNoticeDays * msPerDay
  const month = monthOf(goneMs - webhookKeptDays * msPerDay)
  const expiring = await database.run(listHeldBefore, { beforeId: firstIdOf({ prefix: 'dlv', month }) })
  if (expiring.length === 0) return 0
  // All of it goes with its month, which is whole when the next one begins.
  const expiresAt = toTimestamp(startOf(month) + webhookKeptDays * msPerDay)
  await bookkeep(database, async (trx) => {
    for (const held of expiring) {
      insertNotificationOnce(trx, {
        ...notificationOf(held, 'webhook_endpoint.held_expiring', nowMs),
        data: JSON.stringify({ held: held.held, since: held.since, expiresAt }),
        // The one before was of another month.
        since: toTimestamp(nowMs - 2 * webhookExpiryNoticeDays * msPerDay),
      })
    }
  })
  return expiring.length
}

interface Going {
  /** Nobody changes it any more: it was detached in this transaction. */
  readonly partition: string
  /** What of it goes; undefined for all. */
  readonly beforeId: string | undefined
  readonly nowMs: number
}

/** Tells the merchants of what is held in a partition that is about to be dropped, in the transaction that drops it. */
export async function lostWith(client: pg.PoolClient, { partition, beforeId, nowMs }: Going): Promise<void> {
  const { rows } = await client.query<{ merchant: MerchantId; endpoint: EndpointId; held: number; since: Date }>(
    `select delivery.merchant_id as merchant, delivery.endpoint_id as endpoint, count(*)::integer as held,
       min(delivery.created_at) as since
     from ${partition} delivery
     join webhook_endpoints endpoint
       on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
     where delivery.status = 'held' and endpoint.deleted_at is null and ($1::text is null or delivery.id < $1)
     group by 1, 2`,
    [beforeId],
  )
  for (const { merchant, endpoint, held, since } of rows) {
    const found = { merchantId: merchant, endpointId: endpoint, held, since: toTimestamp(new Date(since).getTime()) }
    const told = notificationOf(found, 'webhook_endpoint.held_expired', nowMs)
    await client.query(
      `insert into notifications (merchant_id, id, kind, endpoint_id, data, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [merchant, told.id, told.kind, endpoint, JSON.stringify({ held, since: found.since }), told.now],
    )
  }
}

function notificationOf({ merchantId, endpointId }: Held, kind: NotificationKind, nowMs: number) {
  return { merchantId, id: newId('ntf', nowMs), kind, endpointId, now: toTimestamp(nowMs) }
}
