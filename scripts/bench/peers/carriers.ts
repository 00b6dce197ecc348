import { systemClock } from '../../../src/base/clock.ts'
import { openSimulator } from '../../../src/simulator/simulator.ts'
import { openDatabase } from '../../../src/store/core/database.ts'

/** The simulated carriers in a process of their own, so that their CPU time counts for none of the servers. */

const database = openDatabase({ connectionString: process.argv[2] ?? '' })
const simulator = await openSimulator({ database, clock: systemClock })
// The parent process ended, perhaps by a signal.
process.on('disconnect', () => process.exit())
process.send?.({ port: Number(new URL(simulator.url).port) })
