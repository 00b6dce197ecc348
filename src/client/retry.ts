import { type AttemptOptions, attempting } from './attempt.ts'
import { NoAnswerError } from './no-answer.ts'

/** How often, and after how long, a request is sent again. */
export interface RetryOptions extends AttemptOptions {
  /** How many times more a request is sent after it failed; 4 when left out, and 0 for never. */
  readonly maxRetries?: number
  /** Waits so many milliseconds, and rejects when the request is given up meanwhile; for tests. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** With the delays below at most 7.5 seconds in all, which is as long as most restarts take. */
const usualRetries = 4

/** Long enough for one that was busy, short enough for somebody who waits. Each delay is twice the one before. */
const firstDelayMs = 500

/** Reached by those who ask for more retries than are usual: a service that is long away is asked twice a minute. */
const longestDelayMs = 30_000

/** A service that asks for more patience than this is better asked by the caller, later. */
const longestPatienceMs = 60_000

/** What a proxy answers that could not reach the service, or gave up waiting for it. */
const proxyStatuses = [502, 503, 504]

/**
 * Sends a request again where the service says that it may succeed later (`Service-Should-Retry`), after as long as it asks
 * for (`Retry-After`). Where the service did not answer, or not to the end, or a proxy in its place, only what cannot happen
 * twice is sent again.
 */
export function retrying(
  isRepeatable: (request: Request) => boolean,
  { maxRetries = usualRetries, wait = waitFor, ...options }: RetryOptions,
): (request: Request) => Promise<Response> {
  const mayBeSentAgain = (request: Request, { status, headers }: Response): boolean => {
    const said = headers.get('Service-Should-Retry')
    return said === null ? proxyStatuses.includes(status) && isRepeatable(request) : said === 'true'
  }
  const sendOnce = attempting(options)
  const attempt = async (request: Request, failures: number): Promise<Response> => {
    const isLast = failures >= maxRetries
    // A body can be read once only, so a copy is sent while the request may be needed again.
    const answer = await sendOnce(isLast ? request : request.clone()).catch((error: unknown) => {
      if (isLast || request.signal.aborted || !isRepeatable(request)) throw error
      return undefined
    })
    if (answer !== undefined && (isLast || !mayBeSentAgain(request, answer))) return answer
    const delayMs = askedDelayMs(answer) ?? backOffMs(failures)
    if (answer !== undefined && delayMs > longestPatienceMs) return answer
    await wait(delayMs, request.signal)
    return attempt(request, failures + 1)
  }
  return (request) =>
    attempt(request, 0).catch((error: unknown) => {
      throw new NoAnswerError(request, error)
    })
}

function askedDelayMs(answer: Response | undefined): number | undefined {
  const seconds = answer?.headers.get('Retry-After')
  return seconds === null || seconds === undefined || !/^\d+$/.test(seconds) ? undefined : Number(seconds) * 1000
}

/** Half of it by chance, so that clients that failed together do not come back together. */
function backOffMs(failures: number): number {
  const fullMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures)
  return fullMs / 2 + Math.random() * (fullMs / 2)
}

function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }, delayMs)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
