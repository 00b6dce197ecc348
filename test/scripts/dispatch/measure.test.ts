import { expect, test } from 'vitest'
import { dispatchMany } from '../../../scripts/dispatch/dispatch-many.ts'
import { useDatabase } from '../../support/database.ts'

const ours = useDatabase()
const naive = useDatabase()

/** A short version of `npm run dispatch-measure`, which measures ten thousand dispatches. */
const dispatches = 150

/** A fixed seed gives fixed faults and fixed results. */
const seed = 'ikeja'

test('dispatch under carrier faults creates no double dispatch, unlike a naive failover', async () => {
  const measured = await dispatchMany({
    database: ours().database,
    naiveDatabase: naive().database,
    dispatches,
    seed,
    preferences: 'carriers_in_turn',
  })
  expect(measured.requests.creates).toBeGreaterThanOrEqual(dispatches)
  // A measurement with too few simulated faults would prove nothing, so it must fail.
  expect(measured.requests.unknowns).toBeGreaterThanOrEqual(5)
  expect(measured.naive.doubles).toBeGreaterThanOrEqual(3)
  expect(measured.ours).toMatchObject({ doubles: 0, other: 0 })
  const { accepted, parked, failed, unrecordedOrders } = measured.ours
  expect(accepted + parked + failed).toBe(dispatches)
  // Every carrier order that is missing in the service's records must have an exception that names the carrier.
  expect(unrecordedOrders).toBeLessThanOrEqual(parked)
  expect(accepted).toBeGreaterThanOrEqual(dispatches * 0.95)
}, 240_000)
