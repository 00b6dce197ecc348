import { setTimeout as wait } from 'node:timers/promises'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { clockReaderOf, openDatabaseClock } from '../../src/store/server/database-clock.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { median, startServer } from './compare.ts'
import { createBenchToken } from './create-bench-token.ts'
import { listOrderIds, makeOrders } from './orders.ts'
import { type LoadRequest, type LoadResult, runLoad } from './run-load.ts'
import { startService, stopService } from './start-service.ts'
import { requireAtMost } from './verdict.ts'

/**
 * Measures that ordinary traffic is never rejected: for each number of keep-alive connections, five merchants send a
 * hundred thousand reads and refunds. Then three merchants send bodies one byte at a time on 80 connections each, while
 * a fourth merchant reads. The service has its default settings, apart from RATE_LIMITS=off.
 */
const connectionCounts = [8, 32, 64]
const requestCount = 100_000
const tricklers = { merchants: 3, connections: 80, ratioMax: 1.5 }
const merchantCount = 5

/**
 * Refunds of one kobo each are spread over a merchant's orders. There are more orders than concurrent refunds, so that
 * concurrent refunds belong to different orders.
 */
const ordersOfMerchant = 5_000
const refundedOrders = 500

const readSeconds = 20
/**
 * Time in seconds for which only the slow bodies are sent, before the reads start. In the first second, the clients
 * open 240 connections on the cores that they share with the service, which would slow the reads.
 */
const openingSeconds = 2
const pairs = 3
const reads = { is: 'open', perSecond: 50 } as const

const actor = systemActor('bench')

interface Merchant {
  readonly token: string
  readonly orderIds: readonly string[]
}

export async function benchSteady(postgres: TemporaryPostgres): Promise<void> {
  const merchants = await prepare(postgres)
  const { child, url } = await startService(postgres, { RUN: 'api', RATE_LIMITS: 'off' })
  try {
    const requests = requestsOf(url, merchants)
    for (const clients of connectionCounts) {
      const result = await runLoad({ requests, seconds: 0, pace: { is: 'counted', clients, count: requestCount } })
      report(`${requestCount} reads and refunds on ${clients} connections`, result)
    }
    await measureTrickle(url, merchants)
  } finally {
    await stopService(child)
  }
}

function report(what: string, { statuses, accepted }: LoadResult): void {
  console.log(`${what}: responses ${JSON.stringify(statuses)}, p99 ${accepted.p99?.toFixed(1)} ms`)
  requireAtMost('Responses other than 2XX', requestCount - accepted.count, 0)
}

/**
 * Measures the read requests of one merchant: first without other load, then while other merchants send bodies one byte
 * at a time.
 */
async function measureTrickle(url: string, merchants: readonly Merchant[]): Promise<void> {
  const [reader, ...others] = merchants
  if (reader === undefined) throw new Error('The measurement needs a merchant.')
  const requests = [{ url: `${url}/api/v1/orders`, token: reader.token }]
  const read = () => runLoad({ requests, seconds: readSeconds, pace: reads })
  const tokens = others.slice(0, tricklers.merchants).map(({ token }) => token)
  const clients = await startServer('trickling-clients.ts', [new URL(url).port, `${tricklers.connections}`, ...tokens])
  const p99s: { alone: number; beside: number }[] = []
  let refused = 0
  try {
    await read()
    for (let pair = 0; pair < pairs; pair++) {
      const alone = await read()
      await fetch(`${clients.url}/start`)
      await wait(openingSeconds * 1000)
      const beside = await read()
      await fetch(`${clients.url}/stop`)
      p99s.push({ alone: alone.accepted.p99 ?? Number.NaN, beside: beside.accepted.p99 ?? Number.NaN })
      refused += beside.rejected.count
    }
  } finally {
    clients.stop()
  }
  const connections = tricklers.merchants * tricklers.connections
  const [alone, beside] = [median(p99s.map((each) => each.alone)), median(p99s.map((each) => each.beside))]
  const what = `Reader, p99 ${beside.toFixed(1)} ms beside ${connections} connections that trickle bodies, and ${alone.toFixed(1)} ms alone`
  requireAtMost(what, median(p99s.map((each) => each.beside / each.alone)), tricklers.ratioMax)
  requireAtMost('Rejected requests of the reader', refused, 0)
}

function requestsOf(url: string, merchants: readonly Merchant[]): LoadRequest[] {
  return Array.from({ length: refundedOrders }, (_, index) => index).flatMap((index) =>
    merchants.flatMap(({ token, orderIds }) => [
      { url: `${url}/api/v1/orders`, token },
      {
        url: `${url}/api/v1/refunds`,
        token,
        body: JSON.stringify({ orderId: orderIds[index], amountKobo: 1, reason: 'damaged' }),
      },
    ]),
  )
}

async function prepare({ connectionString, ownerConnectionString }: TemporaryPostgres): Promise<Merchant[]> {
  const database = openDatabase({ connectionString })
  const clock = await openDatabaseClock({ read: clockReaderOf(database) })
  const context = { database, clock, nudge: () => undefined }
  const opened = []
  for (let index = 0; index < merchantCount; index++) {
    const { id: merchantId } = await createMerchant(context, actor, `Shop ${index}`)
    const token = await createBenchToken(context, { merchantId, mode: 'live' }, ['orders:read', 'refunds:write'])
    opened.push({ merchantId, token })
  }
  const merchantIds = opened.map(({ merchantId }) => merchantId)
  await makeOrders(ownerConnectionString, merchantIds, ordersOfMerchant)
  const merchants: Merchant[] = []
  for (const { merchantId, token } of opened)
    merchants.push({ token, orderIds: (await listOrderIds(connectionString, merchantId)).slice(0, refundedOrders) })
  clock.stop()
  await database.close()
  return merchants
}
