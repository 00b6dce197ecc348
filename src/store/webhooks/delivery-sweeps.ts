import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { searchingAll } from '../core/calls.ts'
import type { Database, SearchDb } from '../core/database.ts'
import { type MerchantCondition, searching, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'
import { isNotLeased, leasedDeliveries, leasedIdsOf } from './lease-fragments.ts'
import { correctStrays, type StrayDelivery, type StraysOfMerchant } from './stray-deliveries.ts'

/**
 * Queries of the sweeper over all merchants. They find endpoints with due deliveries, and deliveries that should be
 * held but are not.
 */

/**
 * Maximum number of deliveries that one sweep sets to `held`. With this maximum, each statement takes far less time
 * than its timeout. The next sweep processes the rest.
 */
const sweepMax = 5_000

const findQueuedStrays = searchingAll<object>()(
  'find_queued_strays',
  (_, isReachable) => sql<StrayDelivery>`
    select stray.merchant_id, stray.id
    from webhook_endpoints endpoint
    cross join lateral (
      select merchant_id, id
      from webhook_deliveries
      where ${isReachable('merchantId')}
        and merchant_id = endpoint.merchant_id
        and endpoint_id = endpoint.id
        and next_attempt_at is not null
        and trigger = 'automatic'
      limit ${sql.lit(sweepMax)}
    ) stray
    where ${isReachable('endpoint.merchantId')} and endpoint.status = 'disabled' and endpoint.deleted_at is null
    limit ${sql.lit(sweepMax)}`,
)

/**
 * Holds deliveries that a mutation queued for a disabled endpoint. The mutation had read the endpoint as enabled, but
 * the endpoint was disabled before the mutation committed.
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
 * Selects the earliest due time of an endpoint's deliveries. If `isPaced` is true, only the deliveries to which the
 * endpoint's throttling applies are searched; otherwise, only all other deliveries.
 */
const earliest = (isIncluded: MerchantCondition, isPaced: boolean, triggers: RawBuilder<unknown>) => sql`(
  select ${isPaced ? sql`greatest(endpoint.paced_until, delivery.next_attempt_at)` : sql`delivery.next_attempt_at`}
  from webhook_deliveries delivery
  where ${isIncluded('delivery.merchantId')}
    and delivery.merchant_id = endpoint.merchant_id
    and delivery.endpoint_id = endpoint.id
    and delivery.is_paced = ${sql.lit(isPaced)}
    and delivery.next_attempt_at is not null
    and ${isNotLeased(sql.ref('delivery.id'))}
    ${triggers}
  order by delivery.next_attempt_at
  limit 1
)`

const earliestOf = (isIncluded: MerchantCondition, triggers: RawBuilder<unknown>) =>
  sql`least(${earliest(isIncluded, false, triggers)}, ${earliest(isIncluded, true, triggers)})`

/**
 * SQL of the time at which the next delivery of an endpoint is due. A disabled endpoint only receives replays and
 * tests, which have their own index. Enabled and disabled endpoints therefore have separate conditions. A single
 * condition on both the status of the endpoint and the trigger of the delivery would read every queued delivery of a
 * disabled endpoint.
 */
const dueTime = (isIncluded: MerchantCondition) => sql`
  case
    when endpoint.status = 'enabled' then ${earliestOf(isIncluded, sql``)}
    else ${earliestOf(isIncluded, sql`and delivery.trigger <> 'automatic'`)}
  end`

/**
 * SQL of the next due time of each endpoint. A query with a condition on `due_at` is slower, because PostgreSQL then
 * evaluates the expression twice: for the condition, and for each returned row.
 */
export const dueEndpoints = (isIncluded: MerchantCondition) => sql`(
  select endpoint.merchant_id, endpoint.id as endpoint_id, ${dueTime(isIncluded)} as due_at
  from webhook_endpoints endpoint
  left join (${leasedDeliveries(isIncluded)}) as leased
    on leased.merchant_id = endpoint.merchant_id and leased.endpoint_id = endpoint.id
  where ${isIncluded('endpoint.merchantId')} and endpoint.deleted_at is null
) as due`

/**
 * Reads one index entry for each endpoint and value of `is_paced`, so that the cost does not depend on the queue's
 * length.
 */
const listDue = searchingAll<{ by: Timestamp }>()(
  'list_due_endpoints',
  (p, isReachable) => sql<DueEndpoint>`
    select merchant_id, endpoint_id, due_at from ${dueEndpoints(isReachable)} where due_at <= ${p.by}::timestamptz`,
)

const oldestDue = searching<object>()(
  'read_oldest_due_delivery',
  (_, isReachable) => sql<{ dueMs: number | null }>`
    select (extract(epoch from clock_timestamp() - min(due_at)) * 1000)::float8 as due_ms
    from ${dueEndpoints(isReachable)}`,
)

/**
 * Returns for how long, in milliseconds, the oldest due delivery has been due; 0 if none is due. Reads the deliveries of
 * all merchants, or of the given ones on a distributed database.
 */
export async function readOldestDueMs(db: SearchDb, merchants?: readonly MerchantId[]): Promise<number> {
  const [row] = await db.search(oldestDue, {}, merchants)
  return Math.max(0, row?.dueMs ?? 0)
}

/** Returns the number of held deliveries, which is limited per call. */
export async function holdStrayDeliveries(database: Database): Promise<number> {
  const found = await findQueuedStrays(database, {})
  return correctStrays(database, { found, correct: holdStrays, args: {} })
}

/**
 * Returns the endpoints that have a delivery due by the given time. Each endpoint is returned with its earliest due
 * time.
 */
export function listDueEndpoints(database: Database, by: Timestamp): Promise<readonly DueEndpoint[]> {
  return listDue(database, { by })
}
