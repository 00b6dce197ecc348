import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignatureHash = 'sha256' | 'sha512'

interface Signed {
  readonly hash: SignatureHash
  readonly secret: string
  readonly content: Uint8Array | string
  /** The hex signature of the callback, as the carrier sent it. */
  readonly signature: string
}

/** Verifies the HMAC signature of a callback in constant time. */
export function isSigned({ hash, secret, content, signature }: Signed): boolean {
  const expected = createHmac(hash, secret).update(content).digest()
  // `Buffer.from` ignores everything after the last complete pair of hex digits, so the length of the text is compared
  // too.
  const given = Buffer.from(signature.trim(), 'hex')
  const isWhole = signature.trim().length === expected.length * 2
  return isWhole && given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * The deduplication key is the hash of the callback's bytes, because carriers repeat a callback unchanged. If the key
 * were only the status, an order's second event with the same status would be lost.
 */
export function callbackKey(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}
