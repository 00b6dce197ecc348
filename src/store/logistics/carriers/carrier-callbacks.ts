import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from '../../core/database.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { runInBatches } from '../../core/run-in-batches.ts'
import { build, reading, writing } from '../../core/statement.ts'

/**
 * Callbacks of carriers. Each is stored as received and processed once: applied, ignored, or used only as a hint that
 * triggers a poll.
 */

interface CarrierCallbackKey {
  readonly merchantId: MerchantId
  readonly id: string
}

interface NewCarrierCallback extends CarrierCallbackKey {
  readonly carrier: string
  readonly dedupeHash: Buffer
  readonly body: Buffer
  /** JSON text of the parsed events, or of the order references of an unsigned callback. */
  readonly parsedBody: string
  /** Whether the callback has a valid signature. */
  readonly isTrusted: boolean
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
  readonly now: Timestamp
}

/**
 * Minimum seconds after which an identical unsigned callback counts as a new one, because there may be a new update.
 */
const hintPauseSeconds = 30

const insert = writing<NewCarrierCallback>()(
  'insert_carrier_callback',
  (p) => sql<{ id: string }>`
    insert into carrier_callbacks (
      merchant_id, id, carrier, dedupe_hash, body, parsed_body, is_trusted, source_ip, request_id, user_agent, received_at, next_attempt_at
    )
    values (
      ${p.merchantId}, ${p.id}, ${p.carrier}, ${p.dedupeHash}, ${p.body}, ${p.parsedBody}::jsonb, ${p.isTrusted},
      ${p.sourceIp}::inet, ${p.requestId}, ${p.userAgent}, ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict on constraint carrier_callback_is_stored_once do update
    set
      body = excluded.body, parsed_body = excluded.parsed_body, received_at = excluded.received_at, next_attempt_at = excluded.next_attempt_at,
      outcome = null, reason = null, processed_at = null,
      -- An earlier failure does not concern the repeated callback.
      failures = 0, error = null
    where not carrier_callbacks.is_trusted
      and carrier_callbacks.processed_at < ${p.now}::timestamptz - make_interval(secs => ${sql.lit(hintPauseSeconds)})
    returning id`,
)

/** Stores a callback. Returns false when it was already stored: carriers repeat a callback that got no response. */
export async function storeCarrierCallback(database: Database, callback: NewCarrierCallback): Promise<boolean> {
  return (await database.run(insert, callback)).length > 0
}

export interface DueCarrierCallback extends CarrierCallbackKey {
  readonly carrier: string
  readonly parsedBody: unknown
  readonly isTrusted: boolean
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
  readonly receivedAt: Timestamp
  /** Number of failures to apply the callback that were faults of this service. */
  readonly failures: number
}

/**
 * Duration of a worker's claim of a callback, in seconds. Applying a callback takes milliseconds, so a worker that has
 * not finished after a minute has crashed.
 */
const leaseSeconds = 60

export const carrierCallbackClaim = writing<{ merchantId: MerchantId; now: Timestamp }>()(
  'claim_carrier_callback',
  (p) => sql<DueCarrierCallback>`
    with due as (
      select merchant_id, id
      from carrier_callbacks
      where merchant_id = ${p.merchantId} and next_attempt_at <= ${p.now}::timestamptz
      order by next_attempt_at, id
      limit 1
      for update skip locked
    )
    update carrier_callbacks callback
    set next_attempt_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)})
    from due
    where callback.merchant_id = due.merchant_id and callback.id = due.id
    returning
      callback.merchant_id as "merchantId", callback.id, callback.carrier, callback.parsed_body as "parsedBody", callback.is_trusted as "isTrusted",
      host(callback.source_ip) as "sourceIp", callback.request_id as "requestId", callback.user_agent as "userAgent",
      callback.received_at as "receivedAt", callback.failures`,
)

/** Claims the oldest due callback of a merchant. Callbacks are claimed one at a time to preserve their order. */
export async function claimCarrierCallback(
  database: Database,
  merchantId: MerchantId,
  now: Timestamp,
): Promise<DueCarrierCallback | undefined> {
  return (await retryConflicts(() => database.run(carrierCallbackClaim, { merchantId, now })))[0]
}

export interface CarrierCallbackResolution {
  readonly outcome: 'applied' | 'ignored' | 'hint'
  readonly reason: string | null
}

const markProcessed = writing<CarrierCallbackKey & CarrierCallbackResolution & { now: Timestamp }>()(
  'mark_carrier_callback_processed',
  (p) => sql<{ id: string }>`
    update carrier_callbacks
    set outcome = ${p.outcome}, reason = ${p.reason}, processed_at = ${p.now}::timestamptz, next_attempt_at = null
    where merchant_id = ${p.merchantId} and id = ${p.id} and processed_at is null
    returning id`,
)

/**
 * Marks a callback as processed. Returns false when another worker has already done so; the caller must then roll back.
 */
export async function resolveCarrierCallback(
  trx: WriteTrx,
  resolution: CarrierCallbackKey & CarrierCallbackResolution & { readonly now: Timestamp },
): Promise<boolean> {
  return (await trx.write(markProcessed, resolution)).length > 0
}

/** Marks a callback as processed, without any other change in the transaction. */
export async function closeCarrierCallback(
  database: Database,
  resolution: CarrierCallbackKey & CarrierCallbackResolution & { readonly now: Timestamp },
): Promise<void> {
  await retryConflicts(() => database.run(markProcessed, resolution))
}

const retryStatement = writing<CarrierCallbackKey & { nextAttemptAt: Timestamp; reason: string }>()(
  'retry_carrier_callback',
  (p) => sql`
    update carrier_callbacks
    set next_attempt_at = ${p.nextAttemptAt}::timestamptz, reason = ${p.reason}
    where merchant_id = ${p.merchantId} and id = ${p.id} and processed_at is null`,
)

/** Postpones a carrier callback that cannot be applied yet, and stores the reason. */
export async function retryCarrierCallback(
  database: Database,
  callback: CarrierCallbackKey & { readonly nextAttemptAt: Timestamp; readonly reason: string },
): Promise<void> {
  await retryConflicts(() => database.run(retryStatement, callback))
}

const fail = writing<CarrierCallbackKey & { nextAttemptAt: Timestamp | null; error: string; now: Timestamp }>()(
  'fail_carrier_callback',
  (p) => sql`
    update carrier_callbacks
    set
      failures = failures + 1, error = ${p.error}, next_attempt_at = ${p.nextAttemptAt}::timestamptz,
      outcome = case when ${p.nextAttemptAt}::timestamptz is null then 'failed' end,
      processed_at = case when ${p.nextAttemptAt}::timestamptz is null then ${p.now}::timestamptz end
    where merchant_id = ${p.merchantId} and id = ${p.id} and processed_at is null`,
)

/**
 * Records a failure to apply a callback, and the time of the next attempt. Without a next attempt, the callback has
 * failed finally; it stays stored.
 */
export async function failCarrierCallback(
  database: Database,
  failure: CarrierCallbackKey & {
    readonly nextAttemptAt: Timestamp | null
    readonly error: string
    readonly now: Timestamp
  },
): Promise<void> {
  await retryConflicts(() => database.run(fail, failure))
}

/** A callback that could not be applied: permanently, or until it is retried. */
export interface FailedCallback {
  readonly id: string
  readonly carrier: string
  readonly receivedAt: Timestamp
  readonly failures: number
  readonly error: string
  readonly outcome: 'failed' | null
  readonly nextAttemptAt: Timestamp | null
}

const listFailed = reading<{ merchantId: MerchantId; limit: number }>()('list_failed_callbacks', (p) =>
  build
    .selectFrom('carrier_callbacks')
    .where('merchant_id', '=', p.merchantId)
    .where('error', 'is not', null)
    .where((where) => where.or([where('outcome', '=', 'failed'), where('processed_at', 'is', null)]))
    .select([
      'id',
      'carrier',
      'received_at as receivedAt',
      'failures',
      sql<string>`error`.as('error'),
      sql<'failed' | null>`outcome`.as('outcome'),
      'next_attempt_at as nextAttemptAt',
    ])
    .orderBy('received_at', 'desc')
    .limit(p.limit),
)

/** Returns the callbacks of a merchant that a fault of this service prevents from being applied, newest first. */
export async function listFailedCallbacks(
  db: ReadDb,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly FailedCallback[]> {
  return db.read(listFailed, { merchantId, limit })
}

export const merchantsWithCarrierCallbacks = reading<{ now: Timestamp }>()('merchants_with_carrier_callbacks', (p) =>
  build
    .selectFrom('carrier_callbacks')
    .where('next_attempt_at', '<=', p.now)
    .select('merchant_id as merchantId')
    .distinct(),
)

/** Returns the merchants that have a carrier callback due to be processed. */
export async function listMerchantsWithCarrierCallbacks(db: ReadDb, now: Timestamp): Promise<MerchantId[]> {
  return (await db.read(merchantsWithCarrierCallbacks, { now })).map(({ merchantId }) => merchantId)
}

/** Maximum number of callbacks that one statement redacts. A statement of this size takes a fraction of a second. */
const redactMax = 1000

export const oldCarrierCallbackRedaction = writing<{ processedBefore: Timestamp }>()(
  'redact_carrier_callbacks',
  (p) => sql<{ id: string }>`
    update carrier_callbacks
    set body = '', parsed_body = null
    where (merchant_id, id) in (
      select merchant_id, id
      from carrier_callbacks
      where processed_at < ${p.processedBefore}::timestamptz and octet_length(body) > 0
      order by processed_at
      limit ${sql.lit(redactMax)}
      for update skip locked
    )
    returning id`,
)

/** Redacts the bodies of callbacks that were processed before a time. Returns the number of redacted callbacks. */
export function redactCarrierCallbacks(database: Database, processedBefore: Timestamp): Promise<number> {
  return runInBatches(database, { statement: oldCarrierCallbackRedaction, args: { processedBefore }, size: redactMax })
}
