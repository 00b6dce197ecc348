import { randomUUID } from 'node:crypto'
import type autocannon from 'autocannon'
import { parcelInputExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import type { Side, SideName } from './sides.ts'

/** A benchmark case: an operation that the service and the servers compared with it implement. */
export interface Case {
  readonly title: string
  readonly connections: number
  readonly sides: readonly SideName[]
  readonly load: (side: Pick<Side, 'base'>) => autocannon.Options | Promise<autocannon.Options>
  readonly limits: Limits
}

/** A limit that is undefined is not checked. */
export interface Limits {
  /** Minimum request rates of the service, relative to those of the Fastify server and of the bare server. */
  readonly fastifyMin?: number
  readonly bareMin?: number
  /** Maximum CPU time per request of the service, relative to that of the Fastify server. */
  readonly cpuMax?: number
  /** Maximum p99 latency of the service, relative to that of the Fastify server. */
  readonly p99Max?: number
}

export interface BenchMerchant {
  /** A live token that reads orders and creates refunds. */
  readonly token: string
  /** A token of test mode, in which the carriers are simulated. */
  readonly testToken: string
  readonly orderIds: readonly string[]
}

export interface CaseOptions {
  readonly merchants: readonly BenchMerchant[]
  /** Returns the index of the merchant that sends the next request. */
  readonly nextIndex: () => number
}

const everySide: readonly SideName[] = ['service', 'fastify', 'bare']

/**
 * The benchmark `growth` reads one page after this many rows of a list. A query with an offset would have to read all
 * of these rows.
 */
export const deepOffset = 5_000

/**
 * Number of pages of the order list of each merchant. A page has 100 rows. A request reads one of these pages at
 * random.
 */
const deepPages = 20

/** Number of used idempotency keys of each merchant. A replay uses one of these keys at random. */
const usedKeys = 5

/**
 * Returns the benchmark cases. Real clients rarely send equal requests. Successive requests therefore have the tokens
 * of different merchants, and a random page, a random order or a new key.
 */
export function casesOf({ merchants, nextIndex }: CaseOptions): Case[] {
  const nextMerchant = () => required(merchants[nextIndex()])
  const first = (connections: number): Case => ({
    title: 'GET /orders, first page',
    connections,
    sides: everySide,
    load: ({ base }) => ({
      url: base,
      requests: [
        { setupRequest: (r) => ({ ...r, path: `${pathOf(base)}/orders`, headers: authorized(nextMerchant().token) }) },
      ],
    }),
    limits: listLimits,
  })
  const deep = (connections: number): Case => ({
    title: 'GET /orders, random page',
    connections,
    sides: everySide,
    load: async ({ base }) => {
      const cursors = await Promise.all(
        merchants.map(({ token }) => cursorsOf(`${base}/orders`, authorized(token), { limit: 100, pages: deepPages })),
      )
      const setupRequest = (request: autocannon.Request) => {
        const index = nextIndex()
        const cursor = randomOf(required(cursors[index]))
        const path = `${pathOf(base)}/orders?cursor=${encodeURIComponent(cursor)}`
        return { ...request, path, headers: authorized(required(merchants[index]).token) }
      }
      return { url: base, requests: [{ setupRequest }] }
    },
    limits: listLimits,
  })
  const find = (connections: number): Case => ({
    title: 'GET /orders/{id}',
    connections,
    sides: everySide,
    load: ({ base }) => {
      const setupRequest = (request: autocannon.Request) => {
        const { token, orderIds } = nextMerchant()
        return { ...request, path: `${pathOf(base)}/orders/${randomOf(orderIds)}`, headers: authorized(token) }
      }
      return { url: base, requests: [{ setupRequest }] }
    },
    limits: { fastifyMin: 1.2 },
  })
  const refund = (connections: number): Case => ({
    title: 'POST /refunds, new key',
    connections,
    sides: everySide,
    load: ({ base }) => {
      const setupRequest = (request: autocannon.Request) => ({ ...request, ...refundOf(nextMerchant()) })
      return { url: `${base}/refunds`, method: 'POST', requests: [{ setupRequest }] }
    },
    limits: { fastifyMin: 1.3, bareMin: 0.6, cpuMax: 0.65 },
  })
  const replay = (connections: number): Case => ({
    title: 'POST /refunds, used key',
    connections,
    sides: everySide,
    load: async ({ base }) => {
      const used = await Promise.all(merchants.map((merchant) => sendRefunds(`${base}/refunds`, merchant)))
      const setupRequest = (request: autocannon.Request) => ({ ...request, ...randomOf(required(used[nextIndex()])) })
      return { url: `${base}/refunds`, method: 'POST', requests: [{ setupRequest }] }
    },
    limits: { fastifyMin: 1.2 },
  })
  const quote = (connections: number): Case => ({
    title: 'POST /logistics/quote, three carriers',
    connections,
    sides: ['service', 'fastify'],
    load: async ({ base }) => {
      const url = `${base}/logistics/quote`
      const sentOf = ({ testToken }: BenchMerchant) => ({ headers: jsonHeaders(testToken), body: quoteBody })
      await requireOffers(await fetch(url, { method: 'POST', ...sentOf(nextMerchant()) }))
      const setupRequest = (request: autocannon.Request) => ({ ...request, ...sentOf(nextMerchant()) })
      // Reports whether a quote is complete. A quote that lacks the offers of a carrier, for example after a timeout,
      // takes less time and must not be measured.
      const verifyBody = (body: unknown) => String(body).includes('"status":"complete"')
      return { url, method: 'POST', requests: [{ setupRequest }], verifyBody }
    },
    limits: { fastifyMin: 1 },
  })
  return [...[8, 32].map(first), ...[8, 32].map(deep), find(8), ...[8, 32].map(refund), replay(8), quote(8)]
}

function authorized(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` }
}

function jsonHeaders(token: string): Record<string, string> {
  return { ...authorized(token), 'Content-Type': 'application/json' }
}

function refundOf({ token, orderIds }: BenchMerchant) {
  return {
    headers: { ...jsonHeaders(token), 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({ orderId: randomOf(orderIds), amountKobo: 100, reason: 'damaged' }),
  }
}

/** Creates refunds, and returns their requests, which can be sent again with the same keys. */
async function sendRefunds(url: string, merchant: BenchMerchant) {
  const requests = Array.from({ length: usedKeys }, () => refundOf(merchant))
  for (const sent of requests) {
    const response = await fetch(url, { method: 'POST', ...sent })
    if (response.status !== 201) throw new Error(`POST ${url} returned ${response.status}, expected 201.`)
    await response.text()
  }
  return requests
}

function randomOf<Value>(values: readonly Value[]): Value {
  return required(values[Math.floor(Math.random() * values.length)])
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Each merchant of the benchmark has orders.')
  return value
}

/**
 * The request contains coordinates for the addresses, because the compared Fastify server cannot geocode an address.
 */
const quoteBody = JSON.stringify({
  pickup: { ...pickupInputExample, state: 'Lagos', location: { lat: 6.4281, lng: 3.4219 } },
  dropoff: {
    name: dropoffInputExample.name,
    phone: dropoffInputExample.phone,
    line1: dropoffInputExample.line1,
    area: dropoffInputExample.area,
    state: 'Lagos',
    location: { lat: 6.4474, lng: 3.4723 },
  },
  parcels: [parcelInputExample],
})

/**
 * Throws unless a quote has offers of all carriers. A quote that lacks offers takes less time, and must not be
 * measured.
 */
async function requireOffers(response: Response): Promise<void> {
  const quote: { readonly offers?: readonly { readonly carrier: string }[] } = JSON.parse(await response.text())
  const carriers = new Set(quote.offers?.map(({ carrier }) => carrier))
  if (carriers.size !== testCarrierCodes.length)
    throw new Error(`${response.url} returned offers of ${carriers.size} carriers.`)
}

const listLimits: Limits = { fastifyMin: 1.4, p99Max: 1 }

function pathOf(base: string): string {
  const { pathname } = new URL(base)
  return pathname === '/' ? '' : pathname
}

/** Requests the pages of a list one after another. Returns their cursors, from the second page on. */
export async function cursorsOf(
  url: string,
  headers: Record<string, string>,
  { limit, pages }: { readonly limit: number; readonly pages: number },
): Promise<readonly string[]> {
  const cursors: string[] = []
  while (cursors.length < pages) {
    const last = cursors.at(-1)
    const query = last === undefined ? '' : `&cursor=${encodeURIComponent(last)}`
    const response = await fetch(`${url}?limit=${limit}${query}`, { headers })
    const page: { pagination: { cursor: string | null } } = JSON.parse(await response.text())
    if (page.pagination.cursor === null) throw new Error(`${url} has fewer than ${limit * pages} rows.`)
    cursors.push(page.pagination.cursor)
  }
  return cursors
}
