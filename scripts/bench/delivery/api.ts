import { systemClock } from '../../../src/base/clock.ts'
import { openLog } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { createDueNotifier } from '../../../src/worker/due-notifier.ts'
import { serveParent } from './child.ts'
import { type Burst, type Emission, emitBurst, emitSteadily } from './emit.ts'

/**
 * A benchmark process that commits changes of records. It notifies the worker process, which sends the webhook
 * deliveries.
 */
const database = openDatabase({ connectionString: process.argv[2] ?? '' })
const { nudge } = createDueNotifier(database, openLog('warn'))
const context = { database, clock: systemClock, nudge }

serveParent<{ emission?: Emission; burst?: Burst }>(async ({ emission, burst }) => {
  if (burst !== undefined) return emitBurst(context, burst)
  return emission === undefined ? {} : emitSteadily(context, emission)
})
