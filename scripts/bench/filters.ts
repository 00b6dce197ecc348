import pg from 'pg'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { orderQuery } from '../../src/store/orders/order-list.ts'
import { productQuery } from '../../src/store/products/product-list.ts'
import type { DatabaseRoles } from '../../src/store/server/service-role.ts'
import { eventQuery } from '../../src/store/webhooks/events.ts'
import { median } from './compare.ts'
import { crowd } from './crowd.ts'
import { type Case, eventCases, orderCases, pages, productCases } from './filter-cases.ts'
import { planOf, type Query, scannedTables } from './plan.ts'

/**
 * Measures each filter of GET /orders, GET /products and GET /events: the time of the first page in PostgreSQL, and
 * whether the plan contains a sequential scan. The rows are unevenly distributed: half of them belong to the first
 * merchant.
 */
export async function measureFilters(
  { connectionString, ownerConnectionString }: DatabaseRoles,
  merchants: readonly MerchantId[],
  rows: { readonly orders: number; readonly products: number },
): Promise<void> {
  const started = performance.now()
  await crowd(ownerConnectionString, merchants, rows)
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`\nInserted ${rows.orders} unevenly distributed orders and ${rows.products} products in ${seconds} s`)
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await measureList(client, 'GET /orders', orderCases, (filters, page) =>
      orderQuery(biggest(merchants), filters, page),
    )
    await measureList(client, 'GET /products', productCases, (filters, page) =>
      productQuery(biggest(merchants), filters, page),
    )
    await measureList(client, 'GET /events', eventCases, (filters, page) =>
      eventQuery(biggest(merchants), filters, page),
    )
  } finally {
    await client.end()
  }
}

function biggest([first]: readonly MerchantId[]): MerchantId {
  if (first === undefined) throw new Error('At least one merchant is required.')
  return first
}

/** Number of runs. The first run has a cold cache; the median of the others represents a busy server. */
const runs = 5

async function measureList<Filters, Args>(
  client: pg.Client,
  title: string,
  cases: readonly Case<Filters>[],
  queryOf: (filters: Filters, page: (typeof pages)[number]) => Query<Args>,
): Promise<void> {
  for (const [name, filters] of cases) {
    const scanned = []
    for (const page of pages) scanned.push(...scannedTables(await planOf(client, queryOf(filters, page))))
    const { statement, args } = queryOf(filters, pages[0])
    const times: number[] = []
    for (let run = 0; run < runs; run++) {
      const started = performance.now()
      await client.query(statement.text, statement.bind(args))
      times.push(performance.now() - started)
    }
    const [cold = 0, ...warm] = times
    const verdict = scanned.length === 0 ? 'no sequential scan' : `SEQUENTIAL SCAN: ${scanned.join(', ')}`
    if (scanned.length > 0) process.exitCode = 1
    const figures = `${median(warm).toFixed(1).padStart(7)} ms  first ${cold.toFixed(1).padStart(7)} ms`
    console.log(`${`${title}, ${name}`.padEnd(58)} ${figures}  ${verdict}`)
  }
}
