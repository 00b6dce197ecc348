import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Tests that themselves do something that a distributed database does not support. A test is named by a part of its
 * title.
 */
interface Exception {
  readonly reason: string
  readonly tests: readonly string[]
}

const exceptions: readonly Exception[] = [
  {
    reason: 'A statement of the test locks, changes or joins rows without a condition on their merchant.',
    tests: [
      'a quote with an expired offer can be dispatched with its other offers only',
      'a refund request that is repeated at another process while its order is locked',
      'a refund that is rejected from an unlocked read of its order',
      'an order with an unlimited discount code does not wait',
      'anonymiseCustomer waits for an uncommitted order that names the customer',
      'during an anonymisation, createOrder with the customer’s id',
      'listZones returns all 17 zones',
      'of 20 concurrent orders of one customer',
      'of 50 concurrent orders for the last unit',
      'of 50 concurrent orders with a discount code',
      'of two refunds that read an order before either changes it',
    ],
  },
  {
    reason:
      'The test waits until a statement waits for a lock. PostgreSQL reports this statement only on the node of the merchant.',
    tests: [
      'an order with a limited discount code waits',
      'cancelling an order waits for a concurrent dispatch of its shipment',
      'removing a discount’s usageLimit waits',
      'setting a discount’s usageLimit waits',
      'the count of a discount’s uses is correct after 30 concurrent orders',
      'while a discount’s usageLimit is being set',
    ],
  },
  {
    reason: 'The test expects the name of a constraint in an error. Citus does not forward this name.',
    tests: [
      'an order that cannot be cancelled at its expiry is reported',
      'the database rejects a delivered order whose units are all restocked',
      'the database rejects a restock of a unit that a carrier lost',
    ],
  },
]

/**
 * Runs the endpoint tests on the nodes of the cluster. Each test file has a database of its own, which is a copy of a
 * distributed template database (test/support/server.ts). The role of the URL must be a superuser. Returns whether the
 * tests passed.
 */
export async function testEndpoints(url: string): Promise<boolean> {
  const excluded = exceptions.flatMap(({ tests }) =>
    tests.map((test) => test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')),
  )
  const vitest = spawn(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/config/vitest.config.ts'],
      ...['--testNamePattern', `^(?!.*(?:${excluded.join('|')}))`, 'test/endpoints'],
    ],
    { stdio: 'inherit', env: { ...process.env, TEST_CITUS_URL: url, NO_COLOR: '1' } },
  )
  const [code]: (number | null)[] = await once(vitest, 'exit')
  console.log(`endpoint tests: ${code === 0 ? 'all pass' : `ended with ${code}`}; excluded: ${excluded.length}`)
  return code === 0
}
