import { systemClock } from '../../../src/clock.ts'
import { openLog } from '../../../src/log.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { createNudger } from '../../../src/worker/nudger.ts'
import { answerParent } from './child.ts'
import { type Emission, emitSteadily } from './emit.ts'

/** Mutations of a process that delivers nothing itself: it tells the worker by a job. */
const database = openDatabase({ connectionString: process.argv[2] ?? '' })
const { nudge } = createNudger(database, openLog('warn'))

answerParent<{ emission: Emission }>(({ emission }) => emitSteadily({ database, clock: systemClock, nudge }, emission))
