import { expect, test } from 'vitest'
import { dispatchResponseMs } from '../../src/logistics/shipments/leases.ts'
import { boundsOf } from '../../src/operations/execute/execute.ts'
import { requestLimits } from '../../src/operations/execute/request-limits.ts'

/** Tests the maximum duration of a request. */

const limitsOf = (
  queryValues: Readonly<Record<string, string>>,
  { callsPartners, spentMs = 0 }: { readonly callsPartners?: true; readonly spentMs?: number } = {},
) => {
  const endpoint = callsPartners === undefined ? {} : { callsPartners }
  const { queuedMs, totalMs } = boundsOf(requestLimits, endpoint, {
    onDisconnect: () => () => undefined,
    queryValues,
    spentMs,
  })
  return { queuedMs, totalMs }
}

test('a request has a time limit of five seconds, of which it may wait at most four seconds in queues', () => {
  expect(limitsOf({})).toEqual({ queuedMs: 4_000, totalMs: 5_000 })
})

test('the time limit of a tracking request is extended by the wait timeout of its long poll, but only if the request waits', () => {
  expect(limitsOf({ wait: '25' })).toEqual({ queuedMs: 29_000, totalMs: 30_000 })
  for (const read of [{ wait: '0' }, { since: '7' }]) {
    expect(limitsOf(read)).toEqual({ queuedMs: 4_000, totalMs: 5_000 })
  }
})

test('the time limit of a request that calls carriers is extended by the time that a dispatch may take', () => {
  expect(limitsOf({}, { callsPartners: true }).totalMs).toBe(5_000 + dispatchResponseMs)
})

test('the time that a request spent on authentication and admission counts towards its time limit', () => {
  expect(limitsOf({}, { spentMs: 1_500 })).toEqual({ queuedMs: 2_500, totalMs: 3_500 })
})
