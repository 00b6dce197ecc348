import { randomKey } from '../base/ids.ts'

/** Standard Webhooks' mark of a secret; its verifiers decode what follows. */
const prefix = 'whsec_'

/** As long as the hash it keys. */
const secretBytes = 32

export function newSigningSecret(): string {
  return `${prefix}${randomKey(secretBytes).toString('base64')}`
}

/** The key Standard Webhooks signs with: the bytes the secret encodes. */
export function decodedSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}
