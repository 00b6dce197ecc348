import { randomKey } from '../base/ids.ts'

/** The prefix of Standard Webhooks secrets. Verifiers decode the part after it. */
const prefix = 'whsec_'

/** Length of a signing secret in bytes, which is the output length of SHA-256. */
const secretBytes = 32

export function newSigningSecret(): string {
  return `${prefix}${randomKey(secretBytes).toString('base64')}`
}

/** The bytes are the key with which deliveries are signed according to the Standard Webhooks specification. */
export function decodedSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}
