import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { generousLimits } from '../../scripts/generous-limits.ts'
import { openAllCarriers } from '../../src/app/open-carriers.ts'
import { type MeasuredClock, stoppedClock, toTimestamp } from '../../src/base/clock.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import type { Meters } from '../../src/base/meters.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { openDashboard } from '../../src/dashboard/dashboard.ts'
import { root } from '../../src/dashboard/kit/root.ts'
import type { WaitBounds } from '../../src/http/pipeline/client-waits.ts'
import type { LoadShedder } from '../../src/http/pipeline/load-shedder.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService, type RateOptions } from '../../src/http/service.ts'
import type { CarrierTimeouts, LogisticsContext } from '../../src/logistics/carriers/context.ts'
import type { ExportQueues } from '../../src/operations/execute/export-queues.ts'
import type { Operation } from '../../src/operations/execute/operation.ts'
import type { RequestLimits } from '../../src/operations/execute/request-limits.ts'
import { allOperations } from '../../src/operations/implementations.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import type { PaymentApi } from '../../src/partners/payments/provider.ts'
import type { ProviderSettings } from '../../src/partners/payments/providers.ts'
import type { PaymentContext } from '../../src/payments/open-key.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import type { Database } from '../../src/store/core/database.ts'
import type { KeyedQueue } from '../../src/store/core/keyed-queue.ts'
import type { Context } from '../../src/store/core/mutation.ts'
import { startPaystackServer } from '../partners/payments/paystack-server.ts'
import { providersWith } from './commerce/payment-providers.ts'
import { faultsOfAnswer, operationIdOf } from './contract/document.ts'
import { type TestDatabase, useDatabase } from './database.ts'
import { openPartnerDeadlines } from './partner-deadlines.ts'

export interface Reply {
  /** The operation to which the request belongs, according to the OpenAPI document. */
  readonly operationId: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body of the response. Each test asserts the fields that it reads. */
  readonly body: ReplyBody
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads, and an assertion on a missing field fails.
export type ReplyBody = any

export interface Sent {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestApi {
  readonly url: string
  readonly port: number
  readonly database: Database
  readonly context: Context & { readonly clock: MeasuredClock }
  readonly logistics: LogisticsContext
  readonly payments: PaymentContext
  readonly simulator: Simulator
  readonly connectionString: string
  readonly ownerConnectionString: string
  readonly superuserConnectionString: string
  readonly clock: ReturnType<typeof stoppedClock>
  /** The queue in which concurrent writes to the same record wait for each other. */
  readonly writeQueues: KeyedQueue
  readonly exportQueues: ExportQueues
  /** Returns the number of open long polls for shipments. */
  readonly waiting: () => number
  /** Sends a request and validates the response against the OpenAPI document. */
  send(method: string, path: string, sent?: Sent): Promise<Reply>
}

export const vaultKey = Buffer.alloc(32, 7)
export const vault = vaultOf([vaultKey])

/** The time to which the clock of every test file is set at its start. */
const startMs = Date.UTC(2026, 10, 21, 8, 30)

/**
 * Timeouts of requests to carriers, longer than in production. Even on a busy machine, only a carrier that never
 * responds reaches them. A dispatch request still has enough time for new offers and for a request to a carrier.
 */
const timeouts: CarrierTimeouts = { quoteMs: 12_000, createMs: 12_000, readMs: 12_000, cancelMs: 12_000 }

/** Time limits of requests, so long that only a hanging request reaches them, even on a busy machine. */
const unreachedLimits: RequestLimits = { totalMs: 120_000, queuedMs: 120_000 }

/** The network policy of the test's API: it may connect to loopback addresses, on which every test server listens. */
const policy = { allowsLoopback: true }

/** Options of the test's API. `carriers` replaces both the real and the simulated carriers. */
export interface ApiOptions
  extends Partial<Pick<LogisticsContext, 'carriers' | 'breakers' | 'timeouts' | 'isStopping'>> {
  /** The operations that the API serves instead of those of the registry. */
  readonly operations?: readonly Operation[]
  /** Replaces the API of Paystack. */
  readonly provider?: PaymentApi
  /** Replaces the payment providers. By default, the API calls a fake Paystack server with the key `sk_live_local`. */
  readonly paymentProviders?: ProviderSettings
  /** The rate limits of the API. By default, it has limits that no test reaches. */
  readonly rates?: RateOptions
  /** The log of the API. If undefined, nothing is logged. */
  readonly log?: Log
  /** The metrics of the API. If undefined, nothing is measured. */
  readonly meters?: Meters
  /** The load shedder, which rejects requests under load. If undefined, the API rejects no request because of load. */
  readonly load?: LoadShedder
  /** Replaces the limits on requests that wait for their clients to send or read. */
  readonly waitBounds?: WaitBounds
  /** The time limits of requests. By default, limits that no test reaches. */
  readonly requestLimits?: RequestLimits
  /** The setting TRUSTED_PROXIES of the API. By default, the API trusts no proxy. */
  readonly trustedProxies?: number
  /** Whether the simulated carriers send callbacks. */
  readonly sendsCallbacks?: boolean
  /**
   * A database for the API. By default, the API uses the test file's own database, on a server that other test files
   * share.
   */
  readonly opened?: () => TestDatabase
}

/** Starts a whole API, with a database of its own and the simulated carriers, for one test file. */
export function useApi(options: ApiOptions = {}): () => TestApi {
  const opened = options.opened ?? useDatabase()
  let started: Awaited<ReturnType<typeof startApi>> | undefined
  beforeAll(async () => {
    started = await startApi(opened(), options)
  })
  afterAll(() => started?.close())
  return () => {
    if (started === undefined) throw new Error('The API runs only while the tests of the file run.')
    return started.api
  }
}

async function startApi(
  test: TestDatabase,
  options: ApiOptions,
): Promise<{ api: TestApi; close: () => Promise<void> }> {
  const { database, connectionString, ownerConnectionString, superuserConnectionString } = test
  const clock = stoppedClock(startMs)
  const context = { database, clock, nudge: () => undefined }
  const reached: { url?: string } = {}
  const partners = await startPartners(context, options, () => reached.url)
  const { operations = allOperations(), rates = {}, log = silentLog, requestLimits = unreachedLimits } = options
  const { load, meters, waitBounds, trustedProxies = 0 } = options
  const service = await openService(
    {
      ...context,
      ...{ vault, logistics: partners.logistics, payments: partners.payments, checkout: partners.checkout },
      ...{ rates: { limits: generousLimits, ...rates }, load, meters, waitBounds, requestLimits },
    },
    log,
    trustedProxies,
  )
  const outbound = openSafeFetch(policy)
  const dashboard = openDashboard({ service, vault, policy, fetch: outbound.fetch }, operations)
  const server = createApiServer(service, operations, { root, load: async () => dashboard })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(server.address())
  const url = `http://127.0.0.1:${port}`
  reached.url = url
  const api: TestApi = {
    ...{ url, port, database, context, clock },
    ...{ connectionString, ownerConnectionString, superuserConnectionString },
    // The service's own context, which a test may change while the service runs.
    logistics: service.logistics ?? partners.logistics,
    payments: partners.payments,
    simulator: partners.simulator,
    writeQueues: service.writeQueues,
    exportQueues: service.exports,
    waiting: service.subscription.waiting,
    send: (method, path, sent) => sendTo(url, method, path, sent),
  }
  const close = async () => {
    await service.subscription.close()
    await partners.close()
    await outbound.close()
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
  }
  return { api, close }
}

/** Opens the simulated carriers and a fake Paystack server. `urlOf` returns the URL to which carriers send callbacks. */
async function startPartners(context: TestApi['context'], options: ApiOptions, urlOf: () => string | undefined) {
  const { provider, paymentProviders, sendsCallbacks } = options
  const nowhere = 'http://127.0.0.1:1'
  const { paystack, close: closePaystack } = await startPaystackServer()
  const deadlines = openPartnerDeadlines()
  const partners = await openAllCarriers({
    ...context,
    ...{ log: silentLog, vault, timeouts: options.timeouts ?? timeouts, now: toTimestamp(startMs) },
    policy,
    roots: { chowdeck: nowhere, fez: nowhere, shipbubble: nowhere },
    paymentProviders: paymentProviders ?? { urls: { paystack: paystack.url } },
    urlOf: () => (sendsCallbacks === true ? urlOf() : undefined),
    simulation: { onUnanswered: ({ headers }) => deadlines.expire(headers) },
    openSimulatorFetch: (...settings) => {
      const opened = openSafeFetch(...settings)
      return { ...opened, fetch: deadlines.reach(opened.fetch) }
    },
  })
  const { carriers, breakers, isStopping } = options
  return {
    ...partners,
    logistics: {
      ...partners.logistics,
      ...(carriers === undefined ? {} : { carriers }),
      ...(breakers === undefined ? {} : { breakers }),
      ...(isStopping === undefined ? {} : { isStopping }),
    },
    payments: {
      ...partners.payments,
      providers: provider === undefined ? partners.payments.providers : providersWith(provider),
    },
    close: async () => {
      await partners.close()
      closePaystack()
    },
  }
}

export function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port.')
  return address
}

/** With `npm run proxy-check`, the tests send their requests to a validating proxy in front of the service. */
const proxyUrl = process.env.VALIDATING_PROXY

/** Sends a request to an API at a URL. Validates the response against the OpenAPI document. */
export async function sendTo(url: string, method: string, path: string, sent: Sent = {}): Promise<Reply> {
  const response = await fetch((proxyUrl ?? url) + path, {
    method,
    headers: {
      ...(proxyUrl === undefined ? {} : { 'X-Upstream': url }),
      ...(sent.token === undefined ? {} : { Authorization: `Bearer ${sent.token}` }),
      ...(sent.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...sent.headers,
    },
    ...(sent.body === undefined ? {} : { body: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body) }),
  })
  // Unlike `text()`, the decoder does not drop a byte order mark.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
  // Only a 304 response has neither a body nor a content type.
  const isUnmodified = response.status === 304
  const type = response.headers.get('content-type')
  const isJson = type === null || type === 'application/json'
  const body: ReplyBody = isUnmodified ? undefined : isJson ? JSON.parse(text) : recordsOf(text, type)
  if (isUnmodified) expect({ text, type: response.headers.get('content-type') }).toEqual({ text: '', type: null })
  expect(
    isJson
      ? faultsOfAnswer(method, path, response.status, body)
      : body.flatMap((record: unknown) => faultsOfAnswer(method, path, response.status, record, ndjsonType)),
    `${method} ${path} answered ${response.status} ${text}`,
  ).toEqual([])
  if (!isUnmodified) expect(['application/json', ndjsonType, csvType]).toContain(type)
  expect(response.headers.get('request-id')).toMatch(/^req_[0-9a-z]{26}$/)
  if (response.status >= 400) expect(response.headers.get('service-should-retry')).toBe(String(body.error.retryable))
  return { operationId: operationIdOf(method, path), status: response.status, headers: response.headers, text, body }
}

const ndjsonType = 'application/x-ndjson'
const csvType = 'text/csv; charset=utf-8'

/**
 * Returns the records of an export. Returns none for CSV, because the OpenAPI document does not describe the lines of a
 * CSV file.
 */
function recordsOf(text: string, type: string): unknown[] {
  return type === csvType ? [] : text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

/** Sends a request whose body is given as raw bytes, which ordinary clients could not send. */
export function sendRaw(
  api: TestApi,
  options: { method: string; path: string; headers?: Record<string, string>; body?: Buffer | string },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method, path, headers = {} } = options
    const outgoing = httpRequest({ host: '127.0.0.1', port: api.port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const entries = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
        const operationId = operationIdOf(method, path)
        const status = response.statusCode ?? 0
        resolve({ operationId, status, headers: new Headers(entries), text, body: JSON.parse(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}
