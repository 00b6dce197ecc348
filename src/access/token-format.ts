import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomBase62 } from '../base/ids.ts'

/**
 * Token format: `svc_live_` or `svc_test_`, 32 random base62 characters (190 bits), and a six-character checksum. The
 * checksum rejects mistyped or invented tokens without a database query, and lets scanners recognise leaked ones.
 */
export const tokenPrefixes = { live: 'svc_live_', test: 'svc_test_' } as const

const randomLength = 32
const form = /^svc_(?:live|test)_[0-9A-Za-z]{38}$/
const checkLength = 6

export function newToken(mode: 'live' | 'test'): string {
  const body = tokenPrefixes[mode] + randomBase62(randomLength)
  return body + checkOf(body)
}

export function isWellFormedToken(token: string): boolean {
  return form.test(token) && token.slice(-checkLength) === checkOf(token.slice(0, -checkLength))
}

/** Returns the stored hash of a token. SHA-256 suffices: 190 random bits cannot be guessed. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

function checkOf(body: string): string {
  let value = crc32(body)
  let text = ''
  for (let digit = 0; digit < checkLength; digit++) {
    text = base62.charAt(value % base62.length) + text
    value = Math.floor(value / base62.length)
  }
  return text
}
