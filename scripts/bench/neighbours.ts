import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { clockReaderOf, openDatabaseClock } from '../../src/store/core/database-clock.ts'
import type { DatabaseRoles } from '../../src/store/core/service-role.ts'
import { median, startServer } from './compare.ts'
import { createBenchToken } from './create-bench-token.ts'
import { makeOrders, walkOrders } from './orders.ts'
import { percentile } from './percentile.ts'
import { requireAtMost } from './verdict.ts'

/**
 * Measures isolation between merchants: 200 clients refund one order of one merchant while another merchant lists its orders
 * twenty times a second. Runs with and without the refunds alternate, so that a slow machine affects both.
 */
const ratioMax = 3

const readsPerSecond = 20
const runSeconds = 10
const rounds = 3

/** Few enough that only the refunds are slow. */
const orders = 1_000

const actor = systemActor('bench')

export async function benchNeighbours(roles: DatabaseRoles): Promise<void> {
  const { loud, quiet, orderId } = await prepare(roles)
  const service = await startServer('service.ts', [roles.connectionString])
  const clients = await startServer('refund-clients.ts', [service.url, loud, orderId])
  try {
    const read = () => readSteadily(`${service.url}/api/v1/orders`, quiet)
    await read()
    const pairs: { alone: number; beside: number }[] = []
    for (let round = 0; round < rounds; round++) {
      await fetch(`${clients.url}/stop`)
      const alone = await read()
      await fetch(`${clients.url}/start`)
      pairs.push({ alone, beside: await read() })
    }
    const refunds = await (await fetch(`${clients.url}/stop`)).text()
    const alone = median(pairs.map((pair) => pair.alone))
    const beside = median(pairs.map((pair) => pair.beside))
    const what = `GET /orders beside 200 clients, p99 ${beside.toFixed(1)} ms, alone ${alone.toFixed(1)} ms  refunds ${refunds}`
    requireAtMost(what, median(pairs.map((pair) => pair.beside / pair.alone)), ratioMax)
  } finally {
    clients.stop()
    service.stop()
  }
}

async function prepare({ connectionString, ownerConnectionString }: DatabaseRoles) {
  const database = openDatabase({ connectionString })
  const clock = await openDatabaseClock({ read: clockReaderOf(database) })
  const context = { database, clock, nudge: () => undefined }
  const open = async (name: string) => {
    const { id: merchantId } = await createMerchant(context, actor, name)
    const token = await createBenchToken(context, { merchantId, mode: 'live' }, ['orders:read', 'refunds:write'])
    return { merchantId, token }
  }
  const [loud, quiet] = [await open('Loud'), await open('Quiet')]
  await makeOrders(ownerConnectionString, [loud.merchantId, quiet.merchantId], orders)
  const orderId = (await walkOrders(connectionString, loud.merchantId))()
  clock.stop()
  await database.close()
  return { loud: loud.token, quiet: quiet.token, orderId }
}

/** Returns the p99 in milliseconds. Reads start at a fixed rate, regardless of the duration of the previous read. */
async function readSteadily(url: string, token: string): Promise<number> {
  const reads: Promise<number>[] = []
  const startMs = performance.now()
  for (let count = 0; count < readsPerSecond * runSeconds; count++) {
    const dueMs = startMs + (count * 1000) / readsPerSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
    reads.push(read(url, token))
  }
  const sorted = (await Promise.all(reads)).toSorted((a, b) => a - b)
  return percentile(sorted, 0.99)
}

async function read(url: string, token: string): Promise<number> {
  const startMs = performance.now()
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  await response.text()
  if (response.status !== 200) throw new Error(`GET /orders returned ${response.status}, expected 200.`)
  return performance.now() - startMs
}
