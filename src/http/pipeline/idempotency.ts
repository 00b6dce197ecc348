import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { idempotencyKeyMaxLength } from '../../../registry/values/limits.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { WriteTrx } from '../../store/core/database.ts'
import { isContention } from '../../store/core/faults.ts'
import { findStoredResponse, type KeyScope, type NewAnswer, type StoredResponse } from '../../store/core/idempotency.ts'
import { Refusal } from './refusal.ts'
import type { ValidRequest } from './request.ts'
import { countOf } from './request-head.ts'

/**
 * Idempotency of POST /refunds (spec 4.5, 8). The key, the refund and the answer are kept by one transaction: a twin waits
 * for it and then gets the same bytes; a crash before its commit leaves nothing, and the retry really runs.
 */
export interface KeyedRequest {
  readonly scope: KeyScope
  readonly fingerprint: Buffer
  readonly request: ValidRequest
}

/** Thrown to leave a transaction that found the request already answered. */
export class AlreadyAnswered extends Error {
  readonly kept: StoredResponse
  constructor(kept: StoredResponse) {
    super('The request was answered before.')
    this.kept = kept
  }
}

/** The request with its key, where the operation honours one and one was sent. */
export function keyedRequestOf(endpoint: Endpoint, request: ValidRequest): KeyedRequest | undefined {
  const key = request.message.headers['idempotency-key']
  if (endpoint.idempotency !== 'honoured' || typeof key !== 'string') return undefined
  if (countOf(request.message, 'idempotency-key') > 1) {
    throw new Refusal('invalid_idempotency_key', 'The header Idempotency-Key is sent more than once.')
  }
  const route = `${endpoint.method} ${endpoint.path}`
  return {
    scope: { merchantId: request.caller.merchantId, route, key: judgeKey(key) },
    fingerprint: fingerprintOf(request.rawBody),
    request,
  }
}

const printableAscii = /^[\x20-\x7e]+$/

/** Spec 8: at most 255 ASCII characters. Node has already taken the white space around the value away. */
function judgeKey(key: string): string {
  if (key.length <= idempotencyKeyMaxLength && printableAscii.test(key)) return key
  const message = `The key must be 1 to ${idempotencyKeyMaxLength} printable ASCII characters; this one has ${key.length}.`
  throw new Refusal('invalid_idempotency_key', message)
}

/** Bodies that mean the same have the same fingerprint: RFC 8785 puts keys in order and drops white space. */
export function fingerprintOf(body: unknown): Buffer {
  const text = canonicalize(body)
  if (text === undefined) throw new Error('A JSON body always has a canonical form.')
  return hash('sha256', text, 'buffer')
}

/** Lets a new request through, and leaves by an exception with a request that was answered or is a conflict. */
export async function guardKey(trx: WriteTrx, keyed: KeyedRequest, now: Timestamp): Promise<void> {
  const kept = await findStoredResponse(trx, keyed.scope, now).catch(reportConcurrentTwin)
  if (kept !== undefined) throw replayOrConflict(keyed, kept)
}

/** Having waited in vain for the key is no fault of ours: a twin has it, and the caller may come again. */
export function reportConcurrentTwin(error: unknown): never {
  if (!isContention(error)) throw error
  throw new Refusal('idempotency_in_progress', 'A request with this Idempotency-Key is still running.')
}

export function replayOrConflict(keyed: KeyedRequest, kept: StoredResponse): AlreadyAnswered | Refusal {
  if (kept.fingerprint.equals(keyed.fingerprint)) return new AlreadyAnswered(kept)
  return new Refusal(
    'idempotency_conflict',
    'This Idempotency-Key was used with a different body within the last 24 hours.',
  )
}

export function newAnswer(
  keyed: KeyedRequest,
  answer: { status: number; body: string; location: string | null },
  now: Timestamp,
): NewAnswer {
  const { requestId, caller } = keyed.request
  return { ...keyed.scope, ...answer, fingerprint: keyed.fingerprint, requestId, tokenId: caller.tokenId, now }
}
