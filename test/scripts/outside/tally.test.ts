import { expect, test } from 'vitest'
import { newTally, shortcomingsOf } from '../../../scripts/outside/tally.ts'

/**
 * Tests the conditions under which `npm run proxy-check` fails because too few responses were validated. Violations in
 * responses are reported by Prism, so this file does not test them.
 */

const tallyOf = (...counts: [string, number][]) => ({ ...newTally(), validated: new Map(counts) })
const declared = ['listOrders', 'getOrder']

test('the check of validated responses passes if every operation returned a response and there were at least as many responses as tests', () => {
  expect(shortcomingsOf(tallyOf(['listOrders', 3], ['getOrder', 1]), { declared, tests: 4 })).toEqual([])
})

test('the check of validated responses reports each operation of which no response was validated', () => {
  const found = shortcomingsOf(tallyOf(['listOrders', 9]), { declared, tests: 4 })
  expect(found).toEqual(['getOrder was never validated.'])
})

test('the check of validated responses reports a test run that has validated fewer responses than it has tests', () => {
  const found = shortcomingsOf(tallyOf(['listOrders', 2], ['getOrder', 1]), { declared, tests: 4 })
  expect(found).toEqual(['3 responses were validated in 4 tests.'])
})

test('the check of validated responses fails if no test ran', () => {
  expect(shortcomingsOf(tallyOf(['listOrders', 1], ['getOrder', 1]), { declared, tests: 0 })).toEqual(['No test ran.'])
})
