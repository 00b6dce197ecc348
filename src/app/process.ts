import pTimeout from 'p-timeout'
import type { ReportUses } from '../access/limits/reports.ts'
import { toTimestamp } from '../base/clock.ts'
import { type Config, requireEncryptionKey } from '../base/config.ts'
import { randomSecret } from '../base/ids.ts'
import { type Log, openLog } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { inBackground } from '../base/trace.ts'
import { openRequestLog } from '../http/request-log.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { recurringWorkCheck } from '../management/checks.ts'
import { openHealth } from '../management/health.ts'
import { addressPolicy } from '../outbound/address-policy.ts'
import { chargeRateLimits, countRateLimitProcesses } from '../store/access/rate-charges.ts'
import { systemActor } from '../store/core/audit.ts'
import type { Context } from '../store/core/mutation.ts'
import type { DatabaseClock } from '../store/server/database-clock.ts'
import type { DatabaseRoles } from '../store/server/service-role.ts'
import { openStandbyReads, type StandbyReads } from '../store/server/standby-reads.ts'
import { rulesOf } from '../webhooks/pace.ts'
import { createDueNotifier, type DueNotifier } from '../worker/due-notifier.ts'
import type { RunningWorker } from '../worker/runner.ts'
import { isApiProcess, reportProbe } from './api-process.ts'
import { type ConnectedDatabase, connectDatabase } from './connect-database.ts'
import { type FoundDatabase, findDatabase } from './find-database.ts'
import { greet } from './greet.ts'
import { type CarriersOptions, openAllCarriers } from './open-carriers.ts'
import { openKeys } from './open-keys.ts'
import { openLoad } from './open-load.ts'
import { openManagement } from './open-management.ts'
import { openProcessMetrics } from './open-metrics.ts'
import { openTracing } from './open-tracing.ts'
import { runWorker } from './run-worker.ts'
import { serve, serveInProcesses } from './serve-api.ts'
import { type StartStep, type Startup, whenPermitted } from './start-step.ts'
import { closeMs, openStops, stopLimitMs, within } from './stops.ts'

export interface RunningProcess {
  /** URL of the API; undefined in a worker. */
  readonly url: string | undefined
  /**
   * Stops the process. `isProbed` states whether a load balancer recently probed this process or, if there are several
   * API processes, any of them. If so, the API first waits for `drainSeconds`, so that the load balancer notices the
   * stop.
   */
  stop(isProbed: boolean): Promise<void>
  /** Promise that rejects when a part of the running process ends unexpectedly. */
  readonly failed: Promise<never>
}

const never = new Promise<never>(() => undefined)

/** Parts of the process that other parts use although they start later. */
interface StartedParts {
  /** The worker of this process; undefined before it starts and after it stops. */
  worker?: RunningWorker
  /** The URL of the API. Undefined until the API listens. */
  url?: string | undefined
}

const system = systemActor('set-up of the demo data')

/**
 * Starts all parts of the process in order. The code of a part that only some processes need is loaded only in these
 * processes. If a part fails to start, the running parts are stopped, and the promise rejects with the error. If a stop
 * is requested during the start, the running parts are stopped too, and the promise rejects with the reason of the
 * signal.
 */
export async function startProcess(config: Config, stopping: AbortSignal): Promise<RunningProcess> {
  requireEncryptionKey(config)
  const log = openLog(config.logLevel)
  const stops = openStops(log, stopLimitMs(config))
  const health = openHealth(log, reportProbe)
  try {
    await openTracing(config, { log, stops })
    const metrics = await openProcessMetrics(config, { log, stops })
    const work = recurringWorkOf(log)
    health.add(recurringWorkCheck(work))
    const startup = { log, stops, stopping, health, metrics, work }
    // The management server starts first, so that a supervisor can follow a long start, such as one with migrations.
    await openManagement(config, startup)
    const found = await findDatabase(config, startup)
    // If the database server does not respond, the start never ends. A stop therefore does not wait until the start has
    // ended.
    const starting = startOn(found, config, startup)
    const { url, ended } = await pTimeout(starting, { milliseconds: Number.POSITIVE_INFINITY, signal: stopping })
    const failed = Promise.race([ended.then(() => never), found.failed])
    failed.catch(health.markEnded)
    health.markStarted()
    metrics.readFrom({ isReady: () => health.readiness().status === 'ready' })
    const stop = (isProbed: boolean) => {
      if (isProbed) health.noteProbe()
      health.markDraining()
      return stops.stop()
    }
    return { url, stop, failed }
  } catch (error) {
    await stops.stop()
    // If a stop was requested during the start, rejects with the reason of the stop. The error of the start is ignored
    // in this case, because the stop may have caused this error.
    stopping.throwIfAborted()
    throw error
  }
}

/**
 * Starts all parts of the process except the database. As soon as a part runs, its stop function is registered, even
 * while the process is already being stopped.
 */
async function startOn(
  roles: FoundDatabase,
  config: Config,
  startup: Startup,
): Promise<{ readonly url: string | undefined; readonly ended: Promise<void> }> {
  const { log, stops, stopping, health } = startup
  const started: StartedParts = {}
  const { database, clock } = await connectDatabase(roles, config, startup)
  const nudger = createDueNotifier(database, log)
  stops.add(() => within(closeMs, nudger.flush()))
  const shared = await openShared({ database, clock, nudge: nudgeOf(nudger, started) }, config, { startup, started })
  const isServing = config.role !== 'worker' && config.processes === 1
  const served = isServing ? openServed(shared, config, { startup, roles }) : undefined
  // Requests in progress use the parts that were started before the API. These parts therefore stop after the API. The
  // API and the worker do not use each other, so they stop in parallel.
  const addStop = stops.addGroup()
  started.url =
    served === undefined
      ? await serveInProcesses(config, { log, health, addStop })
      : await serve(served, config, { log, step: keyStep(startup), addStop })
  stopping.throwIfAborted()
  if (config.role !== 'api') {
    const worker = await runWorker(shared, config, startup)
    started.worker = worker
    addStop(() => {
      // From now on, requests notify the workers of other processes instead of the worker of this process, which is
      // stopping.
      delete started.worker
      return worker.stop()
    })
  }
  const ended = started.worker?.ended ?? never
  stopping.throwIfAborted()
  await announce({ url: started.url, database, logistics: shared.logistics }, config, startup)
  stopping.throwIfAborted()
  return { url: started.url, ended }
}

/** The step of the start that reads the keys that the processes of the service share. */
function keyStep({ work, stopping }: Startup): StartStep {
  return { name: 'start.service_keys', work, stopping }
}

type Connected = ConnectedDatabase & Context

/** Opens the parts that the API and the worker share: the vault, the carriers and the payment providers. */
async function openShared(
  connected: Connected,
  config: Config,
  { startup, started }: { readonly startup: Startup; readonly started: StartedParts },
) {
  const { database, clock } = connected
  const { log, stops, stopping, health, metrics } = startup
  const { meters } = metrics
  const processId = randomSecret(12)
  const vault = await openKeys(config, { database, log, health, stops, processId, stopping })
  stopping.throwIfAborted()
  const policy = addressPolicy(config)
  const paymentProviders = { urls: config.paymentProviderUrls }
  const options: CarriersOptions = {
    ...{ ...connected, log, vault, meters, policy, paymentProviders, roots: config.carrierRoots },
    now: toTimestamp(clock.nowMs()),
    simulation: { stepSeconds: config.testStepSeconds },
    urlOf: () => started.url,
    publicUrl: config.publicUrl,
    isStopping: () => stopping.aborted,
  }
  const carriers = await whenPermitted(keyStep(startup), () => openAllCarriers(options))
  stops.add(() => within(closeMs, carriers.close()))
  const { logistics, simulator, payments, checkout } = carriers
  metrics.readFrom({ circuits: logistics.breakers.circuits })
  stopping.throwIfAborted()
  return {
    ...{ ...connected, processId, vault, policy, logistics, simulator, payments, checkout, paymentProviders },
    testPayments: payments.testPayments,
    rules: rulesOf(config),
  }
}

type Shared = Awaited<ReturnType<typeof openShared>>

/** Opens the parts that only a process with an API has: the request log, the rate limits and the load shedder. */
function openServed(
  shared: Shared,
  config: Config,
  { startup, roles }: { readonly startup: Startup; readonly roles: DatabaseRoles },
) {
  const { database, clock, processId } = shared
  const { log, stops, health, metrics, work } = startup
  const requestLog = openRequestLog(database, log)
  stops.add(() => within(closeMs, requestLog.close()))
  const report: ReportUses = (charges) =>
    work.observe('rate_limit_reports', () => inBackground(() => chargeRateLimits(database, charges)))
  const countProcesses = () =>
    work.observe('rate_limit_processes', () => inBackground(() => countRateLimitProcesses(database, processId)))
  const load = openLoad(database, stops)
  const standbyReads = openReads(config, { roles, clock, log })
  stops.add(async () => standbyReads && within(closeMs, standbyReads.close()))
  const rates = { limits: config.rateLimits, report, countProcesses }
  return { ...shared, standbyReads, requestLog, health, meters: metrics.meters, rates, load, metrics }
}

/**
 * Prints that the process has started, with the URL of the API. Demo data is created only in the embedded database,
 * never in an operator's own database.
 */
async function announce(
  { url, database, logistics }: Pick<Shared, 'database' | 'logistics'> & Pick<StartedParts, 'url'>,
  config: Config,
  { log, stopping }: Startup,
): Promise<void> {
  if (url === undefined) return console.log('Commerce Service is delivering webhooks and running scheduled jobs.')
  if (isApiProcess) return
  const isDemo = !config.isProduction && config.databaseUrl === undefined
  const demo = isDemo ? await createDemo(logistics, url, stopping) : undefined
  await greet(url, database, { demo, config, log, stopping })
}

/**
 * Creates the demo data at the first start. Returns example commands that use it; undefined if the database already
 * contains data.
 */
async function createDemo(
  logistics: LogisticsContext,
  url: string,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const { demoCommands, openDemo } = await import('../demo/open-demo.ts')
  const demo = await openDemo(logistics, system, stopping)
  return demo && demoCommands(demo, url)
}

function openReads(
  config: Config,
  { roles, clock, log }: { readonly roles: DatabaseRoles; readonly clock: DatabaseClock; readonly log: Log },
): StandbyReads | undefined {
  const { databaseReadUrl: url, databaseReadLagMs: lagMs } = config
  return url === undefined ? undefined : openStandbyReads({ url, lagMs, primary: roles, clock, log })
}

/** Returns a function that wakes the workers: the one in this process directly, those of other processes by NOTIFY. */
function nudgeOf(nudger: DueNotifier, started: { readonly worker?: RunningWorker }): Context['nudge'] {
  return (merchantId, endpointIds) => {
    if (started.worker === undefined) nudger.nudge(merchantId, endpointIds)
    else started.worker.wake(endpointIds.map((endpointId) => ({ merchantId, endpointId })))
  }
}
