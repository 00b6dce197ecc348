import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import type { LoggedRequest } from './request-log.ts'

/** Reads the request log by the ids of the requests, which sort by time. */

/** Filter of the request log: a response status, or a class of statuses such as `4xx`. */
export type StatusFilter = number | '2xx' | '3xx' | '4xx' | '5xx'

export interface RequestFilter {
  readonly merchantId: MerchantId
  /** Filter of the request log: the id of a request. As in the other filters, null or undefined matches any request. */
  readonly id?: string | null | undefined
  readonly operation?: string | null | undefined
  readonly status?: StatusFilter | null | undefined
  readonly tokenId?: string | null | undefined
  /** The list contains only requests at this time or later. */
  readonly since?: Timestamp | null | undefined
  /** The list contains only requests before this time. */
  readonly until?: Timestamp | null | undefined
}

export interface RequestPosition {
  readonly limit: number
  readonly beforeId?: string | null | undefined
}

export interface RequestRow extends Omit<LoggedRequest, 'body'> {
  readonly occurredAt: Timestamp
}

export interface RequestPage {
  /**
   * The requests of the page, newest first. There may be fewer rows than the limit, even none, before the end of the
   * log.
   */
  readonly rows: readonly RequestRow[]
  /** The value of `beforeId` that continues the search. Null at the end of the log. */
  readonly continueBeforeId: string | null
}

/**
 * Maximum number of rows that one page scans, in about 20 ms. An index for each filter would make every write more
 * expensive, so a filter that matches few rows gets small pages instead.
 */
const scannedMax = 10_000

/**
 * Maximum number of rows that are scanned for one page of the list by the index of failed requests. These rows are far
 * apart in the table, so the scan reads a different disk block for almost every row.
 */
const scannedErrorsMax = 1_000

interface Matching {
  readonly fromStatus: number
  readonly belowStatus: number
  readonly operation: string | null
  readonly tokenId: string | null
}

interface ListArgs extends Matching {
  readonly merchantId: MerchantId
  readonly fromId: string
  readonly beforeId: string
  readonly limit: number
  readonly scanned: number
}

const columns = sql`
  merchant_id, id, occurred_at, operation, status, error_code,
  duration_ms, token_id, source_ip, problems`

function matches(p: Matching): RawBuilder<boolean> {
  return sql<boolean>`
    status >= ${p.fromStatus} and status < ${p.belowStatus}
    and (${p.operation}::text is null or operation = ${p.operation})
    and (${p.tokenId}::text is null or token_id = ${p.tokenId})`
}

/** Fields of every row of the page that show where the scan of the request log ended. */
interface Scanned {
  /**
   * Number of rows that the query scanned for the page. The query returns this number only if the page has fewer rows
   * than its limit, and otherwise 0.
   */
  readonly scannedRows: number
  readonly scannedToId: string | null
}

type Found = Scanned & RequestRow

/** The result if no request matches: a single row without an id. */
type NotFound = Scanned & { readonly id: null }

/**
 * Declares the statements that list requests. The SQL condition `isIndexed` limits the rows to scan. A partial index
 * has the same condition.
 */
function listing(label: string, isIndexed: RawBuilder<boolean>) {
  return reading<ListArgs>()(label, (p) => {
    const scan = (scanned: RawBuilder<unknown>) => sql`
        select ${scanned}
        from request_log
        where merchant_id = ${p.merchantId} and id >= ${p.fromId} and id < ${p.beforeId} and ${isIndexed}
        order by id desc
        limit ${p.scanned}`
    // The scan of the request log ends early when the page is full. Only if the page is not full, the query also
    // determines where the scan ended.
    return sql<Found | NotFound>`
        with page as materialized (
          select ${columns} from (${scan(sql`*`)}) as scanned where ${matches(p)} order by id desc limit ${p.limit}
        ), scan as materialized (
          select count(*)::int as scanned_rows, min(id) as scanned_to_id
          from (${scan(sql`id`)}) as scanned
          where (select count(*) from page) < ${p.limit}
        )
        select scan.*, page.*
        from scan
        left join page on true
        order by page.id desc`
  })
}

const listAll = listing('list_requests', sql`true`)
const listErrors = listing('list_failed_requests', sql`status >= 400`)

export function requestQuery(filter: RequestFilter, { limit, beforeId }: RequestPosition) {
  const matching = matchingOf(filter)
  const isFiltered = [filter.operation, filter.tokenId, filter.status].some((value) => (value ?? null) !== null)
  const isOfErrors = matching.fromStatus >= 400
  const args: ListArgs = {
    ...matching,
    merchantId: filter.merchantId,
    ...rangeOf(filter, beforeId ?? null),
    limit,
    scanned: isFiltered ? Math.max(isOfErrors ? scannedErrorsMax : scannedMax, limit) : limit,
  }
  return { statement: isOfErrors ? listErrors : listAll, args }
}

/**
 * Returns a page of requests, newest first. The statement scans a limited number of rows, so a page that is not full
 * may still be followed by another one.
 */
export async function listRequests(db: ReadDb, filter: RequestFilter, position: RequestPosition): Promise<RequestPage> {
  const { statement, args } = requestQuery(filter, position)
  const found = await db.read(statement, args)
  const rows = found.filter(isFound).map(requestOf)
  const [{ scannedRows, scannedToId } = { scannedRows: 0, scannedToId: null }] = found
  if (rows.length === args.limit) return { rows, continueBeforeId: rows.at(-1)?.id ?? null }
  return { rows, continueBeforeId: scannedRows === args.scanned ? scannedToId : null }
}

/** Undefined if the id is unknown, or if the request was already purged from the log. */
export async function findRequest(
  db: ReadDb,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: string },
): Promise<RequestRow | undefined> {
  const { rows } = await listRequests(db, { merchantId, id }, { limit: 1 })
  return rows[0]
}

/** The redacted body of a request, which lists do not contain. Null if the request has none. */
export const requestBody = reading<{ merchantId: MerchantId; id: string }>()(
  'find_request_body',
  (p) => sql<{ body: string | null }>`
    select body from request_log where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

/**
 * The primary key of the request log begins with the merchant id. To use this key, the statement searches the request
 * id once for each merchant.
 */
const byIdAlone = reading<{ id: string }>()(
  'find_request_of_any_merchant',
  (p) => sql<RequestRow>`
    select found.*
    from merchants
    cross join lateral (
      select ${columns} from request_log where request_log.merchant_id = merchants.id and request_log.id = ${p.id}
    ) as found`,
)

/**
 * For the operator of the service. Undefined if the id is unknown, or if the request was already purged from the log.
 */
export async function findRequestOfAny(db: ReadDb, id: string): Promise<RequestRow | undefined> {
  const [row] = await db.read(byIdAlone, { id })
  return row
}

/**
 * A position in the commit order of transactions. Request ids do not follow this order: a batch of requests, or a slow
 * request, is stored after newer requests of other processes.
 */
export interface LogPoint {
  /**
   * The text of a `pg_snapshot`. The snapshot determines which stored requests were committed before this point in the
   * order of commits.
   */
  readonly snapshot: string
  /** The time at which this point was determined, by the clock of the database. */
  readonly atMs: number
}

const currentPoint = reading<object>()(
  'current_log_point',
  () => sql<{ snapshot: string; at: Timestamp }>`
    select pg_current_snapshot()::text as snapshot, clock_timestamp() as at`,
)

/**
 * Returns the current point of the request log, which separates the requests stored so far from those that are stored
 * later.
 */
export async function readLogPoint(db: ReadDb): Promise<LogPoint> {
  const [row] = await db.read(currentPoint, {})
  if (row === undefined) throw new Error('The database server returned no snapshot.')
  return { snapshot: row.snapshot, atMs: toMs(row.at) }
}

/**
 * Maximum time from the start of a request until the request is stored: a long poll takes 25 seconds, a slow body 15, a
 * transaction 9, and storing the batch some seconds more. Only a process that could not reach the database stores
 * requests later.
 */
const storedWithinMs = 2 * 60_000

interface NewArgs extends Matching {
  readonly merchantId: MerchantId
  readonly afterId: string
  readonly after: string
  readonly until: string
  readonly limit: number
}

const listNew = reading<NewArgs>()(
  'list_new_requests',
  (p) => sql<RequestRow>`
    select ${columns}
    from request_log
    where merchant_id = ${p.merchantId}
      and id > ${p.afterId}
      and not pg_visible_in_snapshot(recorded_xid, ${p.after}::pg_snapshot)
      and pg_visible_in_snapshot(recorded_xid, ${p.until}::pg_snapshot)
      and ${matches(p)}
    order by id
    limit ${p.limit}`,
)

export interface NewRequests {
  readonly after: LogPoint
  readonly until: LogPoint
  /** The id of the last request of the previous page. */
  readonly afterId?: string | undefined
  readonly limit: number
}

/**
 * Returns the requests that were stored between two points in the order of commits, each exactly once, oldest first.
 * Ignores `id`, `since` and `until`.
 */
export function listNewRequests(
  db: ReadDb,
  filter: RequestFilter,
  { after, until, afterId, limit }: NewRequests,
): Promise<readonly RequestRow[]> {
  const oldest = lowestIdAt('req', after.atMs - storedWithinMs)
  return db.read(listNew, {
    ...matchingOf(filter),
    merchantId: filter.merchantId,
    afterId: afterId ?? oldest,
    after: after.snapshot,
    until: until.snapshot,
    limit,
  })
}

function matchingOf({ status, operation, tokenId }: RequestFilter): Matching {
  return { ...statusesOf(status ?? null), operation: operation ?? null, tokenId: tokenId ?? null }
}

function statusesOf(status: StatusFilter | null): Pick<Matching, 'fromStatus' | 'belowStatus'> {
  // All HTTP statuses are between 0 and 1,000, because every status has three digits.
  if (status === null) return { fromStatus: 0, belowStatus: 1_000 }
  if (typeof status === 'number') return { fromStatus: status, belowStatus: status + 1 }
  const fromStatus = Number(status[0]) * 100
  return { fromStatus, belowStatus: fromStatus + 100 }
}

/** A text that sorts after every request id, because each id starts with `req_`, which sorts before `s`. */
const afterAllIds = 's'

/**
 * Returns the range of request ids that a filter selects. The end of the range is excluded. All ids have the same
 * length, so `<id>0` follows directly after an id.
 */
function rangeOf({ id, since, until }: RequestFilter, beforeId: string | null) {
  const from = [id ?? '', since ? lowestIdAt('req', toMs(since)) : '']
  const before = [id ? `${id}0` : afterAllIds, until ? lowestIdAt('req', toMs(until)) : afterAllIds]
  return {
    fromId: from.reduce((one, other) => (one > other ? one : other)),
    beforeId: [...before, beforeId ?? afterAllIds].reduce((one, other) => (one < other ? one : other)),
  }
}

function isFound(row: Found | NotFound): row is Found {
  return row.id !== null
}

function requestOf({ scannedRows: _rows, scannedToId: _id, ...request }: Found): RequestRow {
  return request
}
