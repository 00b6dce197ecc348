import { sql } from 'kysely'
import type { Timestamp } from '../../registry/vocabulary.ts'
import type { Database } from './database.ts'
import { leaseSeconds } from './delivery-claims.ts'
import type { EndpointKey } from './endpoints.ts'
import { writing } from './statement.ts'

/** What the pulse does over all merchants: it finds what a crash left, and what nobody was told about. */

/** So many at once stay far below the statement timeout; the next pulse takes the rest. */
const sweepMax = 1000

/** A lease that ran out is an attempt whose worker died: its outcome is unknown, so it counts for nothing. */
const freeExpired = writing<{ now: Timestamp }>()(
  'free_expired_leases',
  (p) => sql<{ id: string }>`
    with expired as (
      select merchant_id, id, lease_until
      from webhook_deliveries
      where lease_until < ${p.now}::timestamptz
      limit ${sql.lit(sweepMax)}
      for update skip locked
    ), freed as (
      update webhook_deliveries delivery
      set next_attempt_at = ${p.now}::timestamptz, lease_until = null, leased_by = null
      from expired
      where delivery.merchant_id = expired.merchant_id and delivery.id = expired.id
      returning delivery.merchant_id, delivery.id, delivery.endpoint_id, expired.lease_until
    ), attempted as (
      insert into webhook_attempts (
        merchant_id, delivery_id, number, started_at, finished_at, outcome, error_code, duration_ms, url,
        endpoint_epoch
      )
      select
        freed.merchant_id,
        freed.id,
        (
          select coalesce(max(earlier.number), 0) + 1
          from webhook_attempts earlier
          where earlier.merchant_id = freed.merchant_id and earlier.delivery_id = freed.id
        ),
        freed.lease_until - make_interval(secs => ${sql.lit(leaseSeconds)}),
        freed.lease_until,
        'aborted',
        'worker_lost',
        ${sql.lit(leaseSeconds * 1000)},
        endpoint.url,
        endpoint.epoch
      from freed
      join webhook_endpoints endpoint
        on endpoint.merchant_id = freed.merchant_id and endpoint.id = freed.endpoint_id
    )
    select id from freed`,
)

/** A mutation that saw the endpoint enabled may commit after it was disabled; what it queued is held here. */
const holdStrays = writing<object>()(
  'hold_stray_deliveries',
  () => sql<{ id: string }>`
    with stray as (
      select delivery.merchant_id, delivery.id
      from webhook_endpoints endpoint
      join webhook_deliveries delivery
        on delivery.merchant_id = endpoint.merchant_id and delivery.endpoint_id = endpoint.id
      where endpoint.status = 'disabled'
        and endpoint.deleted_at is null
        and delivery.next_attempt_at is not null
        and delivery.trigger = 'automatic'
      limit ${sql.lit(sweepMax)}
      for update of delivery skip locked
    )
    update webhook_deliveries delivery
    set status = 'held', next_attempt_at = null
    from stray
    where delivery.merchant_id = stray.merchant_id and delivery.id = stray.id
    returning delivery.id`,
)

export interface DueEndpoint extends EndpointKey {
  readonly dueAt: Timestamp
}

/** One look at the index for each endpoint, however much is queued. */
const listDue = writing<{ horizon: Timestamp }>()(
  'list_due_endpoints',
  (p) => sql<DueEndpoint>`
    select endpoint.merchant_id as "merchantId", endpoint.id as "endpointId", first.next_attempt_at as "dueAt"
    from webhook_endpoints endpoint
    cross join lateral (
      select delivery.next_attempt_at
      from webhook_deliveries delivery
      where delivery.merchant_id = endpoint.merchant_id
        and delivery.endpoint_id = endpoint.id
        and delivery.next_attempt_at <= ${p.horizon}::timestamptz
        and (delivery.trigger <> 'automatic' or endpoint.status = 'enabled')
      order by delivery.next_attempt_at
      limit 1
    ) first
    where endpoint.deleted_at is null`,
)

/** How many deliveries a dead worker had. */
export async function freeExpiredLeases(database: Database, now: Timestamp): Promise<number> {
  return (await database.run(freeExpired, { now })).length
}

export async function holdStrayDeliveries(database: Database): Promise<number> {
  return (await database.run(holdStrays, {})).length
}

/** Endpoints with something due by the horizon, and since or from when. */
export function listDueEndpoints(database: Database, horizon: Timestamp): Promise<readonly DueEndpoint[]> {
  return database.run(listDue, { horizon })
}
