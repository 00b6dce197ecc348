import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventId } from '../../registry/vocabulary.ts'
import { lowestIdAt, newId } from '../../src/ids.ts'

/** Up to the last millisecond that 48 bits can say; ids are made of whole ones. */
const ms$ = fc.integer({ min: 1, max: 2 ** 48 - 1 })

test('the lowest id of a moment is below every id of it and above every earlier one', () => {
  fc.assert(
    fc.property(ms$, (ms) => {
      const lowest = lowestIdAt('evt', ms)
      expect(EventId.safeParse(lowest).success).toBe(true)
      expect(lowest <= newId('evt', ms)).toBe(true)
      expect(newId('evt', ms - 1) < lowest).toBe(true)
    }),
  )
})

test('before 1970 there was no id', () => {
  expect(lowestIdAt('evt', -1)).toBe(lowestIdAt('evt', 0))
})
