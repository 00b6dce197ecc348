import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { idempotencyKeyMaxLength } from '../../../registry/values/limits.ts'
import { counted } from '../../base/counted.ts'
import { KeyConflict, type KeyedRequest, KeyInUse, type KeyScope } from '../../store/core/idempotency.ts'
import type { ValidCall } from './call.ts'
import { Refusal } from './refusal.ts'

/**
 * Idempotency of POST /refunds (spec 4.5, 8). One transaction stores the idempotency key, the refund and the response.
 * A concurrent request with the same key waits for that transaction and then gets a byte-identical response. After a
 * crash before the commit, nothing is stored, so a retry runs the operation.
 */

export function nameOf({ merchantId, route, key }: KeyScope): string {
  return `${merchantId} ${route} ${key}`
}

/** Undefined if the operation ignores idempotency keys or the call has none. */
export function keyedRequestOf(endpoint: Endpoint, call: ValidCall): KeyedRequest | undefined {
  const [key, ...others] = call.idempotencyKeys
  if (endpoint.idempotency !== 'honoured' || key === undefined) return undefined
  if (others.length > 0) throw new Refusal('invalid_idempotency_key', 'The header Idempotency-Key must be sent once.')
  const route = `${endpoint.method} ${endpoint.path}`
  return {
    scope: { merchantId: call.caller.merchantId, route, key: checkKey(key) },
    fingerprint: fingerprintOf(call.rawBody),
    requestId: call.requestId,
    callerId: call.caller.by.id,
  }
}

const printableAscii = /^[\x20-\x7e]+$/

/** Checks an idempotency key (spec 8: at most 255 ASCII characters). Node.js has already trimmed the key. */
function checkKey(key: string): string {
  if (key.length <= idempotencyKeyMaxLength && printableAscii.test(key)) return key
  const message = `The Idempotency-Key must have 1 to ${idempotencyKeyMaxLength} printable ASCII characters. This one has ${counted(key.length, 'character')}.`
  throw new Refusal('invalid_idempotency_key', message)
}

/** Returns the hash of a body's canonical form (RFC 8785), which ignores white space and the order of keys. */
export function fingerprintOf(body: unknown): Buffer {
  const text = canonicalize(body)
  if (text === undefined) throw new Error('A JSON body always has a canonical form.')
  return hash('sha256', text, 'buffer')
}

/** Undefined if the error is not about an idempotency key. */
export function keyRefusalOf(error: unknown): Refusal | undefined {
  if (error instanceof KeyInUse)
    return new Refusal('idempotency_in_progress', 'A request with this Idempotency-Key is still in progress.')
  if (error instanceof KeyConflict)
    return new Refusal(
      'idempotency_conflict',
      'This Idempotency-Key was used with a different body within the last 24 hours.',
    )
  return undefined
}
