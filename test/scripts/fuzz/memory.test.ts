import { expect, test } from 'vitest'
import { growthOf } from '../../../scripts/fuzz/memory.ts'

/** The verdict of `npm run fuzz` on the memory of the service. */

const megabyte = 1_000_000

test('memory that grows only during the warm-up is flat', () => {
  const samples = [...ramp(20, 100, 200), ...Array<number>(80).fill(200 * megabyte)]
  expect(growthOf(samples)).toBe(1)
})

test('memory that grows until the end exceeds a tenth', () => {
  expect(growthOf(ramp(100, 100, 200))).toBeGreaterThan(1.1)
})

test('a short run has no verdict', () => {
  expect(growthOf(ramp(30, 100, 100))).toBeUndefined()
})

function ramp(count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, (_, index) => (from + ((to - from) * index) / count) * megabyte)
}
