import { expect, test } from 'vitest'
import { type Death, deaths } from '../../scripts/faults/dispatch/points.ts'
import { runDispatchRounds } from '../../scripts/faults/dispatch/rounds.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

/** One death of each kind. `npm run dispatch-faults` repeats all of them. */
const chosen: readonly Death[] = [
  'attempt_committed',
  'accepted_not_answered',
  'result_not_committed',
  'cancel_answered',
  'late_acceptance_not_committed',
]

test('a process killed while dispatching leaves no second live attempt, no stuck shipment and no unknown order', async () => {
  const { database, connectionString } = opened()
  const seed = process.env.FAULTS_SEED ?? String(Date.now())
  const world = { database, connectionString, seed }
  const reports = await runDispatchRounds(
    world,
    chosen.map((death) => deaths.indexOf(death)),
  )
  // A run without a death during an open attempt would prove nothing.
  expect(reports.filter(({ isReached }) => isReached).length, `seed ${seed}`).toBeGreaterThanOrEqual(3)
  expect(
    reports.reduce((sum, { open }) => sum + open, 0),
    `seed ${seed}`,
  ).toBeGreaterThan(0)
}, 240_000)
