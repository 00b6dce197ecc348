import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { tokenCacheSeconds } from '../../../registry/values/limits.ts'
import type { FailedAuthentications } from '../../access/limits/failed-authentications.ts'
import { networksOf } from '../../access/networks.ts'
import { hashToken, isWellFormedToken } from '../../access/token-format.ts'
import { type Clock, toMs, toTimestamp } from '../../base/clock.ts'
import { withinBounds } from '../../base/deadline.ts'
import { inBackground } from '../../base/trace.ts'
import type { Caller } from '../../operations/execute/caller.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import { detachedBounds, type RequestLimits } from '../../operations/execute/request-limits.ts'
import { findTokenByHash, type TokenRecord, touchToken } from '../../store/access/tokens.ts'
import type { Database } from '../../store/core/database.ts'
import { openKeyedQueue } from '../../store/core/keyed-queue.ts'
import { rejectionOf } from './admission.ts'
import { sourceIpOf } from './sender.ts'

/** Throws a Refusal if the request has no valid token. */
export type Authenticate = (incoming: IncomingMessage) => Promise<Caller>

interface CachedToken {
  readonly token: TokenRecord | undefined
  readonly allows: (address: string) => boolean
  readonly readAtMs: number
}

/**
 * Maximum number of cached tokens, more than are used within the cache lifetime of five seconds. When the cache is
 * full, the least recently used token is removed.
 */
const cacheSize = 10_000

/** Maximum number of cached unknown tokens. Their cache is separate, so that unknown tokens evict no valid token. */
const unknownCacheSize = 1_000

/**
 * Limits for database lookups of tokens that this process has not accepted before. Four run at once, so that requests
 * with random tokens leave the pool's other database connections to valid tokens. A lookup takes less than a
 * millisecond, so 250 waiting lookups take about a tenth of a second.
 */
const newTokenLimits = { atOnce: 4, waitingMax: 250 }

/**
 * Interval at which the last use of a token is stored. Only the dashboard and the command line show it, so a minute is
 * precise enough.
 */
const touchEveryMs = 60_000

interface Options {
  readonly database: Database
  readonly clock: Clock
  readonly trustedProxies: number
  readonly requestLimits: RequestLimits
  readonly onTouchFailed: (error: unknown) => void
  /** Undefined when the operator has disabled rate limits. */
  readonly failures: FailedAuthentications | undefined
}

/**
 * Tokens are cached for five seconds, so every process rejects a revoked token within that time. The database is
 * searched neither for a malformed token, nor for an unknown token from an address with too many failures.
 */
export function createAuthenticate(options: Options): Authenticate {
  const { database, clock, trustedProxies, failures, onTouchFailed } = options
  const touched = new LRUCache<string, number>({ max: cacheSize })
  const requireFewFailures = (address: string) => {
    const rejection = failures?.rejection(address)
    if (rejection !== undefined) throw rejectionOf(rejection)
  }
  const lookUp = openTokenCache(options, requireFewFailures)
  const recordUse = openTokenUses(database, onTouchFailed)

  return async (message) => {
    const sourceIp = sourceIpOf(message, trustedProxies)
    try {
      const found = await lookUp(bearerOf(message), sourceIp)
      const nowMs = clock.nowMs()
      const caller = callerOf(found, sourceIp, nowMs)
      const id = found.token?.id
      if (id !== undefined && nowMs - (touched.get(id) ?? 0) >= touchEveryMs) {
        touched.set(id, nowMs)
        recordUse({ merchantId: caller.merchantId, id, now: toTimestamp(nowMs), ip: sourceIp })
      }
      return caller
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error
      requireFewFailures(sourceIp)
      failures?.count(sourceIp)
      throw error
    }
  }
}

type TokenUse = Parameters<typeof touchToken>[1]

/**
 * Token uses are recorded one after another. Otherwise, if the database does not respond, the pending records of
 * several tokens would occupy one connection each.
 */
function openTokenUses(database: Database, onFailed: (error: unknown) => void): (use: TokenUse) => void {
  const waiting = new Map<string, TokenUse>()
  let isRecording = false
  const recordAll = async () => {
    // The loop also processes token uses that are added during the loop.
    for (const [id, use] of waiting) {
      waiting.delete(id)
      await touchToken(database, use).catch(onFailed)
    }
    isRecording = false
  }
  return (use) => {
    waiting.set(use.id, use)
    if (isRecording) return
    isRecording = true
    void inBackground(recordAll)
  }
}

function openTokenCache(
  { database, clock, requestLimits }: Options,
  requireFewFailures: (address: string) => void,
): (token: string, address: string) => CachedToken | Promise<CachedToken> {
  const reads = new LRUCache<string, Promise<CachedToken>>({ max: cacheSize })
  const valid = new LRUCache<string, CachedToken>({ max: cacheSize })
  const unknown = new LRUCache<string, CachedToken>({ max: unknownCacheSize })
  const newTokens = openKeyedQueue({ ...newTokenLimits, waitMs: requestLimits.queuedMs })
  const readQueued = async (hash: Buffer, isNew: boolean): Promise<CachedToken> => {
    const release = isNew ? await newTokens.enter('new tokens') : undefined
    try {
      return await readToken(database, clock, hash)
    } finally {
      release?.()
    }
  }
  return (token, address) => {
    const hash = hashToken(token)
    // The key of a cache entry is the hash of the token, so that a memory dump contains no tokens.
    const key = hash.toString('base64')
    const known = valid.get(key)
    const cached = known ?? unknown.get(key)
    if (known === undefined) requireFewFailures(address)
    if (cached !== undefined) {
      // A cache entry is also treated as expired if its age is negative, because the clock was set back since the entry
      // was stored.
      const ageMs = clock.nowMs() - cached.readAtMs
      if (ageMs >= 0 && ageMs < tokenCacheSeconds * 1000) return cached
    }
    const running = reads.get(key)
    if (running !== undefined) return running
    const reading = withinBounds(detachedBounds(requestLimits), () => readQueued(hash, known === undefined))
      .then((read) => {
        const isValid = read.token !== undefined && read.token.revokedAt === null
        ;(isValid ? valid : unknown).set(key, read)
        ;(isValid ? unknown : valid).delete(key)
        return read
      })
      .finally(() => reads.delete(key))
    reads.set(key, reading)
    return reading
  }
}

async function readToken(database: Database, clock: Clock, hash: Buffer): Promise<CachedToken> {
  // The age of the token's cache entry counts from the start of the database query, so that a revocation during the
  // query takes effect within five seconds.
  const readAtMs = clock.nowMs()
  const record = await findTokenByHash(database, hash)
  return { token: record, allows: networksOf(record?.ipAllowlist ?? []), readAtMs }
}

function callerOf({ token, allows }: CachedToken, sourceIp: string, nowMs: number): Caller {
  if (token === undefined) throw new Refusal('invalid_token', 'The token does not exist.')
  if (token.revokedAt !== null) throw new Refusal('token_revoked', `The token was revoked at ${token.revokedAt}.`)
  if (token.expiresAt !== null && nowMs >= toMs(token.expiresAt)) {
    throw new Refusal('token_expired', `The token expired at ${token.expiresAt}.`)
  }
  if (token.suspendedAt !== null) throw new Refusal('merchant_suspended', 'The account of the merchant is suspended.')
  if (isIP(sourceIp) === 0 || !allows(sourceIp)) {
    throw new Refusal('ip_not_allowed', `The token does not allow requests from ${sourceIp.slice(0, 45)}.`, {
      details: { sourceIp: sourceIp.slice(0, 45) },
    })
  }
  const { id, merchantId, mode, scopes, rateLimits, recordsBodies } = token
  const by = { type: 'token', id, label: id, sessionId: null } as const
  return { merchantId, mode, by, scopes, sourceIp, rateLimits, recordsBodies }
}

function bearerOf(incoming: IncomingMessage): string {
  const header = incoming.headers.authorization
  if (header === undefined) throw new Refusal('missing_token', 'The Authorization header is missing.')
  const sent = /^bearer(?=[ \t])/i.test(header) ? header.slice('bearer'.length) : ''
  if (sent.trim() === '') throw new Refusal('missing_token', 'The Authorization header must be `Bearer <API_TOKEN>`.')
  // Only spaces may stand between `Bearer` and the token (RFC 6750); any other character makes the token malformed.
  const token = sent.replace(/^ +/, '')
  if (!isWellFormedToken(token)) {
    throw new Refusal('invalid_token', 'The token is malformed: its format or its check characters are wrong.')
  }
  return token
}
