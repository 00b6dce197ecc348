import { sql } from 'kysely'
import type { Scope } from '../../../registry/values/scopes.ts'
import type { MerchantId, Timestamp, TokenId } from '../../../registry/values/vocabulary.ts'
import { checking, finding, lockingFirst, queueing, running, writingAny } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, reading, shortReading } from '../core/statement.ts'

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
  /**
   * Whether the redacted bodies of the merchant's rejected requests are recorded now. The database's clock decides
   * whether the recording has ended.
   */
  readonly recordsBodies: boolean
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
      sql<boolean>`coalesce(merchant.record_bodies_until > now(), false)`.as('recordsBodies'),
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

export const lockToken = lockingFirst<{ merchantId: MerchantId; id: TokenId }>()('lock_token', (p) =>
  build
    .selectFrom('api_tokens')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select([
      'name',
      'scopes',
      'ipAllowlist',
      'createdAt',
      'expiresAt',
      'revokedAt',
      'rotatedAt',
      'expiresAtBeforeRotation',
    ])
    .forUpdate(),
)

interface RotatedToken {
  readonly merchantId: MerchantId
  readonly id: TokenId
  /** When the rotated token expires: at the end of the overlap of both tokens, or at its own expiry. */
  readonly expiresAt: Timestamp
  /** When the token was first rotated. */
  readonly rotatedAt: Timestamp
  /** When the token would expire if it had not been rotated. Null if never. */
  readonly expiresAtBeforeRotation: Timestamp | null
}

export const markTokenRotated = queueing<RotatedToken>()('rotate_token', (p) =>
  build
    .updateTable('api_tokens')
    .set({ expiresAt: p.expiresAt, rotatedAt: p.rotatedAt, expiresAtBeforeRotation: p.expiresAtBeforeRotation })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

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
export const findToken = finding<{ merchantId: MerchantId; id: TokenId }>()('find_token_by_id', (p) =>
  build.selectFrom('api_tokens').where('merchantId', '=', p.merchantId).where('id', '=', p.id).select(columns),
)

/** Reports whether any API token was ever created. */
export const hasTokens = checking<object>()('any_token', () => build.selectFrom('api_tokens').select('id').limit(1))

/**
 * Returns false when the merchant does not have the token. If the token was revoked before, the time of that revocation
 * does not change.
 */
export const markTokenRevoked = writingAny<{ merchantId: MerchantId; id: TokenId; now: Timestamp }>()(
  'revoke_token',
  (p) =>
    build
      .updateTable('api_tokens')
      .set({ revokedAt: sql<Timestamp>`coalesce(revoked_at, ${p.now}::timestamptz)` })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id)
      .returning('id'),
)

/** This is bookkeeping and not a change by the merchant, so no audit row is written. */
export const touchToken = running<{ merchantId: MerchantId; id: TokenId; now: Timestamp; ip: string }>()(
  'touch_token',
  (p) =>
    build
      .updateTable('api_tokens')
      .set({ lastUsedAt: p.now, lastUsedIp: p.ip })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id),
)
