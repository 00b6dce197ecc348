import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventId } from '../../registry/values/vocabulary.ts'
import { lowestIdAt, newId, withIds } from '../../src/base/ids.ts'

/** Generates times up to the last millisecond that 48 bits can represent. */
const ms$ = fc.integer({ min: 1, max: 2 ** 48 - 1 })

test('the lowest possible id of a millisecond is not above any id of that millisecond, and is above all earlier ids', () => {
  fc.assert(
    fc.property(ms$, (ms) => {
      const lowest = lowestIdAt('evt', ms)
      expect(EventId.safeParse(lowest).success).toBe(true)
      expect(lowest <= newId('evt', ms)).toBe(true)
      expect(newId('evt', ms - 1) < lowest).toBe(true)
    }),
  )
})

test('the lowest possible id of a time before 1970, or above 48 bits, is that of the nearest time that an id can contain', () => {
  expect(lowestIdAt('evt', -1)).toBe(lowestIdAt('evt', 0))
  expect(lowestIdAt('evt', 2 ** 48)).toBe(lowestIdAt('evt', 2 ** 48 - 1))
})

test('withIds uses each given id once within its callback, in place of a new id of the same kind', async () => {
  const chosen = newId('ord', 1)
  const made = await withIds([chosen], async () => {
    const other = newId('var', 2)
    await Promise.resolve()
    return [other, newId('ord', 2), newId('ord', 2)]
  })
  expect(made.indexOf(chosen)).toBe(1)
  expect(made.lastIndexOf(chosen)).toBe(1)
  expect(newId('ord', 2)).not.toBe(chosen)
})
