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

/** The limits of a benchmark case. A limit that is undefined is not checked. */
export interface Limits {
  /** Minimum request rate of the service, relative to that of a compared server. */
  readonly fastifyMin?: number
  readonly bareMin?: number
  /** Maximum CPU time per request of the service, relative to that of the Fastify server. */
  readonly cpuMax?: number
  /** Maximum p99 latency of the service, relative to that of the Fastify server. */
  readonly p99Max?: number
}

export interface CaseOptions {
  readonly token: string
  /** A token of test mode, in which the carriers are simulated. */
  readonly testToken: string
  readonly orderIds: readonly string[]
}

const everySide: readonly SideName[] = ['service', 'fastify', 'bare']

/**
 * Number of rows before the page that is read deep in a list: so many that a query with an offset would read thousands
 * of rows.
 */
export const deepOffset = 5_000

/** Number of different pages that the load requests: so many that no two concurrent requests read the same page. */
const walkedPages = 100

export function casesOf({ token, testToken, orderIds }: CaseOptions): Case[] {
  const authorized = { Authorization: `Bearer ${token}` }
  const headers = { ...authorized, 'Content-Type': 'application/json' }
  let next = 0
  const nextOrder = () => orderIds[next++ % orderIds.length] ?? ''
  const refundOf = (orderId: string) => JSON.stringify({ orderId, amountKobo: 100, reason: 'damaged' })
  const first = (connections: number): Case => ({
    title: 'GET /orders, first page',
    connections,
    sides: everySide,
    load: ({ base }) => ({ url: `${base}/orders`, headers: authorized }),
    limits: listLimits,
  })
  const deep = (connections: number): Case => ({
    title: `GET /orders, after ${deepOffset.toLocaleString('en')} rows`,
    connections,
    sides: everySide,
    load: async ({ base }) => {
      const cursors = await cursorsOf(`${base}/orders`, authorized, { limit: 100, pages: deepOffset / 100 })
      const cursor = cursors.at(-1) ?? ''
      return { url: `${base}/orders?cursor=${encodeURIComponent(cursor)}`, headers: authorized }
    },
    limits: listLimits,
  })
  const walk = (connections: number): Case => ({
    title: `GET /orders, ${walkedPages} different pages`,
    connections,
    sides: everySide,
    load: async ({ base }) => {
      const cursors = await cursorsOf(`${base}/orders`, authorized, { limit: 25, pages: walkedPages })
      // All connections take their next page from one counter, so that no two of them request the same page at the same
      // time.
      let page = 0
      const setupRequest = (request: autocannon.Request) => {
        const cursor = cursors[page++ % cursors.length] ?? ''
        return { ...request, path: `${pathOf(base)}/orders?cursor=${encodeURIComponent(cursor)}`, headers: authorized }
      }
      return { url: base, requests: [{ setupRequest }] }
    },
    limits: { fastifyMin: 1 },
  })
  const find = (connections: number): Case => ({
    title: 'GET /orders/{id}',
    connections,
    sides: everySide,
    load: ({ base }) => ({
      url: base,
      requests: [
        { setupRequest: (r) => ({ ...r, path: `${pathOf(base)}/orders/${nextOrder()}`, headers: authorized }) },
      ],
    }),
    limits: {},
  })
  const refund = (connections: number): Case => ({
    title: 'POST /refunds, new key',
    connections,
    sides: everySide,
    load: ({ base }) => {
      const setupRequest = (request: autocannon.Request) => ({
        ...request,
        headers: { ...headers, 'Idempotency-Key': randomUUID() },
        body: refundOf(nextOrder()),
      })
      return { url: `${base}/refunds`, method: 'POST', requests: [{ setupRequest }] }
    },
    limits: { fastifyMin: 1.6, bareMin: 0.6, cpuMax: 0.65 },
  })
  const replay = (connections: number): Case => ({
    title: 'POST /refunds, used key',
    connections,
    sides: everySide,
    load: async ({ base }) => {
      const sent = {
        method: 'POST' as const,
        headers: { ...headers, 'Idempotency-Key': randomUUID() },
        body: refundOf(nextOrder()),
      }
      const first = await fetch(`${base}/refunds`, sent)
      if (first.status !== 201) throw new Error(`POST ${base}/refunds returned ${first.status}, expected 201.`)
      await first.text()
      return { url: `${base}/refunds`, ...sent }
    },
    limits: {},
  })
  const quote = (connections: number): Case => ({
    title: 'POST /logistics/quote, three carriers',
    connections,
    sides: ['service', 'fastify'],
    load: async ({ base }) => {
      const sent = {
        method: 'POST' as const,
        headers: { Authorization: `Bearer ${testToken}`, 'Content-Type': 'application/json' },
        body: quoteBody,
      }
      await requireOffers(await fetch(`${base}/logistics/quote`, sent))
      // Throws if a quote is not complete. A quote that lacks the offers of a carrier, for example after its timeout,
      // takes less time.
      const verifyBody = (body: unknown) => String(body).includes('"status":"complete"')
      return { url: `${base}/logistics/quote`, ...sent, verifyBody }
    },
    limits: {},
  })
  return [
    ...[8, 32].map(first),
    ...[8, 32].map(deep),
    ...[8, 32].map(walk),
    find(8),
    ...[8, 32].map(refund),
    replay(8),
    quote(8),
  ]
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

/** Throws unless a quote has offers of all carriers. A quote that lacks offers would take less time. */
async function requireOffers(response: Response): Promise<void> {
  const quote: { readonly offers?: readonly { readonly carrier: string }[] } = JSON.parse(await response.text())
  const carriers = new Set(quote.offers?.map(({ carrier }) => carrier))
  if (carriers.size !== testCarrierCodes.length)
    throw new Error(`${response.url} returned offers of ${carriers.size} carriers.`)
}

const listLimits: Limits = { fastifyMin: 1.4, cpuMax: 0.5, p99Max: 1 }

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
