import { z } from 'zod'
import { cursorLifetimeHours } from '../../../registry/values/limits.ts'
import { type MerchantId, timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { type SigningKey, signText, verifyText } from '../../base/signed-text.ts'
import type { Position } from '../../store/core/page.ts'
import { Refusal } from './refusal.ts'

/** A cursor is a position in a list, together with the list's filters, as signed JSON. */

export interface CursorContent {
  readonly list: string
  readonly merchantId: MerchantId
  readonly position: Position
  /** The list filters as the client sent them. The cursor stores them, so that the next request can omit them. */
  readonly filters: Readonly<Record<string, string>>
  readonly issuedAtMs: number
  /** Duration by which the test clock of the merchant had been advanced when the cursor was issued. 0 in live mode. */
  readonly advancedMs: number
}

const Content = z.strictObject({
  l: z.string(),
  m: z.string(),
  k: z.tuple([timestamp('When the last record of the page was created.'), z.string()]),
  q: z.record(z.string(), z.string()),
  t: z.number(),
  a: z.number().optional(),
})

export function writeCursor(keys: readonly SigningKey[], content: CursorContent): string {
  const json = JSON.stringify({
    l: content.list,
    m: content.merchantId,
    k: [content.position.createdAt, content.position.id],
    q: content.filters,
    t: content.issuedAtMs,
    ...(content.advancedMs === 0 ? {} : { a: content.advancedMs }),
  })
  return signText(keys, json)
}

export function readCursor(
  keys: readonly SigningKey[],
  text: string,
  expected: { list: string; merchantId: MerchantId; nowMs: number; advancedMs: number; hasFixedTimes: boolean },
): { position: Position; filters: Record<string, string> } {
  const verified = verifyText(keys, text)
  if (verified.is === 'malformed') throw invalid('The cursor is malformed.')
  if (verified.is === 'forged') throw invalid('The cursor was modified, or was not issued by this service.')
  const { l, m, k, q, t, a = 0 } = Content.parse(JSON.parse(verified.text))
  if (l !== expected.list || m !== expected.merchantId) throw invalid('The cursor belongs to another list.')
  // Every advance of the test clock makes the records of the merchant older, except records with fixed times. The
  // advances since the cursor was issued are therefore added to the age of the cursor. They are also subtracted from
  // the creation time at which the cursor continues, unless the records of the list have fixed times.
  const advancedMs = expected.advancedMs - a
  if (expected.nowMs - t + advancedMs >= cursorLifetimeHours * 3_600_000) {
    throw new Refusal(
      'cursor_expired',
      `The cursor expired after ${cursorLifetimeHours} hours. Start again without \`cursor\`.`,
    )
  }
  const createdAt = expected.hasFixedTimes ? k[0] : toTimestamp(toMs(k[0]) - advancedMs)
  return { position: { createdAt, id: k[1] }, filters: q }
}

function invalid(reason: string): Refusal {
  return new Refusal('invalid_cursor', `The cursor is invalid. ${reason}`)
}
