import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Signs texts that the service gives to clients, such as cursors, and verifies them when clients send them back. A
 * signed text is the base64url form of one byte with the key id, the text, and 16 bytes of HMAC-SHA256. The text is not
 * secret; the signature prevents clients from forging it.
 */

export interface SigningKey {
  readonly id: number
  readonly secret: KeyObject
}

const signatureBytes = 16 // A signature of 128 bits cannot be guessed, and is short enough for a URL

/** Signs a text with the first of the given keys. */
export function signText(keys: readonly SigningKey[], text: string): string {
  const [key] = keys
  if (key === undefined) throw new Error('The key that signs texts is missing.')
  const signed = Buffer.concat([Buffer.from([key.id]), Buffer.from(text)])
  return Buffer.concat([signed, signatureOf(key, signed)]).toString('base64url')
}

export type VerifiedText =
  | { readonly is: 'valid'; readonly text: string }
  | { readonly is: 'malformed' }
  | { readonly is: 'forged' }

/** Verifies a signed text with any of the keys, in constant time. */
export function verifyText(keys: readonly SigningKey[], signedText: string): VerifiedText {
  const bytes = Buffer.from(signedText, 'base64url')
  const signed = bytes.subarray(0, -signatureBytes)
  const key = keys.find((candidate) => candidate.id === signed[0])
  // The decoded bytes are encoded again and compared, to reject other base64 spellings of the same bytes.
  if (key === undefined || bytes.toString('base64url') !== signedText) return { is: 'malformed' }
  const isValid = timingSafeEqual(bytes.subarray(-signatureBytes), signatureOf(key, signed))
  return isValid ? { is: 'valid', text: signed.subarray(1).toString() } : { is: 'forged' }
}

function signatureOf(key: SigningKey, signed: Buffer): Buffer {
  return createHmac('sha256', key.secret).update(signed).digest().subarray(0, signatureBytes)
}
