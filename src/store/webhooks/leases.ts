import { type RawBuilder, sql } from 'kysely'
import { webhookAcknowledgementSeconds } from '../../../registry/values/limits.ts'
import type { DeliveryId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { bookkeepAtOnce } from '../core/bookkeeping.ts'
import type { Database } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * Leases of deliveries. While a worker sends a delivery, no other worker may. One row of webhook_leases is the lease of all
 * deliveries that a claim took of one endpoint. A leased delivery stays as it is, and due; its result removes it from the lease
 * and changes the delivery, and the last result deletes the lease.
 *
 *   due ──claim──> due, leased ──┬─result──> completed, or due at the next retry
 *                                └─lease expires──> attempt recorded as aborted, and due again
 */

/** Three send timeouts: one for the send itself, two for the work before and after it on a busy machine. */
export const leaseSeconds = 3 * webhookAcknowledgementSeconds

/**
 * Fixes the plans of the statements of a transaction that claims deliveries or records results. A custom plan would be no better
 * than the generic one, and planning takes milliseconds. Statistics of a queue may be from a time when it was empty or long, so
 * sequential scans are off. Bitmap scans are off because only plain index scans mark the entries of completed deliveries and of
 * ended leases as dead; a bitmap scan would visit them with every claim until the next vacuum.
 */
export const readIndexes = writing<object>()(
  'read_delivery_indexes',
  () => sql`
    select
      set_config('plan_cache_mode', 'force_generic_plan', true) as "planCacheMode",
      set_config('enable_bitmapscan', 'off', true) as "enableBitmapScan",
      set_config('enable_seqscan', 'off', true) as "enableSeqScan"`,
)

/** Selects the ids of the leased deliveries of an endpoint as an array. */
export function leasedIdsOf(
  merchantId: RawBuilder<unknown> | string,
  endpointId: RawBuilder<unknown> | string,
): RawBuilder<unknown> {
  return sql`array(
    select unnest(lease.delivery_ids)
    from webhook_leases lease
    where lease.merchant_id = ${merchantId} and lease.endpoint_id = ${endpointId}
  )`
}

/**
 * Returns the common table expression `leased`: the ids of the leased deliveries of each endpoint that has any, optionally only of
 * some merchants. A statement for many endpoints reads the leases once, because a search for each endpoint could scan the table
 * each time.
 */
export function leasedByEndpoint(merchantIds?: readonly string[]): RawBuilder<unknown> {
  return sql`
  leased as materialized (
    select lease.merchant_id, lease.endpoint_id, array_agg(delivery.id) as ids
    from webhook_leases lease
    cross join lateral unnest(lease.delivery_ids) as delivery (id)
    ${merchantIds === undefined ? sql`` : sql`where lease.merchant_id = any(${merchantIds}::text[])`}
    group by lease.merchant_id, lease.endpoint_id
  )`
}

/** Joins `leased` to the relation `endpoint`. */
export const joinLeased = sql`
  left join leased on leased.merchant_id = endpoint.merchant_id and leased.endpoint_id = endpoint.id`

/** Is true for a delivery that is not in `leased`. */
export function isNotLeased(deliveryId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${deliveryId} <> all(coalesce(leased.ids, '{}'))`
}

/**
 * The common table expression `lease`: the leases of the relation `result`, locked. The key order prevents deadlocks.
 * Locking waits for a concurrent recording, so that the rows are current.
 */
export const lockedLeases = sql`
  lease as materialized (
    select lease.merchant_id, lease.endpoint_id, lease.id, lease.delivery_ids
    from (select distinct merchant_id, endpoint_id, lease_id from result) as wanted
    join webhook_leases lease
      on lease.merchant_id = wanted.merchant_id and lease.endpoint_id = wanted.endpoint_id and lease.id = wanted.lease_id
    order by lease.merchant_id, lease.endpoint_id, lease.id
    for no key update of lease
  )`

/** Common table expressions that remove the deliveries of the relation `ended` from their leases, which are locked. */
export const releasedLeases = sql`
  remaining as materialized (
    select
      merchant_id, endpoint_id, lease_id,
      array(select id from unnest(leased_ids) as id where id <> all(array_agg(ended.delivery_id))) as delivery_ids
    from ended
    group by merchant_id, endpoint_id, lease_id, leased_ids
  ), emptied as (
    delete from webhook_leases lease
    using remaining
    where lease.merchant_id = remaining.merchant_id
      and lease.endpoint_id = remaining.endpoint_id
      and lease.id = remaining.lease_id
      and remaining.delivery_ids = '{}'
  ), shrunk as (
    update webhook_leases lease
    set delivery_ids = remaining.delivery_ids
    from remaining
    where lease.merchant_id = remaining.merchant_id
      and lease.endpoint_id = remaining.endpoint_id
      and lease.id = remaining.lease_id
      and remaining.delivery_ids <> '{}'
  )`

/** The lease of one delivery. */
export interface Lease extends EndpointKey {
  readonly leaseId: string
  readonly deliveryId: DeliveryId
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly workerId: string
  readonly leaseNumber: number
  readonly expiresAt: Timestamp
  readonly url: string
  readonly epoch: number
}

/** The table only holds deliveries that are being sent, so reading all of it is cheap. */
const leases = sql`
  select
    lease.merchant_id as "merchantId", lease.endpoint_id as "endpointId", lease.id as "leaseId",
    delivery.id as "deliveryId", delivery.trigger, lease.worker_id as "workerId",
    delivery.lease_number + 1 as "leaseNumber", lease.expires_at as "expiresAt", endpoint.url, endpoint.epoch
  from webhook_leases lease
  join webhook_endpoints endpoint on endpoint.merchant_id = lease.merchant_id and endpoint.id = lease.endpoint_id
  cross join lateral unnest(lease.delivery_ids) as leased (id)
  join webhook_deliveries delivery on delivery.merchant_id = lease.merchant_id and delivery.id = leased.id`

/** Rows per statement: far below the statement timeout. The next sweep processes the rest. */
const sweepMax = 5_000

const listExpired = reading<{ now: Timestamp }>()(
  'list_expired_leases',
  (p) => sql<Lease>`${leases} where lease.expires_at < ${p.now}::timestamptz limit ${sql.lit(sweepMax)}`,
)

const listOfWorker = reading<{ workerId: string }>()(
  'list_leases_of_worker',
  (p) => sql<Lease>`${leases} where lease.worker_id = ${p.workerId}`,
)

/**
 * Makes deliveries due again that a worker of a release before webhook_leases leased and did not complete. Its attempt is not
 * recorded, so the next lease gets its number.
 */
const releaseEarlier = writing<{ now: Timestamp }>()(
  'release_earlier_leases',
  (p) => sql<{ id: string }>`
    with expired as (
      select merchant_id, id
      from webhook_deliveries
      where lease_until < ${p.now}::timestamptz
      limit ${sql.lit(sweepMax)}
      for update skip locked
    )
    update webhook_deliveries delivery
    set
      next_attempt_at = ${p.now}::timestamptz, lease_until = null, leased_by = null,
      lease_number = greatest(0, delivery.lease_number - 1)
    from expired
    where delivery.merchant_id = expired.merchant_id and delivery.id = expired.id
    returning delivery.id`,
)

/** Returns expired leases, limited per call. Their workers have probably crashed. */
export function listExpiredLeases(database: Database, now: Timestamp): Promise<readonly Lease[]> {
  return database.run(listExpired, { now })
}

/** Returns the leases of a worker. */
export function listLeasesOf(database: Database, workerId: string): Promise<readonly Lease[]> {
  return database.run(listOfWorker, { workerId })
}

/** Releases the expired leases of releases before webhook_leases. Returns the number of deliveries, limited per call. */
export function releaseEarlierLeases(database: Database, now: Timestamp): Promise<number> {
  return bookkeepAtOnce(database, async (trx) => {
    const [, released] = await Promise.all([trx.write(readIndexes, {}), trx.write(releaseEarlier, { now })])
    return released.length
  })
}
