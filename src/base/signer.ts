import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'

/**
 * Signs with Ed25519 keys that are derived from the encryption keys, so a service needs no further secret. The
 * signature proves that a holder of the key made it; a copy of the database does not contain the key.
 */

export interface Signature {
  readonly keyId: string
  readonly signature: Buffer
}

export type SignatureVerdict = 'valid' | 'invalid' | 'unknown_key'

export interface Signer {
  /** The fingerprints of the encryption keys. The signer signs with the first key. */
  readonly keyIds: readonly string[]
  /** Returns undefined if the service has no encryption key. */
  sign(message: string): Signature | undefined
  verify(message: string, signature: Signature): SignatureVerdict
}

/**
 * The `info` parameter with which HKDF derives a signing key from an encryption key. Keys that are derived with
 * different `info` values are independent of each other.
 */
const purpose = 'commerce audit heads'
const seedBytes = 32 // Ed25519

/** The first bytes of the DER encoding of an Ed25519 private key (RFC 8410), before its seed. */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Returns a signer that signs with the first key and verifies with any key, so that signatures stay valid after a key
 * rotation.
 */
export function signerOf(encryptionKeys: readonly Uint8Array[]): Signer {
  const keys = encryptionKeys.map(signingKeyOf)
  return {
    keyIds: keys.map(({ id }) => id),
    sign: (message) => {
      const [current] = keys
      if (current === undefined) return undefined
      return { keyId: current.id, signature: sign(null, Buffer.from(message), current.privateKey) }
    },
    verify: (message, { keyId, signature }) => {
      const key = keys.find(({ id }) => id === keyId)
      if (key === undefined) return 'unknown_key'
      return verify(null, Buffer.from(message), key.publicKey, signature) ? 'valid' : 'invalid'
    },
  }
}

interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

function signingKeyOf(encryptionKey: Uint8Array): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', encryptionKey, '', purpose, seedBytes))
  const privateKey = createPrivateKey({
    key: Buffer.concat([privateKeyPrefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  // Length of a key id: 8 bytes distinguish the few keys that one service ever has.
  const id = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16)
  return { id, privateKey, publicKey }
}
