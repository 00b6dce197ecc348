import { sql } from 'kysely'
import type { Scope } from '../../../registry/values/scopes.ts'
import type { MerchantId, Timestamp, TokenId } from '../../../registry/values/vocabulary.ts'
import type { Database, LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, locking, reading, shortReading, writing } from '../core/statement.ts'

/** The columns of a token and its merchant that authentication needs. */
export interface TokenRecord {
  readonly id: TokenId
  readonly merchantId: MerchantId
  readonly mode: 'live' | 'test'
  readonly scopes: readonly Scope[]
  readonly ipAllowlist: readonly string[]
  readonly expiresAt: Timestamp | null
  readonly revokedAt: Timestamp | null
  readonly suspendedAt: string | null
  /** The merchant’s own rate limits as one line of text; null when the configured limits apply. */
  readonly rateLimits: string | null
}

const findByHash = shortReading<{ hash: Buffer }>()('find_token', (p) =>
  build
    .selectFrom('api_tokens as token')
    .innerJoin('merchants as merchant', 'merchant.id', 'token.merchantId')
    .where('token.tokenHash', '=', p.hash)
    .select([
      'token.id',
      'token.merchantId',
      'merchant.mode',
      'token.scopes',
      'token.ipAllowlist',
      'token.expiresAt',
      'token.revokedAt',
      'merchant.suspendedAt',
      'merchant.rateLimits',
    ]),
)

const columns = [
  'id',
  'name',
  'prefix',
  'lastFour',
  'scopes',
  'ipAllowlist',
  'createdBy',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'lastUsedIp',
] as const

const list = reading<{ merchantId: MerchantId; beforeId: string; limit: number }>()('list_tokens', (p) =>
  build
    .selectFrom('api_tokens')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id < ${p.beforeId}`)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

const find = reading<{ merchantId: MerchantId; id: TokenId }>()('find_token_by_id', (p) =>
  build.selectFrom('api_tokens').where('merchantId', '=', p.merchantId).where('id', '=', p.id).select(columns),
)

const any = reading<object>()('any_token', () => build.selectFrom('api_tokens').select('id').limit(1))

const revoke = writing<{ merchantId: MerchantId; id: TokenId; now: Timestamp }>()('revoke_token', (p) =>
  build
    .updateTable('api_tokens')
    .set({ revokedAt: sql<Timestamp>`coalesce(revoked_at, ${p.now}::timestamptz)` })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .returning('id'),
)

const touch = writing<{ merchantId: MerchantId; id: TokenId; now: Timestamp; ip: string }>()('touch_token', (p) =>
  build
    .updateTable('api_tokens')
    .set({ lastUsedAt: p.now, lastUsedIp: p.ip })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

const lock = locking<{ merchantId: MerchantId; id: TokenId }>()('lock_token', (p) =>
  build
    .selectFrom('api_tokens')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select(['name', 'scopes', 'ipAllowlist', 'createdAt', 'expiresAt', 'revokedAt'])
    .forUpdate(),
)

const expire = writing<{ merchantId: MerchantId; id: TokenId; expiresAt: Timestamp }>()('expire_token', (p) =>
  build
    .updateTable('api_tokens')
    .set({ expiresAt: p.expiresAt })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

export async function lockToken(trx: LockTrx, token: { merchantId: MerchantId; id: TokenId }) {
  return (await trx.lock(lock, token))[0]
}

/** Sets the time at which an API token expires. */
export function markTokenExpiring(
  trx: WriteTrx,
  token: { merchantId: MerchantId; id: TokenId; expiresAt: Timestamp },
): void {
  trx.queue(expire, token)
}

export const insertToken = inserting('api_tokens')

export async function findTokenByHash(db: ReadDb, hash: Buffer): Promise<TokenRecord | undefined> {
  return (await db.read(findByHash, { hash }))[0]
}

/** A text that sorts after every token id, because the encoded part of an id starts with 0 to 7. */
const aboveEveryId = 'tok_z'

/** Returns a page of the tokens of a merchant, newest first, without their secrets: only a hash is stored. */
export function listTokens(
  db: ReadDb,
  {
    merchantId,
    limit,
    beforeId,
  }: { readonly merchantId: MerchantId; readonly limit: number; readonly beforeId?: string | undefined },
) {
  return db.read(list, { merchantId, limit, beforeId: beforeId ?? aboveEveryId })
}

/** Returns a token with the same fields as in the list; undefined when the merchant has no such token. */
export async function findToken(
  db: ReadDb,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: TokenId },
) {
  return (await db.read(find, { merchantId, id }))[0]
}

/** Reports whether any API token was ever created. */
export async function hasTokens(db: ReadDb): Promise<boolean> {
  return (await db.read(any, {})).length > 0
}

/**
 * Revokes a token. Returns false when the merchant has no such token. A second revocation keeps the time of the first.
 */
export async function markTokenRevoked(
  trx: WriteTrx,
  token: { merchantId: MerchantId; id: TokenId; now: Timestamp },
): Promise<boolean> {
  return (await trx.write(revoke, token)).length > 0
}

/** Records the last use of a token. This is bookkeeping and not a change by the merchant, so it has no audit row. */
export async function touchToken(
  database: Database,
  use: { merchantId: MerchantId; id: TokenId; now: Timestamp; ip: string },
): Promise<void> {
  await database.run(touch, use)
}
