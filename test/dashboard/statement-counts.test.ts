import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { openDashboard } from '../../src/dashboard/dashboard.ts'
import { root } from '../../src/dashboard/kit/root.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { allOperations } from '../../src/operations/implementations.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { addressOf, useApi, vault } from '../support/api.ts'
import { type Browser, openBrowser } from '../support/dashboard.ts'
import { openRoundTripCounter, type RoundTripCounter } from '../support/round-trips.ts'
import { openFullShop } from './full-shop.ts'
import { type Walk, walk } from './walk.ts'

/** Maximum number of SQL statements with which a dashboard page reads the session and the records that it shows. */
const statementsMax = 6

const started = useApi()

let counter: RoundTripCounter
let counted: Browser
let walked: Walk
let close: () => Promise<unknown>

/**
 * Starts a second dashboard server for the same database. A proxy between this server and PostgreSQL counts the round
 * trips.
 */
beforeAll(async () => {
  const api = started()
  counter = await openRoundTripCounter(api.connectionString)
  const database = openDatabase({ connectionString: counter.connectionString, maxConnections: 1 })
  const service = await openService({ database, clock: api.clock, nudge: () => undefined, vault }, silentLog, 0)
  const policy = { allowsLoopback: true }
  const outbound = openSafeFetch(policy)
  const site = { service, vault, policy, fetch: outbound.fetch }
  const operations = allOperations()
  const dashboard = openDashboard(site, operations)
  const server = createApiServer(service, operations, { root, load: async () => dashboard })
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

/** This page reads the whole audit log in batches, so it exceeds the limit. */
const unbounded = '/dashboard/audit/verify'

test(`every page of the dashboard executes at most ${statementsMax} SQL statements`, async () => {
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
    ...{ '/dashboard': 5, '/dashboard/refunds': 3, '/dashboard/shipments': 3 },
    [order?.address ?? '']: 5,
  })
})

test(`every filter of every dashboard list executes at most ${statementsMax} SQL statements`, async () => {
  const addresses = [...new Set([...walked.opened.values()].flatMap((page) => filteredAddresses(page, knownIds())))]
  const counts: Record<string, number> = {}
  for (const address of addresses) {
    const before = counter.roundTrips()
    const { status } = await counted.get(address)
    expect([address, status]).toEqual([address, 200])
    counts[address] = counter.roundTrips() - before
  }
  expect(Object.entries(counts).filter(([, count]) => count > statementsMax)).toEqual([])
  const lists = new Set(addresses.map((address) => address.split('?')[0]))
  expect(lists.size).toBeGreaterThanOrEqual(10)
})

/** Ids of records to type into the filter fields of lists, by the name of the field. */
function knownIds(): Readonly<Record<string, string | undefined>> {
  const idOf = (path: string) =>
    walked.pages
      .find((page) => page.path === path)
      ?.address.split('/')
      .at(-1)
  const orderId = idOf('/orders/{id}')
  const [event, token, id] = [idOf('/events/{id}'), idOf('/tokens/{id}'), idOf('/requests/{id}')]
  return { orderId, resourceId: orderId, resource: orderId, event, token, id }
}

/** Values to type into the filter fields that expect no id of a record, by the type of the field. */
const typedSamples: Readonly<Record<string, string>> = { date: '2026-11-20', search: 'ada', text: '1' }

/**
 * Returns the addresses of the list pages, each with one filter in use: every choice of a select, and a sample text for
 * every text field.
 */
function filteredAddresses(page: string, ids: Readonly<Record<string, string | undefined>>): string[] {
  const forms = page.matchAll(/<form method="get" action="([^"]+)" class="filters"[^>]*>([\s\S]*?)<\/form>/g)
  const lists = [...forms].filter(([, path]) => path !== unbounded)
  return lists.flatMap(([, path = '', content = '']) => {
    const selects = [...content.matchAll(/<select[^>]* name="(\w+)"[^>]*>([\s\S]*?)<\/select>/g)]
    const chosen = selects.flatMap(([, name = '', options = '']) =>
      [...options.matchAll(/<option value="([^"]+)"/g)].map(([, value = '']) => [name, value] as const),
    )
    const typed = [...content.matchAll(/<input ([^>]*)>/g)].flatMap(([, attributes = '']) => {
      const [, name = ''] = /name="(\w+)"/.exec(attributes) ?? []
      const [, type = 'text'] = /type="(\w+)"/.exec(attributes) ?? []
      const value = ids[name] ?? typedSamples[type]
      return name === '' || value === undefined ? [] : [[name, value] as const]
    })
    return [...chosen, ...typed].map(([name, value]) => `${path}?${new URLSearchParams({ [name]: value })}`)
  })
}
