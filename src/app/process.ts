import pTimeout from 'p-timeout'
import type { ReportUses } from '../access/limits/reports.ts'
import { toTimestamp } from '../base/clock.ts'
import { type Config, configuredRoles, requireEncryptionKey } from '../base/config.ts'
import { randomSecret } from '../base/ids.ts'
import { type Log, openLog } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { inBackground } from '../base/trace.ts'
import { openRequestLog } from '../http/request-log.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { clockCheck, recurringWorkCheck, workerCheck } from '../management/checks.ts'
import { type Health, openHealth } from '../management/health.ts'
import { addressPolicy } from '../outbound/address-policy.ts'
import { chargeRateLimits, countRateLimitProcesses } from '../store/access/rate-charges.ts'
import { systemActor } from '../store/core/audit.ts'
import { openDatabase } from '../store/core/database.ts'
import type { DatabaseClock } from '../store/core/database-clock.ts'
import { requireSameDatabase } from '../store/core/database-identity.ts'
import { prepareSchema } from '../store/core/migrate.ts'
import type { Context } from '../store/core/mutation.ts'
import { requirePooledSettings } from '../store/core/pooled-settings.ts'
import type { DatabaseRoles } from '../store/core/service-role.ts'
import { openStandbyReads, type StandbyReads } from '../store/core/standby-reads.ts'
import { DatabaseError, requireWritable } from '../store/core/usable.ts'
import type { EmbeddedPostgres } from '../store/embedded/embedded.ts'
import { createPartitions } from '../store/partitions/partitions.ts'
import { rulesOf } from '../webhooks/pace.ts'
import { createDueNotifier, type DueNotifier } from '../worker/due-notifier.ts'
import { reportPartitions } from '../worker/report-partitions.ts'
import type { RunningWorker } from '../worker/runner.ts'
import { isApiProcess, reportProbe } from './api-process.ts'
import { embeddedConnections } from './connections.ts'
import { greet } from './greet.ts'
import { monitorDatabase } from './monitor-database.ts'
import { type CarriersOptions, openAllCarriers } from './open-carriers.ts'
import { openClock } from './open-clock.ts'
import { openKeys } from './open-keys.ts'
import { openLoad } from './open-load.ts'
import { openMailer } from './open-mailer.ts'
import { openManagement } from './open-management.ts'
import { openProcessMetrics, type ProcessMetrics } from './open-metrics.ts'
import { openTracing } from './open-tracing.ts'
import { serve, serveInProcesses } from './serve-api.ts'
import { orWithout, type StartStep, whenPermitted } from './start-step.ts'
import { openStops, type Stops, stopLimitMs, within } from './stops.ts'
import { warnIfUnsafe } from './warn-if-unsafe.ts'

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

interface StartedParts {
  /** The worker of this process; undefined before it starts and after it stops. */
  worker?: RunningWorker
  /** The URL of the API. Undefined until the API listens. */
  url?: string | undefined
}

const system = systemActor('set-up of the demo data')

/**
 * Time limit for stopping a part of the process that only closes connections. Closing takes milliseconds unless the
 * server at the other end is unreachable.
 */
const closeMs = 2_000

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
    const startup = { log, stops, stopping, health, metrics }
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
  { log, stops, stopping, health, metrics }: Startup,
): Promise<{ readonly url: string | undefined; readonly ended: Promise<void> }> {
  const started: StartedParts = {}
  const { meters } = metrics
  const { connectionString, directConnectionString } = roles
  await requireWritable(connectionString, stopping)
  const work = recurringWorkOf(log)
  const stepOf = (name: StartStep['name']): StartStep => ({ name, work, stopping })
  health.add(recurringWorkCheck(work))
  await whenPermitted(stepOf('start.schema'), () => prepareSchema(config, roles, stopping))
  stopping.throwIfAborted()
  const database = openDatabase({
    connectionString,
    directConnectionString,
    onError: (error) => log.warn({ err: error }, 'A database connection was lost.'),
  })
  stops.add(() => within(closeMs, database.close()))
  await monitorDatabase(roles, { database, health, stops, metrics })
  // Standbys cannot be used with a distributed database: the SQL statement that checks whether a standby has replayed a
  // merchant's writes cannot run on a distributed database.
  if (config.databaseReadUrl !== undefined && database.reachability.isDistributed())
    throw new DatabaseError('The database is distributed, so standbys cannot serve its reads. Unset DATABASE_READ_URL.')
  if (directConnectionString !== undefined) {
    await requireSameDatabase(database)
    await requirePooledSettings(database)
  }
  const clock = await openClock(database, log)
  stops.add(async () => clock.stop())
  health.add(clockCheck(clock))
  metrics.readFrom({ pool: database.pool, clockSkewMs: () => clock.compare().skewMs })
  metrics.startDatabaseGauges(database)
  await orWithout(
    { log, stopping, without: 'Database partitions could not be created. Workers try again every hour.' },
    async () => reportPartitions(log, await createPartitions(database.sessionPool, clock.nowMs(), stopping)),
  )
  await orWithout({ log, stopping, without: 'The settings of the database server could not be checked.' }, () =>
    warnIfUnsafe(database, roles, { config, log }),
  )
  const nudger = createDueNotifier(database, log)
  stops.add(() => within(closeMs, nudger.flush()))
  const context: Context = { database, clock, nudge: nudgeOf(nudger, started) }
  const processId = randomSecret(12)
  const vault = await openKeys(config, { database, log, health, stops, processId, stopping })
  stopping.throwIfAborted()
  const carriersOptions: CarriersOptions = {
    ...{ ...context, log, vault, meters, policy: addressPolicy(config), roots: config.carrierRoots },
    paymentProviders: { urls: config.paymentProviderUrls },
    now: toTimestamp(clock.nowMs()),
    simulation: { stepSeconds: config.testStepSeconds },
    urlOf: () => started.url,
    publicUrl: config.publicUrl,
    isStopping: () => stopping.aborted,
  }
  const carriers = await whenPermitted(stepOf('start.service_keys'), () => openAllCarriers(carriersOptions))
  stops.add(() => within(closeMs, carriers.close()))
  const { logistics, simulator, payments, checkout } = carriers
  metrics.readFrom({ circuits: logistics.breakers.circuits })
  stopping.throwIfAborted()
  const requestLog = openRequestLog(database, log)
  stops.add(() => within(closeMs, requestLog.close()))
  const isServing = config.role !== 'worker' && config.processes === 1
  const report: ReportUses = (charges) =>
    work.observe('rate_limit_reports', () => inBackground(() => chargeRateLimits(database, charges)))
  const countProcesses = () =>
    work.observe('rate_limit_processes', () => inBackground(() => countRateLimitProcesses(database, processId)))
  const rates = { limits: config.rateLimits, report, countProcesses }
  const load = isServing ? openLoad(database, stops) : undefined
  const standbyReads = isServing ? openReads(config, { roles, clock, log }) : undefined
  stops.add(async () => standbyReads && within(closeMs, standbyReads.close()))
  // Requests in progress use the parts that were started before the API. These parts therefore stop after the API. The
  // API and the worker do not use each other, so they stop in parallel.
  const addWork = stops.addGroup()
  const served = {
    ...context,
    standbyReads,
    vault,
    policy: addressPolicy(config),
    logistics,
    payments,
    checkout,
    requestLog,
    health,
    meters,
    rates,
    load,
    metrics,
  }
  const url = isServing
    ? await serve(served, config, { log, step: stepOf('start.service_keys'), addStop: addWork })
    : await serveInProcesses(config, { log, health, addStop: addWork })
  started.url = url
  stopping.throwIfAborted()
  if (config.role !== 'api') {
    const { startWorker } = await import('../worker/runner.ts')
    const mailer = await openMailer(config, log)
    stopping.throwIfAborted()
    const worker = await startWorker({
      ...context,
      clock,
      log,
      vault,
      policy: addressPolicy(config),
      paymentProviders: { urls: config.paymentProviderUrls },
      testPayments: payments.testPayments,
      rules: rulesOf(config),
      logistics,
      simulator,
      mailer,
      publicUrl: config.publicUrl,
      meters,
    })
    started.worker = worker
    metrics.readFrom({ pump: worker.pump })
    health.add(workerCheck(config.role, worker.sinceSweepMs))
    addWork(() => {
      // From now on, requests notify the workers of other processes instead of the worker of this process, which is
      // stopping.
      delete started.worker
      return worker.stop()
    })
  }
  const ended = started.worker?.ended ?? never
  stopping.throwIfAborted()
  // Demo data is created only in the embedded database, never in an operator's own database.
  const isDemo = !config.isProduction && config.databaseUrl === undefined
  if (url === undefined) console.log('Commerce Service is delivering webhooks and running scheduled jobs.')
  else if (!isApiProcess)
    await greet(url, database, {
      demo: isDemo ? await createDemo(logistics, url, stopping) : undefined,
      ...{ config, log, stopping },
    })
  stopping.throwIfAborted()
  return { url, ended }
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

/** Opens connections to the standbys for reads, if any are configured. */
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

interface Startup {
  readonly log: Log
  readonly stops: Stops
  readonly stopping: AbortSignal
  readonly health: Health
  readonly metrics: ProcessMetrics
}

interface FoundDatabase extends DatabaseRoles {
  /** Promise that rejects when the embedded PostgreSQL server cannot be restarted. */
  readonly failed: Promise<never>
  /** Reports whether the embedded PostgreSQL server runs; undefined for an operator’s own server. */
  readonly isRunning?: EmbeddedPostgres['isRunning']
}

async function findDatabase(config: Config, { log, stops, stopping }: Startup): Promise<FoundDatabase> {
  const roles = configuredRoles(config)
  if (roles !== undefined) return { ...roles, failed: never }
  const { openEmbedded } = await import('../store/embedded/embedded.ts')
  const postgres = await openEmbedded({
    dataDirectory: config.dataDirectory,
    maxConnections: embeddedConnections(config),
    onLog: (line) => log.debug({ line }, 'postgres'),
    onProblem: (line) => log.warn(line),
    signal: stopping,
  })
  stops.add(() => postgres.stop())
  return postgres
}
