import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * Nothing waits for an endpoint that was deleted.
 *
 *   never tried ──> skipped        tried ──> failed, with no retry left
 *
 * What is leased is left to its worker, which writes how its attempt ended.
 */
const ended = sql`
    set
      status = case delivery.attempt_count when 0 then 'skipped' else 'failed' end, next_attempt_at = null`

/** Locked rows are passed over: waiting for them with the endpoint locked could deadlock. The pulse ends them. */
const end = writing<EndpointKey & { now: Timestamp }>()(
  'end_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId}
        and endpoint_id = ${p.endpointId}
        and (next_attempt_at is not null or status = 'held')
      for update skip locked
    )
    update webhook_deliveries delivery${ended}, completed_at = ${p.now}::timestamptz
    from waiting
    where delivery.merchant_id = ${p.merchantId} and delivery.id = waiting.id
    returning delivery.id`,
)

/** As much at once as the other sweeps take. */
const sweepMax = 1000

/** A mutation that saw the endpoint may commit after it was deleted, a lease may run out, and a lock may be in the way. */
const endStrays = writing<{ now: Timestamp }>()(
  'end_stray_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select stray.merchant_id, stray.id
      from webhook_endpoints endpoint
      cross join lateral (
        select merchant_id, id
        from webhook_deliveries
        where merchant_id = endpoint.merchant_id and endpoint_id = endpoint.id and next_attempt_at is not null
        union all
        select merchant_id, id
        from webhook_deliveries
        where merchant_id = endpoint.merchant_id and endpoint_id = endpoint.id and status = 'held'
      ) stray
      where endpoint.deleted_at is not null
      limit ${sql.lit(sweepMax)}
    ), stray as (
      select delivery.merchant_id, delivery.id
      from webhook_deliveries delivery
      join waiting on waiting.merchant_id = delivery.merchant_id and waiting.id = delivery.id
      where delivery.next_attempt_at is not null or delivery.status = 'held'
      for update of delivery skip locked
    )
    update webhook_deliveries delivery${ended}, completed_at = ${p.now}::timestamptz
    from stray
    where delivery.merchant_id = stray.merchant_id and delivery.id = stray.id
    returning delivery.id`,
)

/** How many were waiting. */
export async function endDeliveries(
  trx: WriteTrx,
  { merchantId, endpointId, now }: EndpointKey & { now: Timestamp },
): Promise<number> {
  return (await trx.write(end, { merchantId, endpointId, now })).length
}

export async function endStrayDeliveries(database: Database, now: Timestamp): Promise<number> {
  return (await database.run(endStrays, { now })).length
}
