import { expect, test } from 'vitest'
import { growthOf } from '../../../scripts/fuzz/memory.ts'

/** Tests the conditions under which `npm run fuzz` fails because the memory of the service has grown. */

const megabyte = 1_000_000

test('the memory test passes when memory grows only during the warm-up', () => {
  const samples = [...ramp(20, 100, 200), ...Array<number>(80).fill(200 * megabyte)]
  expect(growthOf(samples)).toBe(1)
})

test('the memory test fails when memory grows by more than a tenth between the warm-up and the end of the run', () => {
  expect(growthOf(ramp(100, 100, 200))).toBeGreaterThan(1.1)
})

test('a memory test that is too short ends without a verdict', () => {
  expect(growthOf(ramp(30, 100, 100))).toBeUndefined()
})

function ramp(count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, (_, index) => (from + ((to - from) * index) / count) * megabyte)
}
