import { hash } from 'node:crypto'
import { type Endpoint, hasVersion } from '../../../registry/kit/endpoint.ts'
import type { RequestHead } from './request-head.ts'

/**
 * Computes ETags, which contain the version of a record. With `If-None-Match`, a client does not receive an unchanged
 * record again.
 */

/**
 * The ETag contains the record's version and a hash of the body, because an order's shipments and a customer's totals
 * change without a new version. If the operation lists fields for its ETag, the ETag is weak and contains only the
 * values of these fields. The rest of the body contains ages, which change all the time.
 */
export function tagOf(endpoint: Endpoint, reply: unknown, body: string): string | undefined {
  if (!hasVersion(endpoint)) return undefined
  const { etagFields } = endpoint
  const partOf = (field: string): unknown => Reflect.get(Object(reply), field)
  if (etagFields !== undefined) return `W/"${etagFields.map(partOf).join('.')}"`
  return `"v${String(partOf('version'))}-${hash('sha256', body, 'base64url').slice(0, hashCharacters)}"`
}

/**
 * Length of the body's hash in an ETag: 96 bits. Two different bodies of one version of a record then practically never
 * have the same hash.
 */
const hashCharacters = 16

/** Matches an ETag in a list of ETags (RFC 9110). Tags are compared weakly: the prefix `W/` is ignored. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e]*")/g

/** A malformed entry of If-None-Match matches nothing. */
export function isListed(tag: string | undefined, message: RequestHead): boolean {
  const sent = message.headers['if-none-match']
  if (sent === undefined || tag === undefined) return false
  if (sent.trim() === '*') return true
  const strong = tag.replace('W/', '')
  return [...sent.matchAll(listedTag)].some(([, listed]) => listed === strong)
}
