import { EventEmitter } from 'node:events'
import { Logger, type Runner, run, type WorkerEvents } from 'graphile-worker'
import pTimeout from 'p-timeout'
import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import type { MeasuredClock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { type Meters, noMeters } from '../base/meters.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import type { Vault } from '../base/vault.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import type { AddressPolicy } from '../outbound/address-policy.ts'
import type { Mailer } from '../outbound/mail/mailer.ts'
import { openSafeFetch } from '../outbound/safe-fetch.ts'
import { openProviders, type ProviderSettings } from '../partners/payments/providers.ts'
import type { TestPayments } from '../payments/open-key.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { Context } from '../store/core/mutation.ts'
import { openJobPool } from '../store/server/job-pool.ts'
import { openSecretCache } from '../webhooks/open-secrets.ts'
import type { DeliveryRules } from '../webhooks/pace.ts'
import { openPump, type Pump, type PumpContext } from '../webhooks/pump.ts'
import { openDueListener } from './due-listener.ts'
import { observeTasks } from './observe-tasks.ts'
import { clockSet, isScheduled, scheduleOf } from './schedule.ts'
import { type Sweeper, startSweeper, sweepDeliveries } from './sweeper.ts'
import { createTasks } from './tasks.ts'

export interface WorkerOptions extends Context {
  readonly clock: MeasuredClock
  readonly log: Log
  readonly policy: AddressPolicy
  /** Decrypts the payment provider keys and the signing secrets. */
  readonly vault: Vault
  readonly paymentProviders: Omit<ProviderSettings, 'meters'>
  /** The simulated payment provider. Undefined in a process that has none. */
  readonly testPayments?: TestPayments | undefined
  readonly rules: DeliveryRules
  /** The dependencies of shipping jobs. Undefined in a process without carriers. */
  readonly logistics?: LogisticsContext | undefined
  readonly simulator?: Simulator | undefined
  /** Undefined if sending e-mails is not configured. */
  readonly mailer?: Mailer | undefined
  /** Origin (base URL) of the links in e-mails; undefined if none is configured. */
  readonly publicUrl?: string | undefined
  /** Undefined in a process without metrics. */
  readonly meters?: Meters | undefined
  /** Hook for tests that end the process at a chosen point. */
  readonly reach?: PumpContext['reach']
}

export interface RunningWorker {
  /** Stops claiming, finishes the attempts in progress and closes all connections, within 18 seconds. */
  stop(): Promise<void>
  /** Resolves when the job queue has stopped on request. Rejects if the job queue ended without a request to stop. */
  readonly ended: Promise<void>
  /** Returns the milliseconds since the last complete sweep, for health checks. */
  readonly sinceSweepMs: Sweeper['sinceSweepMs']
  /**
   * Wakes the pump (the loop that sends deliveries) of this worker for endpoints with due deliveries, without adding a
   * job.
   */
  readonly wake: Pump['wake']
  /** The length of the pump's ready queue and the number of deliveries that the pump is sending, for the metrics. */
  readonly pump: Pick<Pump, 'queued' | 'inFlight'>
}

/**
 * Number of concurrent jobs. It is higher than the number of cores: payment jobs mostly wait for their provider, and
 * webhook jobs only wake the pump.
 */
const concurrency = 10

/** Poll interval of the job queue in milliseconds, which is the longest delay of a job whose NOTIFY was lost. */
const pollIntervalMs = 1_000

/**
 * Time limit for stopping the worker: a delivery attempt in progress may use its whole deadline, and the storing of its
 * result may take two more seconds.
 */
const stopMs = (webhookAcknowledgementSeconds + 2) * 1000

/**
 * Time limit in milliseconds for each database write while the worker stops. A write takes milliseconds unless the
 * database is unreachable.
 */
const writeMs = 2_000

/**
 * Starts the job queue, the pump and the sweeper. Graphile Worker's local queue and batching are not used, because in
 * version 0.18 a failed batch ends the pool with its jobs locked (graphile/worker#636). They are not needed either:
 * there are few jobs, one per endpoint.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { database, clock, nudge, log, policy, vault, meters = noMeters } = options
  const stopping = new AbortController()
  const outbound = openSafeFetch(policy)
  const work = recurringWorkOf(log)
  const pool = openJobPool(database.servers, {
    work,
    onError: (error) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'A database connection of the job queue was lost.')
    },
  })
  const pump = openPump({
    database,
    clock,
    log,
    rules: options.rules,
    fetch: outbound.fetch,
    openSecrets: openSecretCache(vault),
    workerId: newId('wrk', clock.nowMs()),
    meters,
    ...(options.reach === undefined ? {} : { reach: options.reach }),
  })
  const tasks = createTasks({
    database,
    clock,
    nudge,
    log,
    wake: pump.wake,
    vault,
    providers: openProviders(outbound.fetch, { ...options.paymentProviders, meters }),
    testPayments: options.testPayments,
    stopping: stopping.signal,
    logistics: options.logistics,
    simulator: options.simulator,
    mailer: options.mailer,
    publicUrl: options.publicUrl,
  })
  const closeAll = async () => {
    options.mailer?.close()
    await outbound.close()
    await pool.end()
  }
  const events: WorkerEvents = new EventEmitter()
  const clockWasSet = clockSet(events)
  let runner: Runner
  try {
    runner = await run({
      pgPool: pool,
      taskList: observeTasks(tasks, { meters, work }),
      parsedCronItems: scheduleOf(clock),
      events,
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
  const sweepContext = { database, clock, log, rules: options.rules, wake: pump.wake, simulator: options.simulator }
  const listener = await openDueListener({ ...sweepContext, sweepDeliveries: () => sweepDeliveries(sweepContext) })
  const sweeper = startSweeper(sweepContext)
  const queueEnded = runner.promise.then(() => {
    // The promise of Graphile Worker's runner also resolves when its connection pool fails. That case is reported as an
    // error, because a worker without a queue would otherwise appear healthy.
    if (!stopping.signal.aborted) throw new Error('The job queue ended unexpectedly.')
  })
  const ended = Promise.race([queueEnded, clockWasSet])
  ended.catch((error) => log.error({ err: error }, 'The job queue ended.'))
  return {
    ended,
    sinceSweepMs: sweeper.sinceSweepMs,
    wake: pump.wake,
    pump,
    stop: async () => {
      stopping.abort()
      await Promise.all([
        within(stopMs, listener.close()),
        within(stopMs, sweeper.stop()),
        within(stopMs, finish(runner, log)),
        within(stopMs, pump.stop()),
      ])
      // Aborts the remaining attempts and e-mails. The pump stores the results of the aborted attempts before it stops.
      options.mailer?.close()
      await outbound.close()
      await within(writeMs, pump.stop())
      await within(writeMs, pool.end())
    },
  }
}

/** Stops the runner once its running jobs have ended. If a job does not finish, another worker's sweep releases it. */
async function finish(runner: Runner, log: Log): Promise<void> {
  await runner.stop().catch((error) => log.warn({ err: error }, 'The job queue had already ended.'))
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  await pTimeout(work, { milliseconds, message: false })
}

/**
 * Returns Graphile Worker's logger. Errors and warnings keep their level, and all other messages get the level debug.
 * Payloads are omitted. An error of a scheduled job also gets the level debug, because the module for recurring work
 * logs the first of several consecutive failures itself.
 */
function queueLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const job: unknown = Reflect.get(Object(meta), 'job')
    const isRecorded = isScheduled(Reflect.get(Object(job), 'task_identifier'))
    if (level === 'error' && !isRecorded) log.error(scope, message)
    else if (level === 'warning') log.warn(scope, message)
    else log.debug(scope, message)
  })
}
