import pg from 'pg'
import { type Cell, cell, durationOf, type Fault } from './cell.ts'
import { clockCells } from './clock-cells.ts'
import type { NetworkFault } from './fault-proxy.ts'
import { hasLimitedDisk } from './limited-disk.ts'
import { receiverCells } from './receiver-cells.ts'
import { type Place, places, type World } from './world.ts'

/** A cell of the fault matrix that cannot run on this machine. The report lists it, and never counts it as passed. */
export interface SkippedCell {
  readonly name: string
  readonly reason: string
}

const diskFull = 'database: disk full'

export const skippedCells: readonly SkippedCell[] = [
  ...(hasLimitedDisk
    ? []
    : [
        {
          name: diskFull,
          reason:
            'needs Linux, and root or user namespaces, to mount a file system of limited size with unshare and mount',
        },
      ]),
  {
    name: 'clock: jump of PostgreSQL',
    reason: 'needs libfaketime in the environment of the server, which this command does not set',
  },
]

/**
 * Duration of a fault in which the database server does not respond: longer than the 5 s after which the service
 * abandons a statement.
 */
const silentMs = { min: 5_500, max: 8_000 }

const apiFails = { readiness: { api: 'either', worker: 'ready' } } as const
const workerFails = { readiness: { api: 'ready', worker: 'either' } } as const
const anyFails = { readiness: { api: 'either', worker: 'either' } } as const

/**
 * Expected readiness of both processes if both lose the database for so long that their health checks detect the loss.
 */
const bothFail = { readiness: { api: 'not_ready', worker: 'not_ready' } } as const

const processCells: readonly Cell[] = [
  cell('api: kill -9', ({ api }) => api.kill(), { ...apiFails, mayDisconnect: true, restarts: ['api'], isShort: true }),
  cell('api: SIGSTOP', (world, fault) => world.api.freeze(() => fault.last(durationOf(fault))), {
    ...apiFails,
    mayDisconnect: true,
  }),
  cell('worker: kill -9', ({ worker }) => worker.kill(), { ...workerFails, restarts: ['worker'] }),
  cell('worker: SIGSTOP', (world, fault) => world.worker.freeze(() => fault.last(durationOf(fault))), {
    ...workerFails,
    isShort: true,
  }),
  cell('all: kill -9', killAll, {
    ...anyFails,
    mayDisconnect: true,
    restarts: ['api', 'worker'],
    mayRepeat: true,
  }),
]

const databaseCells: readonly Cell[] = [
  cell('database: kill -9', ({ tormentor }) => tormentor.crash(), { ...anyFails, mayRepeat: true, isShort: true }),
  cell(
    'database: SIGSTOP',
    ({ tormentor }, { random, last }) => tormentor.freeze(() => last(random.between(silentMs.min, silentMs.max))),
    { ...bothFail, isShort: true },
  ),
  cell('database: restart', ({ tormentor }) => tormentor.restart(), anyFails),
  cell('database: connections terminated', ({ tormentor }) => tormentor.cut(), { ...anyFails, isShort: true }),
  cell('database: connection limit', limitConnections, { ...bothFail, isShort: true }),
  cell('database: locked table', lockTable),
  ...(hasLimitedDisk
    ? [cell(diskFull, fillDisk, { readiness: { api: 'not_ready', worker: 'either' }, isShort: true })]
    : []),
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

/**
 * The network faults that the short version of the fault matrix includes. The most important one leaves the outcome of
 * a COMMIT unknown.
 */
const shortNetworkCells = [
  'api-database: lost COMMIT',
  'api-database: refused',
  'worker-database: reset',
  'worker-receiver: cut',
  'client-api: cut',
]

const networkCells: readonly Cell[] = places.flatMap((place) =>
  Object.entries(networkFaults).flatMap(([fault, applied]) => {
    // A fault at a COMMIT is possible only on connections to PostgreSQL.
    if (applied.is === 'lost_commit' && !place.endsWith('database')) return []
    return [networkCell(place, fault, applied)]
  }),
)

export const cells: readonly Cell[] = [
  ...processCells,
  ...databaseCells,
  ...networkCells,
  ...receiverCells,
  ...clockCells,
]

function networkCell(place: Place, fault: string, applied: NetworkFault): Cell {
  const name = `${place}: ${fault}`
  const run = async ({ proxies }: World, fault: Fault) => {
    proxies[place].set(applied)
    try {
      const { random } = fault
      await fault.last(applied.is === 'black_hole' ? random.between(silentMs.min, silentMs.max) : durationOf(fault))
    } finally {
      proxies[place].set(undefined)
    }
  }
  return cell(name, run, {
    ...readinessWithout(place, applied),
    mayDisconnect: place === 'client-api',
    mayRepeat: place === 'worker-receiver',
    isShort: shortNetworkCells.includes(name),
  })
}

/**
 * Returns the readiness that a process must report during a network fault. If the database is lost, the process must
 * report that it is not ready. Health checks have connections of their own, so under any other network fault they may
 * pass or fail.
 */
function readinessWithout(place: Place, { is }: NetworkFault): Pick<Cell, 'readiness'> | undefined {
  if (!place.endsWith('database')) return undefined
  const expected = is === 'refuse' || is === 'black_hole' ? 'not_ready' : 'either'
  return place === 'api-database'
    ? { readiness: { api: expected, worker: 'ready' } }
    : { readiness: { api: 'ready', worker: expected } }
}

async function killAll({ api, worker, tormentor }: World): Promise<void> {
  await Promise.all([api.kill(), worker.kill(), tormentor.crash()])
}

/** Prevents the service from opening database connections, and terminates its open ones. */
async function limitConnections({ postgres, tormentor }: World, fault: Fault): Promise<void> {
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
    await fault.last(durationOf(fault))
  } finally {
    await limit(-1)
  }
}

/** Duration of the lock on a table: longer than the lock timeout of the service, 3.5 s, so that requests fail. */
const lockedMs = { min: 4_500, max: 6_000 }

/** Locks the table of refunds for longer than the service waits for a lock, as a careless migration may do. */
async function lockTable({ postgres }: World, { random, last }: Fault): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.ownerConnectionString })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table refunds in access exclusive mode')
    await last(random.between(lockedMs.min, lockedMs.max))
    await client.query('rollback')
  } finally {
    await client.end()
  }
}

async function fillDisk({ disk }: World, fault: Fault): Promise<void> {
  await disk?.whileFull(() => fault.last(durationOf(fault)))
}
