import { randomUUID } from 'node:crypto'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { systemClock } from '../../src/base/clock.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../src/store/core/service-role.ts'
import { type Load, measure, type Outcome, perSecond, startServer } from './compare.ts'
import { measureFilters } from './filters.ts'
import { createOrderTargets, type OrderTarget, sharedCode } from './order-targets.ts'
import { makeOrders, walkOrders } from './orders.ts'
import { refunding } from './refunds.ts'
import { requireAtLeast } from './verdict.ts'

const orders = Number(process.env.BENCH_ORDERS ?? 1_000_000)
const merchantCount = 100
const deepOffset = 10_000

/** Minimum ratios: first page, deep page, refunds, orders of one merchant, orders with one discount code. */
const floors = [0.8, 0.8, 0.6, 0.8, 0.7]

/** Number of merchants of the filter measurement. The first one has more than half of the rows. */
const filterMerchantCount = 20

/** Concurrent orders, each with a variant of its own. */
const parallelOrders = 50

/** Minimum ratio of the deep page to the first page. Verifying the cursor takes about 10 % of the time of a page. */
const deepFloor = 0.8

const actor = systemActor('bench')

/** Compares the service with the bare reference in alternating runs, and measures each filter of the large lists. */
export async function benchApi(roles: DatabaseRoles): Promise<void> {
  const { connectionString } = roles
  const { merchantId, token, targets, filterMerchants } = await prepare(roles)
  const service = await startServer('service.ts', [connectionString])
  const reference = await startServer('reference.ts', [connectionString, merchantId])
  try {
    const nextOrder = await walkOrders(connectionString, merchantId)
    const outcomes = await measureAll(service.url, reference.url, { token, nextOrder })
    for (const load of orderLoads(service.url, targets)) outcomes.push(await measure(load))
    report(outcomes)
  } finally {
    service.stop()
    reference.stop()
  }
  await measureFilters(roles, filterMerchants, { orders, products: orders / 10 })
}

async function prepare({ connectionString, ownerConnectionString }: DatabaseRoles) {
  const database = openDatabase({ connectionString })
  const context = { database, clock: systemClock, nudge: () => undefined }
  const merchants: string[] = []
  for (let index = 0; index < merchantCount; index++) {
    merchants.push((await createMerchant(context, actor, `Shop ${index}`)).id)
  }
  const [first] = await database.pool
    .query('select id from merchants where mode = $1 order by id limit 1', ['live'])
    .then((r) => r.rows)
  const created = await createToken(
    context,
    actor,
    { merchantId: first.id, mode: 'live' },
    {
      name: 'bench',
      scopes: ['orders:read', 'refunds:write'],
      expiresAt: null,
      ipAllowlist: [],
    },
  )
  if (created.is !== 'created') throw new Error('No token.')
  const started = performance.now()
  await makeOrders(ownerConnectionString, merchants, orders)
  console.log(`${orders} orders of ${merchantCount} merchants in ${Math.round((performance.now() - started) / 1000)} s`)
  const targets = await createOrderTargets(context, connectionString, parallelOrders)
  const filterMerchants: MerchantId[] = []
  for (let index = 0; index < filterMerchantCount; index++) {
    filterMerchants.push((await createMerchant(context, actor, `Market ${index}`)).id)
  }
  await database.close()
  return { merchantId: String(first.id), token: created.token, targets, filterMerchants }
}

async function measureAll(
  serviceUrl: string,
  referenceUrl: string,
  { token, nextOrder }: { readonly token: string; readonly nextOrder: () => string },
): Promise<Outcome[]> {
  const headers = { Authorization: `Bearer ${token}` }
  const deepService = await deepCursor(`${serviceUrl}/api/v1/orders`, headers)
  const deepReference = await deepCursor(`${referenceUrl}/orders`, {})
  const read = (title: string, servicePath: string, referencePath: string): Load => ({
    title,
    service: () => ({ url: `${serviceUrl}/api/v1/orders${servicePath}`, headers }),
    reference: () => ({ url: `${referenceUrl}/orders${referencePath}` }),
  })
  const loads: Load[] = [
    read('GET /orders, first page', '', ''),
    read('GET /orders, 10,000 rows deep', `?cursor=${deepService}`, `?cursor=${deepReference}`),
    {
      title: 'POST /refunds, fresh key',
      service: refunding(`${serviceUrl}/api/v1/refunds`, token, nextOrder),
      reference: refunding(`${referenceUrl}/refunds`, token, nextOrder),
    },
  ]
  const outcomes: Outcome[] = []
  for (const load of loads) outcomes.push(await measure(load))
  return outcomes
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
      title: 'POST /orders, 50 with one code',
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

/** Returns the cursor of the page at an offset of 10,000 rows. */
async function deepCursor(url: string, headers: Record<string, string>): Promise<string> {
  let cursor = ''
  for (let row = 0; row < deepOffset; row += 100) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`
    const response = await fetch(`${url}?limit=100${query}`, { headers })
    const page: { pagination: { cursor: string | null } } = JSON.parse(await response.text())
    if (page.pagination.cursor === null) break
    cursor = page.pagination.cursor
  }
  return cursor
}

function report(outcomes: readonly Outcome[]): void {
  for (const [index, { title, names, servicePerSecond, referencePerSecond, ratio }] of outcomes.entries()) {
    const speeds = `${names[0]} ${perSecond(servicePerSecond)}  ${names[1]} ${perSecond(referencePerSecond)}`
    requireAtLeast(`${title.padEnd(32)} ${speeds}`, ratio, floors[index] ?? 0)
  }
  const [first, deep] = outcomes
  if (first === undefined || deep === undefined) return
  requireAtLeast('Deep page compared with the first page', deep.servicePerSecond / first.servicePerSecond, deepFloor)
}
