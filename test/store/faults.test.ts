import { expect, test } from 'vitest'
import { isTransient, isUnavailable } from '../../src/store/core/faults.ts'

const withCode = (code: string) => Object.assign(new Error('A failure.'), { code })

test.for([
  'ECONNREFUSED',
  'ETIMEDOUT',
  // The machine of the server is gone, as after a failover that moved its address.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  // The resolver does not respond.
  'EAI_AGAIN',
  // The server ended the session of a process that was frozen in a transaction.
  '25P03',
  '57P01',
])('a server that fails with %s is unavailable, so that the request may be retried', (code) => {
  expect(isUnavailable(withCode(code))).toBe(true)
  expect(isUnavailable(new Error('The job failed.', { cause: withCode(code) }))).toBe(true)
})

test.for(['23505', '42P01', '25P02', 'ENOENT'])('the defect %s is not transient', (code) => {
  expect(isTransient(withCode(code))).toBe(false)
})
