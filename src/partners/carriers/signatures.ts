import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignatureHash = 'sha256' | 'sha512'

interface Signed {
  readonly hash: SignatureHash
  readonly secret: string
  readonly content: Uint8Array | string
  /** The hex signature as received. */
  readonly signature: string
}

/** Verifies an HMAC signature in constant time. */
export function isSigned({ hash, secret, content, signature }: Signed): boolean {
  const expected = createHmac(hash, secret).update(content).digest()
  // `Buffer.from` drops characters after the last complete pair of hex digits, so the text's length is compared too.
  const given = Buffer.from(signature.trim(), 'hex')
  const isWhole = signature.trim().length === expected.length * 2
  return isWhole && given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Returns the deduplication key of a callback: carriers repeat a callback with the same bytes. A key of the status
 * alone would drop an order's second event with the same status.
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
