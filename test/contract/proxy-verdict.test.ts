import { expect, test } from 'vitest'
import { newTally, shortcomingsOf } from '../../scripts/outside/tally.ts'

/** What `npm run proxy-check` makes of how much was judged; what Prism finds in an answer is its own. */

const judging = (...counts: [string, number][]) => ({ ...newTally(), judged: new Map(counts) })
const declared = ['listOrders', 'getOrder']

test('is content where each operation was judged, and more answers than there are tests', () => {
  expect(shortcomingsOf(judging(['listOrders', 3], ['getOrder', 1]), { declared, tests: 4 })).toEqual([])
})

test('names an operation that was never judged', () => {
  const told = shortcomingsOf(judging(['listOrders', 9]), { declared, tests: 4 })
  expect(told).toEqual(['getOrder was never judged.'])
})

test('says so where most tests passed it by', () => {
  const told = shortcomingsOf(judging(['listOrders', 2], ['getOrder', 1]), { declared, tests: 4 })
  expect(told).toEqual(['3 answers were judged in 4 tests.'])
})

test('is not content with a run of no tests', () => {
  expect(shortcomingsOf(judging(['listOrders', 1], ['getOrder', 1]), { declared, tests: 0 })).toEqual(['No test ran.'])
})
