import type { Server } from 'node:http'
import pTimeout from 'p-timeout'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { toTimestamp } from '../base/clock.ts'
import { type Config, requireEncryptionKey } from '../base/config.ts'
import { type Log, openLog } from '../base/log.ts'
import { openVault } from '../base/vault.ts'
import { nextSteps } from '../demo/next-steps.ts'
import { type Demo, demoLines, openDemo } from '../demo/open-demo.ts'
import { watchConnections } from '../http/pipeline/connections.ts'
import { createApiServer } from '../http/server.ts'
import { openService } from '../http/service.ts'
import { addressPolicy } from '../outbound/address-policy.ts'
import { listMerchants } from '../store/access/merchants.ts'
import { systemActor } from '../store/core/audit.ts'
import { type Database, openDatabase } from '../store/core/database.ts'
import { findUnsafeSettings } from '../store/core/durability.ts'
import { prepareSchema } from '../store/core/migrate.ts'
import type { Context } from '../store/core/mutation.ts'
import { requireUsable } from '../store/core/usable.ts'
import { openEmbedded } from '../store/embedded/embedded.ts'
import { makePartitions } from '../store/partitions/partitions.ts'
import { rulesOf } from '../webhooks/pace.ts'
import { createDueNotifier, type DueNotifier } from '../worker/due-notifier.ts'
import { reportPartitions } from '../worker/report-partitions.ts'
import { type RunningWorker, startWorker } from '../worker/runner.ts'
import { openAllCarriers } from './open-carriers.ts'
import { clockReasons, type NotReadyReason, openClock } from './open-clock.ts'
import { sealSecrets } from './seal-secrets.ts'
import { openStops, type Stop, type Stops, within } from './stops.ts'

export interface RunningProcess {
  stop(): Promise<void>
  /** Why it must not be sent requests now; empty while it is ready. */
  notReady(): readonly NotReadyReason[]
  /** Rejects when a part of the process ends that should not. */
  readonly failed: Promise<never>
}

const never = new Promise<never>(() => undefined)

interface Local {
  /** Until it stops. */
  worker?: RunningWorker
  url?: string | undefined
}

const system = systemActor('first start')

/** Parts that only have to say goodbye to the database or to close sockets take milliseconds, or their server is away. */
const briefMs = 2_000

/**
 * Starts everything in order. When a part cannot be started, or a stop is requested meanwhile, the parts that run are
 * stopped again; then this rejects with the error, or with the signal's reason.
 */
export async function startProcess(config: Config, stopping: AbortSignal): Promise<RunningProcess> {
  requireEncryptionKey(config)
  const log = openLog(config.logLevel)
  const stops = openStops(log)
  const beginning = { log, stops, stopping }
  try {
    const found = await findDatabase(config, beginning)
    // A server that stands still answers nothing that a start waits for, so the stop does not wait for the start.
    const starting = startOn(found.connectionString, config, beginning)
    const { ended, notReady } = await pTimeout(starting, { milliseconds: Number.POSITIVE_INFINITY, signal: stopping })
    return { stop: stops.stop, notReady, failed: Promise.race([ended.then(() => never), found.failed]) }
  } catch (error) {
    await stops.stop()
    // Whatever a requested stop breaks is that stop.
    stopping.throwIfAborted()
    throw error
  }
}

/** Everything but the database. Each part is added to the stops as soon as it runs, also while they are stopping. */
async function startOn(
  connectionString: string,
  config: Config,
  { log, stops, stopping }: Beginning,
): Promise<Pick<RunningProcess, 'notReady'> & { readonly ended: Promise<void> }> {
  const local: Local = {}
  await requireUsable(connectionString, stopping)
  await prepareSchema(config, connectionString, stopping)
  stopping.throwIfAborted()
  const database = openDatabase({
    connectionString,
    onError: (error) => log.warn({ err: error }, 'A database connection broke.'),
  })
  stops.add(() => within(briefMs, database.close()))
  const clock = await openClock(database, log)
  stops.add(async () => clock.stop())
  reportPartitions(log, await makePartitions(database.pool, clock.nowMs(), stopping))
  await warnIfUnsafe(database, log)
  const nudger = createDueNotifier(database, log)
  stops.add(() => within(briefMs, nudger.flush()))
  const context: Context = { database, clock, nudge: nudgingOf(nudger, local) }
  const vault = openVault(config)
  await sealSecrets({ database, vault, log })
  stopping.throwIfAborted()
  const carriers = await openAllCarriers({
    ...{ ...context, log, vault, policy: addressPolicy(config), roots: config.carrierRoots },
    paystackUrl: config.paystackUrl,
    now: toTimestamp(clock.nowMs()),
    simulation: { stepSeconds: config.testStepSeconds },
    urlOf: () => local.url,
  })
  stops.add(() => within(briefMs, carriers.close()))
  const { logistics, simulator, payments } = carriers
  stopping.throwIfAborted()
  // Requests and the worker need neither each other nor more time than the slower of them.
  const addWork = stops.addGroup()
  const isServing = config.role !== 'worker'
  const url = isServing ? await serve({ ...context, vault, logistics, payments }, config, log, addWork) : undefined
  local.url = url
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
    })
    local.worker = worker
    addWork(() => {
      // What the last requests make due is for the workers of other processes.
      delete local.worker
      return worker.stop()
    })
  }
  const ended = local.worker?.ended ?? never
  stopping.throwIfAborted()
  // A real database is nobody's playground, so the demo is for the embedded one.
  const isDemo = !config.isProduction && config.databaseUrl === undefined
  if (url === undefined) console.log('Commerce Service is delivering webhooks and doing the scheduled work.')
  else await greet(url, database, isDemo ? await openDemo(logistics, system, stopping) : undefined)
  stopping.throwIfAborted()
  return { ended, notReady: () => clockReasons(clock) }
}

/** A worker in this process is told directly; those elsewhere by NOTIFY. */
function nudgingOf(nudger: DueNotifier, local: { readonly worker?: RunningWorker }): Context['nudge'] {
  return (merchantId, endpointIds) => {
    if (local.worker === undefined) nudger.nudge(merchantId, endpointIds)
    else local.worker.wake(endpointIds.map((endpointId) => ({ merchantId, endpointId })))
  }
}

/** The API on its port. */
async function serve(
  context: Parameters<typeof openService>[0],
  config: Config,
  log: Log,
  addStop: (stop: Stop) => void,
): Promise<string> {
  const service = await openService(context, log, config.trustedProxies, config.publicUrl)
  const server = createApiServer(service)
  const connections = watchConnections(server)
  const url = await listen(server, config)
  addStop(() => connections.drain())
  // With the server, whose requests would otherwise wait on.
  addStop(() => service.watch.close())
  return url
}

interface Beginning {
  readonly log: Log
  readonly stops: Stops
  readonly stopping: AbortSignal
}

async function findDatabase(
  config: Config,
  { log, stops, stopping }: Beginning,
): Promise<{ connectionString: string; failed: Promise<never> }> {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl, failed: never }
  const postgres = await openEmbedded({
    dataDirectory: config.dataDirectory,
    onLog: (line) => log.debug({ line }, 'postgres'),
    onProblem: (line) => log.warn(line),
    signal: stopping,
  })
  stops.add(() => postgres.stop())
  return postgres
}

/** A server that forgets acknowledged commits in a crash must not hold anybody's money without saying so. */
async function warnIfUnsafe(database: Database, log: Log): Promise<void> {
  const unsafe = await findUnsafeSettings(database)
  if (unsafe.length > 0) log.error({ unsafe }, 'PostgreSQL may lose acknowledged writes in a crash: these are off.')
}

/** The API cannot be reached at the address it was given. */
export class ListenError extends Error {}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): ListenError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(`Port ${port} is taken by another program. Set PORT to a free one, or to 0 for any.`)
    case 'EACCES':
      return new ListenError(`Port ${port} may not be used by this account. Set PORT to one above 1023.`)
    default:
      return new ListenError(
        `HOST ${host} is not an address of this machine (${error.code}). Set it to one, such as 127.0.0.1.`,
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

/** Every address of the machine is no address to call; the loopback is one of them. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function urlOf({ address, port }: { readonly address: string; readonly port: number }): string {
  const host = reachable[address] ?? address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function greet(url: string, database: Database, demo: Demo | undefined): Promise<void> {
  console.log(`Commerce Service is listening on ${url}${apiRoot}, its reference is at ${url}/docs`)
  console.log(demo === undefined ? nextSteps(await listMerchants(database), url) : demoLines(demo, url))
}
