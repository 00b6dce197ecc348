import type { RequestBounds } from '../../base/deadline.ts'

/** Time limits of a request in milliseconds, after its last byte has arrived. */
export interface RequestLimits {
  /** Time limit for the whole request. It also applies when the database does not respond. */
  readonly totalMs: number
  readonly queuedMs: number
}

/**
 * The time limits of requests in the service. A statement that begins just before the total limit may exceed it by half
 * a second. A request that has waited in queues for the maximum time has one second left, which is enough for the
 * statements of a healthy database.
 */
export const requestLimits: RequestLimits = { totalMs: 5_000, queuedMs: 4_000 }

/**
 * Returns the time limits for work that continues even if the client disconnects: the lookup of a token, which several
 * requests share, and the lookup of a session, which is one statement. A callback has the same limits, because its
 * sender may not wait for the response.
 */
export function detachedBounds({ totalMs, queuedMs }: RequestLimits): RequestBounds {
  return { queuedMs, totalMs, onDisconnect: () => () => undefined }
}
