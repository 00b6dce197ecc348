import { expect, test } from 'vitest'
import { type KillPoint, killPoints } from '../../../scripts/faults/dispatch/points.ts'
import { runDispatchRounds } from '../../../scripts/faults/dispatch/rounds.ts'
import { useDatabase } from '../../support/database.ts'

const opened = useDatabase()

/** One kill point of each kind. `npm run dispatch-faults` kills processes at all kill points. */
const chosen: readonly KillPoint[] = [
  'attempt_committed',
  'accepted_without_response',
  'result_not_committed',
  'cancel_responded',
  'late_acceptance_not_committed',
]

test('after a process is killed during a dispatch, no shipment is stuck or has two active dispatch attempts, and every carrier order belongs to a shipment', async () => {
  const { database, connectionString } = opened()
  const seed = process.env.FAULTS_SEED ?? String(Date.now())
  const world = { database, connectionString, seed }
  const reports = await runDispatchRounds(
    world,
    chosen.map((killPoint) => killPoints.indexOf(killPoint)),
  )
  // If no process were killed while a dispatch attempt is in progress, the test would prove nothing.
  expect(reports.filter(({ isReached }) => isReached).length, `seed ${seed}`).toBeGreaterThanOrEqual(3)
  expect(
    reports.reduce((sum, { open }) => sum + open, 0),
    `seed ${seed}`,
  ).toBeGreaterThan(0)
}, 240_000)
