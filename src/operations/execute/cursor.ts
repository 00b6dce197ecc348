import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { cursorLifetimeHours } from '../../../registry/values/limits.ts'
import { type MerchantId, timestamp } from '../../../registry/values/vocabulary.ts'
import type { ServiceKey } from '../../store/core/keys.ts'
import type { Position } from '../../store/core/page.ts'
import { Refusal } from './refusal.ts'

/**
 * A cursor is a signed position in a list, together with the list's filters. It is the base64url form of one byte with
 * the key id, the JSON, and 16 bytes of HMAC-SHA256. Its content is not secret; the signature prevents clients from
 * forging cursors.
 */

const signatureBytes = 16 // 128 bits of a cursor's signature cannot be guessed, and are short enough for a URL

export interface CursorContent {
  readonly list: string
  readonly merchantId: MerchantId
  readonly position: Position
  /** The list filters as the client sent them. The cursor stores them, so that the next request can omit them. */
  readonly filters: Readonly<Record<string, string>>
  readonly issuedAtMs: number
}

const Content = z.strictObject({
  l: z.string(),
  m: z.string(),
  k: z.tuple([timestamp('When the last record of the page was created.'), z.string()]),
  q: z.record(z.string(), z.string()),
  t: z.number(),
})

export function writeCursor(keys: readonly ServiceKey[], content: CursorContent): string {
  const [key] = keys
  if (key === undefined) throw new Error('The key that signs cursors is missing.')
  const json = JSON.stringify({
    l: content.list,
    m: content.merchantId,
    k: [content.position.createdAt, content.position.id],
    q: content.filters,
    t: content.issuedAtMs,
  })
  const signed = Buffer.concat([Buffer.from([key.id]), Buffer.from(json)])
  return Buffer.concat([signed, signatureOf(key, signed)]).toString('base64url')
}

export function readCursor(
  keys: readonly ServiceKey[],
  text: string,
  expected: { list: string; merchantId: MerchantId; nowMs: number },
): { position: Position; filters: Record<string, string> } {
  const bytes = Buffer.from(text, 'base64url')
  const signed = bytes.subarray(0, -signatureBytes)
  const key = keys.find((candidate) => candidate.id === signed[0])
  // The decoded bytes of a cursor are encoded again and compared, to reject other base64 spellings of the same bytes.
  if (key === undefined || bytes.toString('base64url') !== text) throw invalid('The cursor is malformed.')
  const signature = bytes.subarray(-signatureBytes)
  if (!timingSafeEqual(signature, signatureOf(key, signed)))
    throw invalid('The cursor was modified, or was not issued by this service.')
  const { l, m, k, q, t } = Content.parse(JSON.parse(signed.subarray(1).toString()))
  if (l !== expected.list || m !== expected.merchantId) throw invalid('The cursor belongs to another list.')
  if (expected.nowMs - t >= cursorLifetimeHours * 3_600_000) {
    throw new Refusal(
      'cursor_expired',
      `The cursor expired after ${cursorLifetimeHours} hours. Start again without \`cursor\`.`,
    )
  }
  return { position: { createdAt: k[0], id: k[1] }, filters: q }
}

function signatureOf(key: ServiceKey, signed: Buffer): Buffer {
  return createHmac('sha256', key.secret).update(signed).digest().subarray(0, signatureBytes)
}

function invalid(reason: string): Refusal {
  return new Refusal('invalid_cursor', `The cursor is invalid. ${reason}`)
}
