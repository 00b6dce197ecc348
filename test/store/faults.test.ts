import { expect, test } from 'vitest'
import { tryEach } from '../../src/base/try-each.ts'
import { isNodeLost, isRetryable, isTransient, isUnavailable } from '../../src/store/core/faults.ts'

const withCode = (code: string) => Object.assign(new Error('A failure.'), { code })

test.for([
  'ECONNREFUSED',
  'ETIMEDOUT',
  // Error codes that mean: the machine of the database server cannot be reached, as after a failover that moved its
  // address.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  // An error code that means: the DNS resolver does not respond.
  'EAI_AGAIN',
  // PostgreSQL's error code for a session that it ended, because the process of the session was suspended during a
  // transaction.
  '25P03',
  '57P01',
])('a database server that fails with %s counts as unavailable, so that the request may be retried', (code) => {
  expect(isUnavailable(withCode(code))).toBe(true)
  expect(isUnavailable(new Error('The job failed.', { cause: withCode(code) }))).toBe(true)
})

test('if several steps fail, their error is classified as unavailable when the first step failed because the database was unavailable', async () => {
  const fail = (error: Error) => () => Promise.reject(error)
  const failed = tryEach([fail(withCode('ECONNREFUSED')), fail(withCode('23505'))])
  await expect(failed).rejects.toSatisfy(isUnavailable)
})

test.for([
  '23505',
  '42P01',
  '25P02',
  'ENOENT',
])('the error %s is classified as a defect, so the request is not retried', (code) => {
  expect(isTransient(withCode(code))).toBe(false)
})

test('a unique violation that a distributed database reports as an internal error is retried, and is not treated as a lost node', () => {
  const reported = (message: string) => Object.assign(new Error(message), { code: 'XX000' })
  const violation = reported('duplicate key value violates unique constraint "customer_email_is_used_once_102032"')
  expect([isRetryable(violation), isNodeLost(violation)]).toEqual([true, false])
  const lost = reported('terminating connection due to administrator command')
  expect([isRetryable(lost), isNodeLost(lost)]).toEqual([false, true])
})

test.for([
  'new row for relation "webhook_leases_102032" violates check constraint "lease_is_of_a_delivery"',
  'null value in column "url" of relation "webhook_attempts_default_103614" violates not-null constraint',
  'insert or update on table "orders_102040" violates foreign key constraint "order_names_its_customer_102040"',
])('the internal error “%s” of a distributed database is a defect, and is not treated as a lost node', (message) => {
  const error = Object.assign(new Error(message), { code: 'XX000' })
  expect([isNodeLost(error), isTransient(error), isRetryable(error)]).toEqual([false, false, false])
})

test('an I/O error while a distributed database copies rows to a node is treated as a lost node', () => {
  expect(isNodeLost(withCode('58030'))).toBe(true)
})
