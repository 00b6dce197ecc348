import type { Dispatcher } from 'undici'
import type { Connection, ConnectionPool } from './connection-pool.ts'
import { FetchError } from './fetch-error.ts'
import { elapsedMs, type OutboundAttempt } from './outbound-attempt.ts'
import { retryAfterIn } from './retry-after.ts'

/** One request and its answer on one connection, which is released when it can be used again and dropped when not. */

export interface ExchangeRequest {
  readonly path: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly responseMaxBytes: number
}

export interface Answer {
  readonly status: number
  readonly body: string
  /** When to come again, where the answer says so. */
  readonly retryAfterSeconds?: number
  /** When the final head was there. */
  readonly answeredMs: number
}

/** What broke, and how far the request had come: enough to judge whether it may be sent again. */
export class ExchangeBroken extends Error {
  override readonly cause: unknown
  readonly isSent: boolean
  readonly hasBegunToAnswer: boolean
  readonly brokeAfterMs: number

  constructor(cause: unknown, progress: Pick<ExchangeBroken, 'isSent' | 'hasBegunToAnswer' | 'brokeAfterMs'>) {
    super('The exchange broke.')
    this.cause = cause
    this.isSent = progress.isSent
    this.hasBegunToAnswer = progress.hasBegunToAnswer
    this.brokeAfterMs = progress.brokeAfterMs
  }
}

interface ExchangeOptions {
  readonly pool: ConnectionPool
  readonly connection: Connection
  readonly request: ExchangeRequest
  readonly attempt: OutboundAttempt
  readonly nowMs: () => number
}

/** Read on to the end of a body this much longer than what is kept: cheaper than the next request's handshake. */
const drainMaxBytes = 64 * 1024

/**
 * The body changes nothing (spec 3 asks for a status): once the head is there, whatever ends the exchange, be it the
 * deadline, leaves an answer with as much of the body as had come.
 */
export function exchange({ pool, connection, request, attempt, nowMs }: ExchangeOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const { responseMaxBytes } = request
    let size = 0
    let sentMs: number | undefined
    let head: Omit<Answer, 'body'> | undefined

    const succeed = (answered: NonNullable<typeof head>) =>
      resolve({ ...answered, body: decoded(chunks, responseMaxBytes) })

    const stop = (reason: Error) => {
      pool.drop(connection, reason)
      if (head === undefined) reject(reason)
      else succeed(head)
    }
    attempt.stop = stop

    const handler: Dispatcher.DispatchHandler = {
      // The socket is there and the request is written to it in this very moment.
      onRequestStart: () => {
        sentMs = nowMs()
      },
      onResponseStarted: () => {
        // Early hints are messages of their own; the first byte is the first of them.
        attempt.timings.firstByteMs ??= elapsedMs(sentMs ?? nowMs(), nowMs())
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) return
        const answeredMs = nowMs()
        // A busy process may read an answer before its timer has had its turn, and late is late (spec 3).
        if (answeredMs > attempt.endsAtMs) stop(new FetchError('timeout', 'The answer came too late.'))
        else head = { status, answeredMs, ...retryAfterIn(headers) }
      },
      onResponseData: (_, chunk) => {
        // What is kept is copied: a piece would hold on to the whole buffer it was read into.
        if (size < responseMaxBytes) chunks.push(Buffer.from(chunk.subarray(0, responseMaxBytes - size)))
        size += chunk.length
        if (size > responseMaxBytes + drainMaxBytes) stop(new Error('The body is longer than anybody reads.'))
      },
      onResponseEnd: () => {
        if (head === undefined) return
        pool.release(connection)
        succeed(head)
      },
      onResponseError: (_, error) => {
        const brokeAfterMs = nowMs() - (sentMs ?? nowMs())
        const hasBegunToAnswer = attempt.timings.firstByteMs !== null
        pool.drop(connection, error)
        if (head === undefined) {
          reject(new ExchangeBroken(error, { isSent: sentMs !== undefined, hasBegunToAnswer, brokeAfterMs }))
        } else succeed(head)
      },
    }
    const { path, method, headers, body } = request
    connection.client.dispatch({ path, method, headers, body: body ?? null }, handler)
  })
}

/** PostgreSQL's text cannot hold NUL; bytes that are no UTF-8 become U+FFFD. */
function decoded(chunks: readonly Buffer[], maxBytes: number): string {
  if (chunks.length === 0) return ''
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes)).replaceAll('\0', '')
}
