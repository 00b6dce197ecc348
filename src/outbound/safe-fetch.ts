import { performance } from 'node:perf_hooks'
import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import type { AddressPolicy } from './address-policy.ts'
import { isLoopbackHost, withoutBrackets } from './check-url.ts'
import { openConnector } from './connect.ts'
import { openConnectionPool } from './connection-pool.ts'
import { type Answer, ExchangeFailed, exchange } from './exchange.ts'
import { errorCodeOf, FetchError, type FetchErrorCode, fetchErrorCode } from './fetch-error.ts'
import { beginAttempt, elapsedMs, type FetchTimings, type OutboundAttempt } from './outbound-attempt.ts'
import { type Lookup, openResolver, systemLookup } from './resolver.ts'

/**
 * HTTP client for all requests to URLs that merchants or partners control (SSRF protection). It does not follow
 * redirects, does not decompress, stores only the beginning of a response, and enforces a deadline.
 */

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Time limit from the DNS lookup to the head of the response, in milliseconds. */
  readonly deadlineMs?: number
  /**
   * Signal that aborts the request before its deadline. A caller passes this signal if several of its requests share a
   * time limit.
   */
  readonly signal?: AbortSignal
  /** Maximum number of bytes that are stored from the beginning of the response body. */
  readonly responseMaxBytes?: number
  /**
   * Whether the receiver can safely process the request twice. A POST that is not idempotent never uses a reused
   * connection.
   */
  readonly isIdempotent?: boolean
}

interface AttemptTimings {
  /** Time in milliseconds from the start of the attempt to the head of the final response, or to the failure. */
  readonly durationMs: number
  readonly timings: FetchTimings
  /** Null without a connection. */
  readonly isReused: boolean | null
}

export type FetchOutcome =
  | (AttemptTimings & Pick<Answer, 'status' | 'body' | 'retryAfterSeconds'> & { readonly is: 'answered' })
  | (AttemptTimings & { readonly is: 'failed'; readonly errorCode: FetchErrorCode })

export interface SafeFetch {
  /** Never rejects: a failure is an outcome of the returned promise. */
  fetch(request: OutboundRequest): Promise<FetchOutcome>
  /** Closes all connections. Requests in progress fail with the code `stopped`. */
  close(): Promise<void>
}

interface SafeFetchOptions {
  readonly lookup?: Lookup
  /** Reads a monotonic clock, in milliseconds. */
  readonly nowMs?: () => number
}

/**
 * Default number of stored bytes of a response body, enough for an error message. The table of attempts stores the same
 * number of characters.
 */
const defaultResponseMaxBytes = 4096

const defaultDeadlineMs = webhookAcknowledgementSeconds * 1000

export function openSafeFetch(policy: AddressPolicy, options: SafeFetchOptions = {}): SafeFetch {
  const { lookup = systemLookup, nowMs = () => performance.now() } = options
  const pool = openConnectionPool()
  const connect = openConnector({ policy, resolver: openResolver({ lookup, nowMs }), nowMs })
  const underWay = new Set<OutboundAttempt>()
  let isClosed = false

  const send = async (url: URL, outbound: OutboundRequest, attempt: OutboundAttempt): Promise<Answer> => {
    const request = {
      ...outbound,
      path: url.pathname + url.search,
      responseMaxBytes: outbound.responseMaxBytes ?? defaultResponseMaxBytes,
    }
    const idle = mayReuseConnection(outbound) ? pool.take(url.origin) : undefined
    if (idle !== undefined) {
      attempt.isReused = true
      try {
        return await exchange({ pool, connection: idle, request, attempt, nowMs })
      } catch (error) {
        if (!isStale(error)) throw error
        attempt.isReused = null
      }
    }
    const socket = await connect(url, attempt)
    attempt.isReused = false
    return exchange({ pool, connection: pool.open(url.origin, socket), request, attempt, nowMs })
  }

  return {
    fetch: async (outbound) => {
      const deadlineMs = outbound.deadlineMs ?? defaultDeadlineMs
      const attempt = beginAttempt(nowMs(), deadlineMs)
      if (outbound.signal?.aborted) return failed('timeout', attempt, nowMs())
      const url = isClosed ? undefined : allowedUrl(outbound, policy)
      if (url === undefined) return failed(isClosed ? 'stopped' : 'destination_refused', attempt, nowMs())
      // The next phase of an attempt starts in the same turn of the event loop in which the previous phase ends. The
      // function `stop` can therefore abort a phase at any time.
      const giveUp = () => attempt.stop(new FetchError('timeout', 'The deadline of the request passed.'))
      const timer = setTimeout(giveUp, deadlineMs)
      outbound.signal?.addEventListener('abort', giveUp)
      underWay.add(attempt)
      try {
        const { answeredMs, ...answer } = await send(url, outbound, attempt)
        return { is: 'answered', ...answer, ...timingsOf(attempt, answeredMs) }
      } catch (error) {
        return failed(fetchErrorCode(error instanceof ExchangeFailed ? error.cause : error), attempt, nowMs())
      } finally {
        clearTimeout(timer)
        outbound.signal?.removeEventListener('abort', giveUp)
        underWay.delete(attempt)
      }
    },
    close: async () => {
      isClosed = true
      const reason = new FetchError('stopped', 'The service is stopping.')
      for (const attempt of underWay) attempt.stop(reason)
      pool.dropAll(reason)
    },
  }
}

function failed(errorCode: FetchErrorCode, attempt: OutboundAttempt, endedMs: number): FetchOutcome {
  return { is: 'failed', errorCode, ...timingsOf(attempt, endedMs) }
}

function timingsOf({ startedMs, timings, isReused }: OutboundAttempt, endedMs: number): AttemptTimings {
  return { durationMs: elapsedMs(startedMs, endedMs), timings, isReused }
}

/**
 * Returns the parsed URL, or undefined if its scheme is not allowed. The scheme was checked when the URL was
 * registered, but another address policy may have applied then.
 */
function allowedUrl({ url: text }: OutboundRequest, policy: AddressPolicy): URL | undefined {
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return url
  const host = withoutBrackets(url?.hostname ?? '')
  const isLocal = (policy.allowsLoopback && isLoopbackHost(host)) || policy.isOwnAddress?.(host)
  return url?.protocol === 'http:' && isLocal ? url : undefined
}

/**
 * Reports whether a request may use an idle connection. A receiver may close a connection just when it is reused, and
 * then it is unknown whether the request was processed. Therefore only idempotent requests may reuse a connection:
 * queries, and deliveries, which receivers deduplicate by id. For a payment, a new handshake is worth its time.
 */
function mayReuseConnection({ method, isIdempotent = method === 'GET' }: OutboundRequest): boolean {
  return isIdempotent
}

/**
 * If a request on an idle connection fails within this time, in milliseconds, the receiver had closed the connection
 * before. After a later failure, the receiver may have processed the request.
 */
const staleWithinMs = 1_000

const closedCodes = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/**
 * Reports whether a request failed because its reused connection was stale. If so, the request is sent on a new
 * connection, in the same attempt.
 */
function isStale(error: unknown): boolean {
  if (!(error instanceof ExchangeFailed)) return false
  if (!error.isSent) return true
  return (
    !error.hasResponseStarted && error.failedAfterMs < staleWithinMs && closedCodes.includes(errorCodeOf(error.cause))
  )
}
