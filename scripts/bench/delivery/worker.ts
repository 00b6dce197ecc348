import { openLog } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import type { Context } from '../../../src/store/core/mutation.ts'
import { clockReaderOf, openDatabaseClock } from '../../../src/store/server/database-clock.ts'
import { listenForDueEndpoints } from '../../../src/store/webhooks/due-endpoints.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { machineMs, serveParent } from './child.ts'
import { type Burst, type Emission, emitBurst, emitSteadily } from './emit.ts'
import { policy, vault } from './merchants.ts'
import type { Notified } from './phases.ts'

/**
 * A request to the worker process. The worker runs as in src/app/process.ts, with the log level error. The request can
 * also make the worker process commit mutations, like a process that runs both the API and the worker.
 */
export interface WorkerRequest {
  readonly wake?: readonly EndpointKey[]
  readonly emission?: Emission
  readonly burst?: Burst
  /**
   * Whether the worker process must return the PostgreSQL notifications that have arrived since the previous request
   * for notifications.
   */
  readonly takesNotifications?: boolean
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
  vault,
  policy,
  log: openLog('error'),
  // The setting `paymentProviders`, which the worker requires but does not use: the benchmark creates no refunds through a
  // payment provider.
  paymentProviders: { urls: { paystack: 'http://127.0.0.1:1' } },
  rules: standardRules,
})

// PostgreSQL notifications that a second listener in the process received, at the same time as the worker's listener.
let notified: Notified[] = []
await listenForDueEndpoints(database, {
  due: (endpoints) => {
    const atMs = machineMs()
    for (const { endpointId } of endpoints) notified.push({ endpointId, atMs })
  },
  broken: () => undefined,
})

serveParent<WorkerRequest>(async ({ wake = [], emission, burst, takesNotifications }) => {
  if (takesNotifications) {
    const reply = notified
    notified = []
    return reply
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
