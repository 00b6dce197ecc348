import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { openDashboard } from '../../src/dashboard/dashboard.ts'
import { allOperations } from '../../src/http/app.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { addressOf, useApi, vault } from '../support/api.ts'
import { type Browser, openBrowser } from '../support/dashboard.ts'
import { openRoundTripCounter, type RoundTripCounter } from '../support/round-trips.ts'
import { openFullShop } from './full-shop.ts'
import { type Walk, walk } from './walk.ts'

/** A page reads the session and its records with at most this many statements. */
const statementsMax = 6

const started = useApi()

let counter: RoundTripCounter
let counted: Browser
let walked: Walk
let close: () => Promise<unknown>

/** A second server on the same database, behind a proxy that counts its round trips to PostgreSQL. */
beforeAll(async () => {
  const api = started()
  counter = await openRoundTripCounter(api.connectionString)
  const database = openDatabase({ connectionString: counter.connectionString, maxConnections: 1 })
  const service = await openService({ database, clock: api.clock, nudge: () => undefined, vault }, silentLog, 0)
  const policy = { allowsLoopback: true }
  const outbound = openSafeFetch(policy)
  const site = { service, vault, policy, fetch: outbound.fetch, trustedProxies: 0 }
  const operations = allOperations()
  const dashboard = openDashboard(site, operations)
  const server = createApiServer(service, operations, async () => dashboard)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(server.address())
  close = async () => {
    await service.subscription.close()
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
    await outbound.close()
    await database.close()
    await counter.close()
  }
  const full = await openFullShop(api)
  counted = openBrowser({ url: `http://127.0.0.1:${port}` })
  for (const [name, value] of full.owner.cookies) counted.cookies.set(name, value)
  walked = await walk(counted)
})

afterAll(() => close())

/** Reads the whole audit log in batches. */
const unbounded = '/dashboard/audit/verify'

test(`every page takes at most ${statementsMax} statements`, async () => {
  const counts: Record<string, number> = {}
  for (const address of walked.opened.keys()) {
    const before = counter.roundTrips()
    await counted.get(address)
    counts[address] = counter.roundTrips() - before
  }
  delete counts[unbounded]
  expect(Object.entries(counts).filter(([, count]) => count > statementsMax)).toEqual([])
  const order = walked.pages.find(({ path }) => path === '/orders/{id}')
  expect(counts).toMatchObject({
    ...{ '/dashboard': 2, '/dashboard/refunds': 2, '/dashboard/shipments': 2 },
    [order?.address ?? '']: 5,
  })
})
