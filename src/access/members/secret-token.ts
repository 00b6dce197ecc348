import { randomSecret } from '../../base/ids.ts'
import { hashToken } from '../token-format.ts'

/** 256 random bits, which cannot be guessed, so a fast hash suffices for storage. */
const secretBytes = 32

export interface SecretToken {
  /** For the browser or the link. It is stored nowhere. */
  readonly token: string
  readonly hash: Buffer
}

/** Returns a new token of a session, a link, a device or a challenge, with the hash to store. */
export function newSecretToken(): SecretToken {
  const token = randomSecret(secretBytes)
  return { token, hash: hashToken(token) }
}
