import type { RequestBounds } from '../../base/deadline.ts'

/**
 * Limit for a request after its last byte, also when the database does not respond. A statement that begins just before the limit
 * may take half a second longer.
 */
export const totalMaxMs = 5_000

/** Limit for the time in queues. The rest is enough for the statements of a healthy database. */
export const queuedMaxMs = 4_000

/**
 * For work that goes on when the client disconnects: the lookup of a token, which other requests share, the lookup of a session,
 * which is one statement, and a callback, whose sender may not wait for the response.
 */
export const detachedBounds: RequestBounds = {
  queuedMs: queuedMaxMs,
  totalMs: totalMaxMs,
  onDisconnect: () => () => undefined,
}
