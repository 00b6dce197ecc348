import { type RawBuilder, sql } from 'kysely'
import { type MerchantCondition, writing } from '../core/statement.ts'

/** Parts of the statements that read, lock and release leases. leases.ts describes the leases. */

/**
 * Settings that fix the plans of the statements of a transaction that claims deliveries or records results. On a single
 * server, the generic plan is forced: a custom plan would be no better, and each custom planning takes milliseconds. A
 * distributed database needs the custom plan, which names the merchants and thus the nodes. Sequential scans are off,
 * because the planner's statistics of a queue may be from a time when the queue had another length. Bitmap scans are
 * off, because only plain index scans mark the entries of completed deliveries and of ended leases as dead. With bitmap
 * scans, every claim would visit these entries until the next vacuum.
 */
export const indexSettings = sql`
      set_config(
        'plan_cache_mode',
        case when exists (select from pg_extension where extname = 'citus') then 'auto' else 'force_generic_plan' end,
        true
      ) as plan_cache_mode,
      set_config('enable_bitmapscan', 'off', true) as enable_bitmap_scan,
      set_config('enable_seqscan', 'off', true) as enable_seq_scan`

/** Makes the planner use the indexes of the delivery tables for the rest of a transaction. */
export const useIndexes = writing<object>()('use_delivery_indexes', () => sql`select ${indexSettings}`)

/** Selects the ids of the leased deliveries of a merchant, or of one of its endpoints, as an array. */
export function leasedIdsOf(
  merchantId: RawBuilder<unknown> | string,
  endpointId?: RawBuilder<unknown> | string,
): RawBuilder<unknown> {
  return sql`array(
    select unnest(lease.delivery_ids)
    from webhook_leases lease
    where lease.merchant_id = ${merchantId}${endpointId === undefined ? sql`` : sql` and lease.endpoint_id = ${endpointId}`}
  )`
}

/** Selects the ids of the leased deliveries, grouped by endpoint, of the merchants that meet the condition. */
export function leasedDeliveries(isIncluded: MerchantCondition): RawBuilder<unknown> {
  return sql`
    select lease.merchant_id, lease.endpoint_id, array_agg(delivery.id) as ids
    from webhook_leases lease
    cross join lateral unnest(lease.delivery_ids) as delivery (id)
    where ${isIncluded('lease.merchantId')}
    group by lease.merchant_id, lease.endpoint_id`
}

/**
 * Returns the common table expression `leased`: the leased deliveries of each endpoint, for the merchants that meet the
 * condition `isIncluded`. A statement for many endpoints then reads the leases only once. Without this expression, the
 * search for each endpoint could scan the whole table of leases.
 */
export function leasedByEndpoint(isIncluded: MerchantCondition): RawBuilder<unknown> {
  return sql`leased as materialized (${leasedDeliveries(isIncluded)})`
}

/** Joins the leased deliveries of an endpoint (a row of `leased`) to the relation `endpoint`. */
export const leasedOfEndpoint = sql`
  left join leased on leased.merchant_id = endpoint.merchant_id and leased.endpoint_id = endpoint.id`

export function isNotLeased(deliveryId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${deliveryId} <> all(coalesce(leased.ids, '{}'))`
}

/**
 * Returns the common table expression `lease`, limited to the merchants that meet the condition `isIncluded`. The
 * expression locks and returns the leases to which the results in the relation `result` belong. The leases are locked
 * in key order to prevent deadlocks. The lock waits until a concurrent transaction has recorded its results, so that
 * the rows are current.
 */
export function lockedLeases(isIncluded: MerchantCondition): RawBuilder<unknown> {
  return sql`
  lease as materialized (
    select lease.merchant_id, lease.endpoint_id, lease.id, lease.expires_at, lease.delivery_ids
    from (select distinct merchant_id, endpoint_id, lease_id from result) as wanted
    join webhook_leases lease
      on lease.merchant_id = wanted.merchant_id and lease.endpoint_id = wanted.endpoint_id and lease.id = wanted.lease_id
    where ${isIncluded('lease.merchantId')}
    order by lease.merchant_id, lease.endpoint_id, lease.id
    for no key update of lease
  )`
}

/**
 * Returns common table expressions that remove the ended deliveries from their leases. The relation `ended` contains
 * these deliveries. Only merchants that meet the condition are included. The leases must be locked.
 */
export function releasedLeases(isIncluded: MerchantCondition): RawBuilder<unknown> {
  return sql`
  remaining as materialized (
    select
      merchant_id, endpoint_id, lease_id,
      array(select id from unnest(leased_ids) as id where id <> all(array_agg(ended.delivery_id))) as delivery_ids
    from ended
    group by merchant_id, endpoint_id, lease_id, leased_ids
  ), emptied as (
    delete from webhook_leases lease
    using remaining
    where ${isIncluded('lease.merchantId')}
      and lease.merchant_id = remaining.merchant_id
      and lease.endpoint_id = remaining.endpoint_id
      and lease.id = remaining.lease_id
      and remaining.delivery_ids = '{}'
  ), shrunk as (
    update webhook_leases lease
    set delivery_ids = remaining.delivery_ids
    from remaining
    where ${isIncluded('lease.merchantId')}
      and lease.merchant_id = remaining.merchant_id
      and lease.endpoint_id = remaining.endpoint_id
      and lease.id = remaining.lease_id
      and remaining.delivery_ids <> '{}'
  )`
}
