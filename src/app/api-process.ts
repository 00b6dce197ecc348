import cluster from 'node:cluster'
import pTimeout from 'p-timeout'

/** Messages that an API process sends to the first process, which started it. */
export type Report =
  | { readonly is: 'started'; readonly url: string }
  | { readonly is: 'probed' }
  | { readonly is: 'stopped_listening' }

/** The messages that the first process sends to the API processes that it started. */
export type Request =
  /**
   * `isProbed`: whether a load balancer recently probed any of the API processes. A load balancer spreads its probes
   * over all of them.
   */
  | { readonly is: 'stop'; readonly isProbed: boolean }
  /** All API processes have stopped listening, so each process may close its connections. */
  | { readonly is: 'close_connections' }

/**
 * Whether this process is one of the API processes that the first process of the service has started. False in the
 * first process itself.
 */
export const isApiProcess = cluster.isWorker

export function reportStarted(url: string): void {
  send({ is: 'started', url })
}

/**
 * Interval in milliseconds at which an API process reports readiness probes to the first process. Load balancers probe
 * every second, and the first process counts a probe as recent for a minute.
 */
const probeReportMs = 10_000

let probeReportedMs = Number.NEGATIVE_INFINITY

/**
 * Reports to the first process of the service that a load balancer or supervisor read the readiness of this API
 * process.
 */
export function reportProbe(): void {
  const nowMs = performance.now()
  if (!isApiProcess || nowMs - probeReportedMs < probeReportMs) return
  probeReportedMs = nowMs
  send({ is: 'probed' })
}

function send(report: Report): void {
  // Sending a message fails only if the process that started this process has ended. The error is ignored, because the
  // cluster module then ends this process too.
  process.send?.(report, undefined, undefined, () => undefined)
}

export function onStopRequest(stop: (isProbed: boolean) => void): void {
  process.on('message', (request: Request) => {
    if (request.is === 'stop') stop(request.isProbed)
  })
}

/**
 * Maximum time in milliseconds that a stopping API process waits until all other API processes have stopped listening.
 * This normally takes milliseconds, and longer only if one of them is still starting.
 */
const othersMs = 2_000

/** Resolves when no other API process listens on the shared port, or after a time limit. */
export async function othersStopListening(): Promise<void> {
  if (!isApiProcess) return
  const { promise, resolve } = Promise.withResolvers<void>()
  process.on('message', (request: Request) => {
    if (request.is === 'close_connections') resolve()
  })
  send({ is: 'stopped_listening' })
  await pTimeout(promise, { milliseconds: othersMs, message: false })
}
