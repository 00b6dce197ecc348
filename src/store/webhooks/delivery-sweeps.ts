import { type RawBuilder, sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'
import { isNotLeased, leasedDeliveries, leasedIdsOf } from './lease-fragments.ts'
import { correctStrays, type StrayDelivery, type StraysOfMerchant } from './stray-deliveries.ts'

/**
 * Queries of the sweeper over all merchants. They find endpoints with due deliveries, and deliveries that should be
 * held but are not.
 */

/**
 * Maximum number of deliveries that one sweep holds, so few that each statement takes far less than its timeout. The
 * next sweep processes the rest.
 */
const sweepMax = 5_000

const findQueuedStrays = reading<object>()(
  'find_queued_strays',
  () => sql<StrayDelivery>`
    select stray.merchant_id, stray.id
    from webhook_endpoints endpoint
    cross join lateral (
      select merchant_id, id
      from webhook_deliveries
      where merchant_id = endpoint.merchant_id
        and endpoint_id = endpoint.id
        and next_attempt_at is not null
        and trigger = 'automatic'
      limit ${sql.lit(sweepMax)}
    ) stray
    where endpoint.status = 'disabled' and endpoint.deleted_at is null
    limit ${sql.lit(sweepMax)}`,
)

/**
 * Holds deliveries of a mutation that read the endpoint as enabled and queued them, but committed after the endpoint
 * was disabled.
 */
const holdStrays = writing<StraysOfMerchant>()(
  'hold_stray_deliveries',
  (p) => sql<{ id: string }>`
    with stray as (
      select delivery.id
      from webhook_deliveries delivery
      join webhook_endpoints endpoint
        on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
      where delivery.merchant_id = ${p.merchantId}
        and delivery.id = any(${p.ids}::text[])
        and delivery.next_attempt_at is not null
        and delivery.id <> all(${leasedIdsOf(p.merchantId)})
        and endpoint.status = 'disabled'
        and endpoint.deleted_at is null
      for update of delivery skip locked
    )
    update webhook_deliveries delivery
    set status = 'held', next_attempt_at = null
    from stray
    where delivery.merchant_id = ${p.merchantId} and delivery.id = stray.id
    returning delivery.id`,
)

export interface DueEndpoint extends EndpointKey {
  readonly dueAt: Timestamp
}

/**
 * Selects the first due time of an endpoint, either of the deliveries to which its throttling applies, or of the
 * others.
 */
const earliest = (isPaced: boolean, triggers: RawBuilder<unknown>) => sql`(
  select ${isPaced ? sql`greatest(endpoint.paced_until, delivery.next_attempt_at)` : sql`delivery.next_attempt_at`}
  from webhook_deliveries delivery
  where delivery.merchant_id = endpoint.merchant_id
    and delivery.endpoint_id = endpoint.id
    and delivery.is_paced = ${sql.lit(isPaced)}
    and delivery.next_attempt_at is not null
    and ${isNotLeased(sql.ref('delivery.id'))}
    ${triggers}
  order by delivery.next_attempt_at
  limit 1
)`

const earliestOf = (triggers: RawBuilder<unknown>) =>
  sql`least(${earliest(false, triggers)}, ${earliest(true, triggers)})`

/**
 * The next due time of an endpoint. A disabled endpoint only receives replays and tests, which have their own index; a
 * condition on both the status and the trigger would read every queued delivery of a disabled endpoint.
 */
const dueTime = sql`
  case
    when endpoint.status = 'enabled' then ${earliestOf(sql``)}
    else ${earliestOf(sql`and delivery.trigger <> 'automatic'`)}
  end`

/**
 * Selects the next due time of an endpoint. Without `offset`, PostgreSQL would merge the subquery into the statement and
 * evaluate it for each use of the due time.
 */
export const nextDue = sql`select ${dueTime} as due_at offset 0`

/** The next due time of each endpoint. PostgreSQL evaluates the time of a due endpoint again for its output. */
const dueEndpoints = sql`(
  select endpoint.merchant_id, endpoint.id as endpoint_id, ${dueTime} as due_at
  from webhook_endpoints endpoint
  left join (${leasedDeliveries()}) as leased
    on leased.merchant_id = endpoint.merchant_id and leased.endpoint_id = endpoint.id
  where endpoint.deleted_at is null
) as due`

/**
 * Reads one index entry for each endpoint and value of `is_paced`, so that the cost does not depend on the queue's
 * length.
 */
const listDue = reading<{ by: Timestamp }>()(
  'list_due_endpoints',
  (p) => sql<DueEndpoint>`
    select merchant_id, endpoint_id, due_at from ${dueEndpoints} where due_at <= ${p.by}::timestamptz`,
)

const oldestDue = reading<object>()(
  'read_oldest_due_delivery',
  () => sql<{ dueMs: number | null }>`
    select (extract(epoch from clock_timestamp() - min(due_at)) * 1000)::float8 as due_ms from ${dueEndpoints}`,
)

/** Returns for how long, in milliseconds, the oldest due delivery of all merchants has been due; 0 if none is due. */
export async function readOldestDueMs(database: ReadDb): Promise<number> {
  const [row] = await database.read(oldestDue, {})
  return Math.max(0, row?.dueMs ?? 0)
}

/**
 * Holds queued deliveries of all disabled endpoints. Returns the number of held deliveries, which is limited per call.
 */
export async function holdStrayDeliveries(database: Database): Promise<number> {
  const found = await database.read(findQueuedStrays, {})
  return correctStrays(database, { found, correct: holdStrays, args: {} })
}

/** Returns the endpoints with a delivery that is due by a time, with the first due time of each endpoint. */
export function listDueEndpoints(database: Database, by: Timestamp): Promise<readonly DueEndpoint[]> {
  return database.run(listDue, { by })
}
