import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from './percentile.ts'
import { openRawConnections, type RawConnections } from './raw-connections.ts'

export interface LoadRun {
  /** The load sends these requests to one server, in turn. */
  readonly requests: readonly LoadRequest[]
  readonly seconds: number
  readonly pace: LoadPace
}

export type LoadPace =
  /**
   * Number of clients. Each sends its next request as soon as it has the response to the previous one, even if that
   * response is a rejection.
   */
  | { readonly is: 'closed'; readonly clients: number }
  /** Number of clients, as for `closed`. The load ends after `count` requests, however long they take. */
  | { readonly is: 'counted'; readonly clients: number; readonly count: number }
  /** Requests that are sent when they are due, whether or not earlier ones have a response. */
  | { readonly is: 'open'; readonly perSecond: number }

export interface LoadRequest {
  readonly url: string
  readonly token: string
  /** JSON body of a POST request. Undefined for a GET request. */
  readonly body?: string
}

export interface LoadResult {
  /** Number of responses with each status, and of connection errors with each code. */
  readonly statuses: Readonly<Record<string, number>>
  /**
   * Latency of the accepted requests in milliseconds. The latency of a request is counted from the time at which the
   * request was due.
   */
  readonly accepted: Latency
  /** Latency of the requests that the service rejected with 429 or 503. */
  readonly rejected: Latency
  readonly withoutRetryAfter: number
  /** Number of requests that were due but not sent, because too many earlier requests had no response yet. */
  readonly unsent: number
  /** p99 latency of the accepted requests that were due in each second; null for a second without accepted requests. */
  readonly p99BySecond: readonly (number | null)[]
}

export interface Latency {
  readonly count: number
  readonly p50: number | null
  readonly p99: number | null
}

/**
 * Maximum number of requests that wait for a response. Above this number, due requests are not sent, because the
 * service no longer responds.
 */
const openMax = 5_000

/** Maximum number of connections of the load: as many as a few client machines use. */
const connectionsMax = 500

/** Interval of the timer that sends the due requests, when the load starts requests at a fixed rate. */
const tickMs = 2

interface Sample {
  readonly second: number
  readonly ms: number
}

interface Measured {
  readonly accepted: Sample[]
  /**
   * Only the latency of each rejection is stored, as a number of milliseconds. With millions of objects, the garbage
   * collection would delay the requests.
   */
  readonly rejected: number[]
  readonly statuses: Record<string, number>
  withoutRetryAfter: number
  unsent: number
}

export async function runLoad({ requests, seconds, pace }: LoadRun): Promise<LoadResult> {
  const [first] = requests
  if (first === undefined) throw new Error('A load has at least one request.')
  const port = Number(new URL(first.url).port)
  const connections = openRawConnections(port, pace.is === 'open' ? connectionsMax : pace.clients)
  const prepared = requests.map(bytesOf)
  const measured: Measured = { accepted: [], rejected: [], statuses: {}, withoutRetryAfter: 0, unsent: 0 }
  const startMs = performance.now()
  let next = 0
  const send = (dueMs: number) => {
    const bytes = prepared[next++ % prepared.length] ?? bytesOf(first)
    return sendOne(bytes, { connections, measured, startMs, dueMs })
  }
  const endMs = startMs + seconds * 1000
  if (pace.is !== 'open') {
    const isDue = () => (pace.is === 'counted' ? next < pace.count : performance.now() < endMs)
    const client = async () => {
      while (isDue()) await send(performance.now())
    }
    await Promise.all(Array.from({ length: pace.clients }, client))
  } else await sendOpen(send, { startMs, endMs, perSecond: pace.perSecond, measured })
  connections.close()
  return resultOf(measured, seconds)
}

interface OpenLoad {
  readonly startMs: number
  readonly endMs: number
  readonly perSecond: number
  readonly measured: Measured
}

async function sendOpen(
  send: (dueMs: number) => Promise<void>,
  { startMs, endMs, perSecond, measured }: OpenLoad,
): Promise<void> {
  const open = new Set<Promise<void>>()
  let sent = 0
  while (performance.now() < endMs) {
    const due = Math.floor(((performance.now() - startMs) * perSecond) / 1000)
    for (; sent < due; sent++) {
      if (open.size >= openMax) {
        measured.unsent += 1
        continue
      }
      // The first request is due one request interval after the start.
      const sending = send(startMs + ((sent + 1) * 1000) / perSecond)
      open.add(sending)
      void sending.finally(() => open.delete(sending))
    }
    await wait(tickMs)
  }
  await Promise.all(open)
}

interface Sending {
  readonly connections: RawConnections
  readonly measured: Measured
  readonly startMs: number
  readonly dueMs: number
}

async function sendOne(bytes: Buffer, { connections, measured, startMs, dueMs }: Sending): Promise<void> {
  const response = await connections
    .send(bytes)
    .catch((error: NodeJS.ErrnoException) => ({ status: error.code ?? 'error', hasRetryAfter: true }))
  record(measured, {
    ...response,
    second: Math.floor((dueMs - startMs) / 1000),
    ms: performance.now() - dueMs,
  })
}

function bytesOf({ url, token, body = '' }: LoadRequest): Buffer {
  const { host, pathname, search } = new URL(url)
  const lines = [
    `${body === '' ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

interface Response extends Sample {
  /** The HTTP status, or the code of the error when the request got no response. */
  readonly status: number | string
  readonly hasRetryAfter: boolean
}

function record(measured: Measured, { status, hasRetryAfter, second, ms }: Response): void {
  measured.statuses[status] = (measured.statuses[status] ?? 0) + 1
  if (typeof status === 'string') return
  const isRejected = status === 429 || status === 503
  if (isRejected) measured.rejected.push(ms)
  else measured.accepted.push({ second, ms })
  if (isRejected && !hasRetryAfter) measured.withoutRetryAfter += 1
}

function resultOf({ accepted, rejected, ...counts }: Measured, seconds: number): LoadResult {
  const bySecond = Map.groupBy(accepted, ({ second }) => second)
  return {
    ...counts,
    accepted: latencyOf(msOf(accepted)),
    rejected: latencyOf(rejected),
    p99BySecond: Array.from({ length: seconds }, (_, second) => latencyOf(msOf(bySecond.get(second) ?? [])).p99),
  }
}

function msOf(samples: readonly Sample[]): number[] {
  return samples.map(({ ms }) => ms)
}

function latencyOf(samplesMs: readonly number[]): Latency {
  const sorted = samplesMs.toSorted((a, b) => a - b)
  // The percentiles of an empty list are null, because JSON has no NaN.
  if (sorted.length === 0) return { count: 0, p50: null, p99: null }
  return { count: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}
