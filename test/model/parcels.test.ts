import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import type { Order } from './parcels-model.ts'
import { outcomesOf, runParcels, unitRuns } from './parcels-runs.ts'

const started = useApi()

// The seed is fixed, so that only a change of the service can make this test fail. Twelve runs reach every action
// within a few seconds.
test(
  'after random actions, the units, the stock and the status of each order agree with its shipments and refunds',
  () => runParcels(started(), { numRuns: 12, seed: 12 }),
  240_000,
)

// These runs reach every part of the rule for the status of an order: a refunded unit that is still in a shipment, a lost
// unit, and a returned unit that is sent again while the other unit is delivered.
test(
  'after random actions on an order whose units are sent separately, lost and sent again, its status follows from its units',
  () => runParcels(started(), { numRuns: 25, seed: 1 }, unitRuns),
  240_000,
)

test('the reference model rejects a result in which one unit is in two shipments', () => {
  const none = { fulfilled: 0, returned: 0, lost: 0, cancelled: 0, refunded: 0, restocked: 0 }
  const line = { quantity: 1, ...none, onHand: 9, reserved: 1 }
  const order: Order = { status: 'processing', refundedKobo: 0, lines: [line], parcels: {} }
  const done = [0, 1].map((slot) => ({ action: { is: 'dispatch' as const, slot, units: [1] }, code: 'ok' }))
  expect(outcomesOf(order, done)).toEqual([])
  expect(outcomesOf(order, done.slice(1))).toHaveLength(1)
})
