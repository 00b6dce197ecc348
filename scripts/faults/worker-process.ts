import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { openLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import type { PumpPoint } from '../../src/webhooks/pump.ts'
import { type RunningWorker, startWorker } from '../../src/worker/runner.ts'
import { vault } from './merchants.ts'

/**
 * Message with which the parent process starts a worker. The worker runs as under `npm start`. The message contains the
 * clock, and the point at which the worker kills itself.
 */
export interface StartMessage {
  readonly is: 'start'
  readonly connectionString: string
  readonly logLevel: string
  /** Offset of the worker's clock from the system clock, in milliseconds. */
  readonly aheadMs: number
  /** Time to which the worker's clock is fixed, however long the worker runs. Null for a clock that advances. */
  readonly standingMs: number | null
  /** The kill point. The worker kills itself when it has reached the kill point `time` times. */
  readonly death: { readonly point: PumpPoint; readonly time: number } | null
  /** Pause of the worker at the given point of its code. During the pause, concurrent work can reach the same point. */
  readonly delay: { readonly point: PumpPoint; readonly ms: number } | null
}

export type ToWorker = StartMessage | { readonly is: 'stop' }
export type FromWorker = { readonly is: 'loaded' | 'started' | 'stopped' }

interface Running {
  readonly worker: RunningWorker
  readonly close: () => Promise<void>
}

let running: Promise<Running> | undefined

async function start(message: StartMessage): Promise<Running> {
  const { connectionString, logLevel, aheadMs, standingMs, death, delay } = message
  const log = openLog(logLevel)
  const killIfDue = killerOf(death)
  const database = openDatabase({
    connectionString,
    onError: (error) => log.warn({ err: error }, 'A database connection broke.'),
  })
  const nowMs = () => standingMs ?? Date.now() + aheadMs
  const compare = () => ({ nowMs: nowMs(), skewMs: 0, isWithinLimit: true })
  const worker = await startWorker({
    database,
    clock: { nowMs, compare, measure: async () => compare() },
    nudge: () => undefined,
    log,
    vault,
    policy: { allowsLoopback: true },
    // The setting `paymentProviders`, which the worker requires but does not use: no merchant in the fault runs has a
    // payment provider.
    paymentProviders: { urls: { paystack: 'http://127.0.0.1:1' } },
    // The worker does not throttle endpoints, so that a round takes no longer than its faults require.
    rules: { ...standardRules, pacesMs: [] },
    reach: async (reached) => {
      if (reached === delay?.point) await wait(delay.ms)
      await killIfDue(reached)
    },
  })
  // As in src/app/main.ts, the process exits when its worker fails, so that its supervisor restarts it.
  worker.ended.catch(() => process.exit(1))
  return { worker, close: () => database.close() }
}

function killerOf(death: StartMessage['death']) {
  let times = 0
  return async (reached: PumpPoint) => {
    if (reached !== death?.point) return
    times += 1
    if (times < death.time) return
    process.kill(process.pid, 'SIGKILL')
    // Waits for the signal that kills the process, so that the process does no further work.
    await new Promise(() => undefined)
  }
}

async function stop(): Promise<void> {
  const stopping = await running
  running = undefined
  await stopping?.worker.stop()
  await stopping?.close()
}

function report(message: FromWorker): void {
  process.send?.(message)
}

process.on('message', async (message: ToWorker) => {
  switch (message.is) {
    case 'start':
      running = start(message)
      await running
      return report({ is: 'started' })
    case 'stop':
      await stop()
      return report({ is: 'stopped' })
  }
})
// Ends this process when its parent process ends.
process.on('disconnect', () => process.exit())
flushCompileCache()
report({ is: 'loaded' })
