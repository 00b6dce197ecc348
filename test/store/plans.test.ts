import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { crowd } from '../../scripts/bench/crowd.ts'
import { eventCases, orderCases, pages, productCases } from '../../scripts/bench/filter-cases.ts'
import { indexesOf, planOf, type Query, scannedTables } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { orderQuery } from '../../src/store/orders/order-list.ts'
import { productQuery } from '../../src/store/products/product-list.ts'
import { eventQuery } from '../../src/store/webhooks/events.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * The query plans of list pages, for the statements that the lists execute: no plan scans a whole table. Half of the
 * rows belong to the first merchant, for whom a sequential scan would be cheapest.
 */

const opened = useDatabase()

let merchants: MerchantId[]
beforeAll(async () => {
  const { database, ownerConnectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchants = []
  for (let index = 0; index < 8; index++) merchants.push((await createMerchant(context, operator, `Shop ${index}`)).id)
  await crowd(ownerConnectionString, merchants, { orders: 20_000, products: 20_000 })
})

async function plansOf<Args>(queries: readonly Query<Args>[]) {
  const client = new pg.Client({ connectionString: opened().connectionString })
  await client.connect()
  try {
    const plans = []
    for (const query of queries) plans.push(await planOf(client, query))
    return plans
  } finally {
    await client.end()
  }
}

/** Returns a large merchant, for whom a sequential scan would be cheapest, and a small merchant. */
function some(): MerchantId[] {
  return merchants.filter((_, index) => index === 0 || index === 5)
}

describe('queries of GET /orders', () => {
  test.for(orderCases)('the query of GET /orders for %s uses its index', async ([, filters, index]) => {
    const plans = await plansOf(some().flatMap((id) => pages.map((page) => orderQuery(id, filters, page))))
    expect(plans).toHaveLength(4)
    expect(plans.flatMap(scannedTables)).toEqual([])
    expect(indexesOf(plans[0] ?? [])).toContain(index)
  })
})

describe('queries of GET /products', () => {
  test.for(productCases)('the query of GET /products for %s uses the expected index', async ([, filters, index]) => {
    const plans = await plansOf(some().flatMap((id) => pages.map((page) => productQuery(id, filters, page))))
    expect(plans).toHaveLength(4)
    expect(plans.flatMap(scannedTables)).toEqual([])
    expect(indexesOf(plans[0] ?? [])).toContain(index)
  })
})

describe('queries of GET /events', () => {
  test.for(eventCases)('the query of GET /events for %s uses its index', async ([, filters, index]) => {
    const plans = await plansOf(some().flatMap((id) => pages.map((page) => eventQuery(id, filters, page))))
    expect(plans).toHaveLength(4)
    expect(plans.flatMap(scannedTables)).toEqual([])
    expect(indexesOf(plans[0] ?? [])).toEqual([expect.stringContaining(index)])
  })
})
