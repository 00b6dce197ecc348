import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { pageSize } from '../../registry/values/limits.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { setRateLimits } from '../../src/access/set-rate-limits.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { clockReaderOf, openDatabaseClock } from '../../src/store/server/database-clock.ts'
import type { DatabaseRoles } from '../../src/store/server/service-role.ts'
import { median, type Server, startServer } from './compare.ts'
import { createBenchToken } from './create-bench-token.ts'
import { createVariants } from './order-targets.ts'
import { listOrderIds, makeOrders } from './orders.ts'
import { type LoadRequest, type LoadResult, type LoadRun, runLoad } from './run-load.ts'
import { requireAtMost, requireMsAtMost } from './verdict.ts'

/**
 * Measures overload protection. First, 200 clients of one merchant send as fast as they can while another merchant
 * sends twenty read requests a second, with the default rate limits. Then many merchants together send five times as
 * many requests as the process can answer. Afterwards they send half as many as it can answer. Half of the requests are
 * reads; the rest are orders and refunds in equal parts. The load generator shares the machine with the service, so the
 * results are relative.
 */

const clients = 200
const flooded = { ratioMax: 1.5, rejectionMaxMs: 50 }
const overloaded = { factor: 5, ratioMax: 3, recoveryMaxSeconds: 10, memoryRatioMax: 1.5 }

/**
 * Maximum share of due requests that the load generator could not send. With a higher share, the load is not five times
 * the capacity of the service.
 */
const unsentMax = 0.01

/**
 * Duration in seconds of the full measurement. In the first second, the process accepts hundreds of new connections,
 * one in each turn of the event loop. In a shorter measurement, this second would have more weight.
 */
const defaultSeconds = 300

const pairs = 3

/**
 * Duration in seconds of the reads. Twenty reads a second make 400 reads, of which the four slowest are above the p99.
 * A few slow reads during the first burst of the clients therefore do not determine the p99 alone.
 */
const readSeconds = 20

/**
 * Time in seconds for which only the flood of requests is sent, before the reads begin. In the first second, the load
 * generator opens 200 connections on the cores that it shares with the service. A p99 that includes this second would
 * measure the generator: such a p99 was 14 to 113 ms in runs of the same version.
 */
const openingSeconds = 2

/**
 * Number of merchants in the overload measurement. With so many, no merchant reaches its own limits, such as those for
 * connections and queues.
 */
const merchantCount = 20

/** Index of the merchant that reads while another merchant floods the service. */
const readerIndex = 1

/** Number of orders: so few that refunds and reads are slow only because of the overload. */
const orders = 5_000

/**
 * Page size of the list requests under overload. With smaller pages, the load generator could not send five times the
 * capacity on the two cores that it shares with the service.
 */
const overloadLimit = 100

const itemCount = 3

/**
 * Number of different order requests and of different refund requests of each merchant. It exceeds the number of
 * requests in progress at a time, so that order requests in progress are of different customers, and refund requests in
 * progress are of different orders. All orders are of the same variants, as on a day when a collection is released.
 */
const differentWrites = 25

const actor = systemActor('bench')

interface Merchant {
  readonly token: string
  /** Requests to POST /orders and to POST /refunds in turn. */
  readonly writes: readonly Write[]
}

interface Write {
  readonly path: '/orders' | '/refunds'
  readonly body: string
}

export async function benchOverload(roles: DatabaseRoles, seconds = defaultSeconds): Promise<void> {
  const merchants = await prepare(roles)
  const generator = await startServer('load-process.ts', [])
  try {
    await measureFlood(roles, generator, merchants)
    await measureOverload(roles, generator, { merchants, seconds })
  } finally {
    generator.stop()
  }
}

/**
 * Measures how much slower the reads of one client become while 200 clients of another merchant ignore `Retry-After`.
 */
async function measureFlood(roles: DatabaseRoles, generator: Server, merchants: readonly Merchant[]): Promise<void> {
  const [loud, quiet] = [merchants[0], merchants[readerIndex]]
  if (loud === undefined || quiet === undefined) throw new Error('The measurement needs two merchants.')
  const service = await startServer('service.ts', [roles.connectionString, 'limited'])
  try {
    const reads = [{ url: `${service.url}/api/v1/orders`, token: quiet.token }]
    const read = () => runLoad({ requests: reads, seconds: readSeconds, pace: { is: 'open', perSecond: 20 } })
    await read()
    const results: LoadResult[] = []
    const p99s: { alone: number; beside: number }[] = []
    let missed = 0
    for (let pair = 0; pair < pairs; pair++) {
      const alone = await read()
      const requests = requestsOf(service.url, [loud], pageSize.default)
      // The load of the 200 clients lasts one second longer than the measured reads.
      const seconds = openingSeconds + readSeconds + 1
      const flood = runIn(generator, { requests, seconds, pace: { is: 'closed', clients } })
      await wait(openingSeconds * 1000)
      const beside = await read()
      p99s.push({ alone: alone.accepted.p99 ?? Number.NaN, beside: beside.accepted.p99 ?? Number.NaN })
      missed += beside.rejected.count
      results.push(await flood)
    }
    const ratio = median(p99s.map(({ alone, beside }) => beside / alone))
    const [alone, beside] = [median(p99s.map((each) => each.alone)), median(p99s.map((each) => each.beside))]
    const reader = `Reader, p99 ${beside.toFixed(1)} ms beside ${clients} clients, and ${alone.toFixed(1)} ms alone`
    requireAtMost(reader, ratio, flooded.ratioMax)
    requireAtMost('Rejected requests of the reader', missed, 0)
    const rejection = median(results.map(({ rejected }) => rejected.p99 ?? Number.NaN))
    requireMsAtMost(`Rejections, p99 ${rejection.toFixed(1)} ms`, rejection, flooded.rejectionMaxMs)
    for (const result of results) requireNoFault(result)
  } finally {
    service.stop()
  }
}

interface Overload {
  readonly merchants: readonly Merchant[]
  readonly seconds: number
}

/**
 * Measures the service under a load of five times its capacity, and then its recovery under a load of half its
 * capacity. The requests of the load start at a fixed rate.
 */
async function measureOverload(
  roles: DatabaseRoles,
  generator: Server,
  { merchants, seconds }: Overload,
): Promise<void> {
  const service = await startServer('service.ts', [roles.connectionString, 'shedding'])
  try {
    const run = (perSecond: number, duration: number) => {
      const requests = requestsOf(service.url, merchants, overloadLimit)
      return runIn(generator, { requests, seconds: duration, pace: { is: 'open', perSecond } })
    }
    const capacity = await capacityOf(service.url, generator, merchants)
    const calm = await run(capacity / 2, 10)
    const calmP99 = calm.accepted.p99 ?? Number.NaN
    const before = await service.memory()
    const load = run(capacity * overloaded.factor, seconds)
    const memory = await peakMemory(service, load)
    const result = await load
    const after = await run(capacity / 2, 2 * overloaded.recoveryMaxSeconds)
    const accepted = `Accepted requests at ${Math.round(capacity * overloaded.factor)}/s, p99 ${shown(result.accepted.p99)} ms, without overload ${shown(calmP99)} ms`
    requireAtMost(accepted, (result.accepted.p99 ?? Number.NaN) / calmP99, overloaded.ratioMax)
    requireAtMost(`Memory at most ${Math.round(memory / 2 ** 20)} MB`, memory / before, overloaded.memoryRatioMax)
    const recovered = recoverySeconds(after.p99BySecond, 2 * calmP99)
    requireMsAtMost(`Normal after ${recovered} s`, recovered * 1000, overloaded.recoveryMaxSeconds * 1000)
    requireNoFault(result)
    const due = result.accepted.count + result.rejected.count + result.unsent
    requireAtMost('Requests that the generator could not send', result.unsent / due, unsentMax)
    const goodput = result.accepted.count / seconds
    const bySecond = result.p99BySecond.filter((p99) => p99 !== null)
    const shares = `capacity ${Math.round(capacity)}/s  accepted ${Math.round(goodput)}/s  unsent ${result.unsent}`
    console.log(`${shares}  rejected ${result.rejected.count}, p99 ${shown(result.rejected.p99)} ms`)
    console.log(`median of the p99 of each second ${shown(median(bySecond))} ms`)
  } finally {
    service.stop()
  }
}

/**
 * The service counts as recovered only after several normal seconds in a row, because a garbage collection may slow any
 * single second.
 */
const normalSeconds = 3

function recoverySeconds(p99BySecond: readonly (number | null)[], normalMs: number): number {
  const isNormal = p99BySecond.map((p99) => p99 !== null && p99 <= normalMs)
  const index = isNormal.findIndex((_, second) => {
    const next = isNormal.slice(second, second + normalSeconds)
    return next.length === normalSeconds && !next.includes(false)
  })
  return index === -1 ? p99BySecond.length : index
}

/**
 * Returns the capacity of the service: the number of responses per second to a few clients, each of which sends one
 * request after another.
 */
async function capacityOf(url: string, generator: Server, merchants: readonly Merchant[]): Promise<number> {
  const seconds = 5
  const run = {
    requests: requestsOf(url, merchants, overloadLimit),
    seconds,
    pace: { is: 'closed', clients: 16 },
  } as const
  await runIn(generator, run)
  const { accepted } = await runIn(generator, run)
  return accepted.count / seconds
}

async function peakMemory(service: Server, load: Promise<unknown>): Promise<number> {
  let isRunning = true
  let peak = 0
  const ended = load.finally(() => {
    isRunning = false
  })
  while (isRunning) {
    peak = Math.max(peak, await service.memory())
    await Promise.race([ended, wait(1000)])
  }
  return peak
}

/** Throws if the result of a load contains connection errors, server errors or rejections without `Retry-After`. */
function requireNoFault({ statuses, withoutRetryAfter }: LoadResult): void {
  const faults = Object.keys(statuses).filter((status) => !/^(2\d\d|429|503)$/.test(status))
  console.log(`responses ${JSON.stringify(statuses)}  rejections without Retry-After ${withoutRetryAfter}`)
  if (faults.length > 0 || withoutRetryAfter > 0) process.exitCode = 1
}

async function runIn(generator: Server, run: LoadRun): Promise<LoadResult> {
  // A load takes minutes, and its response arrives only at the end, so the request has no header timeout.
  const options = { method: 'POST', body: JSON.stringify(run), headersTimeout: 0 } as const
  const { body } = await request(`${generator.url}/run`, options)
  return JSON.parse(await body.text())
}

/**
 * Returns as many read requests as write requests, for each merchant in turn. Consecutive requests are of different
 * merchants, as on a day on which many clients are active.
 */
function requestsOf(url: string, merchants: readonly Merchant[], limit: number): LoadRequest[] {
  const api = `${url}/api/v1`
  const rounds = Array.from({ length: 2 * differentWrites }, (_, round) => round)
  return rounds.flatMap((round) =>
    merchants.flatMap(({ token, writes }, index) => {
      // The kind of write alternates with each round and with each merchant, so that order requests and refund requests
      // are mixed.
      const write = writes[(round + index) % writes.length]
      if (write === undefined) throw new Error('A merchant has no write requests to send.')
      return [
        { url: api + write.path, token, body: write.body },
        { url: `${api}/orders?limit=${limit}`, token },
      ]
    }),
  )
}

async function prepare({ connectionString, ownerConnectionString }: DatabaseRoles): Promise<Merchant[]> {
  const database = openDatabase({ connectionString })
  const clock = await openDatabaseClock({ read: clockReaderOf(database) })
  const context = { database, clock, nudge: () => undefined }
  const opened: { readonly merchantId: MerchantId; readonly token: string }[] = []
  for (let index = 0; index < merchantCount; index++) {
    const { id: merchantId } = await createMerchant(context, actor, `Shop ${index}`)
    const token = await createBenchToken(context, { merchantId, mode: 'live' }, [
      'orders:read',
      'orders:write',
      'refunds:write',
    ])
    opened.push({ merchantId, token })
    // The reading client sends requests exactly at the default rate limit. Its merchant therefore gets a higher limit.
    if (index === readerIndex) await setRateLimits(context, actor, { merchantId, mode: 'live' }, 'read=200/1')
  }
  await makeOrders(
    ownerConnectionString,
    opened.map(({ merchantId }) => merchantId),
    orders,
  )
  const merchants: Merchant[] = []
  for (const { merchantId, token } of opened) {
    const variantIds = await createVariants(database.pool, merchantId, itemCount)
    const orderIds = await listOrderIds(connectionString, merchantId)
    merchants.push({ token, writes: writesOf(variantIds, orderIds.slice(0, differentWrites)) })
  }
  clock.stop()
  await database.close()
  return merchants
}

/** Returns write requests in turn: orders that contain all variants, and a refund of each existing order. */
function writesOf(variantIds: readonly string[], orderIds: readonly string[]): readonly Write[] {
  const items = variantIds.map((variantId) => ({ variantId, quantity: 1 }))
  return orderIds.flatMap((orderId, index): Write[] => {
    const customer = { name: 'Bench', email: `bench${index}@example.com` }
    return [
      { path: '/orders', body: JSON.stringify({ customer, items, paymentMethod: 'card' }) },
      { path: '/refunds', body: JSON.stringify({ orderId, amountKobo: 1, reason: 'damaged' }) },
    ]
  })
}

function shown(ms: number | null): string {
  return ms === null ? 'none' : ms.toFixed(1)
}
