import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { timeOfId } from '../../base/ids.ts'
import { storableText } from '../../base/storable-text.ts'
import { bookkeepAtOnce } from '../core/bookkeeping.ts'
import type { Database } from '../core/database.ts'
import { deletingExpired } from '../core/expired-rows.ts'
import { writing } from '../core/statement.ts'

/** An API request of a token and its result. The token is never stored, and a body only in redacted form. */
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
  /** The invalid values of the request. Null if the request has no invalid values. */
  readonly problems: readonly LoggedProblem[] | null
  /** The redacted body of a rejected request as JSON. Absent if the merchant does not record bodies. */
  readonly body?: string
}

/** An invalid value of a request. The value itself is not stored, because it may be personal. */
export interface LoggedProblem {
  /** The path of the invalid value, such as `body.items[0].quantity`. */
  readonly path: string
  readonly code: string
}

/** The requests of one merchant, with one array for each column of the log. */
interface Columns {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
  readonly times: readonly Timestamp[]
  readonly operations: readonly string[]
  readonly statuses: readonly number[]
  readonly errorCodes: readonly (string | null)[]
  readonly durationsMs: readonly number[]
  readonly tokenIds: readonly string[]
  readonly sourceIps: readonly string[]
  /** The problems of each request as JSON. */
  readonly problems: readonly (string | null)[]
  readonly bodies: readonly (string | null)[]
}

/**
 * Inserts requests of one merchant and counts them. A body is stored only if the merchant still records bodies, by the
 * clock of the database. The counts are updated in the order of their keys, so that two processes do not deadlock. The
 * rows are passed as arrays, because PostgreSQL reads arrays faster than JSON.
 */
const insertionOf = (name: string, onConflict: RawBuilder<unknown>) =>
  writing<Columns>()(
    name,
    (p) => sql`
      with inserted as (
        insert into request_log (
          merchant_id, id, occurred_at, operation, status, error_code, duration_ms, token_id, source_ip, problems,
          recorded_xid, body
        )
        select
          ${p.merchantId}, id, occurred_at, operation, status, error_code, duration_ms, token_id, source_ip, problems,
          pg_current_xact_id(),
          case
            when body is null then null
            when (select record_bodies_until > now() from merchants where merchants.id = ${p.merchantId}) then body
          end
        from unnest(
          ${p.ids}::text[], ${p.times}::timestamptz[], ${p.operations}::text[], ${p.statuses}::smallint[],
          ${p.errorCodes}::text[], ${p.durationsMs}::integer[], ${p.tokenIds}::text[], ${p.sourceIps}::inet[],
          ${p.problems}::jsonb[], ${p.bodies}::text[]
        ) as sent (
          id, occurred_at, operation, status, error_code, duration_ms, token_id, source_ip, problems, body
        )
        ${onConflict}
        returning date_trunc('hour', occurred_at, 'UTC') as hour, status / 100 as status_class
      ), counted as (
        insert into request_counts (merchant_id, hour, status_class, requests)
        select ${p.merchantId}, hour, status_class, count(*)
        from inserted
        group by hour, status_class
        order by hour, status_class
        on conflict (merchant_id, hour, status_class)
        do update set requests = request_counts.requests + excluded.requests
      )
      select count(*) from inserted`,
  )

const insert = insertionOf('insert_requests', sql``)

/**
 * The insert for a batch that is sent again. It skips rows that are already stored. The insert for a new batch omits
 * this check, which takes a quarter of the insert's time.
 */
const repeatInsert = insertionOf('repeat_insert_requests', sql`on conflict do nothing`)

/**
 * Inserts requests in one transaction, with a statement for each merchant. The statements are sent together, in the
 * order of the merchants, so that two processes do not deadlock. If the connection fails, the transaction may
 * nevertheless have committed. A repeated call therefore sets `isRepeated`: rows that are already stored are skipped,
 * so that each request is counted once.
 */
export async function insertRequests(
  database: Database,
  requests: readonly LoggedRequest[],
  isRepeated = false,
): Promise<void> {
  const merchants = [...Map.groupBy(requests, ({ merchantId }) => merchantId)].map(columnsOf)
  const inOrder = merchants.toSorted((a, b) => (a.merchantId < b.merchantId ? -1 : 1))
  await bookkeepAtOnce(database, (trx) =>
    Promise.all(inOrder.map((columns) => trx.write(isRepeated ? repeatInsert : insert, columns))),
  )
}

function columnsOf([merchantId, requests]: readonly [MerchantId, readonly LoggedRequest[]]): Columns {
  return {
    merchantId,
    ids: requests.map(({ id }) => id),
    times: requests.map(({ id }) => toTimestamp(timeOfId(id))),
    operations: requests.map(({ operation }) => operation),
    statuses: requests.map(({ status }) => status),
    errorCodes: requests.map(({ errorCode }) => errorCode),
    durationsMs: requests.map(({ durationMs }) => durationMs),
    tokenIds: requests.map(({ tokenId }) => tokenId),
    sourceIps: requests.map(({ sourceIp }) => withoutZone(sourceIp)),
    problems: requests.map(({ problems }) => (problems === null ? null : JSON.stringify(problems.map(storable)))),
    bodies: requests.map(({ body = null }) => body),
  }
}

/** Replaces NUL and unpaired surrogates in names that a client sent, because PostgreSQL cannot store them. */
function storable({ path, code }: LoggedProblem): LoggedProblem {
  return { path: storableText(path), code }
}

/**
 * Removes the zone, such as `%eth0`, from a link-local IPv6 address, because PostgreSQL rejects addresses with a zone.
 */
function withoutZone(sourceIp: string): string {
  return sourceIp.split('%', 1)[0] ?? sourceIp
}

/** Deletes the hourly request counts of all hours that began before the given time. */
export const requestCountDeletion = deletingExpired<{ before: Timestamp }>()({
  label: 'delete_request_counts',
  table: 'request_counts',
  key: ['hour', 'statusClass'],
  age: 'hour',
  hasEnded: (p) => sql`hour < ${p.before}::timestamptz`,
  size: 5000,
})
