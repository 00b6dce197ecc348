import { expect, test } from 'vitest'
import type { AttemptState } from '../../../registry/logistics/shipment-states.ts'
import { newShipmentId } from '../../../src/base/records.ts'
import { requestReference } from '../../../src/logistics/dispatch/request-reference.ts'

const id = newShipmentId(Date.UTC(2026, 10, 21))

type Past = readonly [reference: string, state: AttemptState, outcomeCode: string]

function nextReference(...past: readonly Past[]): string {
  const attempts = past.map(([end, state, outcomeCode]) => ({ reference: `${id}-${end}`, state, outcomeCode }))
  return requestReference({ id, attemptCount: attempts.length }, attempts)
}

test.for<[string, readonly Past[]]>([
  ['1', []],
  ['2', [['1', 'refused', 'couriers_busy']]],
  ['2', [['1', 'unavailable', 'unavailable']]],
  ['2', [['1', 'refused', 'wallet_insufficient']]],
  ['2', [['1', 'not_found_at_carrier', 'order_not_found']]],
  ['1', [['attempt-1', 'skipped', 'circuit_open']]],
  ['2-1', [['1', 'unavailable', 'not_sent']]],
  ['2-1', [['1', 'unavailable', 'circuit_open']]],
  ['2-1', [['1', 'unavailable', 'wallet_insufficient']]],
  [
    '3-1',
    [
      ['1', 'unavailable', 'circuit_open'],
      ['2-1', 'unavailable', 'not_sent'],
    ],
  ],
  [
    '2',
    [
      ['1', 'unavailable', 'circuit_open'],
      ['2-1', 'refused', 'couriers_busy'],
    ],
  ],
])('the reference of the next dispatch request ends with %s after the dispatch attempts %j', ([end, past]) => {
  expect(nextReference(...past)).toBe(`${id}-${end}`)
})
