import { expect, test } from 'vitest'
import { exceptionFaults } from '../../../scripts/lint/exceptions.ts'

const problem = { rule: 'operation-summary', pointer: '#/paths/~1orders/get', message: 'It has no summary.' }
const exception = { rule: problem.rule, pointer: problem.pointer, reason: 'It is listed so that this test has one.' }

test('the check of lint exceptions accepts a problem if its exception was already in the last release', () => {
  expect(exceptionFaults([problem], [exception], [exception])).toEqual([])
})

test('the check of lint exceptions reports a lint problem for which no exception is listed', () => {
  expect(exceptionFaults([problem], [], [])).toEqual([expect.stringContaining('It has no summary.')])
})

test('the check of lint exceptions reports an exception for a lint problem that does not exist', () => {
  expect(exceptionFaults([], [exception], [exception])).toEqual([expect.stringContaining('delete its exception')])
})

test('the check of lint exceptions rejects an exception that the last release did not have, because the list may only shrink', () => {
  expect(exceptionFaults([problem], [exception], [])).toEqual([expect.stringContaining('may only shrink')])
})
