import { randomSecret } from '../../base/ids.ts'
import { hashToken } from '../token-format.ts'

/** Length of a token: 256 random bits, which cannot be guessed, so a fast hash suffices for storage. */
const secretBytes = 32

export interface SecretToken {
  /** The token, which a browser stores or a link contains. The database stores only the hash of the token. */
  readonly token: string
  readonly hash: Buffer
}

/** Returns a new token of a session, a link, a device or a challenge, with the hash to store. */
export function newSecretToken(): SecretToken {
  const token = randomSecret(secretBytes)
  return { token, hash: hashToken(token) }
}
