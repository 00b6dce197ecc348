import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignatureHash = 'sha256' | 'sha512'

interface Signed {
  readonly hash: SignatureHash
  readonly secret: string
  readonly content: Uint8Array | string
  /** In hex, as it came. */
  readonly signature: string
}

/** Compared in constant time. */
export function isSigned({ hash, secret, content, signature }: Signed): boolean {
  const expected = createHmac(hash, secret).update(content).digest()
  // Anything behind the last whole pair of hex digits is dropped, so the length is judged by the text.
  const given = Buffer.from(signature.trim(), 'hex')
  const isWhole = signature.trim().length === expected.length * 2
  return isWhole && given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * The same bytes are the same news. Carriers repeat a callback as it was; anything else told of an order, be it the same
 * state a second time, is news of its own, which a key made of the state alone would lose.
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
