import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { signatureHeader } from '../../registry/kit/event.ts'
import { decodedSecret } from './signing-secret.ts'

/**
 * Each delivery carries two signatures made with one secret, so that any standard verifier works. The signature of spec
 * 6 uses the secret's text as the key, as Stripe's libraries do; the Standard Webhooks signature uses the bytes that
 * the text encodes.
 */

interface Signing {
  /** The signing secrets, the current one first: a receiver that checks only one signature checks the first. */
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

/** Returns the signature header of spec 6, `t=<unix_seconds>,v1=<hex>`, with one `v1` for each valid secret. */
export function serviceSignature(secrets: readonly string[], seconds: number, body: string | Uint8Array): string {
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${hexDigest(secret, String(seconds), body)}`)].join(',')
}

function standardSignature(secrets: readonly string[], id: string, seconds: number, body: string): string {
  return secrets
    .map((secret) => {
      const digest = createHmac('sha256', keysOf(secret).bytes).update(`${id}.${seconds}.${body}`).digest('base64')
      return `v1,${digest}`
    })
    .join(' ')
}

function hexDigest(secret: string, seconds: string, body: string | Uint8Array): string {
  return createHmac('sha256', keysOf(secret).text).update(`${seconds}.`).update(body).digest('hex')
}

interface SigningKeys {
  readonly text: KeyObject
  readonly bytes: KeyObject
}

/** Maximum number of cached signing keys. It equals the number of secrets that open-secrets.ts caches. */
const keys = new LRUCache<string, SigningKeys>({ max: 10_000 })

/** The keys are cached, because creating a key object takes longer than hashing an event. */
function keysOf(secret: string): SigningKeys {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const made = { text: createSecretKey(secret, 'utf8'), bytes: createSecretKey(decodedSecret(secret)) }
  keys.set(secret, made)
  return made
}
