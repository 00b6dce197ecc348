import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Random } from '../../../src/demo/random.ts'
import type { NetworkFault } from './fault-proxy.ts'
import type { Supervisor } from './supervisor.ts'
import { type Place, places, type World } from './world.ts'

/** A place of the matrix with a fault. */
export interface Cell {
  readonly name: string
  /** Applies the fault and resolves when it has ended. */
  readonly run: (world: World, random: Random) => Promise<void>
  /** Whether clients may lose their connections. If not, each request has a response in time. */
  readonly mayDisconnect: boolean
  /** Whether the fault restarts a process, which takes seconds. */
  readonly restarts: boolean
  /** Whether a delivery may be received more often than it was attempted. */
  readonly mayRepeat: boolean
  /** Whether the two-minute version in `npm run verify` includes it. */
  readonly isShort: boolean
}

/** A part of the matrix that cannot run here. It is reported, and never counted as passed. */
export interface SkippedCell {
  readonly name: string
  readonly reason: string
}

export const skippedCells: readonly SkippedCell[] = [
  {
    name: 'database: disk full',
    reason: 'needs a file system of limited size for the data, which this command does not create',
  },
  {
    name: 'clock: jump of a running process',
    reason: 'needs libfaketime; the cells start a process with a wrong clock',
  },
]

/** How long a fault lasts: longer than a request, shorter than a lease. */
const faultMs = { min: 600, max: 3_000 }

/** Long enough for the service to give up on a silent server, which takes up to 5 s. */
const silentMs = { min: 5_500, max: 8_000 }

const hourMs = 3_600_000

const processCells: readonly Cell[] = [
  cell('api: kill -9', ({ api }) => api.kill(), { mayDisconnect: true, restarts: true, isShort: true }),
  cell('api: SIGSTOP', (world, random) => world.api.freeze(durationOf(random)), { mayDisconnect: true }),
  cell('worker: kill -9', ({ worker }) => worker.kill(), { restarts: true }),
  cell('worker: SIGSTOP', (world, random) => world.worker.freeze(durationOf(random)), { isShort: true }),
  cell('all: kill -9', killAll, { mayDisconnect: true, restarts: true, mayRepeat: true }),
]

const databaseCells: readonly Cell[] = [
  cell('database: kill -9', ({ tormentor }) => tormentor.crash(), { restarts: true, mayRepeat: true, isShort: true }),
  cell('database: SIGSTOP', ({ tormentor }, random) => tormentor.freeze(random.between(silentMs.min, silentMs.max)), {
    isShort: true,
  }),
  cell('database: restart', ({ tormentor }) => tormentor.restart(), { restarts: true }),
  cell('database: connections terminated', ({ tormentor }) => tormentor.cut(), { isShort: true }),
  cell('database: connection limit', limitConnections, { isShort: true }),
]

const clockCells: readonly Cell[] = [
  cell('clock: API 25 h ahead', ({ api }, random) => shiftClock(api, 25 * hourMs, random), {
    mayDisconnect: true,
    restarts: true,
  }),
  cell('clock: API 2 h behind', ({ api }, random) => shiftClock(api, -2 * hourMs, random), {
    mayDisconnect: true,
    restarts: true,
  }),
  cell('clock: worker 25 h ahead', ({ worker }, random) => shiftClock(worker, 25 * hourMs, random), { restarts: true }),
  cell('clock: worker 1 day behind', ({ worker }, random) => shiftClock(worker, -24 * hourMs, random), {
    restarts: true,
  }),
]

const networkFaults: Readonly<Record<string, NetworkFault>> = {
  refused: { is: 'refuse' },
  reset: { is: 'reset', everyMs: 200 },
  'black hole': { is: 'black_hole' },
  latency: { is: 'latency', ms: 500, jitterMs: 200 },
  bandwidth: { is: 'bandwidth', bytesPerSecond: 16_384 },
  slices: { is: 'slice' },
  cut: { is: 'cut', bytesMax: 20_000 },
  'lost COMMIT': { is: 'lost_commit', percent: 20 },
}

/** The cells of the network that the two-minute version includes: the ambiguous COMMIT above all. */
const shortNetworkCells = [
  'api-database: lost COMMIT',
  'api-database: refused',
  'worker-database: reset',
  'worker-receiver: cut',
  'client-api: cut',
]

const networkCells: readonly Cell[] = places.flatMap((place) =>
  Object.entries(networkFaults).flatMap(([fault, applied]) => {
    // Only connections to PostgreSQL carry a COMMIT.
    if (applied.is === 'lost_commit' && !place.endsWith('database')) return []
    return [networkCell(place, fault, applied)]
  }),
)

export const cells: readonly Cell[] = [...processCells, ...databaseCells, ...networkCells, ...clockCells]

type Options = Partial<Pick<Cell, 'mayDisconnect' | 'restarts' | 'mayRepeat' | 'isShort'>>

function cell(name: string, run: Cell['run'], options: Options): Cell {
  return { name, run, mayDisconnect: false, restarts: false, mayRepeat: false, isShort: false, ...options }
}

function networkCell(place: Place, fault: string, applied: NetworkFault): Cell {
  const name = `${place}: ${fault}`
  const run = async ({ proxies }: World, random: Random) => {
    proxies[place].set(applied)
    try {
      const { min, max } = applied.is === 'black_hole' ? silentMs : faultMs
      await wait(random.between(min, max))
    } finally {
      proxies[place].set(undefined)
    }
  }
  // A worker without a database ends, and its supervisor starts the next one.
  const restarts = place === 'worker-database'
  return cell(name, run, {
    mayDisconnect: place === 'client-api',
    restarts,
    mayRepeat: place === 'worker-receiver',
    isShort: shortNetworkCells.includes(name),
  })
}

function durationOf(random: Random): number {
  return random.between(faultMs.min, faultMs.max)
}

async function killAll({ api, worker, tormentor }: World): Promise<void> {
  await Promise.all([api.kill(), worker.kill(), tormentor.crash()])
}

/** Starts the process with a clock ahead of the others, and later with the correct one. */
async function shiftClock(process: Supervisor, aheadMs: number, random: Random): Promise<void> {
  const preload = new URL('../shift-clock.ts', import.meta.url).href
  await process.restart({ NODE_OPTIONS: `--import ${preload}`, CLOCK_AHEAD_MS: String(aheadMs) })
  await wait(durationOf(random))
  await process.restart({})
}

/** Lets the service open no connection, and ends the ones that it has. */
async function limitConnections({ postgres, tormentor }: World, random: Random): Promise<void> {
  const role = decodeURIComponent(new URL(postgres.connectionString).username)
  const limit = async (connections: number) => {
    const client = new pg.Client({ connectionString: postgres.adminConnectionString })
    await client.connect()
    await client.query(`alter role ${pg.escapeIdentifier(role)} connection limit ${connections}`)
    await client.end()
  }
  await limit(0)
  try {
    await tormentor.cut()
    await wait(durationOf(random))
  } finally {
    await limit(-1)
  }
}
