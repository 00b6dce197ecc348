import { expect, test } from 'vitest'
import { exceptionFaults } from '../../scripts/lint/exceptions.ts'

const problem = { rule: 'operation-summary', pointer: '#/paths/~1orders/get', message: 'It has no summary.' }
const exception = { rule: problem.rule, pointer: problem.pointer, reason: 'It is listed so that this test has one.' }

test('a problem with an exception that the last release had as well is let through', () => {
  expect(exceptionFaults([problem], [exception], [exception])).toEqual([])
})

test('a problem without an exception is a fault', () => {
  expect(exceptionFaults([problem], [], [])).toEqual([expect.stringContaining('It has no summary.')])
})

test('an exception that nothing needs any more is a fault', () => {
  expect(exceptionFaults([], [exception], [exception])).toEqual([expect.stringContaining('take its exception away')])
})

test('an exception that the last release did not have is a fault', () => {
  expect(exceptionFaults([problem], [exception], [])).toEqual([expect.stringContaining('may only shrink')])
})
