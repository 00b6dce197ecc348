import { Logger, type Runner, run } from 'graphile-worker'
import pTimeout from 'p-timeout'
import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import type { MeasuredClock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Vault } from '../base/vault.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import type { AddressPolicy } from '../outbound/address-policy.ts'
import { openSafeFetch } from '../outbound/safe-fetch.ts'
import { openPaystack } from '../partners/payments/paystack.ts'
import type { TestPayments } from '../payments/open-key.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { openJobPool } from '../store/core/job-pool.ts'
import type { Context } from '../store/core/mutation.ts'
import { openSecretCache } from '../webhooks/open-secrets.ts'
import type { DeliveryRules } from '../webhooks/pace.ts'
import { openPump, type Pump, type PumpContext } from '../webhooks/pump.ts'
import { openDueListener } from './due-listener.ts'
import { startSweeper } from './sweeper.ts'
import { createTasks } from './tasks.ts'
import { createCallBack } from './wake-ups.ts'

export interface WorkerOptions extends Context {
  readonly clock: MeasuredClock
  /** For the job queue's own connections. */
  readonly connectionString: string
  readonly log: Log
  readonly policy: AddressPolicy
  /** What the payment provider is spoken to with, and where it is. */
  readonly vault: Vault
  readonly paystackUrl: string
  /** Undefined where no payment provider is simulated. */
  readonly testPayments?: TestPayments | undefined
  readonly rules: DeliveryRules
  /** Undefined where no carrier is spoken to. */
  readonly logistics?: LogisticsContext | undefined
  readonly simulator?: Simulator | undefined
  /** For tests that end the process at a chosen point. */
  readonly reach?: PumpContext['reach']
}

export interface RunningWorker {
  /** Claims nothing further, finishes the attempts under way and closes what was opened here: 18 seconds at the most. */
  stop(): Promise<void>
  /** Settles when the queue has ended: rejects if it did so by itself. */
  readonly ended: Promise<void>
  /** Says what is due without a job, to a worker of the same process. */
  readonly wake: Pump['wake']
}

/** Jobs of payments wait for their provider, so there may be more of them than cores; those of webhooks only wake the pump. */
const concurrency = 10

/** How long a job waits whose NOTIFY was lost. */
const pollIntervalMs = 1_000

/** An attempt begun just before the end may take its whole deadline, and its result two seconds more. */
const stopMs = (webhookAcknowledgementSeconds + 2) * 1000

/** Each of the last writes takes milliseconds, or the database is away. */
const writeMs = 2_000

/**
 * No local queue and no batching: in graphile-worker 0.18 a failed batch ends the pool with its jobs locked
 * (graphile/worker#636), and jobs here are few, because one calls for a whole endpoint.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { database, clock, nudge, log, policy, vault } = options
  const stopping = new AbortController()
  const outbound = openSafeFetch(policy)
  const pool = openJobPool(options.connectionString, (error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'A queue connection broke.')
  })
  const calling = createCallBack(database, log)
  const pump = openPump({
    database,
    clock,
    log,
    rules: options.rules,
    fetch: outbound.fetch,
    openSecrets: openSecretCache(vault),
    workerId: newId('wrk', clock.nowMs()),
    scheduleWake: calling.scheduleWake,
    ...(options.reach === undefined ? {} : { reach: options.reach }),
  })
  const tasks = createTasks({
    database,
    clock,
    nudge,
    log,
    wake: pump.wake,
    vault,
    provider: openPaystack(outbound.fetch, options.paystackUrl),
    testPayments: options.testPayments,
    stopping: stopping.signal,
    logistics: options.logistics,
  })
  const closeAll = async () => {
    await outbound.close()
    await pool.end()
  }
  let runner: Runner
  try {
    runner = await run({
      pgPool: pool,
      taskList: { ...tasks },
      concurrency,
      pollInterval: pollIntervalMs,
      gracefulShutdownAbortTimeout: stopMs,
      noHandleSignals: true,
      logger: queueLogger(log),
    })
  } catch (error) {
    await closeAll()
    throw error
  }
  const listener = await openDueListener({ database, log, wake: pump.wake })
  const pulse = startSweeper({
    ...{ database, clock, log, rules: options.rules, wake: pump.wake, scheduleWake: calling.scheduleWake },
    simulator: options.simulator,
  })
  const ended = runner.promise.then(() => {
    // Its promise is kept even when its pool has broken, and a worker without a queue would look alive.
    if (!stopping.signal.aborted) throw new Error('The job queue ended by itself.')
  })
  ended.catch((error) => log.error({ err: error }, 'The job queue ended.'))
  return {
    ended,
    wake: pump.wake,
    stop: async () => {
      stopping.abort()
      await Promise.all([
        within(stopMs, listener.close()),
        within(stopMs, pulse.stop()),
        within(stopMs, finish(runner, log)),
        within(stopMs, pump.stop()),
      ])
      // Whatever still hangs ends as stopped, which the pump writes down before it is idle.
      await outbound.close()
      await within(writeMs, pump.stop())
      await within(writeMs, calling.flush())
      await within(writeMs, pool.end())
    },
  }
}

/** Waits for the jobs under way. What is left of them is freed by another worker's sweep. */
async function finish(runner: Runner, log: Log): Promise<void> {
  await runner.stop().catch((error) => log.warn({ err: error }, 'The job queue had ended before.'))
}

/** Waits for work that is ending, but not for ever. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  await pTimeout(work, { milliseconds, message: false })
}

/** Its chatter is for whoever debugs the queue; what goes wrong is for everybody. Payloads are left out. */
function queueLogger(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    if (level === 'error') log.error(scope, message)
    else if (level === 'warning') log.warn(scope, message)
    else log.debug(scope, message)
  })
}
