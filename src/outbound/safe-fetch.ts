import { performance } from 'node:perf_hooks'
import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import type { AddressPolicy } from './address-policy.ts'
import { isLoopbackHost, withoutBrackets } from './check-url.ts'
import { openConnector } from './connect.ts'
import { openConnectionPool } from './connection-pool.ts'
import { type Answer, ExchangeBroken, exchange } from './exchange.ts'
import { errorCodeOf, FetchError, type FetchErrorCode, fetchErrorCode } from './fetch-error.ts'
import { beginAttempt, elapsedMs, type FetchTimings, type OutboundAttempt } from './outbound-attempt.ts'
import { type Lookup, openResolver, systemLookup } from './resolver.ts'

/**
 * The only way out: every request this service makes to an address somebody else chose goes through here. It follows
 * no redirect, expands no compression, keeps no more than the beginning of an answer and ends on time.
 */

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** From the first look-up to the head of the answer. */
  readonly deadlineMs?: number
  /** Ends it earlier, as a deadline does: for a caller whose time is shared by several requests. */
  readonly signal?: AbortSignal
  /** What is kept of the answer's body. */
  readonly responseMaxBytes?: number
  /** The receiver recognises a second copy. Without it a POST never goes by a connection that was used before. */
  readonly mayArriveTwice?: boolean
}

interface Anatomy {
  /** Until the head of the final answer, or until the attempt failed. */
  readonly durationMs: number
  readonly timings: FetchTimings
  /** Whether an idle connection was used again; null when none was got. */
  readonly isReused: boolean | null
}

export type FetchOutcome =
  | (Anatomy & Pick<Answer, 'status' | 'body' | 'retryAfterSeconds'> & { readonly is: 'answered' })
  | (Anatomy & { readonly is: 'failed'; readonly errorCode: FetchErrorCode })

export interface SafeFetch {
  /** Never throws: whatever goes wrong out there is an outcome. */
  fetch(request: OutboundRequest): Promise<FetchOutcome>
  /** Closes the connections; what is under way ends as stopped. */
  close(): Promise<void>
}

interface SafeFetchOptions {
  readonly lookup?: Lookup
  /** A clock that only goes forward. */
  readonly nowMs?: () => number
}

/** Enough to read an error message by; the attempts' table keeps as many characters. */
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
    const idle = mayUseAgain(outbound) ? pool.take(url.origin) : undefined
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
      // The attempt's phases follow each other without a turn of the event loop in between, so it always finds one.
      const giveUp = () => attempt.stop(new FetchError('timeout', 'The deadline passed.'))
      const timer = setTimeout(giveUp, deadlineMs)
      outbound.signal?.addEventListener('abort', giveUp)
      underWay.add(attempt)
      try {
        const { answeredMs, ...answer } = await send(url, outbound, attempt)
        return { is: 'answered', ...answer, ...anatomy(attempt, answeredMs) }
      } catch (error) {
        return failed(fetchErrorCode(error instanceof ExchangeBroken ? error.cause : error), attempt, nowMs())
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
  return { is: 'failed', errorCode, ...anatomy(attempt, endedMs) }
}

function anatomy({ startedMs, timings, isReused }: OutboundAttempt, endedMs: number): Anatomy {
  return { durationMs: elapsedMs(startedMs, endedMs), timings, isReused }
}

/** The scheme is judged here again: a URL may have been registered under another policy. */
function allowedUrl({ url: text }: OutboundRequest, policy: AddressPolicy): URL | undefined {
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return url
  const host = withoutBrackets(url?.hostname ?? '')
  const isLocal = (policy.allowsLoopback && isLoopbackHost(host)) || policy.isOwnAddress?.(host)
  return url?.protocol === 'http:' && isLocal ? url : undefined
}

/**
 * A receiver may close an idle connection in the very moment it is used again, and nobody can tell whether it has read
 * the request. So only what may arrive twice is sent by one: a question, or a delivery, whose receiver knows its id. An
 * order for money is worth a handshake.
 */
function mayUseAgain({ method, mayArriveTwice = method === 'GET' }: OutboundRequest): boolean {
  return mayArriveTwice
}

/** What was closed over there while it was idle breaks at once; what breaks later was being worked on. */
const staleWithinMs = 1_000

/** A socket that ended, in the kernel's words and in undici's. */
const losses = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Nobody's failure: one more try by a new connection is part of the same attempt. */
function isStale(error: unknown): boolean {
  if (!(error instanceof ExchangeBroken)) return false
  if (!error.isSent) return true
  return !error.hasBegunToAnswer && error.brokeAfterMs < staleWithinMs && losses.includes(errorCodeOf(error.cause))
}
