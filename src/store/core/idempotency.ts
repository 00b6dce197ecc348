import { sql } from 'kysely'
import { idempotencyWindowHours } from '../../../registry/values/limits.ts'
import type { MerchantId, Timestamp, TokenId } from '../../../registry/values/vocabulary.ts'
import type { Database, LockTrx, WriteTrx } from './database.ts'
import { build, locking, reading, writing } from './statement.ts'
import { openTransaction } from './transaction.ts'

/** A key belongs to the merchant, not to the token, so that a retry with a rotated token does not refund twice. */
export interface KeyScope {
  readonly merchantId: MerchantId
  readonly route: string
  readonly key: string
}

export interface StoredResponse {
  readonly fingerprint: Buffer
  readonly status: number
  readonly body: string
  readonly location: string | null
  readonly requestId: string
}

const lock = locking<KeyScope>()(
  'lock_idempotency_key',
  (p) => sql`
    select pg_advisory_xact_lock(hashtextextended(${p.merchantId} || ' ' || ${p.route} || ' ' || ${p.key}, 0))`,
)

const find = reading<KeyScope & { now: Timestamp }>()('find_stored_response', (p) =>
  build
    .selectFrom('idempotency_keys')
    .where('merchant_id', '=', p.merchantId)
    .where('route', '=', p.route)
    .where('key', '=', p.key)
    .where('expires_at', '>', sql<string>`${p.now}::timestamptz`)
    .select([
      'fingerprint',
      sql<number>`response_status`.as('status'),
      sql<string>`response_body`.as('body'),
      'response_location as location',
      'request_id as requestId',
    ]),
)

/**
 * Waits for a concurrent request with the same key, then returns its stored response. These are two statements, because a
 * single statement would read with the snapshot from before the wait.
 */
export async function findStoredResponse(
  trx: LockTrx,
  scope: KeyScope,
  now: Timestamp,
): Promise<StoredResponse | undefined> {
  const [, [stored]] = await Promise.all([trx.lock(lock, scope), trx.read(find, { ...scope, now })])
  return stored
}

export interface NewResponse extends KeyScope, StoredResponse {
  readonly tokenId: TokenId
  readonly now: Timestamp
}

/** Overwrites an expired response. The lock guarantees that no current response exists. */
const store = writing<NewResponse>()(
  'store_response',
  (p) => sql`
    insert into idempotency_keys (
      merchant_id, route, key, fingerprint, token_id, request_id, response_status, response_body, response_location,
      created_at, expires_at
    )
    values (
      ${p.merchantId}, ${p.route}, ${p.key}, ${p.fingerprint}, ${p.tokenId}, ${p.requestId}, ${p.status}, ${p.body},
      ${p.location}, ${p.now}::timestamptz,
      ${p.now}::timestamptz + ${sql.lit(`${idempotencyWindowHours} hours`)}::interval
    )
    on conflict (merchant_id, route, key) do update set
      fingerprint = excluded.fingerprint,
      token_id = excluded.token_id,
      request_id = excluded.request_id,
      response_status = excluded.response_status,
      response_body = excluded.response_body,
      response_location = excluded.response_location,
      created_at = excluded.created_at,
      expires_at = excluded.expires_at`,
)

export function storeResponse(trx: WriteTrx, response: NewResponse): void {
  trx.queue(store, response)
}

/**
 * Stores the response of a rejected request, whose own transaction was rolled back. If a concurrent request with the same
 * key has stored a response first, returns that response and stores nothing.
 */
export async function storeErrorResponse(
  database: Database,
  response: NewResponse,
): Promise<StoredResponse | undefined> {
  const transaction = openTransaction(await database.connect(response.merchantId))
  try {
    const stored = await findStoredResponse(transaction.trx, response, response.now)
    if (stored === undefined) storeResponse(transaction.trx, response)
    await transaction.end('commit', Promise.resolve())
    return stored
  } catch (error) {
    throw await transaction.abandon(error)
  }
}
