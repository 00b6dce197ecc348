import { createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMs, toTimestamp } from '../../src/base/clock.ts'
import { newMerchantId, newOrderId } from '../../src/base/records.ts'
import { type CursorContent, readCursor, writeCursor } from '../../src/operations/execute/cursor.ts'

const key = (id: number, fill: number) => ({ id, secret: createSecretKey(Buffer.alloc(32, fill)) })
const keys = [key(2, 7), key(1, 5)]

/** Dates have four-digit years, like all dates in the service's records. */
const ms = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) })

const content: fc.Arbitrary<CursorContent> = fc
  .record({
    list: fc.constantFrom('listOrders', 'listRefunds'),
    atMs: ms,
    issuedAtMs: ms,
    advancedMs: fc.nat(),
    filters: fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
  })
  .map(({ list, atMs, issuedAtMs, advancedMs, filters }) => ({
    list,
    merchantId: newMerchantId(atMs),
    position: { createdAt: toTimestamp(atMs), id: newOrderId(atMs) },
    filters: Object.fromEntries(Object.entries(filters).filter(([name]) => name !== '__proto__')),
    issuedAtMs,
    advancedMs,
  }))

/** Returns the values that a cursor must match at the time of its creation. */
function expectedOf({ list, merchantId, issuedAtMs: nowMs, advancedMs }: CursorContent) {
  return { list, merchantId, nowMs, advancedMs, hasFixedTimes: false }
}

const dayMs = 24 * 3_600_000

test('a list cursor can be read until it is 24 hours old', () => {
  fc.assert(
    fc.property(content, fc.nat({ max: dayMs - 1 }), (written, age) => {
      const expected = { ...expectedOf(written), nowMs: written.issuedAtMs + age }
      const read = readCursor(keys, writeCursor(keys, written), expected)
      expect(read).toEqual({ position: written.position, filters: written.filters })
      const late = { ...expected, nowMs: written.issuedAtMs + dayMs + age }
      expect(() => readCursor(keys, writeCursor(keys, written), late)).toThrow(/24 hours/)
    }),
  )
})

test('an advance of the test clock increases the age of a list cursor, and moves the position of the cursor back together with the records', () => {
  fc.assert(
    fc.property(content, fc.nat({ max: dayMs - 1 }), (written, spanMs) => {
      const advanced = { ...expectedOf(written), advancedMs: written.advancedMs + spanMs }
      const { position } = readCursor(keys, writeCursor(keys, written), advanced)
      expect(toMs(position.createdAt)).toBe(toMs(written.position.createdAt) - spanMs)
      const late = { ...advanced, advancedMs: written.advancedMs + dayMs + spanMs }
      expect(() => readCursor(keys, writeCursor(keys, written), late)).toThrow(/24 hours/)
    }),
  )
})

test('a cursor signed with an older key can be read until that key is removed', () => {
  fc.assert(
    fc.property(content, (written) => {
      const expected = expectedOf(written)
      const text = writeCursor([key(1, 5)], written)
      expect(readCursor(keys, text, expected).position).toEqual(written.position)
      expect(() => readCursor([key(2, 7)], text, expected)).toThrow(/is invalid/)
    }),
  )
})

test('any text that is not a valid cursor is rejected as invalid, and never causes an internal error', () => {
  fc.assert(
    fc.property(
      content,
      fc.nat(),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
      (written, place, other) => {
        const text = writeCursor(keys, written)
        const at = place % text.length
        const changed = text.slice(0, at) + other + text.slice(at + other.length)
        fc.pre(changed !== text)
        const expected = expectedOf(written)
        expect(() => readCursor(keys, changed, expected)).toThrow(/^The cursor is invalid/)
      },
    ),
  )
})
