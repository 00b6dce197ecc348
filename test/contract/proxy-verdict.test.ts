import { expect, test } from 'vitest'
import { newTally, shortcomingsOf } from '../../scripts/outside/tally.ts'

/** The verdict of `npm run proxy-check` on how many responses were validated. The violations are Prism’s own. */

const judging = (...counts: [string, number][]) => ({ ...newTally(), judged: new Map(counts) })
const declared = ['listOrders', 'getOrder']

test('passes when each operation was validated, with more responses than tests', () => {
  expect(shortcomingsOf(judging(['listOrders', 3], ['getOrder', 1]), { declared, tests: 4 })).toEqual([])
})

test('names an operation that was never validated', () => {
  const told = shortcomingsOf(judging(['listOrders', 9]), { declared, tests: 4 })
  expect(told).toEqual(['getOrder was never judged.'])
})

test('reports when most tests bypassed the proxy', () => {
  const told = shortcomingsOf(judging(['listOrders', 2], ['getOrder', 1]), { declared, tests: 4 })
  expect(told).toEqual(['3 answers were judged in 4 tests.'])
})

test('fails for a run without tests', () => {
  expect(shortcomingsOf(judging(['listOrders', 1], ['getOrder', 1]), { declared, tests: 0 })).toEqual(['No test ran.'])
})
