import { expect, test } from 'vitest'
import { deaths } from '../../../scripts/faults/deaths.ts'
import { openReceivers } from '../../../scripts/faults/receivers.ts'
import { runRounds } from '../../../scripts/faults/rounds.ts'
import { useDatabase } from '../../support/database.ts'

const opened = useDatabase()

/** Number of rounds: two for each kill point. `npm run worker-faults` runs a hundred rounds. */
const rounds = 2 * deaths.length

test('if a worker is killed at any point, no event is lost, and other workers repeat only the killed worker’s unfinished delivery attempts, after its leases have expired', async () => {
  const { database, connectionString, ownerConnectionString } = opened()
  const receivers = await openReceivers()
  const seed = process.env.FAULTS_SEED ?? String(Date.now())
  try {
    const world = { database, connectionString, ownerConnectionString, receivers, seed }
    const reports = await runRounds(world, [...Array(rounds).keys()])
    const stuck = reports.reduce((sum, report) => sum + report.stuck, 0)
    const duplicates = reports.reduce((sum, report) => sum + report.duplicates, 0)
    // If no worker were killed with deliveries in progress, the test would prove nothing.
    expect(stuck, `seed ${seed}`).toBeGreaterThan(rounds)
    expect(duplicates, `seed ${seed}`).toBeLessThanOrEqual(stuck)
  } finally {
    receivers.close()
  }
})
