import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomKey } from '../../base/ids.ts'
import type { Browser } from './browser.ts'

/**
 * Protection against cross-site request forgery. Each form contains a token that is derived from a cookie of the
 * browser. In addition, the headers that the browser sets must show that a page of this origin sent the form.
 */

/** Length of the SHA-256 hash in a CSRF token, in bytes. */
const digestBytes = 32

/**
 * Returns a CSRF token for a form. The token is masked with random bytes, because the length of a compressed response
 * would reveal a constant secret (BREACH attack).
 */
export function csrfTokenOf(cookie: string): string {
  const mask = randomKey(digestBytes)
  return Buffer.concat([mask, xor(mask, digestOf(cookie))]).toString('base64url')
}

export function isCsrfToken(cookie: string, sent: string | null): boolean {
  const bytes = Buffer.from(sent ?? '', 'base64url')
  if (bytes.length !== 2 * digestBytes) return false
  return timingSafeEqual(xor(bytes.subarray(0, digestBytes), bytes.subarray(digestBytes)), digestOf(cookie))
}

function digestOf(cookie: string): Buffer {
  return createHmac('sha256', cookie).update('dashboard form').digest()
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)))
}

/**
 * Reports whether a page of this service's origin sent the request, by the header `Sec-Fetch-Site` or `Origin`. Every
 * browser sends at least one of them.
 */
export function isSameOrigin({ headers, origin }: Pick<Browser, 'headers' | 'origin'>): boolean {
  const { fetchSite } = headers
  return fetchSite === undefined ? headers.origin === origin : fetchSite === 'same-origin'
}
