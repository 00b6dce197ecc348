import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { clockReaderOf, openDatabaseClock } from '../../src/store/server/database-clock.ts'
import type { DatabaseRoles } from '../../src/store/server/service-role.ts'
import { median, startServer } from './compare.ts'
import { createBenchToken } from './create-bench-token.ts'
import { measureFloods } from './floods.ts'
import { makeOrders, walkOrders } from './orders.ts'
import { readSteadily } from './steady-reads.ts'
import { requireAtMost } from './verdict.ts'

/**
 * Measures isolation between merchants: 200 clients refund one order of one merchant while another merchant lists its
 * orders twenty times a second. Runs with and without the refunds alternate, so that a slow machine affects both.
 * Afterwards, measureFloods() measures the reads of the second merchant while webhook receivers of the first merchant
 * stream endless responses.
 */
const ratioMax = 3

const rounds = 3

/** Number of orders: so few that refunds must wait for each other, and that reading the orders is fast. */
const orders = 1_000

const actor = systemActor('bench')

export async function benchNeighbours(roles: DatabaseRoles): Promise<void> {
  const { merchantId, loud, quiet, orderId } = await prepare(roles)
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
    const what = `GET /orders while 200 clients send refunds: p99 ${beside.toFixed(1)} ms, alone ${alone.toFixed(1)} ms, refunds ${refunds}`
    requireAtMost(what, median(pairs.map((pair) => pair.beside / pair.alone)), ratioMax)
  } finally {
    clients.stop()
    service.stop()
  }
  await measureFloods(roles, { merchantId, token: quiet })
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
  return { merchantId: loud.merchantId, loud: loud.token, quiet: quiet.token, orderId }
}
