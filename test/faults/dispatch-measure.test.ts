import { expect, test } from 'vitest'
import { dispatchMany } from '../../scripts/dispatch/dispatch-many.ts'
import { useDatabase } from '../support/database.ts'

const ours = useDatabase()
const naive = useDatabase()

/** `npm run dispatch-measure` does ten thousand. */
const dispatches = 150

/** Any other has faults as well; with one that is always the same, so is what comes of them. */
const seed = 'ikeja'

test('where carriers go wrong no parcel is dispatched twice that a naive failover dispatches twice', async () => {
  const measured = await dispatchMany({
    database: ours().database,
    naiveDatabase: naive().database,
    dispatches,
    seed,
    preferences: 'carriers_in_turn',
  })
  expect(measured.asked.creates).toBeGreaterThanOrEqual(dispatches)
  // Fewer faults than there are would show nothing.
  expect(measured.asked.unknowns).toBeGreaterThanOrEqual(5)
  expect(measured.naive.doubles).toBeGreaterThanOrEqual(3)
  expect(measured.ours).toMatchObject({ doubles: 0, other: 0 })
  const { accepted, parked, failed, unawares } = measured.ours
  expect(accepted + parked + failed).toBe(dispatches)
  // What is carried without our knowing is what a person was told to ask about.
  expect(unawares).toBeLessThanOrEqual(parked)
  expect(accepted).toBeGreaterThanOrEqual(dispatches * 0.95)
}, 240_000)
