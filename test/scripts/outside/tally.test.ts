import { expect, test } from 'vitest'
import { newTally, shortcomingsOf } from '../../../scripts/outside/tally.ts'

/** The verdict of `npm run proxy-check` on how many responses were validated. The violations are Prism’s own. */

const tallyOf = (...counts: [string, number][]) => ({ ...newTally(), validated: new Map(counts) })
const declared = ['listOrders', 'getOrder']

test('passes when each operation was validated, with more responses than tests', () => {
  expect(shortcomingsOf(tallyOf(['listOrders', 3], ['getOrder', 1]), { declared, tests: 4 })).toEqual([])
})

test('names an operation that was never validated', () => {
  const found = shortcomingsOf(tallyOf(['listOrders', 9]), { declared, tests: 4 })
  expect(found).toEqual(['getOrder was never validated.'])
})

test('reports fewer validated responses than tests', () => {
  const found = shortcomingsOf(tallyOf(['listOrders', 2], ['getOrder', 1]), { declared, tests: 4 })
  expect(found).toEqual(['3 responses were validated in 4 tests.'])
})

test('fails for a run without tests', () => {
  expect(shortcomingsOf(tallyOf(['listOrders', 1], ['getOrder', 1]), { declared, tests: 0 })).toEqual(['No test ran.'])
})
