import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { searchingAll } from '../core/calls.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'
import { leasedIdsOf } from './lease-fragments.ts'
import { correctStrays, type StrayDelivery, type StraysOfMerchant } from './stray-deliveries.ts'

/**
 * Ends the queued deliveries of deleted endpoints.
 *
 *   no attempt yet ──> skipped        attempted ──> failed, with no retry left
 *
 * A leased delivery is left to its worker, which records the result of the attempt.
 */
const ended = sql`
    set
      status = case when delivery.attempt_count = 0 then 'skipped' else 'failed' end, next_attempt_at = null`

/**
 * Skips locked deliveries: waiting for them while holding the endpoint's lock could deadlock. The sweeper ends the
 * skipped deliveries later.
 */
const end = writing<EndpointKey & { now: Timestamp }>()(
  'end_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId}
        and endpoint_id = ${p.endpointId}
        and (next_attempt_at is not null or status = 'held')
        and id <> all(${leasedIdsOf(p.merchantId, p.endpointId)})
      for update skip locked
    )
    update webhook_deliveries delivery${ended}, completed_at = ${p.now}::timestamptz
    from waiting
    where delivery.merchant_id = ${p.merchantId} and delivery.id = waiting.id
    returning delivery.id`,
)

/** Maximum number of deliveries that one sweep ends, so few that each statement takes far less than its timeout. */
const sweepMax = 1000

const findStrays = searchingAll<object>()(
  'find_strays_of_deleted_endpoints',
  (_, isReachable) => sql<StrayDelivery>`
    select stray.merchant_id, stray.id
    from webhook_endpoints endpoint
    cross join lateral (
      select merchant_id, id
      from webhook_deliveries
      where ${isReachable('merchantId')}
        and merchant_id = endpoint.merchant_id and endpoint_id = endpoint.id and next_attempt_at is not null
      union all
      select merchant_id, id
      from webhook_deliveries
      where ${isReachable('merchantId')}
        and merchant_id = endpoint.merchant_id and endpoint_id = endpoint.id and status = 'held'
    ) stray
    where ${isReachable('endpoint.merchantId')} and endpoint.deleted_at is not null
    limit ${sql.lit(sweepMax)}`,
)

/**
 * Ends deliveries of deleted endpoints that endDeliveries() missed. Such a delivery was leased, or was skipped because
 * its row was locked, or was added after the deletion by a mutation that had read the endpoint before. An endpoint
 * stays deleted, so the status of the endpoint is not checked again.
 */
const endStrays = writing<StraysOfMerchant & { now: Timestamp }>()(
  'end_stray_deliveries',
  (p) => sql<{ id: string }>`
    with stray as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId}
        and id = any(${p.ids}::text[])
        and (next_attempt_at is not null or status = 'held')
        and id <> all(${leasedIdsOf(p.merchantId)})
      for update skip locked
    )
    update webhook_deliveries delivery${ended}, completed_at = ${p.now}::timestamptz
    from stray
    where delivery.merchant_id = ${p.merchantId} and delivery.id = stray.id
    returning delivery.id`,
)

/**
 * Ends the queued and held deliveries of an endpoint: they become `failed`, or `skipped` if they had no attempt.
 * Returns the number of ended deliveries.
 */
export async function endDeliveries(
  trx: WriteTrx,
  { merchantId, endpointId, now }: EndpointKey & { now: Timestamp },
): Promise<number> {
  return (await trx.write(end, { merchantId, endpointId, now })).length
}

/** Returns the number of ended deliveries, which is limited per call. */
export async function endStrayDeliveries(database: Database, now: Timestamp): Promise<number> {
  const found = await findStrays(database, {})
  return correctStrays(database, { found, correct: endStrays, args: { now } })
}
