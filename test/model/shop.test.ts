import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import type { Shop } from './model-records.ts'
import { outcomesOf } from './serialize.ts'
import { priceKobo, refundSteps, runShops } from './shop-runs.ts'

const started = useApi()

// The seed is fixed, so that only a change of the service can make this test fail. Ten runs reach every action in a few
// seconds.
test(
  'concurrent random actions on a shop have the same result as the same actions in some sequential order',
  () => runShops(started(), { numRuns: 10, seed: 10 }),
  240_000,
)

test(
  'after random actions, the open payment problems of each order equal those that the reference model derives from payments, refunds and units',
  () => runShops(started(), { numRuns: 25, seed: 25 }, refundSteps),
  240_000,
)

test('the reference model rejects a result in which two orders both got the last unit in stock', () => {
  const shop: Shop = { variants: [{ priceKobo, onHand: 1, reserved: 0 }], orders: {}, nowMs: 0 }
  const lines = [{ variant: 0, quantity: 1 }]
  const done = [0, 1].map((slot) => ({ action: { is: 'order' as const, slot, lines }, code: 'ok' }))
  expect(outcomesOf(shop, done)).toEqual([])
  expect(outcomesOf(shop, done.slice(1)).map(({ variants }) => variants[0]?.reserved)).toEqual([1])
})
