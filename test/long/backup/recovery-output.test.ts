import { expect, test } from 'vitest'
import { openOutput } from '../../../src/store/embedded/recovery.ts'

const reason = 'FATAL:  recovery ended before configured recovery target was reached'

test.each([
  'starting up',
  'in recovery mode',
  'shutting down',
])('the error of a failed recovery names its cause, and does not mention that the server rejected a connection while it was %s', (state) => {
  const output = openOutput()
  output.add(reason)
  output.add(`FATAL:  the database system is ${state}`)
  expect(output.failure('2099-01-01T00:00:00Z').message).toMatch(/^The backup has no change after 2099/)
})
