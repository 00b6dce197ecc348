import { expect, test } from 'vitest'
import { dispatchMany } from '../../../scripts/dispatch/dispatch-many.ts'
import { useDatabase } from '../../support/database.ts'

const ours = useDatabase()
const naive = useDatabase()

/** `npm run dispatch-measure` measures ten thousand dispatches. */
const dispatches = 150

/** A fixed seed gives fixed faults and fixed results. */
const seed = 'ikeja'

test('creates no double dispatch under carrier faults, unlike a naive failover', async () => {
  const measured = await dispatchMany({
    database: ours().database,
    naiveDatabase: naive().database,
    dispatches,
    seed,
    preferences: 'carriers_in_turn',
  })
  expect(measured.requests.creates).toBeGreaterThanOrEqual(dispatches)
  // A run with too few faults would prove nothing.
  expect(measured.requests.unknowns).toBeGreaterThanOrEqual(5)
  expect(measured.naive.doubles).toBeGreaterThanOrEqual(3)
  expect(measured.ours).toMatchObject({ doubles: 0, other: 0 })
  const { accepted, parked, failed, unrecordedOrders } = measured.ours
  expect(accepted + parked + failed).toBe(dispatches)
  // Every order that a carrier has without our record must have an exception that names the carrier.
  expect(unrecordedOrders).toBeLessThanOrEqual(parked)
  expect(accepted).toBeGreaterThanOrEqual(dispatches * 0.95)
}, 240_000)
