import { expect, test } from 'vitest'
import { type Death, deaths } from '../../scripts/faults/dispatch/points.ts'
import { runDispatchRounds } from '../../scripts/faults/dispatch/rounds.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

/** One way to die of each kind. `npm run dispatch-faults` goes through them all, again and again. */
const chosen: readonly Death[] = [
  'asking_committed',
  'accepted_not_answered',
  'result_not_committed',
  'cancel_answered',
  'late_order_not_committed',
]

test('a process killed while it dispatches leaves no second live attempt, nothing stuck and no order that nobody knows', async () => {
  const { database, connectionString } = opened()
  const seed = process.env.FAULTS_SEED ?? String(Date.now())
  const world = { database, connectionString, seed }
  const reports = await runDispatchRounds(
    world,
    chosen.map((death) => deaths.indexOf(death)),
  )
  // A run in which nobody died with an asking open would show nothing.
  expect(reports.filter(({ isReached }) => isReached).length, `seed ${seed}`).toBeGreaterThanOrEqual(3)
  expect(
    reports.reduce((sum, { open }) => sum + open, 0),
    `seed ${seed}`,
  ).toBeGreaterThan(0)
}, 240_000)
