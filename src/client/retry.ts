import { type AttemptOptions, withTimeout } from './attempt.ts'
import { NoResponseError } from './no-response.ts'

export interface RetryOptions extends AttemptOptions {
  /** The maximum number of retries of a request. Defaults to 4; 0 disables retries. */
  readonly maxRetries?: number
  /** Waits for a delay in milliseconds, and rejects when the signal is aborted. Tests pass a function of their own. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** Default number of retries. Their delays add up to at most 7.5 seconds, which covers most restarts of a service. */
const defaultMaxRetries = 4

/** Delay before the first retry, short enough for a user who waits. Each delay is twice the previous one. */
const firstDelayMs = 500

/**
 * Maximum delay before a retry. A client that is configured for many retries then sends a request to an unavailable
 * service every 30 seconds.
 */
const delayMaxMs = 30_000

/**
 * Maximum `Retry-After` for which the client waits. If a response states a longer time, the client returns the
 * response, and the caller can retry later.
 */
const retryAfterMaxMs = 60_000

/** The HTTP statuses with which a proxy responds when it cannot reach the service or gets no response from it. */
const proxyStatuses = [502, 503, 504]

/**
 * Returns a function that sends a request and retries it. A request is retried when the service responds with
 * `Service-Should-Retry: true`, after the delay of `Retry-After`. An idempotent request is also retried when no
 * complete response arrives, or when a proxy responds with 502, 503 or 504.
 */
export function withRetries(
  isIdempotent: (request: Request) => boolean,
  { maxRetries = defaultMaxRetries, wait = waitFor, ...options }: RetryOptions,
): (request: Request) => Promise<Response> {
  const isRetryable = (request: Request, { status, headers }: Response): boolean => {
    const shouldRetry = headers.get('Service-Should-Retry')
    return shouldRetry === null ? proxyStatuses.includes(status) && isIdempotent(request) : shouldRetry === 'true'
  }
  const sendOnce = withTimeout(options)
  const attempt = async (request: Request, failures: number): Promise<Response> => {
    const isLast = failures >= maxRetries
    // The body of a request can be read only once, so every attempt except the last one sends a copy of the request.
    const response = await sendOnce(isLast ? request : request.clone()).catch((error: unknown) => {
      if (isLast || request.signal.aborted || !isIdempotent(request)) throw error
      return undefined
    })
    if (response !== undefined && (isLast || !isRetryable(request, response))) return response
    const delayMs = retryAfterMs(response) ?? backoffMs(failures)
    if (response !== undefined && delayMs > retryAfterMaxMs) return response
    await wait(delayMs, request.signal)
    return attempt(request, failures + 1)
  }
  return (request) =>
    attempt(request, 0).catch((error: unknown) => {
      throw new NoResponseError(request, error)
    })
}

function retryAfterMs(response: Response | undefined): number | undefined {
  const seconds = response?.headers.get('Retry-After')
  return seconds === null || seconds === undefined || !/^\d+$/.test(seconds) ? undefined : Number(seconds) * 1000
}

/** Exponential backoff. Half of each delay is random, so that clients that failed together retry at other times. */
function backoffMs(failures: number): number {
  const fullMs = Math.min(delayMaxMs, firstDelayMs * 2 ** failures)
  return fullMs / 2 + Math.random() * (fullMs / 2)
}

function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, delayMs)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
