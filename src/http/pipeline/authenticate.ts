import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { tokenCacheSeconds } from '../../../registry/values/limits.ts'
import type { Scope } from '../../../registry/values/scopes.ts'
import { networksOf } from '../../access/networks.ts'
import { hashToken, isWellFormedToken } from '../../access/token-format.ts'
import { type Clock, toMs, toTimestamp } from '../../base/clock.ts'
import { findTokenByHash, type TokenRecord, touchToken } from '../../store/access/tokens.ts'
import type { Database } from '../../store/core/database.ts'
import { type Caller, sourceIpOf } from './caller.ts'
import { Refusal } from './refusal.ts'

export type Authenticate = (incoming: IncomingMessage) => Promise<Caller>

interface Known {
  readonly token: TokenRecord | undefined
  readonly allows: (address: string) => boolean
  readonly readAtMs: number
}

/** As many tokens as can be busy within five seconds; the cache forgets the least used beyond it. */
const cacheSize = 10_000

/** A token's last use is for people to look at, so once a minute is exact enough. */
const touchEveryMs = 60_000

/**
 * Finds out who is calling. What the database says of a token is kept for five seconds, and no longer, so a revoked
 * token is refused by every process within that time. A malformed token never reaches the database.
 */
export function createAuthenticate(options: {
  database: Database
  clock: Clock
  trustedProxies: number
  onTouchFailed: (error: unknown) => void
}): Authenticate {
  const { database, clock, trustedProxies } = options
  const known = new LRUCache<string, Promise<Known>>({ max: cacheSize })
  const current = new LRUCache<string, Known>({ max: cacheSize })
  const touched = new LRUCache<string, number>({ max: cacheSize })

  const lookUp = async (token: string): Promise<Known> => {
    const hash = hashToken(token)
    // By its hash, so that the process does not hold tokens that a dump of its memory would show.
    const key = hash.toString('base64')
    const fresh = current.get(key)
    if (fresh !== undefined && isFresh(fresh, clock.nowMs())) return fresh
    const running = known.get(key)
    if (running !== undefined) return running
    const reading = readToken(database, clock, hash).finally(() => known.delete(key))
    known.set(key, reading)
    const read = await reading
    current.set(key, read)
    return read
  }

  return async (incoming) => {
    const { token, allows } = await lookUp(bearerOf(incoming))
    if (token === undefined) throw new Refusal('invalid_token', 'No such token.')
    const nowMs = clock.nowMs()
    judge(token, nowMs)
    const sourceIp = sourceIpOf(incoming, trustedProxies)
    if (isIP(sourceIp) === 0 || !allows(sourceIp)) {
      throw new Refusal('ip_not_allowed', `The token may not be used from ${sourceIp.slice(0, 45)}.`, {
        details: { sourceIp: sourceIp.slice(0, 45) },
      })
    }
    if (nowMs - (touched.get(token.id) ?? 0) >= touchEveryMs) {
      touched.set(token.id, nowMs)
      const use = { merchantId: token.merchantId, id: token.id, now: toTimestamp(nowMs), ip: sourceIp }
      touchToken(database, use).catch(options.onTouchFailed)
    }
    return { merchantId: token.merchantId, mode: token.mode, tokenId: token.id, scopes: token.scopes, sourceIp }
  }
}

/** A clock that was set back must not make what is known young again. */
function isFresh(known: Known, nowMs: number): boolean {
  const ageMs = nowMs - known.readAtMs
  return ageMs >= 0 && ageMs < tokenCacheSeconds * 1000
}

async function readToken(database: Database, clock: Clock, hash: Buffer): Promise<Known> {
  // Before the look-up: a revocation that commits while it runs must not be hidden for more than five seconds.
  const readAtMs = clock.nowMs()
  const record = await findTokenByHash(database, hash)
  return { token: record, allows: networksOf(record?.ipAllowlist ?? []), readAtMs }
}

function bearerOf(incoming: IncomingMessage): string {
  const header = incoming.headers.authorization
  if (header === undefined) throw new Refusal('missing_token', 'The Authorization header is missing.')
  const sent = /^bearer(?=[ \t])/i.test(header) ? header.slice('bearer'.length) : ''
  if (sent.trim() === '') throw new Refusal('missing_token', 'The Authorization header must be `Bearer <API_TOKEN>`.')
  // Only spaces may stand before it (RFC 6750): anything else belongs to a token, which then is none.
  const token = sent.replace(/^ +/, '')
  if (!isWellFormedToken(token)) {
    throw new Refusal('invalid_token', 'The token is malformed: its form or its check characters are wrong.')
  }
  return token
}

function judge(token: TokenRecord, nowMs: number): void {
  if (token.revokedAt !== null) throw new Refusal('token_revoked', `The token was revoked at ${token.revokedAt}.`)
  if (token.expiresAt !== null && nowMs >= toMs(token.expiresAt)) {
    throw new Refusal('token_expired', `The token expired at ${token.expiresAt}.`)
  }
  if (token.suspendedAt !== null) throw new Refusal('merchant_suspended', 'The merchant’s account is suspended.')
}

/** Spec 5.3: a token does what its scopes say and no more. */
export function authorize(caller: Caller, requiredScope: Scope): void {
  if (caller.scopes.includes(requiredScope)) return
  throw new Refusal('insufficient_scope', `This operation needs the scope ${requiredScope}.`, {
    details: { requiredScope, tokenScopes: caller.scopes },
  })
}
