import { sql } from 'kysely'
import { idempotencyWindowHours } from '../../../registry/values/limits.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from './database.ts'
import { faultOf, isContention } from './faults.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { build, locking, shortReading, writing } from './statement.ts'
import { type Opening, openTransaction } from './transaction.ts'

/**
 * An idempotency key belongs to the merchant, not to the token, so that a retry with a rotated token does not refund
 * twice.
 */
export interface KeyScope {
  readonly merchantId: MerchantId
  readonly route: string
  readonly key: string
}

export interface KeyedRequest {
  readonly scope: KeyScope
  /** Hash of the request body. A request with the same key and another body is a conflict. */
  readonly fingerprint: Buffer
  readonly requestId: string
  /** The id of the token or member that sent the request. */
  readonly callerId: string
}

/** The request repeats an earlier request with the same idempotency key, whose response is stored. */
export class StoredResponseFound extends Error {
  readonly stored: StoredResponse
  constructor(stored: StoredResponse) {
    super('The response to the request is already stored.')
    this.stored = stored
  }
}

/** A request with another body was sent with the same idempotency key within the last 24 hours. */
export class KeyConflict extends Error {}

/** Another request with the same idempotency key is still running. */
export class KeyInUse extends Error {}

export interface StoredResponse {
  readonly fingerprint: Buffer
  readonly status: number
  readonly body: string
  readonly location: string | null
  readonly requestId: string
}

const lock = locking<{ name: string }>()(
  'lock_idempotency_key',
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p.name}, 0))`,
)

const find = shortReading<KeyScope & { now: Timestamp }>()('find_stored_response', (p) =>
  build
    .selectFrom('idempotency_keys')
    .where('merchantId', '=', p.merchantId)
    .where('route', '=', p.route)
    .where('key', '=', p.key)
    .where('expiresAt', '>', sql<Timestamp>`${p.now}::timestamptz`)
    .select([
      'fingerprint',
      sql<number>`response_status`.as('status'),
      sql<string>`response_body`.as('body'),
      'responseLocation as location',
      'requestId',
    ]),
)

const removeExpired = writing<KeyScope & { now: Timestamp }>()('remove_expired_response', (p) =>
  build
    .deleteFrom('idempotency_keys')
    .where('merchantId', '=', p.merchantId)
    .where('route', '=', p.route)
    .where('key', '=', p.key)
    .where('expiresAt', '<=', sql<Timestamp>`${p.now}::timestamptz`),
)

/**
 * Returns the first statements of a transaction whose request has an idempotency key. Most keys are new, so the first
 * attempt of the transaction does not search for the key: it only waits for a concurrent request with the same key. If
 * the key was used, the unique constraint idempotency_key_is_used_once rejects the response when it is inserted. The
 * retry of the transaction therefore first checks that the key is new.
 */
export function openingOf(request: KeyedRequest, now: Timestamp, isRetry: boolean): Opening {
  if (isRetry) return { guard: (trx) => requireNewKey(trx, request, now) }
  return { first: (trx) => lockKey(trx, request) }
}

/**
 * Waits for a concurrent request with the same idempotency key, and returns if the key is new. Throws
 * StoredResponseFound, KeyConflict or KeyInUse for a used key. The wait and the search are separate statements. A
 * single statement would search in a snapshot from before the wait.
 */
async function requireNewKey(trx: WriteTrx, request: KeyedRequest, now: Timestamp): Promise<void> {
  const sent = [
    lockKey(trx, request),
    requireUnused(trx, request, now),
    trx.write(removeExpired, { ...request.scope, now }),
  ]
  // If the statement that takes the lock fails, the server skips the statements after it, so the error of the first
  // failed statement is thrown.
  for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason
}

/** A lock timeout means that another request with the idempotency key is still running. */
async function lockKey(trx: WriteTrx, { scope: { merchantId, route, key } }: KeyedRequest): Promise<void> {
  try {
    await trx.lock(lock, { name: `${merchantId} ${route} ${key}` })
  } catch (error) {
    throw isContention(error) ? new KeyInUse('Another request holds the key.', { cause: faultOf(error) }) : error
  }
}

/**
 * Throws StoredResponseFound or KeyConflict if a response is already stored for an idempotency key. If the caller has
 * not locked the key, another request with the same key may still be running.
 */
export async function requireUnused(db: ReadDb, { scope, fingerprint }: KeyedRequest, now: Timestamp): Promise<void> {
  const [stored] = await db.read(find, { ...scope, now })
  if (stored === undefined) return
  throw stored.fingerprint.equals(fingerprint) ? new StoredResponseFound(stored) : new KeyConflict()
}

export interface KeyedResponse {
  readonly status: number
  readonly body: string
  readonly location: string | null
}

export interface ResponseRow extends KeyScope {
  readonly merchantId: MerchantId
  readonly now: Timestamp
  readonly fingerprint: Buffer
  readonly originalRequestId: string
  readonly callerId: string
  readonly responseStatus: number
  readonly responseBody: string
  readonly responseLocation: string | null
}

export function responseRowOf(request: KeyedRequest, response: KeyedResponse, now: Timestamp): ResponseRow {
  const { scope, fingerprint, requestId: originalRequestId, callerId } = request
  const { status: responseStatus, body: responseBody, location: responseLocation } = response
  return { ...scope, now, fingerprint, originalRequestId, callerId, responseStatus, responseBody, responseLocation }
}

/** Fails with a unique violation if a response with the same idempotency key is already stored. */
export const responseInsert = (p: ResponseRow) => sql`
    insert into idempotency_keys (
      merchant_id, route, key, fingerprint, token_id, request_id, response_status, response_body, response_location,
      created_at, expires_at
    )
    values (
      ${p.merchantId}, ${p.route}, ${p.key}, ${p.fingerprint}, ${p.callerId}, ${p.originalRequestId}, ${p.responseStatus},
      ${p.responseBody}, ${p.responseLocation}, ${p.now}::timestamptz,
      ${p.now}::timestamptz + ${sql.lit(`${idempotencyWindowHours} hours`)}::interval
    )`

const store = writing<ResponseRow>()('store_response', (p) => responseInsert(p))

/**
 * Stores the response to a rejected request under its idempotency key, if the caller passes a response. Uses a new
 * transaction, because the transaction of the request was rolled back. If another request used the key first, stores
 * nothing and throws StoredResponseFound, KeyConflict or KeyInUse.
 */
export async function storeErrorResponse(
  database: Database,
  request: KeyedRequest,
  response: KeyedResponse | undefined,
  now: Timestamp,
): Promise<void> {
  await retryConflicts(async () => {
    const transaction = openTransaction(database, { merchantId: request.scope.merchantId })
    try {
      await requireNewKey(transaction.trx, request, now)
      if (response !== undefined) transaction.trx.queue(store, responseRowOf(request, response, now))
    } catch (error) {
      throw await transaction.abandon(error)
    }
    await transaction.end(response === undefined ? 'rollback' : 'commit', Promise.resolve())
  })
}
