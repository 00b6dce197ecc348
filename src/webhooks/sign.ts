import { createHmac, timingSafeEqual } from 'node:crypto'
import { webhookToleranceSeconds } from '../../registry/limits.ts'
import { signatureHeader } from '../../registry/webhooks.ts'
import { decodedSecret } from './signing-secret.ts'

/**
 * Two signatures travel with each delivery, made from one secret. Spec 6's is keyed with the text of the secret, as
 * Stripe's libraries do it; Standard Webhooks' with the bytes that text encodes. So any stock verifier works.
 */

interface Signing {
  /** The current secret first: a receiver that looks at one signature only looks at the first. */
  readonly secrets: readonly string[]
  readonly eventId: string
  readonly seconds: number
  readonly body: string
}

export function signatureHeaders({ secrets, eventId, seconds, body }: Signing): Record<string, string> {
  return {
    [signatureHeader]: serviceSignature(secrets, seconds, body),
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standardSignature(secrets, eventId, seconds, body),
  }
}

/** Spec 6: `t=<unix_seconds>,v1=<hex>`, with one `v1` for each live secret. */
export function serviceSignature(secrets: readonly string[], seconds: number, body: string | Uint8Array): string {
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${hexDigest(secret, String(seconds), body)}`)].join(',')
}

function standardSignature(secrets: readonly string[], id: string, seconds: number, body: string): string {
  return secrets
    .map((secret) => {
      const digest = createHmac('sha256', decodedSecret(secret)).update(`${id}.${seconds}.${body}`).digest('base64')
      return `v1,${digest}`
    })
    .join(' ')
}

function hexDigest(secret: string, seconds: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
}

export type Verification =
  | { readonly is: 'valid'; readonly seconds: number }
  | { readonly is: 'malformed'; readonly reason: string }
  /** Positive when the signature is older than the receiver's clock. */
  | { readonly is: 'outside_tolerance'; readonly ageSeconds: number }
  | { readonly is: 'mismatch' }

/** What a receiver must do. Spec 6: the timestamp is judged both ways, the digests are compared in constant time. */
export function verify(header: string, rawBody: string | Uint8Array, secret: string, nowSeconds: number): Verification {
  const parsed = parseHeader(header)
  if (parsed.is === 'malformed') return parsed
  const expected = Buffer.from(hexDigest(secret, parsed.timestamp, rawBody))
  const matches = parsed.digests.filter((digest) => isSame(Buffer.from(digest), expected))
  if (matches.length === 0) return { is: 'mismatch' }
  const seconds = Number(parsed.timestamp)
  const ageSeconds = nowSeconds - seconds
  if (Math.abs(ageSeconds) > webhookToleranceSeconds) return { is: 'outside_tolerance', ageSeconds }
  return { is: 'valid', seconds }
}

type ParsedHeader =
  | { readonly is: 'parsed'; readonly timestamp: string; readonly digests: readonly string[] }
  | Extract<Verification, { is: 'malformed' }>

/** Spaces and schemes yet unknown are passed over; what is left must be one timestamp and at least one `v1`. */
function parseHeader(header: string): ParsedHeader {
  const fields = header.split(',').map((field) => {
    const [key = '', ...value] = field.split('=')
    return { key: key.trim(), value: value.join('=').trim() }
  })
  const valuesOf = (name: string) => fields.filter(({ key }) => key === name).map(({ value }) => value)
  const [timestamp, ...furtherTimestamps] = valuesOf('t')
  const digests = valuesOf('v1')
  if (timestamp === undefined) return { is: 'malformed', reason: 'The header has no t.' }
  if (furtherTimestamps.length > 0) return { is: 'malformed', reason: 'The header has more than one t.' }
  // Fifteen digits stay exact as a number; the text itself is what was signed.
  if (!/^\d{1,15}$/.test(timestamp)) return { is: 'malformed', reason: 'The header’s t is not a whole number.' }
  if (digests.length === 0) return { is: 'malformed', reason: 'The header has no v1.' }
  return { is: 'parsed', timestamp, digests }
}

/** timingSafeEqual refuses different lengths, and a length is no secret. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
