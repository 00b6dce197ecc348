import { AsyncLocalStorage } from 'node:async_hooks'

/** Time limits of the work for one request, by the process’s monotonic timer. Stored times use the database’s clock. */
export interface RequestBounds {
  /** Maximum total time in milliseconds that a request may wait in queues of the service. */
  readonly queuedMs: number
  /** Maximum time for a request. None of its database statements runs longer. */
  readonly totalMs: number
  /** Registers a listener that is called when the client disconnects. Returns a function that removes the listener. */
  readonly onDisconnect: (listener: () => void) => () => void
}

interface Bounds {
  readonly queuedUntilMs: number
  readonly untilMs: number
  readonly onDisconnect: RequestBounds['onDisconnect']
}

const current = new AsyncLocalStorage<Bounds | undefined>()

export function withinBounds<Result>(
  { queuedMs, totalMs, onDisconnect }: RequestBounds,
  run: () => Promise<Result>,
): Promise<Result> {
  const nowMs = performance.now()
  return current.run({ queuedUntilMs: nowMs + queuedMs, untilMs: nowMs + totalMs, onDisconnect }, run)
}

/**
 * Returns the smaller of two times in milliseconds: the given waiting time in a queue, and the time that the current
 * request may still spend in queues.
 */
export function cappedWaitMs(wantedMs: number): number {
  return capped(wantedMs, current.getStore()?.queuedUntilMs)
}

/**
 * Returns the timeout of a database statement in milliseconds: the given timeout, limited to the time that remains for
 * the current request, but at least half a second.
 */
export function cappedStatementMs(wantedMs: number): number {
  return Math.max(statementMinMs, capped(wantedMs, current.getStore()?.untilMs))
}

/**
 * Registers a listener for the moment at which the client of the current request disconnects, so that work that has not
 * started can be skipped. Outside of a request, the listener is never called. Returns a function that removes it.
 */
export function onAbandoned(listener: () => void): () => void {
  return current.getStore()?.onDisconnect(listener) ?? (() => undefined)
}

/** Minimum timeout of a statement in milliseconds, enough to end a transaction. */
const statementMinMs = 500

function capped(wantedMs: number, untilMs: number | undefined): number {
  return untilMs === undefined ? wantedMs : Math.max(0, Math.min(wantedMs, untilMs - performance.now()))
}

/**
 * Runs work with a signal that aborts after the given time. The timer is cancelled when the work ends. The timer of
 * `AbortSignal.timeout` would still fire, and each aborted signal costs an exception with a stack trace.
 */
export async function abortAfter<Result>(
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
