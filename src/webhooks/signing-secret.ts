import { randomKey } from '../base/ids.ts'

/** The prefix of Standard Webhooks secrets; their verifiers decode the rest. */
const prefix = 'whsec_'

/** The output length of SHA-256. */
const secretBytes = 32

export function newSigningSecret(): string {
  return `${prefix}${randomKey(secretBytes).toString('base64')}`
}

/** Returns the Standard Webhooks key: the bytes that the secret encodes. */
export function decodedSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}
