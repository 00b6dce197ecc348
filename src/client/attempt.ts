/** How a request is sent once. */
export interface AttemptOptions {
  /**
   * How many milliseconds an answer may take to its last byte; 30 seconds when left out. A request that asks the service to
   * `wait` has so much longer.
   */
  readonly timeoutMs?: number
  /** Rings after so many milliseconds, unless it is called off by what this gives back; for tests. */
  readonly setAlarm?: (delayMs: number, ring: () => void) => () => void
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * The longest that the service lets a caller wait is a dispatch, up to 25 seconds. So after this an answer will not come any
 * more; the rest is for a proxy or a slow line.
 */
const usualTimeoutMs = 30_000

/** A timer that is told to take longer takes a millisecond instead, so this is what “never” comes to: 24 days. */
const longestTimeoutMs = 2 ** 31 - 1

/**
 * Sends a request once and waits for the whole answer. What breaks off after its headers is then no answer, as what never
 * came is; whoever reads the body later can only take it from memory.
 */
export function attempting({
  timeoutMs = usualTimeoutMs,
  setAlarm = setTimer,
  fetch = (request) => globalThis.fetch(request),
}: AttemptOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const patienceMs = Math.min(longestTimeoutMs, timeoutMs + askedWaitMs(request))
    const given = new AbortController()
    const giveUp = () => given.abort(request.signal.reason)
    const callOff = setAlarm(patienceMs, () => given.abort(tooLate(patienceMs)))
    request.signal.addEventListener('abort', giveUp, { once: true })
    if (request.signal.aborted) giveUp()
    try {
      const answer = await fetch(new Request(request, { signal: given.signal }))
      return withBody(answer, await answer.arrayBuffer())
    } finally {
      callOff()
      request.signal.removeEventListener('abort', giveUp)
    }
  }
}

/** The same answer with a body that is all there. */
export function withBody({ status, statusText, headers }: Response, body: ArrayBuffer | string): Response {
  const isEmpty = typeof body === 'string' ? body === '' : body.byteLength === 0
  // A 304 must not have a body, not even an empty one.
  return new Response(isEmpty ? null : body, { status, statusText, headers })
}

/** The document's word for how many seconds the service may hold an answer back. */
function askedWaitMs({ url }: Request): number {
  const seconds = Number(new URL(url).searchParams.get('wait'))
  // What is no number of seconds the service refuses at once.
  return seconds > 0 ? seconds * 1000 : 0
}

function tooLate(patienceMs: number): DOMException {
  return new DOMException(`It took longer than ${patienceMs} ms.`, 'TimeoutError')
}

function setTimer(delayMs: number, ring: () => void): () => void {
  const timer = setTimeout(ring, delayMs)
  return () => clearTimeout(timer)
}
