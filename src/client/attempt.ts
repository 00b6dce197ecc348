export interface AttemptOptions {
  /**
   * Timeout of an attempt in milliseconds: by then, the last byte of the response must have arrived. Defaults to 30
   * seconds. For a long poll, the time of its `wait` parameter is added.
   */
  readonly timeoutMs?: number
  /**
   * Calls `onTimeout` after a delay in milliseconds. Returns a function that cancels the timer. Tests pass a function
   * of their own.
   */
  readonly startTimer?: (delayMs: number, onTimeout: () => void) => () => void
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * Default timeout of a request. The slowest operation, a dispatch, responds within 25 seconds. The remaining five
 * seconds are for slow networks.
 */
const defaultTimeoutMs = 30_000

/** Longest delay of a JavaScript timer, about 24 days. A timer with a longer delay would fire after one millisecond. */
const timeoutMaxMs = 2 ** 31 - 1

/**
 * Returns a function that sends a request once and reads the whole response. If the connection ends before the body is
 * complete, the call rejects, as it does when no response arrives. Reading the body of a returned response therefore
 * cannot fail.
 */
export function withTimeout({
  timeoutMs = defaultTimeoutMs,
  startTimer = setTimer,
  fetch = (request) => globalThis.fetch(request),
}: AttemptOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const limitMs = Math.min(timeoutMaxMs, timeoutMs + longPollMs(request))
    const controller = new AbortController()
    const abort = () => controller.abort(request.signal.reason)
    const stopTimer = startTimer(limitMs, () => controller.abort(timeoutError(limitMs)))
    request.signal.addEventListener('abort', abort, { once: true })
    if (request.signal.aborted) abort()
    try {
      const response = await fetch(new Request(request, { signal: controller.signal }))
      return withBody(response, await response.arrayBuffer())
    } finally {
      stopTimer()
      request.signal.removeEventListener('abort', abort)
    }
  }
}

/** Returns a copy of the response with the body that was already read from it. */
export function withBody({ status, statusText, headers }: Response, body: ArrayBuffer | string): Response {
  const isEmpty = typeof body === 'string' ? body === '' : body.byteLength === 0
  // A 304 response must not have a body, not even an empty one.
  return new Response(isEmpty ? null : body, { status, statusText, headers })
}

/** Returns the milliseconds that a long poll may wait at the service, from the query parameter `wait` in seconds. */
function longPollMs({ url }: Request): number {
  const seconds = Number(new URL(url).searchParams.get('wait'))
  // A `wait` that is not a number adds no time to the timeout, because the service rejects such a request at once.
  return seconds > 0 ? seconds * 1000 : 0
}

function timeoutError(limitMs: number): DOMException {
  return new DOMException(`The response took longer than ${limitMs} ms.`, 'TimeoutError')
}

function setTimer(delayMs: number, onTimeout: () => void): () => void {
  const timer = setTimeout(onTimeout, delayMs)
  return () => clearTimeout(timer)
}
