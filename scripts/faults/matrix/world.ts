import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { randomOf } from '../../../src/demo/random.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { generousEnvironment } from '../../generous-limits.ts'
import { prepareDatabase } from '../../prepare-database.ts'
import { openTemporaryPostgres, type TemporaryPostgres } from '../../temporary-postgres.ts'
import { compileCache } from '../processes.ts'
import { openReceivers, type Receivers } from '../receivers.ts'
import { openTormentor, type Tormentor } from '../tormentor.ts'
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts'
import { hasLimitedDisk, type LimitedDisk, openLimitedDisk } from './limited-disk.ts'
import { openProcessClock, type ProcessClock } from './process-clock.ts'
import type { Role } from './readiness.ts'
import { type Supervisor, supervise } from './supervisor.ts'

/**
 * The service as it is deployed, with a proxy that can disturb each connection:
 *
 * clients ─▶ API ─▶ PostgreSQL ◀─ worker ─▶ receivers
 */
export interface World {
  readonly postgres: TemporaryPostgres
  readonly tormentor: Tormentor
  /** The database connections of the test itself, which no fault affects. */
  readonly database: Database
  readonly receivers: Receivers
  readonly api: Supervisor
  readonly worker: Supervisor
  readonly clocks: Readonly<Record<Role, ProcessClock>>
  /** The disk of PostgreSQL's tables. Undefined on a machine on which the size of a disk cannot be limited. */
  readonly disk: LimitedDisk | undefined
  readonly proxies: Readonly<Record<Place, FaultProxy>>
  /** The folder of the clients' journals. */
  readonly folder: string
  readonly seed: string
  /**
   * Violations that an earlier round has reported. A violating row stays in the database, so later rounds do not report
   * it again.
   */
  readonly reported: Set<string>
  /** The merchants of all rounds so far. */
  readonly merchants: MerchantId[]
  /**
   * Merchants of the rounds in which the applied fault may repeat webhook requests. In these rounds, a receiver may get
   * more requests for a delivery than the database has recorded attempts of this delivery.
   */
  readonly repeating: Set<string>
  close(): Promise<void>
}

export const places = ['api-database', 'worker-database', 'worker-receiver', 'client-api'] as const

/** A connection in the deployed service, named by the side that opens it and the side that accepts it. */
export type Place = (typeof places)[number]

export async function openWorld(seed: string): Promise<World> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const end of closing.reverse()) await end()
  }
  const opened = async <Value>(opening: Promise<Value>, end: (value: Value) => unknown) => {
    const value = await opening
    closing.push(() => end(value))
    return value
  }
  try {
    return { ...(await openParts(seed, opened)), seed, reported: new Set(), merchants: [], repeating: new Set(), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Opened = <Value>(opening: Promise<Value>, end: (value: Value) => unknown) => Promise<Value>

async function openParts(
  seed: string,
  opened: Opened,
): Promise<Omit<World, 'seed' | 'reported' | 'merchants' | 'repeating' | 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-faults-journal-'))
  const postgres = await opened(openTemporaryPostgres({ name: 'faults' }), (each) => each.stop())
  const disk = hasLimitedDisk ? await openLimitedDisk(postgres) : undefined
  await prepareDatabase(postgres)
  const { connectionString, adminConnectionString } = postgres
  const tormentor = await openTormentor(postgres.dataDirectory, adminConnectionString)
  const database = await opened(Promise.resolve(openDatabase({ connectionString })), (each) => each.close())
  const receivers = await opened(openReceivers(), (each) => each.close())
  const proxyTo = (url: string, place: Place) =>
    opened(openFaultProxy(Number(new URL(url).port), randomOf(seed, place)), (proxy) => proxy.close())
  const apiDatabase = await proxyTo(connectionString, 'api-database')
  const workerDatabase = await proxyTo(connectionString, 'worker-database')
  const workerReceiver = await proxyTo(receivers.url, 'worker-receiver')
  const start = (proxy: FaultProxy, settings: Readonly<Record<string, string>>) =>
    opened(supervise(through(connectionString, proxy), { ...common, ...settings }), (each) => each.stop())
  const clocks = {
    api: await openProcessClock(join(folder, 'api-clock')),
    worker: await openProcessClock(join(folder, 'worker-clock')),
  }
  const [api, worker] = await Promise.all([
    start(apiDatabase, { RUN: 'api', ...clocks.api.settings }),
    start(workerDatabase, { RUN: 'worker', WEBHOOK_ALLOW_LOOPBACK: 'true', ...clocks.worker.settings }),
  ])
  const clientApi = await proxyTo(api.current().url, 'client-api')
  const proxies = {
    'api-database': apiDatabase,
    'worker-database': workerDatabase,
    'worker-receiver': workerReceiver,
    'client-api': clientApi,
  }
  return { postgres, tormentor, database, receivers, api, worker, clocks, disk, proxies, folder }
}

/**
 * Settings of the API process and of the worker. Rate limits would stop the load. Throttling after a failed delivery
 * would delay the next deliveries to the same receiver. A stopping process does not wait for a load balancer, because
 * there is none.
 */
const common = {
  ...generousEnvironment,
  NODE_COMPILE_CACHE: compileCache,
  WEBHOOK_PACE_SECONDS: '0',
  DRAIN_SECONDS: '0',
}

/** Returns the URL with the host and the port of a proxy in place of the URL's own. */
export function through(url: string, { port }: FaultProxy): string {
  const changed = new URL(url)
  changed.hostname = '127.0.0.1'
  changed.port = String(port)
  return changed.href.replace(/\/$/, '')
}

/** Must not be called after a violation, because the journals are the evidence of the violation. */
export async function deleteJournals({ folder }: World): Promise<void> {
  await rm(folder, { recursive: true })
}
