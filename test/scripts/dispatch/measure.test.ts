import { expect, test } from 'vitest'
import { dispatchMany } from '../../../scripts/dispatch/dispatch-many.ts'
import { useDatabase } from '../../support/database.ts'

const ours = useDatabase()
const naive = useDatabase()

/** A short version of `npm run dispatch-measure`, which by default measures ten thousand dispatches. */
const dispatches = 150

/** With a fixed seed, the faults and the results are always the same. */
const seed = 'ikeja'

test('dispatch under carrier faults never orders two riders for one parcel, unlike a naive failover', async () => {
  const measured = await dispatchMany({
    database: ours().database,
    naiveDatabase: naive().database,
    dispatches,
    seed,
    preferences: 'carriers_in_turn',
  })
  expect(measured.requests.creates).toBeGreaterThanOrEqual(dispatches)
  // With too few simulated faults, the measurement would prove nothing, so the script must fail.
  expect(measured.requests.unknowns).toBeGreaterThanOrEqual(5)
  expect(measured.naive.doubles).toBeGreaterThanOrEqual(3)
  expect(measured.ours).toMatchObject({ doubles: 0, other: 0 })
  const { accepted, parked, failed, unrecordedOrders } = measured.ours
  expect(accepted + parked + failed).toBe(dispatches)
  // If the service's records lack an order that a carrier has, the shipment must have an exception that names this
  // carrier.
  expect(unrecordedOrders).toBeLessThanOrEqual(parked)
  expect(accepted).toBeGreaterThanOrEqual(dispatches * 0.95)
}, 240_000)
