import { randomUUID } from 'node:crypto'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { measureFilters } from './filters.ts'
import { makeOrders, walkOrders } from './orders.ts'
import { refunding } from './refunds.ts'
import { openShelves, type Shelf, sharedCode } from './shops.ts'
import { type Load, measure, type Outcome, perSecond, startServer } from './turns.ts'
import { judge } from './verdict.ts'

const orders = Number(process.env.BENCH_ORDERS ?? 1_000_000)
const merchantCount = 100
const deepRows = 10_000

/** What the project promises of itself: the first page, a deep one, refunds, orders of one merchant, orders with one code. */
const floors = [0.8, 0.8, 0.6, 0.8, 0.7]

/** The filters are measured on rows of so many merchants, of whom the first has more than half. */
const crowdedMerchants = 20

/** Orders asked for at once, each of a variant of its own. */
const parallelOrders = 50

/** As fast as the first page, but for the cursor: reading and verifying it takes some ten of a hundred microseconds. */
const deepFloor = 0.8

const actor = { type: 'operator', id: null, label: 'bench', sourceIp: null, requestId: null, userAgent: null } as const

/** The service against the bare reference, turn by turn, and the filters of the big lists by themselves. */
export async function benchApi(connectionString: string): Promise<void> {
  const { merchantId, token, shelves, crowded } = await prepare(connectionString)
  const service = await startServer('service.ts', [connectionString])
  const reference = await startServer('reference.ts', [connectionString, merchantId])
  try {
    const nextOrder = await walkOrders(connectionString, merchantId)
    const outcomes = await measureAll(service.url, reference.url, { token, nextOrder })
    for (const load of orderLoads(service.url, shelves)) outcomes.push(await measure(load))
    report(outcomes)
  } finally {
    service.stop()
    reference.stop()
  }
  await measureFilters(connectionString, crowded, { orders, products: orders / 10 })
}

async function prepare(connectionString: string) {
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
  await makeOrders(connectionString, merchants, orders)
  console.log(`${orders} orders of ${merchantCount} merchants in ${Math.round((performance.now() - started) / 1000)} s`)
  const shelves = await openShelves(context, connectionString, parallelOrders)
  const crowded: MerchantId[] = []
  for (let index = 0; index < crowdedMerchants; index++) {
    crowded.push((await createMerchant(context, actor, `Market ${index}`)).id)
  }
  await database.close()
  return { merchantId: String(first.id), token: created.token, shelves, crowded }
}

async function measureAll(
  serviceUrl: string,
  referenceUrl: string,
  { token, nextOrder }: { readonly token: string; readonly nextOrder: () => string },
): Promise<Outcome[]> {
  const headers = { Authorization: `Bearer ${token}` }
  const deepService = await walk(`${serviceUrl}/api/v1/orders`, headers)
  const deepReference = await walk(`${referenceUrl}/orders`, {})
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

interface Shelves {
  readonly ofOne: readonly Shelf[]
  readonly ofMany: readonly Shelf[]
}

/** The same orders by the same service; what differs is whether they are all of one merchant, or all name one code. */
function orderLoads(url: string, { ofOne, ofMany }: Shelves): Load[] {
  return [
    {
      title: 'POST /orders, 50 at once',
      service: ordering(url, ofOne),
      reference: ordering(url, ofMany),
      names: ['one merchant', '50 merchants'],
    },
    {
      title: 'POST /orders, 50 with one code',
      service: ordering(url, ofOne, { discountCodes: [sharedCode] }),
      reference: ordering(url, ofOne),
      names: ['the code', 'no code'],
    },
  ]
}

function ordering(url: string, of: readonly Shelf[], more: object = {}): Load['service'] {
  let next = 0
  const setupRequest = (request: object) => {
    const shelf = of[next++ % of.length]
    const headers = { Authorization: `Bearer ${shelf?.token}`, 'Content-Type': 'application/json' }
    const customer = { name: 'Bench', email: `bench${randomUUID()}@example.com` }
    const items = [{ variantId: shelf?.variantId, quantity: 1 }]
    return { ...request, headers, body: JSON.stringify({ customer, items, paymentMethod: 'card', ...more }) }
  }
  return () => ({
    url: `${url}/api/v1/orders`,
    method: 'POST',
    connections: parallelOrders,
    requests: [{ setupRequest }],
  })
}

/** The cursor behind which the page lies that is ten thousand rows deep. */
async function walk(url: string, headers: Record<string, string>): Promise<string> {
  let cursor = ''
  for (let row = 0; row < deepRows; row += 100) {
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
    judge(`${title.padEnd(32)} ${speeds}`, ratio, floors[index] ?? 0)
  }
  const [first, deep] = outcomes
  if (first === undefined || deep === undefined) return
  judge(
    'The deep page against the first, both by the service',
    deep.servicePerSecond / first.servicePerSecond,
    deepFloor,
  )
}
