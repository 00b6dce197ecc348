import type autocannon from 'autocannon'
import { cursorsOf, deepOffset } from '../peers/cases.ts'
import { cpuOf, type Run, rounds, runOnce, spreadOf } from '../peers/measure-case.ts'
import { rangeText, sideText } from '../peers/report.ts'
import { refunding } from '../refunds.ts'
import { requireAtMost } from '../verdict.ts'
import type { Place } from './places.ts'

/** One connection, because the benchmark compares CPU times per request, which do not depend on concurrent requests. */
const pageConnections = 1

/**
 * Number of connections that send refunds. It is half of the number at which the server and the client saturate two
 * cores, as in the benchmark `api`.
 */
const refundConnections = 8

interface Operation {
  readonly title: string
  readonly connections: number
  readonly load: (place: Place) => autocannon.Options | Promise<autocannon.Options>
  /**
   * Maximum ratio of the CPU time of a request on the large database to the CPU time on the small database. The request
   * rate is not limited, because it varies more with other work of the machine.
   */
  readonly cpuMax: number
}

/**
 * Maximum ratio of the CPU time for a list page in the large database to that in the small database. Both databases
 * read the same number of rows. The ratio may exceed 1, because the index in the large database has one more level, and
 * because the median varies by a tenth.
 */
const pageCpuMax = 1.1

/**
 * Maximum ratio of the CPU time for a refund in the large database to the CPU time in the small database. A refund
 * writes to one page of each index. In the large database, these pages are rarely in the cache, so the refund takes
 * more CPU time.
 */
const refundCpuMax = 1.2

const operations: readonly Operation[] = [
  {
    title: 'GET /orders, first page',
    connections: pageConnections,
    load: (place) => ({ url: `${place.base}/orders`, headers: authorizationOf(place) }),
    cpuMax: pageCpuMax,
  },
  {
    title: `GET /orders, after ${deepOffset.toLocaleString('en')} rows`,
    connections: pageConnections,
    load: async (place) => {
      const [url, headers] = [`${place.base}/orders`, authorizationOf(place)]
      const cursors = await cursorsOf(url, headers, { limit: 100, pages: deepOffset / 100 })
      return { url: `${url}?cursor=${encodeURIComponent(cursors.at(-1) ?? '')}`, headers }
    },
    cpuMax: pageCpuMax,
  },
  {
    title: 'POST /refunds',
    connections: refundConnections,
    load: ({ base, token, nextOrder }) => refunding(`${base}/refunds`, token, nextOrder)(),
    cpuMax: refundCpuMax,
  },
]

function authorizationOf({ token }: Place): Record<string, string> {
  return { Authorization: `Bearer ${token}` }
}

interface Sides {
  readonly small: Place
  readonly large: Place
}

export async function measureRequests(sides: Sides, postmaster: number): Promise<void> {
  for (const operation of operations) await measureOperation(operation, sides, postmaster)
}

async function measureOperation(operation: Operation, { small, large }: Sides, postmaster: number): Promise<void> {
  const { title, connections, cpuMax } = operation
  const loads = { small: await operation.load(small), large: await operation.load(large) }
  const runSmall = () => runOnce({ ...loads.small, connections }, small.server, postmaster)
  const runLarge = () => runOnce({ ...loads.large, connections }, large.server, postmaster)
  const pairs: { readonly small: Run; readonly large: Run }[] = []
  // Round 0 is a warm-up whose result is discarded. The order in which the databases are measured alternates.
  for (let round = 0; round <= rounds; round++) {
    const pair =
      round % 2 === 0
        ? { small: await runSmall(), large: await runLarge() }
        : { large: await runLarge(), small: await runSmall() }
    if (round > 0) pairs.push(pair)
  }
  console.log(`\n${title}, ${connections} at once`)
  console.log(`  ${small.name.padEnd(10)} ${sideText(pairs.map((pair) => pair.small))}`)
  console.log(`  ${large.name.padEnd(10)} ${sideText(pairs.map((pair) => pair.large))}`)
  const rate = spreadOf(pairs.map((pair) => pair.large.perSecond / pair.small.perSecond))
  console.log(`  rate, relative to ${small.name} (${rangeText(rate)})  ratio ${rate.median.toFixed(2)}`)
  const cpu = spreadOf(pairs.map((pair) => cpuOf(pair.large) / cpuOf(pair.small)))
  requireAtMost(`  CPU time, relative to ${small.name} (${rangeText(cpu)})`, cpu.median, cpuMax)
}
