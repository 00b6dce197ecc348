import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { timeOfId } from '../../base/ids.ts'
import type { Database } from '../core/database.ts'
import { runInBatches } from '../core/run-in-batches.ts'
import { writing } from '../core/statement.ts'

/** An API request of a token and its result. Neither the body nor the token itself is part of it. */
export interface LoggedRequest {
  readonly merchantId: MerchantId
  /** The request id, which contains the time of the request. */
  readonly id: string
  readonly operation: string
  readonly status: number
  readonly errorCode: string | null
  readonly durationMs: number
  readonly tokenId: string
  readonly sourceIp: string
}

/**
 * Inserts a batch and counts it. A batch that is sent again after a lost response is inserted and counted once. The counts
 * are updated in the order of their keys, so that two processes do not deadlock.
 */
const insert = writing<{ rows: string }>()(
  'insert_requests',
  (p) => sql`
    with inserted as (
      insert into request_log (
        merchant_id, id, occurred_at, operation, status, error_code, duration_ms, token_id, source_ip, recorded_xid
      )
      select
        merchant_id, id, occurred_at, operation, status, error_code, duration_ms, token_id, source_ip,
        pg_current_xact_id()
      from json_populate_recordset(null::request_log, ${p.rows}::json)
      on conflict do nothing
      returning merchant_id, date_trunc('hour', occurred_at, 'UTC') as hour, status / 100 as status_class
    )
    insert into request_counts (merchant_id, hour, status_class, requests)
    select merchant_id, hour, status_class, count(*)
    from inserted
    group by merchant_id, hour, status_class
    order by merchant_id, hour, status_class
    on conflict (merchant_id, hour, status_class)
    do update set requests = request_counts.requests + excluded.requests`,
)

/** Inserts requests in one statement, outside a transaction: the log is bookkeeping and changes no record of a merchant. */
export async function insertRequests(database: Database, requests: readonly LoggedRequest[]): Promise<void> {
  await database.run(insert, { rows: JSON.stringify(requests.map(rowOf)) })
}

function rowOf(request: LoggedRequest) {
  return {
    merchant_id: request.merchantId,
    id: request.id,
    occurred_at: toTimestamp(timeOfId(request.id)),
    operation: request.operation,
    status: request.status,
    error_code: request.errorCode,
    duration_ms: request.durationMs,
    token_id: request.tokenId,
    // PostgreSQL rejects the zone of a link-local address, such as `%eth0`.
    source_ip: request.sourceIp.split('%')[0],
  }
}

/** PostgreSQL deletes 5,000 rows in a fraction of a second, far below the statement timeout. */
const deletedAtOnce = 5_000

const deleteBatch = writing<{ before: Timestamp }>()(
  'delete_request_counts',
  (p) => sql<{ hour: Timestamp }>`
    delete from request_counts
    where (merchant_id, hour, status_class) in (
      select merchant_id, hour, status_class
      from request_counts
      where hour < ${p.before}::timestamptz
      order by hour
      limit ${sql.lit(deletedAtOnce)}
      for update skip locked
    )
    returning hour`,
)

/** Deletes the counts of hours before a time. Returns the number of deleted rows. */
export function deleteRequestCounts(database: Database, before: Timestamp): Promise<number> {
  return runInBatches(database, { statement: deleteBatch, args: { before }, size: deletedAtOnce })
}
