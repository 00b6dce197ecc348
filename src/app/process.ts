import type { Server } from 'node:http'
import pTimeout from 'p-timeout'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { toTimestamp } from '../base/clock.ts'
import { type Config, configuredRoles, requireEncryptionKey } from '../base/config.ts'
import { type Log, openLog } from '../base/log.ts'
import { openVault } from '../base/vault.ts'
import { openDashboard } from '../dashboard/dashboard.ts'
import type { Dashboard } from '../dashboard/kit/visit.ts'
import { nextSteps } from '../demo/next-steps.ts'
import { type Demo, demoCommands, openDemo } from '../demo/open-demo.ts'
import { allOperations } from '../http/app.ts'
import { trackConnections } from '../http/pipeline/connections.ts'
import { openRequestLog } from '../http/request-log.ts'
import { createApiServer } from '../http/server.ts'
import { openService } from '../http/service.ts'
import { addressPolicy } from '../outbound/address-policy.ts'
import { openSafeFetch } from '../outbound/safe-fetch.ts'
import { systemActor } from '../store/core/audit.ts'
import { type Database, openDatabase } from '../store/core/database.ts'
import { findUnsafeSettings } from '../store/core/durability.ts'
import { prepareSchema } from '../store/core/migrate.ts'
import type { Context } from '../store/core/mutation.ts'
import { type DatabaseRoles, ownsAuditLog } from '../store/core/service-role.ts'
import { requireUsable } from '../store/core/usable.ts'
import { openEmbedded } from '../store/embedded/embedded.ts'
import { createPartitions } from '../store/partitions/partitions.ts'
import { rulesOf } from '../webhooks/pace.ts'
import { createDueNotifier, type DueNotifier } from '../worker/due-notifier.ts'
import { reportPartitions } from '../worker/report-partitions.ts'
import { type RunningWorker, startWorker } from '../worker/runner.ts'
import { openAllCarriers } from './open-carriers.ts'
import { clockReasons, type NotReadyReason, openClock } from './open-clock.ts'
import { openMailer } from './open-mailer.ts'
import { sealSecrets } from './seal-secrets.ts'
import { openStops, type Stop, type Stops, within } from './stops.ts'

export interface RunningProcess {
  stop(): Promise<void>
  /** Returns the reasons why the process is not ready for requests; empty while it is ready. */
  notReady(): readonly NotReadyReason[]
  /** Rejects when a part of the process ends that should not. */
  readonly failed: Promise<never>
}

const never = new Promise<never>(() => undefined)

interface StartedParts {
  /** The worker of this process; undefined before it starts and after it stops. */
  worker?: RunningWorker
  /** The URL of the API, once it listens. */
  url?: string | undefined
}

const system = systemActor('first start')

/** Stop limit of parts that only close connections. They take milliseconds unless the server is unreachable. */
const closeMs = 2_000

/**
 * Starts all parts in order. When a part fails to start, or a stop is requested during the start, stops the parts that
 * run, then rejects with the error or with the signal's reason.
 */
export async function startProcess(config: Config, stopping: AbortSignal): Promise<RunningProcess> {
  requireEncryptionKey(config)
  const log = openLog(config.logLevel)
  const stops = openStops(log)
  const startup = { log, stops, stopping }
  try {
    const found = await findDatabase(config, startup)
    // A hung database server would block the start forever, so a stop does not wait for the start.
    const starting = startOn(found, config, startup)
    const { ended, notReady } = await pTimeout(starting, { milliseconds: Number.POSITIVE_INFINITY, signal: stopping })
    return { stop: stops.stop, notReady, failed: Promise.race([ended.then(() => never), found.failed]) }
  } catch (error) {
    await stops.stop()
    // After a requested stop, reject with its reason: the stop itself may have caused this error.
    stopping.throwIfAborted()
    throw error
  }
}

/** Starts all parts except the database. Registers each part's stop as soon as it runs, also during a stop. */
async function startOn(
  roles: DatabaseRoles,
  config: Config,
  { log, stops, stopping }: Startup,
): Promise<Pick<RunningProcess, 'notReady'> & { readonly ended: Promise<void> }> {
  const started: StartedParts = {}
  const { connectionString } = roles
  await requireUsable(connectionString, stopping)
  await prepareSchema(config, roles, stopping)
  stopping.throwIfAborted()
  const database = openDatabase({
    connectionString,
    onError: (error) => log.warn({ err: error }, 'A database connection broke.'),
  })
  stops.add(() => within(closeMs, database.close()))
  const clock = await openClock(database, log)
  stops.add(async () => clock.stop())
  reportPartitions(log, await createPartitions(database.pool, clock.nowMs(), stopping))
  await warnIfUnsafe(database, log)
  const nudger = createDueNotifier(database, log)
  stops.add(() => within(closeMs, nudger.flush()))
  const context: Context = { database, clock, nudge: nudgeOf(nudger, started) }
  const vault = openVault(config)
  await sealSecrets({ database, vault, log })
  stopping.throwIfAborted()
  const carriers = await openAllCarriers({
    ...{ ...context, log, vault, policy: addressPolicy(config), roots: config.carrierRoots },
    paystackUrl: config.paystackUrl,
    now: toTimestamp(clock.nowMs()),
    simulation: { stepSeconds: config.testStepSeconds },
    urlOf: () => started.url,
  })
  stops.add(() => within(closeMs, carriers.close()))
  const { logistics, simulator, payments } = carriers
  stopping.throwIfAborted()
  const requestLog = openRequestLog(database, log)
  stops.add(() => within(closeMs, requestLog.close()))
  // The API and the worker do not depend on each other, so they stop in parallel.
  const addWork = stops.addGroup()
  const isServing = config.role !== 'worker'
  const served = { ...context, vault, policy: addressPolicy(config), logistics, payments, requestLog }
  const url = isServing ? await serve(served, config, log, addWork) : undefined
  started.url = url
  stopping.throwIfAborted()
  if (config.role !== 'api') {
    const worker = await startWorker({
      ...context,
      clock,
      connectionString,
      log,
      vault,
      policy: addressPolicy(config),
      paystackUrl: config.paystackUrl,
      testPayments: payments.testPayments,
      rules: rulesOf(config),
      logistics,
      simulator,
      mailer: openMailer(config, log),
      publicUrl: config.publicUrl,
    })
    started.worker = worker
    addWork(() => {
      // From here on, requests notify the workers of other processes.
      delete started.worker
      return worker.stop()
    })
  }
  const ended = started.worker?.ended ?? never
  stopping.throwIfAborted()
  // Demo data is created only in the embedded database, never in an operator's own.
  const isDemo = !config.isProduction && config.databaseUrl === undefined
  if (url === undefined) console.log('Commerce Service is delivering webhooks and running scheduled jobs.')
  else await greet(url, database, isDemo ? await openDemo(logistics, system, stopping) : undefined)
  stopping.throwIfAborted()
  return { ended, notReady: () => clockReasons(clock) }
}

/** Returns the function that wakes a worker: the one in this process directly, those of other processes by NOTIFY. */
function nudgeOf(nudger: DueNotifier, started: { readonly worker?: RunningWorker }): Context['nudge'] {
  return (merchantId, endpointIds) => {
    if (started.worker === undefined) nudger.nudge(merchantId, endpointIds)
    else started.worker.wake(endpointIds.map((endpointId) => ({ merchantId, endpointId })))
  }
}

/** Starts the API server and returns its URL. */
async function serve(
  context: Parameters<typeof openService>[0] & Pick<Dashboard, 'vault' | 'policy'>,
  config: Config,
  log: Log,
  addStop: (stop: Stop) => void,
): Promise<string> {
  const service = await openService(context, log, config.trustedProxies, config.publicUrl)
  const operations = allOperations()
  const { vault, policy } = context
  const { fetch, close } = openSafeFetch(policy)
  addStop(close)
  const dashboard = openDashboard({ service, vault, policy, fetch, trustedProxies: config.trustedProxies }, operations)
  const server = createApiServer(service, operations, dashboard)
  const connections = trackConnections(server)
  const url = await listen(server, config)
  addStop(() => connections.drain())
  // Ends the long polls, for which the server's stop would otherwise wait.
  addStop(() => service.subscription.close())
  return url
}

interface Startup {
  readonly log: Log
  readonly stops: Stops
  readonly stopping: AbortSignal
}

async function findDatabase(
  config: Config,
  { log, stops, stopping }: Startup,
): Promise<DatabaseRoles & { readonly failed: Promise<never> }> {
  const roles = configuredRoles(config)
  if (roles !== undefined) return { ...roles, failed: never }
  const postgres = await openEmbedded({
    dataDirectory: config.dataDirectory,
    onLog: (line) => log.debug({ line }, 'postgres'),
    onProblem: (line) => log.warn(line),
    signal: stopping,
  })
  stops.add(() => postgres.stop())
  return postgres
}

/**
 * Logs an error when the server's settings can lose acknowledged commits in a crash: the database records payments. Logs a
 * warning when the service can change its audit log.
 */
async function warnIfUnsafe(database: Database, log: Log): Promise<void> {
  const unsafe = await findUnsafeSettings(database)
  if (unsafe.length > 0)
    log.error({ unsafe }, 'PostgreSQL may lose acknowledged writes in a crash: these settings are off.')
  if (await ownsAuditLog(database))
    log.warn(
      'The role of DATABASE_URL owns the audit log and can change it. Set DATABASE_OWNER_URL to separate the roles.',
    )
}

/** The API cannot listen at its configured address. */
export class ListenError extends Error {}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): ListenError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(`Port ${port} is already in use. Set PORT to a free port, or to 0 for any.`)
    case 'EACCES':
      return new ListenError(`This account may not listen on port ${port}. Set PORT to a port above 1023.`)
    default:
      return new ListenError(
        `HOST ${host} is not an address of this machine (${error.code}). Set it to a local address, such as 127.0.0.1.`,
      )
  }
}

function listen(server: Server, config: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, config)))
    server.listen(config.port, config.host, () => {
      const address = server.address()
      const bound =
        typeof address === 'object' && address !== null ? address : { address: config.host, port: config.port }
      resolve(urlOf(bound))
    })
  })
}

/** Maps a wildcard listen address, which clients cannot connect to, to the loopback address it includes. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function urlOf({ address, port }: { readonly address: string; readonly port: number }): string {
  const host = reachable[address] ?? address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function greet(url: string, database: Database, demo: Demo | undefined): Promise<void> {
  console.log(`Commerce Service is listening on ${url}${apiRoot}, its reference is at ${url}/docs`)
  console.log(demo === undefined ? await nextSteps(database, url) : demoCommands(demo, url))
}
