import { systemClock } from '../../../src/base/clock.ts'
import { openSimulator } from '../../../src/simulator/simulator.ts'
import { openDatabase } from '../../../src/store/core/database.ts'

/**
 * Runs the simulated carriers in a separate process, so that their CPU time is not attributed to any of the compared
 * servers.
 */

const database = openDatabase({ connectionString: process.argv[2] ?? '' })
const simulator = await openSimulator({ database, clock: systemClock })
// Ends this process when its parent process ends, even if a signal ends the parent.
process.on('disconnect', () => process.exit())
process.send?.({ port: Number(new URL(simulator.url).port) })
