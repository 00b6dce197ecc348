import { openLog } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { clockReaderOf, openDatabaseClock } from '../../../src/store/core/database-clock.ts'
import type { Context } from '../../../src/store/core/mutation.ts'
import { listenForDueEndpoints } from '../../../src/store/webhooks/due-endpoints.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { answerParent, machineMs } from './child.ts'
import { type Burst, type Emission, emitBurst, emitSteadily } from './emit.ts'
import { policy, vault } from './merchants.ts'
import type { Notified } from './phases.ts'

/**
 * The worker as src/app/process.ts starts it, with a log that keeps errors only. On demand it also commits mutations, as a process
 * does that serves the API beside it.
 */
export interface WorkerQuestion {
  readonly wake?: readonly EndpointKey[]
  readonly emission?: Emission
  readonly burst?: Burst
  /** Answers with the notifications since this was last asked. */
  readonly isAskedForNotified?: boolean
}

const connectionString = process.argv[2] ?? ''
const database = openDatabase({ connectionString })
const clock = await openDatabaseClock({ read: clockReaderOf(database) })
const context: Context = {
  database,
  clock,
  nudge: (merchantId, endpointIds) => worker.wake(endpointIds.map((endpointId) => ({ merchantId, endpointId }))),
}
const worker = await startWorker({
  ...context,
  clock,
  connectionString,
  vault,
  policy,
  log: openLog('error'),
  // No refund here is paid by a provider.
  paystackUrl: 'http://127.0.0.1:1',
  rules: standardRules,
})

// Beside the worker's own listener, in the same process: what this one hears, that one hears in the same moment.
let notified: Notified[] = []
await listenForDueEndpoints(database, {
  due: (endpoints) => {
    const atMs = machineMs()
    for (const { endpointId } of endpoints) notified.push({ endpointId, atMs })
  },
  broken: () => undefined,
})

answerParent<WorkerQuestion>(async ({ wake = [], emission, burst, isAskedForNotified }) => {
  if (isAskedForNotified) {
    const told = notified
    notified = []
    return told
  }
  worker.wake(wake)
  if (burst !== undefined) return emitBurst(context, burst)
  return emission === undefined ? {} : emitSteadily(context, emission)
})

process.once('SIGTERM', async () => {
  await worker.stop()
  await database.close()
  process.disconnect()
})
