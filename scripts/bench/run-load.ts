import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'

/** Load on the service, and what its responses were. */
export interface LoadRun {
  /** The requests, which are sent in turn. */
  readonly requests: readonly LoadRequest[]
  readonly seconds: number
  readonly pace: LoadPace
}

export type LoadPace =
  /** Clients that send their next request after each response, also after a rejection. */
  | { readonly is: 'closed'; readonly clients: number }
  /** Requests that are sent when they are due, whether or not earlier ones have a response. */
  | { readonly is: 'open'; readonly perSecond: number }

export interface LoadRequest {
  readonly url: string
  readonly token: string
  /** JSON of a POST; left out for a GET. */
  readonly body?: string
}

export interface LoadResult {
  /** Responses by status, and connection errors by code. */
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds since the requests were due. */
  readonly accepted: Latency
  /** Responses with 429 and 503. */
  readonly rejected: Latency
  readonly withoutRetryAfter: number
  /** Due requests that were not sent, because too many had no response. */
  readonly unsent: number
  /** p99 of the accepted requests that were due in each second; null for a second without any. */
  readonly p99BySecond: readonly (number | null)[]
}

export interface Latency {
  readonly count: number
  readonly p50: number | null
  readonly p99: number | null
}

/** A service with so many requests without a response is stuck. */
const openMax = 5_000

/** As many sockets as a few client machines use. */
const connections = 500

/** How often the open load sends what is due. */
const tickMs = 2

interface Sample {
  readonly second: number
  readonly ms: number
}

interface Measured {
  readonly accepted: Sample[]
  /** Milliseconds alone: an object for each of millions would let the garbage collection delay the requests. */
  readonly rejected: number[]
  readonly statuses: Record<string, number>
  withoutRetryAfter: number
  unsent: number
}

export async function runLoad({ requests, seconds, pace }: LoadRun): Promise<LoadResult> {
  const agent = new Agent({ connections: pace.is === 'closed' ? pace.clients : connections, pipelining: 1 })
  const measured: Measured = { accepted: [], rejected: [], statuses: {}, withoutRetryAfter: 0, unsent: 0 }
  const startMs = performance.now()
  let next = 0
  const send = (dueMs: number) => {
    const each = requests[next++ % requests.length]
    if (each === undefined) throw new Error('A load has at least one request.')
    return sendOne(each, { agent, measured, startMs, dueMs })
  }
  const endMs = startMs + seconds * 1000
  if (pace.is === 'closed') {
    const client = async () => {
      while (performance.now() < endMs) await send(performance.now())
    }
    await Promise.all(Array.from({ length: pace.clients }, client))
  } else await sendOpen(send, { startMs, endMs, perSecond: pace.perSecond, measured })
  await agent.close()
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
      // The first request is due after one interval.
      const sending = send(startMs + ((sent + 1) * 1000) / perSecond)
      open.add(sending)
      void sending.finally(() => open.delete(sending))
    }
    await wait(tickMs)
  }
  await Promise.all(open)
}

interface Sending {
  readonly agent: Agent
  readonly measured: Measured
  readonly startMs: number
  readonly dueMs: number
}

/** Sends a request without the streams of `request()`: the generator shares the machine with the service. */
function sendOne({ url, token, body }: LoadRequest, { agent, measured, startMs, dueMs }: Sending): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { origin, pathname, search } = new URL(url)
  let status: number | string = 0
  let hasRetryAfter = true
  const end = () => {
    record(measured, {
      status,
      hasRetryAfter,
      second: Math.floor((dueMs - startMs) / 1000),
      ms: performance.now() - dueMs,
    })
    resolve()
  }
  agent.dispatch(
    {
      ...{ origin, path: pathname + search, method: body === undefined ? 'GET' : 'POST', body: body ?? null },
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
    },
    {
      // undici recognises a handler by this function.
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode, headers) => {
        status = statusCode
        hasRetryAfter = headers['retry-after'] !== undefined
      },
      onResponseData: () => undefined,
      onResponseEnd: end,
      onResponseError: (_controller, error: NodeJS.ErrnoException) => {
        status = error.code ?? 'error'
        end()
      },
    },
  )
  return promise
}

interface Response extends Sample {
  /** The code of the error for a request without a response. */
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
  return { count: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

/** JSON has no NaN, so an empty list has null. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null
}
