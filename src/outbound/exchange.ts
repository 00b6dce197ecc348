import type { Dispatcher } from 'undici'
import type { Connection, ConnectionPool } from './connection-pool.ts'
import { FetchError } from './fetch-error.ts'
import { elapsedMs, type OutboundAttempt } from './outbound-attempt.ts'
import { retryAfterIn } from './retry-after.ts'

/**
 * Sends one request on a connection and reads its response. Then returns the connection to the pool if the connection
 * is reusable, and closes it otherwise.
 */

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
  readonly retryAfterSeconds?: number
  /** When the head of the final (not informational) response was received. */
  readonly answeredMs: number
}

/**
 * A request failed after it had got a connection. The fields state how far the request had progressed, which determines
 * whether it may be sent again.
 */
export class ExchangeFailed extends Error {
  override readonly cause: unknown
  readonly isSent: boolean
  readonly hasResponseStarted: boolean
  readonly failedAfterMs: number

  constructor(cause: unknown, progress: Pick<ExchangeFailed, 'isSent' | 'hasResponseStarted' | 'failedAfterMs'>) {
    super('The HTTP exchange failed.')
    this.cause = cause
    this.isSent = progress.isSent
    this.hasResponseStarted = progress.hasResponseStarted
    this.failedAfterMs = progress.failedAfterMs
  }
}

interface ExchangeOptions {
  readonly pool: ConnectionPool
  readonly connection: Connection
  readonly request: ExchangeRequest
  readonly attempt: OutboundAttempt
  readonly nowMs: () => number
}

/**
 * Limits on the data that a receiver may send before the final status of its response. Without these limits, a receiver
 * could make this process parse data until the deadline. Servers send a few informational (1XX) responses, and headers
 * far below 16 KiB, which is undici's limit per response.
 */
export const informationalMax = 8
export const headMaxBytes = 64 * 1024

/**
 * Maximum number of bytes that are read and discarded after the stored part of a body, to keep the connection reusable.
 * This is cheaper than a new handshake.
 */
const drainMaxBytes = 64 * 1024

/**
 * Sends a request. Only the status of the response matters (spec 3). If an error or timeout follows the response head,
 * the result is therefore a response with the part of the body received so far.
 */
export function exchange({ pool, connection, request, attempt, nowMs }: ExchangeOptions): Promise<Answer> {
  const { socket } = connection
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const { responseMaxBytes } = request
    let size = 0
    let informational = 0
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

    const earlierBytes = socket.bytesRead
    // Counts all bytes of the connection, because undici does not limit reason phrases, empty lines or chunk
    // extensions.
    const limitBytes = () => {
      const bytes = socket.bytesRead - earlierBytes
      if (head === undefined && bytes > headMaxBytes) {
        stop(new FetchError('response_head_too_large', 'The response has more than 64 KiB before its body.'))
      } else if (bytes > headMaxBytes + responseMaxBytes + drainMaxBytes) {
        stop(new Error('The response body is too long.'))
      }
    }

    const handler: Dispatcher.DispatchHandler = {
      // undici calls this function when it writes the request to the connected socket.
      onRequestStart: () => {
        sentMs = nowMs()
        // undici's own data listener runs before this one. When the bytes are counted, undici has therefore already
        // parsed them.
        socket.on('readable', limitBytes)
      },
      onResponseStarted: () => {
        // undici also calls this function for an informational response (early hints). The first byte is that of the
        // first response, informational or not.
        attempt.timings.firstByteMs ??= elapsedMs(sentMs ?? nowMs(), nowMs())
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) {
          informational += 1
          if (informational > informationalMax) {
            stop(new FetchError('too_many_informational_responses', 'More than 8 informational responses.'))
          }
          return
        }
        const answeredMs = nowMs()
        // In a busy process, a late response may be read before the timer fires. It is still treated as a timeout (spec
        // 3).
        if (answeredMs > attempt.endsAtMs) stop(new FetchError('timeout', 'The response arrived after the deadline.'))
        else head = { status, answeredMs, ...retryAfterIn(headers) }
      },
      onResponseData: (_, chunk) => {
        // The chunk is copied, because a slice would keep the whole read buffer in memory.
        if (size < responseMaxBytes) chunks.push(Buffer.from(chunk.subarray(0, responseMaxBytes - size)))
        size += chunk.length
      },
      onResponseEnd: () => {
        if (head === undefined) return
        socket.off('readable', limitBytes)
        pool.release(connection)
        succeed(head)
      },
      onResponseError: (_, error) => {
        const failedAfterMs = nowMs() - (sentMs ?? nowMs())
        const hasResponseStarted = attempt.timings.firstByteMs !== null
        pool.drop(connection, error)
        if (head === undefined) {
          reject(new ExchangeFailed(error, { isSent: sentMs !== undefined, hasResponseStarted, failedAfterMs }))
        } else succeed(head)
      },
    }
    const { path, method, headers, body } = request
    connection.client.dispatch({ path, method, headers, body: body ?? null }, handler)
  })
}

/** Decodes a body as UTF-8. Invalid bytes become U+FFFD; NUL is removed, because PostgreSQL's text cannot store it. */
function decoded(chunks: readonly Buffer[], maxBytes: number): string {
  if (chunks.length === 0) return ''
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes)).replaceAll('\0', '')
}
