import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { openLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import type { PumpPoint } from '../../src/webhooks/pump.ts'
import { type RunningWorker, startWorker } from '../../src/worker/runner.ts'
import { vault } from './merchants.ts'

/**
 * A worker in a process of its own, as `npm start` runs one, told by its parent when to start, with which clock, and at
 * which point to die.
 */
export interface StartMessage {
  readonly is: 'start'
  readonly connectionString: string
  readonly logLevel: string
  /** How far its clock is ahead of the machine's. */
  readonly aheadMs: number
  /** It kills itself when it gets to this point for so many times. */
  readonly death: { readonly point: PumpPoint; readonly time: number } | null
  /** It stays at this point for a while whenever it gets there, so that others come there too. */
  readonly delay: { readonly point: PumpPoint; readonly ms: number } | null
}

export type ToWorker = StartMessage | { readonly is: 'stop' }
export type FromWorker = { readonly is: 'loaded' | 'started' | 'stopped' }

interface Running {
  readonly worker: RunningWorker
  readonly close: () => Promise<void>
}

let running: Promise<Running> | undefined

async function start({ connectionString, logLevel, aheadMs, death, delay }: StartMessage): Promise<Running> {
  const log = openLog(logLevel)
  const dieIfDue = reaperOf(death)
  const database = openDatabase({
    connectionString,
    onError: (error) => log.warn({ err: error }, 'A database connection broke.'),
  })
  const nowMs = () => Date.now() + aheadMs
  const worker = await startWorker({
    database,
    connectionString,
    clock: { nowMs, measure: async () => ({ nowMs: nowMs(), skewMs: 0, isWithinLimit: true }) },
    nudge: () => undefined,
    log,
    vault,
    policy: { allowsLoopback: true },
    // Nothing listens there, and no merchant of these is connected to a provider.
    paystackUrl: 'http://127.0.0.1:1',
    // Without a pace: what is due goes out, so that a round takes no longer than its faults do.
    rules: { ...standardRules, pacesMs: [] },
    reach: async (reached) => {
      if (reached === delay?.point) await wait(delay.ms)
      await dieIfDue(reached)
    },
  })
  // As src/main.ts does: whoever runs the service starts it again.
  worker.ended.catch(() => process.exit(1))
  return { worker, close: () => database.close() }
}

function reaperOf(death: StartMessage['death']) {
  let times = 0
  return async (reached: PumpPoint) => {
    if (reached !== death?.point) return
    times += 1
    if (times < death.time) return
    process.kill(process.pid, 'SIGKILL')
    // The signal comes when it comes, and nothing may be done meanwhile.
    await new Promise(() => undefined)
  }
}

async function stop(): Promise<void> {
  const stopping = await running
  running = undefined
  await stopping?.worker.stop()
  await stopping?.close()
}

function tell(message: FromWorker): void {
  process.send?.(message)
}

process.on('message', async (message: ToWorker) => {
  switch (message.is) {
    case 'start':
      running = start(message)
      await running
      return tell({ is: 'started' })
    case 'stop':
      await stop()
      return tell({ is: 'stopped' })
  }
})
// Its parent is gone, so nobody would ever stop it.
process.on('disconnect', () => process.exit())
flushCompileCache()
tell({ is: 'loaded' })
