import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { signatureHeader } from '../../registry/kit/event.ts'
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

/** As many as open-secrets.ts remembers. */
const keys = new LRUCache<string, SigningKeys>({ max: 10_000 })

/** Making a key of its bytes takes longer than the hash of an event, so each is made once. */
function keysOf(secret: string): SigningKeys {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const made = { text: createSecretKey(secret, 'utf8'), bytes: createSecretKey(decodedSecret(secret)) }
  keys.set(secret, made)
  return made
}
