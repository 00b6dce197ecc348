import { randomUUID } from 'node:crypto'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant, type NewMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { type Load, measure, type Outcome, perSecond, startServer } from './compare.ts'
import { postmasterOf } from './cpu-time.ts'
import { createBenchToken } from './create-bench-token.ts'
import { distributions, indexesOf } from './distributions.ts'
import { measureFilters } from './filters.ts'
import { createOrderTargets, type OrderTarget, sharedCode } from './order-targets.ts'
import { listOrderIds, makeOrders } from './orders.ts'
import { type BenchMerchant, casesOf } from './peers/cases.ts'
import { measureFloor } from './peers/floor.ts'
import { type CaseResult, measureCase } from './peers/measure-case.ts'
import { printCase, tableOf } from './peers/report.ts'
import { startSides } from './peers/sides.ts'
import { requireAtLeast } from './verdict.ts'

const orders = Number(process.env.BENCH_ORDERS ?? 1_000_000)
const merchantCount = 100

/**
 * Part of a title: only the benchmark cases whose title contains this text are run. If it is empty, all cases are run.
 */
const caseTitle = process.env.BENCH_CASE ?? ''

/**
 * Minimum ratio of two request rates: the rate of orders that contend for the same rows, and the rate of independent
 * orders.
 */
const contentionFloor = 0.7

/**
 * Number of merchants for which the filter benchmark inserts rows. The first merchant has more than half of the rows.
 */
const filterMerchantCount = 20

/**
 * Number of order requests that are sent at the same time. In the load without contention, each request orders a
 * different product variant.
 */
const parallelOrders = 50

const actor = systemActor('bench')

/** A merchant for the comparison with other servers. The bare server finds the id of the merchant by the token. */
interface Compared extends BenchMerchant {
  readonly merchantId: MerchantId
}

/**
 * Compares the service with other implementations of its API and with the minimum cost of a refund in PostgreSQL.
 * Measures the contention between orders, and the speed of each filter of the large lists.
 */
export async function benchApi(postgres: TemporaryPostgres): Promise<void> {
  const { connectionString } = postgres
  const { merchants, targets, filterMerchants } = await prepare(postgres)
  await comparePeers(postgres, merchants)
  const service = await startServer('service.ts', [connectionString])
  try {
    for (const load of orderLoads(service.url, targets)) report(await measure(load))
  } finally {
    service.stop()
  }
  await measureFilters(postgres, filterMerchants, { orders, products: orders / 10 })
}

async function comparePeers(postgres: TemporaryPostgres, merchants: readonly Compared[]): Promise<void> {
  const { connectionString, dataDirectory } = postgres
  const merchantIds = Object.fromEntries(merchants.map(({ token, merchantId }) => [token, merchantId]))
  const { sides, stop } = await startSides(connectionString, merchantIds)
  try {
    for (const distribution of distributions) {
      const results: CaseResult[] = []
      console.log(`\nRequests of ${merchants.length} merchants, ${distribution} distribution`)
      const nextIndex = indexesOf(distribution, merchants.length)
      const cases = casesOf({ merchants, nextIndex }).filter(({ title }) => title.includes(caseTitle))
      if (cases.length === 0) throw new Error(`No case contains “${caseTitle}”.`)
      for (const each of cases) {
        const result = await measureCase(each, sides, postmasterOf(dataDirectory))
        printCase(result)
        results.push(result)
      }
      console.log(`\n${tableOf(results)}\n`)
    }
    // The floor is the minimum cost of a refund in PostgreSQL. To measure it, pgbench writes copies of the rows that a
    // refund of the service has written.
    if ('POST /refunds, new key'.includes(caseTitle)) await measureFloor(postgres, merchants)
  } finally {
    stop()
  }
}

async function prepare({ connectionString, ownerConnectionString }: TemporaryPostgres) {
  const database = openDatabase({ connectionString })
  const context = { database, clock: systemClock, nudge: () => undefined }
  const created: NewMerchant[] = []
  for (let index = 0; index < merchantCount; index++) {
    created.push(await createMerchant(context, actor, `Shop ${index}`))
  }
  const started = performance.now()
  const merchantIds = created.map(({ id }) => id)
  await makeOrders(ownerConnectionString, merchantIds, orders)
  console.log(`${orders} orders of ${merchantCount} merchants in ${Math.round((performance.now() - started) / 1000)} s`)
  const merchants: Compared[] = []
  for (const { id: merchantId, testId } of created) {
    const token = await createBenchToken(context, { merchantId, mode: 'live' }, ['orders:read', 'refunds:write'])
    const testToken = await createBenchToken(context, { merchantId: testId, mode: 'test' }, ['logistics:quote'])
    const orderIds = await listOrderIds(connectionString, merchantId)
    merchants.push({ merchantId, token, testToken, orderIds })
  }
  const targets = await createOrderTargets(context, connectionString, parallelOrders)
  const filterMerchants: MerchantId[] = []
  for (let index = 0; index < filterMerchantCount; index++) {
    filterMerchants.push((await createMerchant(context, actor, `Market ${index}`)).id)
  }
  await database.close()
  return { merchants, targets, filterMerchants }
}

interface OrderTargets {
  readonly sameMerchant: readonly OrderTarget[]
  readonly distinctMerchants: readonly OrderTarget[]
}

/** Returns loads that measure contention between orders of one merchant and between orders with one discount code. */
function orderLoads(url: string, { sameMerchant, distinctMerchants }: OrderTargets): Load[] {
  return [
    {
      title: 'POST /orders, 50 at once',
      service: ordering(url, sameMerchant),
      reference: ordering(url, distinctMerchants),
      names: ['one merchant', '50 merchants'],
    },
    {
      title: 'POST /orders, 50 with one discount code',
      service: ordering(url, sameMerchant, { discountCodes: [sharedCode] }),
      reference: ordering(url, sameMerchant),
      names: ['the code', 'no code'],
    },
  ]
}

function ordering(url: string, of: readonly OrderTarget[], more: object = {}): Load['service'] {
  let next = 0
  const setupRequest = (request: object) => {
    const target = of[next++ % of.length]
    const headers = { Authorization: `Bearer ${target?.token}`, 'Content-Type': 'application/json' }
    const customer = { name: 'Bench', email: `bench${randomUUID()}@example.com` }
    const items = [{ variantId: target?.variantId, quantity: 1 }]
    return { ...request, headers, body: JSON.stringify({ customer, items, paymentMethod: 'card', ...more }) }
  }
  return () => ({
    url: `${url}/api/v1/orders`,
    method: 'POST',
    connections: parallelOrders,
    requests: [{ setupRequest }],
  })
}

function report({ title, names, servicePerSecond, referencePerSecond, ratio }: Outcome): void {
  const speeds = `${names[0]} ${perSecond(servicePerSecond)}  ${names[1]} ${perSecond(referencePerSecond)}`
  requireAtLeast(`${title.padEnd(32)} ${speeds}`, ratio, contentionFloor)
}
